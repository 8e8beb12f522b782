"""The rules as a picture: all of the rules and nothing else is in it, and what a variant changes is marked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphs import FILES, GAMES, every_table, picture, rules_of
from rulewright.diagram import diagrams
from rulewright.diagram.diagram import Diagram
from rulewright.diagram.diagrams import DIAGRAMS
from rulewright.diagram.mermaid import to_mermaid
from rulewright.diagram.svg import to_svg
from rulewright.model.effects import Block, Choose, RunSteps, Step
from rulewright.model.loader import load_rules
from rulewright.model.rules import Rules

pytestmark = pytest.mark.slow

# ---- what is in it --------------------------------------------------------------------------------------------------


def below(rules: Rules, block: Block) -> Iterator[Step]:
    for step in block.steps:
        yield step
        if isinstance(step.effect, RunSteps) and not step.effect.is_procedure:
            yield from below(rules, rules.blocks[step.effect.block])


def steps_of(rules: Rules) -> list[Step]:
    first = [rules.blocks[one] for one in (rules.setup, rules.round, rules.turn, rules.finale)]
    first += [rules.blocks[action.block] for action in rules.actions]
    first += {one.address: one for one in rules.blocks if re.fullmatch(r"procedures\.\w+", one.address)}.values()
    return [step for block in first for step in below(rules, block)]


def offered(rules: Rules, step: Step) -> list[str]:
    if not isinstance(step.effect, Choose):
        return []
    found = [f"{step.address}:{step.effect.mode}:{rules.actions[one.action].name}" for one in step.effect.offers]
    other = step.effect.fallback
    return found + ([f"{step.address}:otherwise:{rules.actions[other].name}"] if isinstance(other, int) else [])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_all_of_the_rules_is_in_it_and_nothing_else(path: Path) -> None:
    rules, diagram = rules_of(str(path), ()), picture("all", str(path), ())
    steps = steps_of(rules)
    wanted = [step.address for step in steps] + [f"{step.address}.when" for step in steps if step.when is not None]
    wanted += [one.address for one in (*rules.zones.values(), *rules.ranking)]
    for action in rules.actions:
        wanted += [action.address, *(one.address for one in (*action.choices, *action.clauses))]
    offers = [name for step in steps for name in offered(rules, step)]
    boxes = [node.address for node in diagram.nodes if node.address and node.id not in offers]
    frames = [group.address for group in diagram.groups if group.address]
    assert sorted({*boxes, *frames}) == sorted(wanted)
    assert len(set(boxes)) == len(boxes)
    assert len(set(frames)) == len(frames)
    assert sorted(node.id for node in diagram.nodes if node.id in offers) == sorted(offers)
    rest = [node.id for node in diagram.nodes if not node.address]
    assert all(name.endswith((":start", ":end")) for name in rest)
    assert len({node.id for node in diagram.nodes}) == len(diagram.nodes)


@every_table
def test_every_box_is_reached_from_a_beginning_and_stands_in_one_group(game: str, variants: tuple[str, ...]) -> None:
    diagram = picture("all", game, variants)
    assert sorted(name for group in diagram.groups for name in group.nodes) == sorted(one.id for one in diagram.nodes)
    kinds = {node.id: node.kind for node in diagram.nodes}
    ways: dict[str, list[str]] = {}
    for edge in diagram.edges:
        ways.setdefault(edge.source, []).append(edge.target)
        assert (kinds[edge.source] == "zone") == (kinds[edge.target] == "zone") == (edge.kind in ("move", "refill"))
    reached = [name for name, kind in kinds.items() if kind in ("start", "zone")]
    for name in reached:
        reached += [one for one in ways.get(name, ()) if one not in reached]
    assert set(reached) == set(kinds)


def test_a_turn_is_what_is_done_in_a_turn() -> None:
    rules = rules_of("splendor", ())
    shown = {node.address for node in picture("turn", "splendor", ()).nodes if node.address}
    block = rules.blocks[rules.turn]
    conditions = {f"{step.address}.when" for step in block.steps if step.when is not None}
    assert shown == {step.address for step in block.steps} | conditions | {one.address for one in rules.actions}


def test_procedures_that_a_turn_runs_are_shown_with_it() -> None:
    diagram = picture("turn", str(GAMES / "island" / "island.yaml"), ())
    assert [group.id for group in diagram.top_groups()] == ["turn", "procedures.flood"]


def test_what_moves_where() -> None:
    edges = {(edge.source, edge.target): edge.text for edge in picture("moves", "splendor", ()).edges}
    assert edges == {
        ("zones.noble_box", "zones.nobles"): ("Set-up: top nobles_shown",),
        ("zones.supply", "zones.purse"): (
            "Take different tokens: 1 of colours", "Take two of a colour: 2 of colour",
            "gold for reserving: up to 1 of gold",
        ),
        ("zones.market", "zones.hand"): ("Reserve a face-up card: card",),
        ("zones.deck", "zones.hand"): ("Reserve from a deck: top",),
        ("zones.purse", "zones.supply"): ("Buy a card: payment", "Give back: tokens"),
        ("zones.market", "zones.tableau"): ("Buy a card: card",),
        ("zones.hand", "zones.tableau"): ("Buy a card: card",),
        ("zones.nobles", "zones.visited"): ("Receive noble: noble",),
        ("zones.deck", "zones.market"): ("replaces what left",),
    }  # fmt: skip


@pytest.mark.parametrize("show", DIAGRAMS)
def test_a_picture_speaks_one_language(show: str) -> None:
    english, french = (picture(show, "splendor", (), code) for code in ("en", "fr"))
    for one, other in zip(english.nodes, french.nodes, strict=True):
        if one.kind not in ("condition", "decision"):  # these may stand as the rules write them
            same = [text for text in one.text if text in other.text]
            assert not [text for text in same if text not in ("Action: pass", "Nobles", "noble box")], one
    assert english.title != french.title


# ---- what is marked -------------------------------------------------------------------------------------------------

LOTS = """
game: lots
version: 1.0.0
language: 2
text: Lots
players: 2
kinds:
  chip: [red, blue]
parameters:
  most: {value: 3, type: 1 to 9, text: Chips that a seat may have}
values:
  held: {per: player, is: count(mine(player))}
  worth: {per: player, is: held(player)}
  wealth: {per: player, is: worth(player)}
state:
  lucky: {type: flag, start: false}
zones:
  bank: {holds: chip, seen_by: all, start: 9 of chip}
  mine: {holds: chip, per: player, seen_by: all}
procedures:
  tax: [pay: {when: wealth(me) > 0, move: all, from: mine(me), to: bank}]
setup:
  - gift: {for_each: player, move: 1 of red, from: bank, to: mine(player)}
actions:
  take:
    text: Take a chip.
    choose: {chip: {one_of: chip}}
    when: {there: {is: bank(chip) > 0, why: There is none.}, room: {is: held(me) < most}}
    do: [take: {move: 1 of chip, from: bank, to: mine(me)}]
  swap:
    choose: {coins: {pay: 1 of red, from: mine(me), wild: blue}}
    do: [swap: {move: coins, from: mine(me), to: bank}]
  rest: {text: Rest., do: []}
turn:
  - act: {must: [take, swap], if_unable: rest}
  - luck: {roll: lucky}
  - lose: {when: lucky, run: tax, text: Who is out of luck pays.}
round:
  - turns: {for_each: player, turn: player}
  - end: {when: round_number is 5, end_game: now}
ranking:
  - chips: {most: held(player)}
"""
OFFER = "turn.act:must:take"
# what a variant does, and the boxes and arrows that are marked by it
MARKS = {
    "set: {parameters.most: 4}": {OFFER: "changed", "actions.take.when.room": "changed"},
    "set: {parameters.most.text: Chips}": {},
    "set: {values.held: {per: player, is: 0}}": {
        OFFER: "changed", "actions.take.when.room": "changed", "procedures.tax.do.pay:when": "changed",
        "zones.mine>zones.bank": "changed", "ranking.chips": "changed",
    },
    "set: {ranking.chips: {fewest: held(player)}}": {"ranking.chips": "changed"},
    "insert: {ranking.red: {before: chips, most: 'mine(player, red)'}}": {"ranking.red": "new"},
    "set: {actions.take.when.there.is: bank(chip) > 1}": {OFFER: "changed", "actions.take.when.there": "changed"},
    "set: {actions.take.when.there.why: It is empty.}": {OFFER: "changed", "actions.take.when.there": "changed"},
    "set: {actions.take.text: Take one.}": {OFFER: "changed", "actions.take:start": "changed"},
    "set: {actions.take.choose.chip.one_of: each chip where bank(chip) > 0}": {
        OFFER: "changed", "actions.take.choose.chip": "changed",
    },
    "set: {actions.swap.choose.coins.wild: red}": {
        "turn.act:must:swap": "changed", "actions.swap.choose.coins": "changed",
    },
    "set: {actions.take.do.take.move: up to 2 of chip}": {
        OFFER: "changed", "actions.take.do.take": "changed", "zones.bank>zones.mine": "changed",
    },
    "add: {actions.take.when.late: {is: round_number > 1, why: Later.}}": {
        OFFER: "changed", "actions.take.when.late": "new",
    },
    "remove: [actions.take.when.room]": {OFFER: "changed", "actions.take.when.room": "gone"},
    "insert: {actions.take.do.more: {at: end, set: lucky, to: true}}": {
        OFFER: "changed", "actions.take.do.more": "new",
    },
    "set: {turn.lose.when: not lucky}": {"turn.lose": "changed", "turn.lose:when": "changed"},
    "remove: [turn.lose.when]": {"turn.lose:when": "gone"},
    "add: {turn.luck.when: not lucky}": {"turn.luck:when": "new"},
    "set: {turn.lose.text: Bad luck.}": {"turn.lose": "changed"},
    "remove: [turn.lose, procedures.tax]": {
        "turn.lose:when": "gone", "turn.lose": "gone", "procedures.tax": "gone", "procedures.tax:start": "gone",
        "procedures.tax.do.pay:when": "gone", "procedures.tax.do.pay": "gone", "procedures.tax:end": "gone",
        "zones.mine>zones.bank": "gone",
    },
    "insert: {turn.more: {before: luck, roll: lucky}}": {"turn.more": "new"},
    "insert: {round.stop: {before: end, when: lucky, end_game: after_round}}": {
        "round.stop:when": "new", "round.stop": "new",
    },
    "remove: [turn.act.if_unable]\nadd: {turn.luck.times: 2}": {
        "turn.act": "changed", "turn.act:otherwise:rest": "gone", "turn.luck": "changed",
    },
    "add: {actions.win: {do: [end: {end_game: now}]}}\nset: {turn.act.must: [take, win]}": {
        "turn.act:must:win": "new", "turn.act:must:swap": "gone",
        "actions.win": "new", "actions.win:start": "new", "actions.win.do.end": "new",
    },
    "set: {setup.gift.move: 2 of red}": {"setup.gift": "changed", "zones.bank>zones.mine": "changed"},
    "set: {zones.mine.seen_by: owner}": {"zones.mine": "changed"},
    "add: {zones.out: {holds: chip, seen_by: all}}\nset: {procedures.tax.do.pay.to: out}": {
        "zones.out": "new", "procedures.tax.do.pay": "changed", "zones.mine>zones.bank": "gone",
        "zones.mine>zones.out": "new",
    },
}  # fmt: skip


def marked(diagram: Diagram) -> dict[str, str]:
    """What is marked: boxes, frames, arrows between zones."""
    found = {node.id: node.mark for node in diagram.nodes if node.mark}
    found |= {group.id: group.mark for group in diagram.groups if group.mark}
    return found | {
        f"{edge.source}>{edge.target}": edge.mark for edge in diagram.edges if edge.mark and edge.kind == "move"
    }


@pytest.mark.parametrize("change", MARKS)
def test_what_a_variant_changes_is_marked_and_nothing_else(change: str, tmp_path: Path) -> None:
    game, variant = tmp_path / "lots.yaml", tmp_path / "other.yaml"
    game.write_text(LOTS, encoding="utf-8")
    variant.write_text(f"variant: other\nfor: lots\ntext: Other\n{change}\n", encoding="utf-8")
    before = load_rules(str(game))
    diagram = diagrams.rules_diagram(load_rules(str(game), variants=[str(variant)]), "en", before)
    assert marked(diagram) == MARKS[change]
    used = {*marked(diagram).values(), *(edge.mark for edge in diagram.edges if edge.mark)}
    assert [mark for mark, _ in diagram.legend] == [mark for mark in ("new", "changed", "gone") if mark in used]
    for edge in diagram.edges:  # the way that is left leads past what is gone
        ends = {node.mark for node in diagram.nodes if node.id in (edge.source, edge.target)}
        assert edge.kind == "move" or (edge.mark == "gone") == ("gone" in ends), edge
    told = to_svg(diagram), to_mermaid(diagram)
    assert all(word in text for _, word in diagram.legend for text in told)


def test_without_variants_nothing_is_marked() -> None:
    for path in FILES:
        rules = rules_of(str(path), ())
        diagram = diagrams.rules_diagram(rules, "en", load_rules(str(path), players=rules.players))
        assert marked(diagram) == {}, path
        assert diagram.legend == ()


def test_a_changed_action_says_what_is_another() -> None:
    nodes = {node.id: node for node in picture("turn", "splendor", ("no-giving-back",)).nodes}
    assert nodes["turn.act:must:take_pair"].text[-1] == "+ allowed if: With these two you hold no more than 10 tokens."
    assert nodes["turn.act:must:reserve_face_up"].text[-1] == (
        "~ count(purse(me)) < token_limit: One gold token goes with it, unless none is left or the player holds 10 "
        "tokens already."
    )
