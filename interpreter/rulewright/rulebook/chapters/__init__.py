"""The chapters of a rulebook, one module each, named as the chapter is.

In: a `RulebookWriter`. Out: blocks appended to it. Each module has one public function `add_<chapter>`; their order is
the tuple `BOOK_CHAPTERS` in `rulebook.assemble`. A passage of a game's book names its chapter by the same word; `terms`
is the chapter that passages call `values`. `printed_rules` is a section of the appendix.
"""
