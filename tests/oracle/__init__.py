"""Splendor written down a second time, in plain Python, to confirm what the rule files say.

Nothing here imports the package under test: the cards come from the tables in tests/facts, the rules from the rulebook.

`cards` the 90 cards and 10 nobles · `rules` one game · `perft` counts of decision sequences · `lockstep` a running
engine played beside these rules, decision by decision.
"""
