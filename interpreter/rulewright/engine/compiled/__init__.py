"""Rules compiled into a program that only plays them: first to a tree of few sorts of instructions, then to Python
or machine code.

`interpreter/README.md` has the modules in the order in which rules go through them.
"""
