"""The kernel tree: the few sorts of instructions into which rules are compiled, and what makes them fast.

In: what a program is to do, put together with `code_builder`. Out: functions of whole numbers and cells. `kernel` and
`kernel_statements` have the sorts of instructions, `cell_layout` says which cell means what, `packed_counts` how
several counts stand in one. The other modules write functions anew, so that they do the same sooner.
"""
