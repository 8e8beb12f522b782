"""The grammar of expressions, as the parser generator reads it.

In: `grammar.lark`. Out: a Lark parser made from it (slow, about 30 ms). `parse` loads ready tables instead, which
`parser_tables` writes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal, get_args

from lark import Lark
from lark.lexer import PatternRE, PatternStr, TerminalDef

StartRule = Literal["expr", "amount", "place", "binding", "type", "kind_range", "every_kind", "grid"]

GRAMMAR_DIR: Final = Path(__file__).parent


def build_lark_parser(*, debug: bool = False) -> Lark:
    """The parser, built from the grammar. `debug`: Lark logs conflicts."""
    return Lark(
        (GRAMMAR_DIR / "grammar.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer="contextual",
        start=list(get_args(StartRule)),
        propagate_positions=True,
        maybe_placeholders=False,
        edit_terminals=_end_at_word_boundary,
        debug=debug,
    )


def _end_at_word_boundary(terminal: TerminalDef) -> None:
    """A keyword ends where its letters end, so that `1 offset` is not `1 of fset`.

    It takes precedence over a name where the grammar allows both; where it allows only a name, the contextual lexer
    looks for nothing else.
    """
    if isinstance(terminal.pattern, PatternStr) and terminal.pattern.value.isalpha():
        terminal.pattern = PatternRE(terminal.pattern.value + "(?![a-z0-9_])")
        terminal.priority += 1
