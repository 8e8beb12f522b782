"""What becomes of rules when they are compiled: what stands in which cells of a position, and the program itself.

In: rules, what is asked for. Out: lines of text. Raises `UsageError` for rules that cannot be compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from rulewright.engine.compiled.compiler import CompiledProgram, compile_program
from rulewright.engine.compiled.llvm.llvm_printer import LlvmModule
from rulewright.engine.compiled.translation.action_words import BagField, Field, ListField, MaskField, NumberField
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.errors import UsageError
from rulewright.model.rules import Rules

ProgramForm: TypeAlias = Literal["python", "llvm"]
CELLS_HEAD: Final = "cells"
BITS_HEAD: Final = "bits"


def compile_shown(rules: Rules) -> CompiledProgram:
    """The program of some rules."""
    try:
        return compile_program(rules)
    except NotCompiled as refusal:
        raise UsageError(str(refusal)) from None


def layout_lines(program: CompiledProgram) -> Iterator[str]:
    """What stands in which cells, and which bits of an action's word are which answer."""
    rows = [
        (_span(section.first, len(section.values)), section.name, section.text)
        for section in program.cells.sections
        if section.values
    ]
    yield f"a position is {program.cells.size} whole numbers"
    yield from _table([(CELLS_HEAD, "what", ""), *rows])
    words = program.words
    yield ""
    yield f"an action is one number of {words.bits} bits; each choice is the answer less the lowest that it can be"
    named: list[tuple[str, str, str]] = [
        (_span(0, words.number_width), "every action", "its number plus 1; 0 is to decline"),
        (_span(words.token_shift, words.token_width), "every action", "the piece that is added, where it is open"),
    ]
    for action, fields in zip(program.rules.actions, words.fields, strict=True):
        for choice, field in zip(action.choices, fields, strict=True):
            named.append((_field_span(field), choice.address, _field_text(field)))
    yield from _table([(BITS_HEAD, "what", ""), *named])


def program_lines(program: CompiledProgram, form: ProgramForm) -> Iterator[str]:
    """The program as generated Python, or in LLVM's text form before it is optimised."""
    yield program.to_python() if form == "python" else LlvmModule(program).text()


def _field_span(field: Field) -> str:
    match field:
        case NumberField(shift=shift, width=width):
            return _span(shift, width)
        case BagField(lanes=lanes):
            return _span(lanes[0][0], sum(width for _, width in lanes)) if lanes else "none"
        case MaskField(shift=shift, members=members):
            return _span(shift, len(members))
        case ListField(shift=shift, count_width=count_width, width=width, room=room):
            return _span(shift, count_width + width * room)


def _field_text(field: Field) -> str:
    match field:
        case NumberField(low=low):
            return f"less {low}" if low else ""
        case BagField(lanes=lanes):
            return f"a count for each member: {', '.join(str(width) for _, width in lanes)} bits"
        case MaskField(members=members):
            return f"a bit for each of {len(members)} members"
        case ListField(room=room, count_width=count_width, width=width):
            return f"how many, in {count_width} bits, then up to {room} of {width} bits"


def _span(first: int, count: int) -> str:
    if not count:
        return "none"
    return str(first) if count == 1 else f"{first} to {first + count - 1}"


def _table(rows: list[tuple[str, str, str]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for span, name, text in rows:
        yield f"{span:>{widths[0]}}  {name:<{widths[1]}}  {text}".rstrip()


__all__ = ["ProgramForm", "compile_shown", "layout_lines", "program_lines"]
