"""Rules compiled into a program that only plays them: first to a tree of few sorts of instructions, then to Python."""
