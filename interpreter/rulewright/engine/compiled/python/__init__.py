"""The kernel tree as readable Python.

In: the functions of a program. Out: the text of a module; `python_module` writes the whole, `python_printer` a
function.
"""
