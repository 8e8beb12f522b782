"""Document → rules: what the files say, resolved for one number of players, frozen.

In: a document with its variants applied. Out: `Rules`, in which every name is resolved, every expression typed, and
every place, action and block of steps has its number; what is wrong goes to the diagnostics. No stage after this one
reads a file of rules.

`loader` is the way in: from the name of a game to its rules. `build` is the pipeline, a tuple of passes over a
`build_state`; `rules` is what comes out. Each section has a module that reads it: `kinds` (with parameters),
`components`, `zones` (with values and states), `steps` (with `choices`, `moves`, `state_steps` and `source_texts`),
`assessments` (ranking, invariants, measures, evaluation, strategies), `sentences` (with `translations`), `passages` of
the rulebook, `display`.
They read expressions with an `expr_reader` and a `symbol_table`. `traversal` and `dependencies` answer questions about
finished rules; `blame` finds the variant that makes rules wrong.
"""
