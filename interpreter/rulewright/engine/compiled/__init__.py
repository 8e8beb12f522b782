"""Rules compiled into a program that only plays them: first to a tree of few sorts of instructions, then to Python
or machine code.

In: `Rules`. Out: a program (`compiler`), and what a seat sees as numbers (`observation_layout`). Below it: `kernel/`,
the tree and what makes it fast; `translation/`, from rules to that tree; `python/`, its printer as Python. Above it:
`llvm/`, machine code; `playing/`, games, batches and counts by such programs. `interpreter/README.md` has all modules
in the order in which rules go through them.
"""
