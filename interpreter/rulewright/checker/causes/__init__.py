"""One fault, one diagnostic: what several errors have in common, and what only follows from others.

In: diagnostics. Out: fewer, each at its cause. `consequences` is where a reader can begin: tables of what follows from
what.
"""
