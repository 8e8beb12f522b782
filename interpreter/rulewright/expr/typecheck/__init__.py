"""The type checker of expressions: names are resolved, types and bounds inferred, mistakes reported.

In: a scalar and a `Scope`. Out: a typed tree, or diagnostics; nothing here raises.

`expressions` is the entry for values, amounts, places, targets and loop variables, `declarations` for types and kinds.
`expressions.EXPRESSION_CHECKS` says which function checks which rule of the grammar: in `logic`, `comparisons`,
`arithmetic`, `literals`, `names` (with `keys` and `functions`), `fields` and `loops`. They reach each other through the
`CheckContext`, never by import. `contradictions` finds conditions that never hold together; `expr_hints` has texts.
"""
