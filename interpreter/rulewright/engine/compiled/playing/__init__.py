"""Programs that are played: single games, batches of games, sequences of decisions.

In: a compiled program, as Python or as machine code. Out: games (`make_game`), batches (`compiled_rules`), counts
(`compiled_tree`), each the same as those of the reference engine. Positions come in by `position_loader` and go out by
`position_reading`, so that any engine can go on with them.
"""
