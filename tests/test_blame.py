"""Rules that are right without a variant and wrong with it: told at the variant, what was there before beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rulewright.checker.lint import build_and_lint
from rulewright.diagnostics import Diagnostic, Diagnostics, render_full
from rulewright.document.address import iter_addresses
from rulewright.document.document import Document
from rulewright.document.document_reader import load_document
from rulewright.model.build import BuildFunction, build_rules
from rulewright.model.loader import build_composition, compose_document
from rulewright.model.rules import Rules
from rulewright.variants.variant import Variant

pytestmark = pytest.mark.slow

BLAMED = Path(__file__).parent / "diagnostics" / "check" / "blamed" / "base.yaml"


def game() -> Document:
    """A small game that is right."""
    found = load_document(BLAMED, Diagnostics())
    assert found is not None
    return found


RULES = game()


def reported(
    tmp_path: Path, *texts: str, warnings: bool = False, build: BuildFunction | None = None
) -> list[Diagnostic]:
    """What is said of the game with variants that are given as the text below their head."""
    diagnostics = Diagnostics()
    paths = []
    for name, text in zip("abcdef", texts, strict=False):
        paths.append(tmp_path / f"{name}.yaml")
        paths[-1].write_text(f"variant: {name}\nfor: {RULES.name}\n{text}\n")
    resolved = compose_document(RULES, 2, [str(path) for path in paths], diagnostics)
    if resolved is not None:
        build = build or (build_and_lint if warnings else build_rules)
        build_composition(resolved, diagnostics, build=build, with_warnings=warnings)
    return list(diagnostics)


def errors(found: list[Diagnostic]) -> list[Diagnostic]:
    """Those that are no warnings."""
    return [one for one in found if one.severity == "error"]


def beside(one: Diagnostic) -> list[tuple[str, int, str]]:
    """The places that stand beside a diagnostic: file, line, note."""
    return [(Path(other.span.source.path).name, other.span.line, other.note) for other in one.related]


IS_HERE = "is defined here"


@pytest.mark.parametrize(
    ("text", "code", "places"),
    [
        ("set: {parameters.goal: 50}", "out-of-bounds", ["10 replaces `5`"]),
        ("adjust: {parameters.goal: 50}", "out-of-bounds", ["10 replaces `5`"]),
        ("set: {turn.last.when: tabel is 1}", "unknown-name", ["37 replaces this"]),
        ("set: {turn.take.must: [tak]}", "unknown-reference", ["36 replaces `[take, win]`"]),
        ("set: {zones.row.seen_by: none}", "not-one-of", ["22 replaces `all`"]),
        ("add: {actions.take.when.b: 3}", "condition-not-a-flag", [f"29 `actions.take.when` {IS_HERE}"]),
        ("extend: {turn.take.must: [mill]}", "unknown-reference", ["36 replaces `[take, win]`"]),
        ("add: {zones.row.ordre: arrival}", "unknown-key", [f"22 `zones.row` {IS_HERE}"]),
        (
            "extend: {components.tile.rows: [{id: oak, colour: rde, points: 1}]}",
            "wrong-value",
            [f"16 `components.tile.rows` {IS_HERE}"],
        ),
        (
            "set: {parameters.goal.type: 1 to 4}",
            "breaks-rules",
            ["10 replaces `1 to 9`", "10 out of bounds"],
        ),
        ("remove: [zones.won]", "removed-but-used", ["34 used here, in `actions.win", "37 in `turn.last"]),
        ("insert: {turn.x: {after: last, run: p}}", "unknown-reference", ["37 inserted after this"]),
        ("insert: {turn.x: {before: last, run: p}}", "unknown-reference", ["37 inserted before this"]),
        ("insert: {turn.x: {at: end, run: p}}", "unknown-reference", [f"35 `turn` {IS_HERE}"]),
        ("insert: {turn.x: {after: lats, run: p}}", "no-such-sibling", ["35 `turn` is defined here"]),
        ("set: {actions: [a, b]}", "wrong-type", ["25 replaces `actions`"]),
        ("add: {turn.0: {may: [win]}}", "add-without-place", ["35 `turn` is defined here"]),
        ("remove: [turn.0]", "index-for-id", ["35 `turn` is defined here"]),
        ("add: {version: 2.0.0}", "fixed-address", ["3 defined here"]),
        ("insert: {values.sum: {at: end, run: x}}", "not-an-ordered-list", []),
        ("set: {turn.take: 3}", "wrong-type", ["36 replaces `take`"]),
        ("set: {parameters.goal: {vlaue: 3, value: 4}}", "unknown-key", ["10 replaces `goal`"]),
        ("add: {parameters.more: {value: lots, type: 1 to 9}}", "unknown-name", []),
    ],
)
def test_what_a_change_replaced_is_shown_beside_its_diagnostic(
    tmp_path: Path, text: str, code: str, places: list[str]
) -> None:
    (one,) = errors(reported(tmp_path, text))
    assert (one.code.name, Path(one.span.source.path).name) == (code, "a.yaml")
    there = [f"{line} {note}" for file, line, note in beside(one) if file == "base.yaml"]
    assert len(there) == len(places)
    assert all(said.startswith(wanted) for said, wanted in zip(there, places, strict=True)), there


def anything(address: str) -> list[str]:
    """Changes of what stands at an address, most of them wrong."""
    above, _, name = address.rpartition(".")
    return [
        *(f"set: {{{address}: {value}}}" for value in ("3", "lots", "[red]", "{is: points}", "purse(me)", "1 to 2")),
        f"adjust: {{{address}: 20}}",
        f"remove: [{address}]",
        f"extend: {{{address}: [win]}}",
        f"drop: {{{above}: [{name}]}}",
        f"add: {{{address}.more: 1}}",
        f"insert: {{{above}.more: {{after: {name}, may: [win]}}}}",
    ]


@pytest.mark.parametrize("address", list(iter_addresses(RULES.root)))
def test_nothing_is_reported_of_a_file_that_is_right(tmp_path: Path, address: str) -> None:
    """Whatever is done to a rule: every diagnostic stands in the variant, or at the head of one that goes with it."""
    for text in anything(address):
        other = ["adjust: {parameters.most: 1}"] if text.startswith("remove") else []
        found = reported(tmp_path, text, *other, warnings=True)
        places = {Path(one.span.source.path).name for one in found}
        assert places <= {"a.yaml", "b.yaml"}, [render_full(one) for one in found]


def test_what_is_wrong_only_together_names_both(tmp_path: Path) -> None:
    """Each of two variants is right alone: the diagnostic stands where it is written, the other's change beside it."""
    uses = "set: {turn.last.when: count(hand(me)) >= goal + most}"
    takes = "set: {actions.take.choose.number.one_of: 1 to 2, parameters.goal: 4}\nremove: [parameters.most]"
    for texts in ((uses, takes), (takes, uses)):
        (one,) = reported(tmp_path, *texts)
        at_use, at_removal = ("a.yaml", "b.yaml") if texts[0] == uses else ("b.yaml", "a.yaml")
        assert (one.code.name, Path(one.span.source.path).name) == ("unknown-name", at_use)
        assert beside(one)[:2] == [
            (at_removal, 4, f"only with this change of `{at_removal[0]}`"),
            ("base.yaml", 37, "replaces this"),
        ]


def test_whose_a_warning_is_only_check_looks_for(tmp_path: Path) -> None:
    """Who plays does not wait for it."""
    read = []

    def counted(
        document: Document,
        players: int,
        diagnostics: Diagnostics,
        *,
        variants: Sequence[str] = (),
        applied: Sequence[Variant] = (),
    ) -> Rules | None:
        read.append(players)
        return build_rules(document, players, diagnostics, variants=variants, applied=applied)

    unused = "set: {turn.last.when: table is empty}\nadjust: {parameters.most: 1}"
    assert reported(tmp_path, unused, build=counted) == []
    assert len(read) == 1
    (one,) = reported(tmp_path, unused, warnings=True)
    assert (one.code.name, one.span.line) == ("unused", 3)


def test_a_cause_among_many_is_soon_found(tmp_path: Path) -> None:
    """Also where no single change is one: what is removed needs what is removed before it."""
    read = []

    def counted(
        document: Document,
        players: int,
        diagnostics: Diagnostics,
        *,
        variants: Sequence[str] = (),
        applied: Sequence[Variant] = (),
    ) -> Rules | None:
        read.append(players)
        return build_rules(document, players, diagnostics, variants=variants, applied=applied)

    many = ", ".join(f"parameters.p{number}: 1" for number in range(200))
    (one,) = errors(reported(tmp_path, f"add: {{{many}}}\nset: {{parameters.most.type: 1 to 1}}", build=counted))
    assert (one.code.name, one.span.line) == ("breaks-rules", 4)
    assert 2 < len(read) <= 12
    read.clear()
    act = "{text: More., do: [{add: {set: points, to: outer}}]}"
    more = f"state.points: 0 to 9, actions.more: {act}, turn.take.must.more: {{}}"
    needed = f"add: {{values.inner: count(table), values.outer: inner + 1, {more}}}"
    removing = f"after: [a]\nadd: {{{many}}}\nremove: [values.inner, values.outer]"
    (one,) = errors(reported(tmp_path, needed, removing, build=counted))
    assert (one.code.name, one.span.line, beside(one)[0][:2]) == ("unknown-name", 3, ("b.yaml", 5))
    assert 12 < len(read) <= 24
