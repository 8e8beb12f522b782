"""Reading an expression: the words are put together as the grammar says, or the first word that does not fit is told.

In: a text and what it should be (a value, an amount, a place …). Out: a `Syntax` tree or a `Stumble`. Lark reads the
text by `grammar.lark`. Whether a word is a word of the language or a name depends on what can stand at its place, so
that a pile may be called `top`.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, Literal

from lark import Lark, Tree, UnexpectedCharacters, UnexpectedInput, UnexpectedToken, __version__
from lark.lexer import PatternStr

from rulewright import limits
from rulewright.expr import codes
from rulewright.expr.keywords import KEYWORDS
from rulewright.expr.parse_errors import explain_parse_error, find_number_error
from rulewright.expr.syntax_tree import ParseError, SyntaxNode, SyntaxToken

StartRule = Literal["expr", "amount", "place", "binding", "type", "kind_range", "every_kind", "grid"]

GRAMMAR_DIR: Final = Path(__file__).parent


@cache
def load_parser() -> Lark:
    """The parser of the grammar, read once; built anew when another version of Lark wrote its file."""
    data = json.loads((GRAMMAR_DIR / "parser.json").read_text(encoding="utf-8"), object_pairs_hook=_numbered)
    if data["lark"] == __version__:
        return Lark.load(data)
    from rulewright.expr.parser_tables import build_lark_parser  # only now: it is run by itself to write the file

    return build_lark_parser()


def _numbered(pairs: list[tuple[str, Any]]) -> dict[str | int, Any]:
    """Lark numbers its states and rules, and JSON has only strings for keys."""
    return {int(key) if key.isdigit() else key: value for key, value in pairs}


@lru_cache(maxsize=8192)
def parse(text: str, start: StartRule = "expr") -> SyntaxNode | ParseError:
    """Reads a text as a value, or as what `start` says. The same text is read only once."""
    if len(text) > limits.MAX_EXPRESSION_LENGTH:
        message = f"an expression of {len(text)} characters; {limits.MAX_EXPRESSION_LENGTH} are allowed"
        return ParseError(
            codes.EXPRESSION_TOO_LONG, (0, len(text)), message, "too long", "name a part of it in `values`"
        )
    try:
        tree = load_parser().parse(text, start=start)
    except UnexpectedInput as error:
        return _stumble(text, start, error)
    made: dict[int, SyntaxNode] = {}
    for node in tree.iter_subtrees():  # inner ones first, and without recursion: nothing has looked at the depth yet
        parts: list[SyntaxNode | SyntaxToken] = []
        for part in node.children:
            if isinstance(part, Tree):
                parts.append(made[id(part)])
                continue
            assert part.start_pos is not None
            assert part.end_pos is not None
            at = part.start_pos, part.end_pos
            if part.type == "INT" and (stumble := find_number_error(part, at)):
                return stumble
            parts.append(SyntaxToken(str(part), at))
        span = node.meta.start_pos, node.meta.end_pos
        depth = 1 + max((part.depth for part in parts if isinstance(part, SyntaxNode)), default=0)
        if depth > limits.MAX_EXPRESSION_DEPTH:
            message = f"more than {limits.MAX_EXPRESSION_DEPTH} parts inside one another"
            return ParseError(codes.EXPRESSION_TOO_DEEP, span, message, "too deep", "name a part of it in `values`")
        made[id(node)] = SyntaxNode(str(node.data), tuple(parts), span, depth)
    return made[id(tree)]


def _stumble(text: str, start: StartRule, error: UnexpectedInput) -> ParseError:
    """What to say where Lark stops.

    It has ended rules for the sake of the word that does not fit; what could stand there instead is asked of a second
    reading that halts before this word.
    """
    word = error.token if isinstance(error, UnexpectedToken) else text[error.pos_in_stream or 0]
    ends = isinstance(error, UnexpectedToken) and error.token.type == "$END"
    begin = len(text) if ends else error.pos_in_stream or 0
    reading = load_parser().parse_interactive(text, start=start)
    last = 0
    with suppress(UnexpectedInput):  # a character that means nothing stops this reading too
        for token in reading.iter_parse():
            if token.start_pos == begin:
                break
            last = token.end_pos or 0
            if token.type == "INT" and (stumble := find_number_error(token, (last - len(token), last))):
                return stumble
    what: Literal["end", "stray", "word"] = (
        "end" if ends else "stray" if isinstance(error, UnexpectedCharacters) else "word"
    )
    at = (last, last) if ends else (begin, begin + len(word))
    accepted = reading.accepts()  # type: ignore[no-untyped-call]  # Lark gives it no type
    following = frozenset(_words().get(name, name) for name in accepted)
    return explain_parse_error(text, what, at, following, reading.parser_state.value_stack)


@cache
def _words() -> dict[str, str]:
    """How each word and sign of the language is written, by its name in the parser."""
    return {
        one.name: one.pattern.value if isinstance(one.pattern, PatternStr) else one.name.lower().strip("_")
        for one in load_parser().terminals
        if one.name not in ("NAME", "INT")
    }


TOKEN_PATTERN: Final = re.compile(r"[a-z0-9_]+|<=|>=|//|\S")
NO_SPACE_BEFORE: Final = frozenset({")", ",", "."})
NO_SPACE_AFTER: Final = frozenset({"(", "."})


def canonical_text(text: str) -> str:
    """The same words with one way of spacing, to hold two texts against each other."""
    out = ""
    last = ""
    for word in TOKEN_PATTERN.findall(text):
        called = word == "(" and (last.replace("_", "a").isalnum() and last not in KEYWORDS)
        tight = not last or word in NO_SPACE_BEFORE or last in NO_SPACE_AFTER or called
        out += word if tight else f" {word}"
        last = word
    return out
