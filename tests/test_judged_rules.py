"""What a variant leaves as it is need not be looked at: what is told is what checks tell that look at all rules.

Shipped variants are checked in both ways. So is every game among the cases of diagnostics as if some rule of it had
been written by a variant: what is wrong with that rule is then told of the variant, and nothing else of its file.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from rulewright.checker.lint import build_and_lint
from rulewright.checker.rules_passes import RULES_PASSES
from rulewright.diagnostics import Diagnostics, render_full
from rulewright.document.address import iter_addresses, split_address
from rulewright.document.document_reader import load_document
from rulewright.frozen import replace
from rulewright.model.judged_rules import judging_all, written_addresses
from rulewright.model.loader import Composition, compose_document
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode
from rulewright.variants.variant import load_variant
from test_remembered import compositions

CASES = Path(__file__).parent / "diagnostics"
NOT_JUDGED = ("game", "version", "language", "components", "texts", "sources", "display", "statements")
QUICK_GAMES = 6  # of the games with something wrong, every sixth
QUICK_ADDRESSES = 3  # of each of them
MANY_ADDRESSES = 8


def diagnose(composition: Composition) -> Diagnostics:
    """All that is told while rules are built, and of the rules, whoever causes it."""
    diagnostics = Diagnostics()
    rules = build_and_lint(
        composition.document,
        composition.players,
        diagnostics,
        variants=composition.variant_names,
        applied=composition.applied_variants,
    )
    for check in RULES_PASSES if rules is not None else ():
        check(rules, composition, diagnostics)
    return diagnostics


def told(composition: Composition) -> list[str]:
    """The same as text."""
    return [render_full(one) for one in diagnose(composition)]


def told_otherwise(composition: Composition) -> list[str]:
    """What is told only where all rules are looked at, or only where not."""
    found = told(composition)
    with judging_all():
        whole = told(replace(composition))  # nothing that is known of the one is known of the other
    return sorted({*found} ^ {*whole}) or ["in another order"] * (found != whole)


@cache
def games() -> tuple[Path, ...]:
    """The games among the cases, most with something wrong in them."""
    files = sorted(path for path in CASES.rglob("*.yaml") if re.search(rb"^game:", path.read_bytes(), re.MULTILINE))
    return tuple(path.parent if path.name == "game.yaml" else path for path in files)


def as_written_by_variant(composition: Composition, address: str, path: Path, *, with_name: bool) -> Composition:
    """The same rules as if a variant had written what stands at an address. `path`: where its file is written.
    `with_name`: the name of the rule, too.
    """
    text = f"variant: {path.stem}\nfor: {composition.document.name}\ntext: Another.\nadd: {{measures.another: 1}}\n"
    path.write_text(text, encoding="utf-8")
    variant = load_variant(path, Diagnostics())
    assert variant is not None
    source = variant.root.span.source.path
    changed = _rewritten(composition.document.root, split_address(address), source, with_name=with_name)
    assert isinstance(changed, MappingNode)
    return replace(
        composition,
        document=replace(composition.document, root=changed),
        variant_names=(variant.name,),
        chosen_variants=(variant,),
    )


def _rewritten(node: Node, parts: Sequence[str], path: str, *, with_name: bool) -> Node:
    assert isinstance(node, MappingNode)
    entries = list[Entry]()
    for entry in node.entries:
        if entry.key.text == parts[0] and len(parts) == 1:
            key = _moved_key(entry, path) if with_name else entry.key
            entry = Entry(key, _moved(entry.value, path), () if with_name else (entry.value.span,))
        elif entry.key.text == parts[0]:
            entry = Entry(entry.key, _rewritten(entry.value, parts[1:], path, with_name=with_name), entry.history)
        entries.append(entry)
    return MappingNode(tuple(entries), node.span)


def _moved(node: Node, path: str) -> Node:
    """The same node in another file, which says the same."""
    span = replace(node.span, source=replace(node.span.source, path=path))
    match node:
        case ScalarNode():
            return replace(node, span=span)
        case MappingNode(entries=entries):
            moved = (replace(entry, key=_moved_key(entry, path), value=_moved(entry.value, path)) for entry in entries)
            return MappingNode(tuple(moved), span)
        case SequenceNode(items=items):
            return SequenceNode(tuple(_moved(item, path) for item in items), span)


def _moved_key(entry: Entry, path: str) -> ScalarNode:
    return replace(entry.key, span=replace(entry.key.span, source=replace(entry.key.span.source, path=path)))


def addresses_of(root: MappingNode) -> list[str]:
    """Where a variant can have written a rule, or a part of one; not in a list."""
    found = []
    for entry in root.entries:
        if entry.key.text not in NOT_JUDGED and isinstance(entry.value, MappingNode):
            found += [f"{entry.key.text}.{address}" for address in _addresses_in(entry.value)]
    return found


def _addresses_in(node: MappingNode) -> Iterator[str]:
    for entry in node.entries:
        yield entry.key.text
        if isinstance(entry.value, MappingNode):
            yield from (f"{entry.key.text}.{inner}" for inner in _addresses_in(entry.value))


def compared(game: Path, variant: Path, count: int) -> tuple[dict[str, list[str]], int]:
    """What is told otherwise of a game, by the address of the rule that a variant may have written, and how many things
    are told of such rules. `count`: of so many addresses, those first of which something is told.
    """
    document = load_document(game, Diagnostics())
    composition = None if document is None else compose_document(document, None, (), Diagnostics())
    if composition is None:
        return {}, 0
    rng, addresses = random.Random(game.name), addresses_of(composition.document.root)
    told_of = {one.address for one in diagnose(composition)}
    rng.shuffle(addresses)
    addresses.sort(key=lambda address: address not in told_of)
    found, number = dict[str, list[str]](), 0
    for address in addresses[:count]:
        written = as_written_by_variant(composition, address, variant, with_name=rng.random() < 0.5)
        number += len(told(written))
        if others := told_otherwise(written):
            found[address] = others
    return found, number


# ---- tests --------------------------------------------------------------------------------------------------------


def test_what_is_written_is_found_with_all_around_it(tmp_path: Path) -> None:
    document = load_document(CASES.parent / "games" / "lowest" / "lowest.yaml", Diagnostics())
    assert document is not None
    composition = compose_document(document, None, (), Diagnostics())
    assert composition is not None
    address = next(each for each in addresses_of(composition.document.root) if each.count(".") == 2)
    written = as_written_by_variant(composition, address, tmp_path / "somebody-s.yaml", with_name=True)
    found = written_addresses(written.document.root, written.variant_files)
    inside = {each for each in iter_addresses(written.document.root) if f"{each}.".startswith(f"{address}.")}
    assert found == {*inside, address.rpartition(".")[0], address.partition(".")[0]}


def test_a_sample_of_shipped_variants_is_judged_alike() -> None:
    assert not [each.variant_names for each in compositions(every=5) if told_otherwise(each)]


@pytest.mark.slow
def test_all_shipped_variants_are_judged_alike() -> None:
    assert not [each.variant_names for each in compositions() if told_otherwise(each)]


@pytest.mark.parametrize("part", range(4))
def test_what_is_wrong_with_some_rules_is_told_of_the_variant_that_wrote_them(part: int, tmp_path: Path) -> None:
    assert_alike(games()[::QUICK_GAMES][part::4], tmp_path, QUICK_ADDRESSES)


@pytest.mark.slow
@pytest.mark.sampled(4)
@pytest.mark.parametrize("part", range(16))
def test_what_is_wrong_with_more_rules_is_told_of_the_variant_that_wrote_them(part: int, tmp_path: Path) -> None:
    assert_alike(games()[part::16], tmp_path, MANY_ADDRESSES)


def assert_alike(some: Sequence[Path], folder: Path, count: int) -> None:
    """Games of which the same is told in both ways, and not nothing."""
    found = {game.name: compared(game, folder / "somebody-s.yaml", count) for game in some}
    assert not {name: others for name, (others, _) in found.items() if others}
    assert sum(number for _, number in found.values()) > len(found) / 2
