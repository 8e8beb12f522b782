"""What may be wrong with rules although each of their words is right: no way to go on, no end, things lost.

In: a rule model. Out: claims that are proved from the rules alone, and what games that were tried by chance have shown.
"""
