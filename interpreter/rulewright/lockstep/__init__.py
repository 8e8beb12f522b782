"""Engines side by side: the same random games are played in several of them, and whatever differs is found.

In: rules and the names of engines. Out: what was compared, and each difference with the seed and the decision that show
it. Rules changed at random reach what no shipped game has. Start with `lockstep_games`; `lockstep_player` is what an
engine has to be, `rule_mutations` how rules are changed.
"""
