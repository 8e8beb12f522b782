"""What an editor asks while somebody writes rules: what is wrong, what a name means, where it is used, what can follow.

`text_places` counts in texts as editors do; `open_rules` reads the game that a file belongs to, `file_names` the names
that each of its files speaks of (`known_names`: what is declared; `local_names`: what rules bind for themselves).
`file_uses`, `name_uses` and `scenario_uses` say of every word what it means, and nothing else does: `meanings` finds
with them what is meant at a place, where it is declared and used, `rule_places` where else a rule without a name is
written, `renaming` gives it another name, `tokens` its colour. `descriptions` says what it is; `completions`,
`outlines` and `fixes` answer the rest. `server` speaks the Language Server Protocol and holds no rule itself.
"""
