"""Sentences and the rules that they are about: whether they say the same, and in which languages.

In: rules and their sentences. Out: warnings. Found by a few words, English and French, where nothing else goes with the
rule.
"""
