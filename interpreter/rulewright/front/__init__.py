"""What people and programs meet: the command, the terminal game, the line protocol; arguments and lines in, text out.

The only package that prints and reads arguments.
"""
