"""The Python text of a program, written once: it is kept under all that it follows from.

In: a `CompiledProgram`. Out: the text. Writing it takes longer than anything else until a first game; rules that nobody
will play again, such as those of tests and of trials of combinations, are better not kept.
"""

from __future__ import annotations

from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.llvm.machine_code import code_origin
from rulewright.private_cache import cache_key, keep, read_cached
from rulewright.program_signature import program_signature


def kept_python(program: CompiledProgram) -> str:
    """The program as a Python module."""
    key = cache_key("python", program_signature(), program.title, code_origin(program))
    kept = read_cached(key)
    if kept is not None:
        return kept.decode()
    text = program.to_python()
    keep(key, text.encode())
    return text


__all__ = ["kept_python"]
