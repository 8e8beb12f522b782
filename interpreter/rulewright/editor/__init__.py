"""What an editor asks while somebody writes rules: what is wrong, what a name means, where it is used, what can follow.

`text_places` counts in texts as editors do; `open_rules` reads the game that a file belongs to; `meanings` finds what
is meant at a place, where it is declared and used; `descriptions` says what it is; `completions`, `outlines`, `tokens`
and `fixes` answer the rest. `server` speaks the Language Server Protocol and holds no rule itself.
"""
