"""Whole games as text, kept beside the tests: a change in what the rules mean shows as changed lines.

    python tests/golden.py          writes tests/golden/*.txt anew

In: a game, players, variants, a seed. Out: a transcript: the table after set-up; every decision as it is written in
records, under it the things that changed places; who holds which pieces after every round; the places. Chance and
choices come from the package's documented generator, so that the same game comes out everywhere.
"""

from __future__ import annotations

# ruff: noqa: E402  (as a command it has to find the package first)
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("golden")

if __name__ == "__main__":  # the tests find the package by pytest's settings
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "interpreter"))

from rulewright.engine import chance
from rulewright.engine.notation import Notation
from rulewright.engine.playout import Playout, RandomChoices, play_out
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Decision, State
from rulewright.expr.types import Bag, Member
from rulewright.model.loader import load_rules
from rulewright.model.rules import ZoneDef

MANY_PLACES = 20  # of a zone: those without pieces are left out
CHOICES = 1  # the stream of the generator that chooses; stream 0 is the game's own chance


@dataclass(frozen=True)
class Golden:
    """A game that is kept. `name` is that of its file."""

    name: str
    game: str
    players: int
    seed: int
    first: int = 0
    variants: tuple[str, ...] = ()
    tokenwise: tuple[str, ...] = ()


KEPT = (
    Golden("splendor-2", "splendor", 2, seed=13),
    Golden("splendor-3", "splendor", 3, seed=26, first=1),
    Golden("splendor-4", "splendor", 4, seed=62, first=2),
    Golden(
        "splendor-3-variants",
        "splendor",
        3,
        seed=5,
        variants=("colours-first", "fewer-by-choice", "free-passing", "hidden-hands", "most-tokens-left"),
        tokenwise=("actions.give_back.choose.tokens",),
    ),
    Golden("wrack-line-2", "wrack-line", 2, seed=8),
    Golden("wrack-line-4", "wrack-line", 4, seed=4, first=1, variants=("open-letters", "spring-tide")),
    Golden("kuhn-poker-ten-hands", "kuhn-poker", 2, seed=4, variants=("ten-hands",)),
    Golden("reversi", "reversi", 2, seed=3),
    Golden("draughts", "draughts", 2, seed=6, first=1),
    Golden("splendor-duel", "splendor-duel", 2, seed=7),
    Golden("whist", "whist", 4, seed=2, first=1),
)


class Transcript:
    """Writes down one game."""

    def __init__(self, kept: Golden) -> None:
        rules = load_rules(kept.game, players=kept.players, variants=kept.variants)
        self.kept = kept
        self.engine = ReferenceEngine(rules, tokenwise=kept.tokenwise)
        self.notation = Notation(rules)
        self.zones: list[tuple[str, ZoneDef]] = []  # of every place its name and its zone
        for name, zone in rules.zones.items():
            for keys in product(*zone.key_values):
                words = [
                    self.notation.format_value(key, type_) for key, type_ in zip(keys, zone.key_types, strict=True)
                ]
                self.zones.append((f"{name}({', '.join(words)})" if words else name, zone))

    def lines(self) -> Iterator[str]:
        """The whole game."""
        kept, rules = self.kept, self.engine.rules
        variants = f", {' + '.join(kept.variants)}" if kept.variants else ""
        yield f"{rules.game} {rules.version}, {kept.players} players{variants}, seed {kept.seed}, first {kept.first}"
        playout = Playout(self.engine, self.engine.start(first=kept.first, seed=kept.seed))
        yield "\nset up"
        yield from self.table(playout.state)
        choices, seen = RandomChoices(chance.seed_rng(kept.seed, CHOICES)), 0
        for before, legal, action, _ in play_out(playout, choices.choose):
            assert isinstance(before.waiting, Decision)
            assert action is not None
            if before.round > seen:
                if seen:
                    yield from self.pieces(before)
                seen = before.round
                yield f"\nround {seen}"
            yield f"  {before.waiting.seat}  {self.notation.format_action(action)}    (1 of {len(legal)})"
            yield from self.moved(before, playout.state)
        state = playout.state
        yield from self.pieces(state)
        yield f"\nover after {state.turn_count} turns"
        result, measures = self.engine.result(state), self.engine.measures(state)
        for seat, place in enumerate(result.ranks):
            said = [f"{name} {value[seat]}" for name, value in measures.items() if isinstance(value, tuple)]
            yield f"  seat {seat}: place {place}{' (wins)' if seat in result.winners else ''}: {', '.join(said)}"

    def table(self, state: State) -> Iterator[str]:
        """What lies where."""
        for (name, zone), content in zip(self.zones, state.contents, strict=True):
            things = getattr(content, "things", content)
            if hasattr(content, "loose"):
                yield f"  {name}: {len(things)} face down"
            elif any(things) or not self.pooled(zone):
                yield f"  {name}: {self.format_content(zone, content)}"

    def pooled(self, zone: ZoneDef) -> bool:
        return isinstance(zone.content_type, Member)

    def format_content(self, zone: ZoneDef, content: Any) -> str:
        if isinstance(zone.content_type, Member):
            return self.notation.format_value(content, Bag(zone.content_type.kind))
        return " + ".join(self.notation.format_value(thing, zone.content_type) for thing in content) or "nothing"

    def pieces(self, state: State) -> Iterator[str]:
        """Who holds which pieces, after a round."""
        for (name, zone), content in zip(self.zones, state.contents, strict=True):
            if self.pooled(zone) and (any(content) or zone.size < MANY_PLACES):  # not every free square of a board
                yield f"     {name}: {self.format_content(zone, content)}"

    def moved(self, before: State, after: State) -> Iterator[str]:
        """The things that changed places."""
        was, now = self.places(before), self.places(after)
        changed = [(thing, place) for thing, place in now.items() if was[thing] != place]
        for thing, place in sorted(
            changed, key=lambda one: self.zones[was[one[0]]][1].is_shuffled
        ):  # what fills up last
            yield f"       {thing[1]}: {self.zones[was[thing]][0]} -> {self.zones[place][0]}"

    def places(self, state: State) -> dict[tuple[str, str], int]:
        found = {}
        for place, ((_, zone), content) in enumerate(zip(self.zones, state.contents, strict=True)):
            if not isinstance(zone.content_type, Member):
                component = zone.content_type.component
                for thing in getattr(content, "things", content):
                    found[component, self.notation.format_value(thing, zone.content_type)] = place
        return dict(sorted(found.items()))


def transcript(kept: Golden) -> str:
    return "\n".join(Transcript(kept).lines()) + "\n"


def file_of(kept: Golden) -> Path:
    return FOLDER / f"{kept.name}.txt"


def main() -> None:
    for kept in KEPT:
        path, text = file_of(kept), transcript(kept)
        same = path.is_file() and path.read_text(encoding="utf-8") == text
        path.write_text(text, encoding="utf-8")
        print(f"{path}: {len(text.splitlines())} lines, {'as before' if same else 'changed'}")


if __name__ == "__main__":
    main()
