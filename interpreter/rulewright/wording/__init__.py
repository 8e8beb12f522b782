"""Rules in words: what things are called and what rules say, in a language, outside of any game.

In: frozen rules and a locale. Out: text. `messages` has the program's own words, of the rules and of the terminal;
`labels` what a rule is called and its sentence for every number of players; `phrases` (with `expr_phrases`, `names`,
`variables` and `negation`) puts expressions and steps into words that have no sentence; `contractions` joins words as
a language does; `static_sentences` fills in a sentence without a game; `static_value` says which values are known
before play; `text_case` turns names into words.
"""
