"""What the rule model promises: digests that follow the meaning, and walks that miss no part of an expression."""

from __future__ import annotations

import dataclasses
import re
import typing
from pathlib import Path

import pytest

from rulewright.diagnostics import RulesError
from rulewright.expr import tree
from rulewright.expr.types import Flag
from rulewright.expr.walk import child_exprs, substitute
from rulewright.model.loader import load_rules
from rulewright.model.locate import NotFound

LOWEST = Path(__file__).parent / "games" / "lowest" / "lowest.yaml"


def test_the_walk_knows_every_child_of_every_expression() -> None:
    for node in typing.get_args(tree.Expr):
        hints = typing.get_type_hints(node, vars(tree))
        children: list[tree.Local] = []
        values: dict[str, object] = {}
        for field in dataclasses.fields(node):
            values[field.name] = Flag() if field.name == "type" else 0
            if any(part in typing.get_args(tree.Expr) for part in _flat(hints[field.name])):
                child = tree.Local(field.name, 1, Flag(), (0, 0))
                children.append(child)
                values[field.name] = (child,) if typing.get_origin(hints[field.name]) is tuple else child
        if node is tree.Local:
            continue
        expr = node(**values)
        assert sorted(child_exprs(expr), key=repr) == sorted(children, key=repr), node.__name__
        constant = tree.Constant(7, Flag(), (0, 0))
        assert set(child_exprs(substitute(expr, 1, constant))) == ({constant} if children else set()), node.__name__


def _flat(hint: object) -> list[object]:
    inner = typing.get_args(hint)
    return [hint] if not inner else [part for one in inner for part in _flat(one)]


def digest_of(text: str, folder: Path) -> tuple[str, str]:
    path = folder / "lowest.yaml"
    path.write_text(text, encoding="utf-8")
    rules = load_rules(str(path))
    return rules.digest, rules.text_digest


def test_the_digest_of_the_meaning_follows_the_meaning_only(tmp_path: Path) -> None:
    text = LOWEST.read_text(encoding="utf-8")
    meaning, words = digest_of(text, tmp_path)
    spaced = text.replace("alone(player) and no", "alone( player )  and no")
    assert spaced != text
    assert digest_of(spaced, tmp_path)[0] == meaning
    written = re.sub(r"(?m)^text: .*$", "text: Another name", text)
    assert written != text
    assert digest_of(written, tmp_path)[0] == meaning
    assert digest_of(written, tmp_path)[1] != words
    changed = text.replace("2 * players - 1", "2 * players - 2")
    assert changed != text
    assert digest_of(changed, tmp_path)[0] != meaning


@pytest.mark.slow
def test_digests_differ_by_number_of_players_and_variant() -> None:
    digests = {load_rules("splendor", players=players).digest for players in (2, 3, 4)}
    digests.add(load_rules("splendor", players=2, variants=["colours-first"]).digest)
    assert len(digests) == 4


def test_unknown_names_are_refused_with_the_nearest() -> None:
    with pytest.raises(NotFound, match="splendor"):
        load_rules("splendour")
    with pytest.raises(NotFound, match="colours-first"):
        load_rules("splendor", variants=["colour-first"])
    with pytest.raises(RulesError, match="not for 7"):
        load_rules("splendor", players=7)
