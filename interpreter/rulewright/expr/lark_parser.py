"""Reads an expression by the grammar: its words are put together, or the first that does not fit is reported.

In: a text and what it should be. Out: a `SyntaxNode` or a `ParseError`. Lark reads the text by `grammar.lark`. Whether
a word is a keyword or a name depends on what the grammar allows there, so that a zone may be called `top`.
"""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache

from lark import Lark, Tree, UnexpectedCharacters, UnexpectedInput, UnexpectedToken, __version__
from lark.lexer import PatternStr

from rulewright import limits
from rulewright.expr import codes
from rulewright.expr.grammar import GRAMMAR_DIR, StartRule, build_lark_parser
from rulewright.expr.parse_errors import UnexpectedPart, explain_parse_error, find_number_error
from rulewright.expr.syntax_tree import ParseError, SyntaxNode, SyntaxToken
from rulewright.frozen import frozen


@cache
def load_parser() -> Lark:
    """The parser, loaded once; built from the grammar if `parser.json` was written by another version of Lark."""
    data = json.loads((GRAMMAR_DIR / "parser.json").read_text(encoding="utf-8"), object_pairs_hook=_with_int_keys)
    return Lark.load(data) if data["lark"] == __version__ else build_lark_parser()


def _with_int_keys(pairs: list[tuple[str, object]]) -> dict[str | int, object]:
    """Lark numbers its states and rules, and the keys of JSON are strings."""
    return {int(key) if key.isdigit() else key: value for key, value in pairs}


def parse_by_grammar(text: str, start: StartRule) -> SyntaxNode | ParseError:
    """Reads a text as what `start` says."""
    try:
        tree = load_parser().parse(text, start=start)
    except UnexpectedInput as error:
        return _explain(text, start, error)
    nodes: dict[int, SyntaxNode] = {}
    for subtree in tree.iter_subtrees():  # inner ones first, and without recursion: the depth is not checked yet
        parts: list[SyntaxNode | SyntaxToken] = []
        for part in subtree.children:
            if isinstance(part, Tree):
                parts.append(nodes[id(part)])
                continue
            assert part.start_pos is not None
            assert part.end_pos is not None
            offsets = part.start_pos, part.end_pos
            if part.type == "INT" and (number_error := find_number_error(part, offsets)):
                return number_error
            parts.append(SyntaxToken(str(part), offsets))
        span = subtree.meta.start_pos, subtree.meta.end_pos
        depth = 1 + max((part.depth for part in parts if isinstance(part, SyntaxNode)), default=0)
        if depth > limits.MAX_EXPRESSION_DEPTH:
            message = f"nested more than {limits.MAX_EXPRESSION_DEPTH} levels deep"
            return ParseError(codes.EXPRESSION_TOO_DEEP, span, message, "too deep", "name a part of it in `values`")
        nodes[id(subtree)] = SyntaxNode(str(subtree.data), tuple(parts), span, depth)
    return nodes[id(tree)]


def _explain(text: str, start: StartRule, error: UnexpectedInput) -> ParseError:
    """What is wrong where Lark stops.

    Lark has already reduced rules because of the unexpected word; what was expected there is asked of a second,
    interactive parser that halts before this word.
    """
    word = error.token if isinstance(error, UnexpectedToken) else text[error.pos_in_stream or 0]
    is_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
    start_offset = len(text) if is_end else error.pos_in_stream or 0
    parser = load_parser().parse_interactive(text, start=start)
    last_end = 0
    with suppress(UnexpectedInput):  # a character that is no token stops this parser too
        for token in parser.iter_parse():
            if token.start_pos == start_offset:
                break
            last_end = token.end_pos or 0
            offsets = last_end - len(token), last_end
            if token.type == "INT" and (number_error := find_number_error(token, offsets)):
                return number_error
    part: UnexpectedPart = "end" if is_end else "character" if isinstance(error, UnexpectedCharacters) else "word"
    span = (last_end, last_end) if is_end else (start_offset, start_offset + len(word))
    accepted = parser.accepts()  # type: ignore[no-untyped-call]  # Lark does not annotate it
    texts = _terminal_texts()
    expected = frozenset(texts.get(name, name) for name in accepted)
    return explain_parse_error(text, part, span, expected, parser.parser_state.value_stack)


def words_that_follow(text: str, start: StartRule) -> frozenset[str]:
    """What the grammar allows after the beginning of an expression: keywords and operators as they are written, NAME
    and INT; nothing where the beginning is wrong already.
    """
    parser = load_parser().parse_interactive(text, start=start)
    try:
        for _ in parser.iter_parse():
            pass
    except UnexpectedInput:
        return frozenset()
    texts = _terminal_texts()
    accepted = parser.accepts()  # type: ignore[no-untyped-call]  # Lark does not annotate it
    return frozenset(texts.get(name, name) for name in accepted)


@frozen
class OpenPart:
    """A part of an expression whose end is not written yet: a word, or what was put together before the next one."""

    text: str
    is_word: bool
    count: int = 0  # of the parts of a list that was put together


def open_parts(text: str, start: StartRule) -> tuple[OpenPart, ...]:
    """What the beginning of an expression leaves open, outermost first; nothing where it is wrong already."""
    parser = load_parser().parse_interactive(text, start=start)
    try:
        for _ in parser.iter_parse():
            pass
    except UnexpectedInput:
        return ()
    return tuple(
        OpenPart(text[part.meta.start_pos : part.meta.end_pos], is_word=False, count=len(part.children))
        if isinstance(part, Tree)
        else OpenPart(str(part), is_word=True)
        for part in parser.parser_state.value_stack
    )


@cache
def _terminal_texts() -> dict[str, str]:
    """The text of each keyword and operator, by its name in the parser."""
    return {
        terminal.name: terminal.pattern.value
        if isinstance(terminal.pattern, PatternStr)
        else terminal.name.lower().strip("_")
        for terminal in load_parser().terminals
        if terminal.name not in ("NAME", "INT")
    }


__all__ = ["OpenPart", "load_parser", "open_parts", "parse_by_grammar", "words_that_follow"]
