"""Rules into functions of the kernel tree: what can be chosen, what steps do, how a game goes on.

In: `Rules`, their facts, the layout of cells. Out: functions of the kernel tree, and the points at which a game can
be taken up again. `program_functions` puts them together, `expression_writer`, `legal_lists` and `step_effects` are
where a reader can begin.
"""
