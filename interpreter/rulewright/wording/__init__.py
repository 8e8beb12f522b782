"""Rules → words: labels, sentences and phrases in a language, outside of any game."""
