"""Expressions are text with a value: the files in tests/expressions hold them, with what each means or is told.

`world.yaml` is the small game in which they are worked out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from expressions.world import scope
from rulewright import expr
from rulewright.diagnostics import Code, Report, Source, Span, draw
from rulewright.expr import build, check, codes
from rulewright.expr.names import RESERVED
from rulewright.expr.parse import canonical, parse
from rulewright.expr.sentence import Hole, Plural
from rulewright.expr.syntax import Stumble, Syntax
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type, Unknown
from rulewright.text.nodes import Scalar

FOLDER = Path(__file__).parent / "expressions"
FILES = sorted(path for path in FOLDER.glob("*.yaml") if path.name != "world.yaml")


def _cases() -> Iterator[Any]:
    for path in FILES:
        for name, case in yaml.safe_load(path.read_text(encoding="utf-8"))["cases"].items():
            yield pytest.param(path.stem, case, id=f"{path.stem}.{name}")


def _text(case: dict[str, Any]) -> str | int | bool:
    if "nested" in case:
        variables = [f"x_{number}" for number in range(case["nested"])]
        return " ".join(f"some {name} in 1 to 1 has" for name in variables) + " open"
    if "repeat" in case:
        return case.get("between", "").join([case["is"]] * case["repeat"]) + case.get("after", "")
    return case["is"]


def _scalar(value: str | int | bool) -> Scalar:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return Scalar(value, text, Span(Source("case.yaml", text), 0, len(text)))


def phrase(type_: Type) -> str:
    match type_:
        case Flag():
            return "flag"
        case Number(low, high):
            return f"{low} to {high}"
        case Member(name) | Thing(name):
            return name
        case Bag(kind):
            return f"bag of {kind}" if kind else "bag"
        case SetOf(of):
            return "set" if of is None else f"set of {phrase(of)}"
        case Unknown():
            return "unclear"


EXPECTED: dict[str, Type] = {
    "flag": Flag(),
    "bag": Bag(""),
    "set": SetOf(None),
    "bag of animal": Bag("animal"),
    "seat": Member("seat"),
    "colour": Member("colour"),
    "0 to 5": Number(0, 5),
    "0 to 9": Number(0, 9),
}


def _amount(scalar: Scalar, scope: Any, report: Report) -> str:
    found = check.amount(scalar, scope, report)
    return "" if found is None else found.how if found.of is None else f"{found.how} {phrase(found.of.type)}"


def _place(scalar: Scalar, scope: Any, report: Report, *, source: bool) -> str:
    found = check.place(scalar, scope, report, source=source)
    keys = f"/{len(found.keys)}" if found and found.keys else ""
    return "" if found is None else f"{'bottom ' * found.bottom}{found.zone}{keys}"


def _binding(scalar: Scalar, scope: Any, report: Report) -> str:
    found = check.binding(scalar, scope, report)
    return "" if found is None else f"{found.name} {phrase(found.type)}"


def _state(scalar: Scalar, scope: Any, report: Report) -> str:
    found = check.state_place(scalar, scope, report)
    return "" if found is None else phrase(found.type)


def _pair(found: tuple[int, int] | None) -> str:
    return "" if found is None else f"{found[0]} {found[1]}"


WAYS: dict[str, Callable[[Scalar, Any, Report], str]] = {
    "amount": _amount,
    "place": lambda scalar, scope, report: _place(scalar, scope, report, source=False),
    "source": lambda scalar, scope, report: _place(scalar, scope, report, source=True),
    "binding": _binding,
    "state": _state,
    "type": lambda scalar, scope, report: phrase(check.type_(scalar, scope, report)),
    "kind_range": lambda scalar, scope, report: _pair(check.kind_range(scalar, scope, report)),
    "every_kind": lambda scalar, scope, report: check.every_kind(scalar, scope, report) or "",
    "grid": lambda scalar, scope, report: _pair(check.grid(scalar, scope, report)),
}


def _read(file: str, case: dict[str, Any], report: Report) -> tuple[Any, Any]:
    """What a case gives, and what it says it gives."""
    names = scope(case.get("players", 2), has_me=case.get("me", True))
    scalar = _scalar(_text(case))
    if file == "sentences":
        made = expr.sentence(scalar, names, report)
        if made is None:
            return None, None
        pieces = [_piece(part) for part in made.parts]
        return (pieces, list(expr.holes(made))), (case["parts"], case.get("holes", []))
    if "as" in case:
        return WAYS[case["as"]](scalar, names, report), case.get("gives")
    expect = EXPECTED[case["expect"]] if "expect" in case else None
    return phrase(expr.expression(scalar, names, report, expect=expect).type), case.get("type")


def _piece(part: str | Hole | Plural) -> str:
    match part:
        case Hole():
            return f"{{{part.text}}}"
        case Plural():
            return f"{{{part.text}: {'|'.join(part.forms)}}}"
        case _:
            return part


@pytest.mark.parametrize(("file", "case"), _cases())
def test_case(file: str, case: dict[str, Any]) -> None:
    report = Report()
    found, said = _read(file, case, report)
    told = "\n".join(draw(one) for one in report)
    if "complaint" not in case:
        assert not len(report), told
        assert found == said
        return
    assert [one.code.name for one in report] == [case["complaint"]], told
    (one,) = report
    assert one.span.start + 1 == case.get("at", one.span.start + 1), told
    assert case.get("help", "") in one.help, told


def test_ids_are_unique() -> None:
    ids = [param.id for param in _cases()]
    assert len(ids) == len(set(ids))


def _codes() -> dict[str, Code]:
    return {one.name: one for one in vars(codes).values() if isinstance(one, Code)}


def test_every_code_has_a_case() -> None:
    told = {param.values[1].get("complaint") for param in _cases()}
    assert sorted(_codes()) == sorted(told - {None})


def test_codes_are_numbered_once() -> None:
    named = [one for one in vars(codes).values() if isinstance(one, Code)]
    assert len({one.number for one in named}) == len(named) == len(_codes())


def test_every_rule_of_the_grammar_is_checked() -> None:
    tables = build.tables((build.FOLDER / "grammar.lark").read_text(encoding="utf-8"))
    rules = {name for _, _, name, _ in tables["rules"]} - {"", "_"}
    ways = {"exactly", "all", "top", "up_to", "up_to_random", "random", "place", "bottom", "binding", "head"}
    kinds = {"named", "between", "bag", "set", "kind_range", "every_kind", "grid"}
    assert rules == set(check.RULES) | ways | kinds


def test_tables_are_those_of_the_grammar() -> None:
    assert (build.FOLDER / "tables.json").read_text(encoding="utf-8") == build.text()


def test_reserved_words_are_those_of_the_grammar() -> None:
    grammar = (build.FOLDER / "grammar.lark").read_text(encoding="utf-8")
    assert f"(?!(?:{'|'.join(sorted(RESERVED))})\\b)" in grammar


def _shape(tree: Any) -> Any:
    """A tree as nested lists, of this parser or of Lark."""
    if isinstance(tree, Syntax):
        return [tree.rule, *map(_shape, tree.parts)]
    if hasattr(tree, "data"):
        return [str(tree.data), *map(_shape, tree.children)]
    return getattr(tree, "text", None) or str(tree)


def test_reads_as_lark_does() -> None:
    from lark import Lark
    from lark.exceptions import UnexpectedInput

    grammar = (build.FOLDER / "grammar.lark").read_text(encoding="utf-8")
    lark = Lark(grammar, parser="lalr", start=list(build.STARTS), maybe_placeholders=False)
    ways = {"source": "place", "state": "expr"}
    ours = {"expression-too-long", "expression-too-deep", "number-form"}
    for param in _cases():
        file, case = param.values
        if file == "sentences" or case.get("complaint") in ours or "nested" in case:
            continue
        text = str(_text(case)).lower() if isinstance(case["is"], bool) else str(_text(case))
        start = ways.get(case.get("as", "expr"), case.get("as", "expr"))
        found = parse(text, start)
        try:
            theirs = lark.parse(text, start=start)
        except UnexpectedInput:
            assert isinstance(found, Stumble), text
        else:
            assert _shape(found) == _shape(theirs), text


def test_grammar_has_no_conflicts(caplog: pytest.LogCaptureFixture) -> None:
    from lark import Lark, logger

    logger.setLevel("DEBUG")
    with caplog.at_level("DEBUG", logger="lark"):
        grammar = (build.FOLDER / "grammar.lark").read_text(encoding="utf-8")
        Lark(grammar, parser="lalr", start=list(build.STARTS), maybe_placeholders=False, debug=True)
    assert not [one for one in caplog.messages if "onflict" in one]


def test_canonical_spacing_keeps_the_meaning() -> None:
    for param in _cases():
        case = param.values[1]
        if "complaint" in case or not isinstance(case["is"], str) or "as" in case or "parts" in case:
            continue
        first, second = parse(case["is"]), parse(canonical(case["is"]))
        assert _shape(first) == _shape(second)
        assert canonical(canonical(case["is"])) == canonical(case["is"])


def test_the_package_does_without_lark() -> None:
    import subprocess
    import sys

    asked = "import sys, rulewright.expr.check as c; c.parse('1'); sys.exit('lark' in sys.modules)"
    path = str(build.FOLDER.parent.parent)
    assert subprocess.run([sys.executable, "-c", asked], env={"PYTHONPATH": path}, check=False).returncode == 0
