"""Plays the small games: by chance, with everything held against everything else, and by their scenarios.

In: the folders beside this file: `<game>/<game>.yaml`, `<game>.scenarios.yaml`, `variants/*.yaml`. Out: rules, engines,
played games, and for scenarios the differences from what they state, as sentences.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from rulewright.diagnostics import Report, short
from rulewright.engine import saved
from rulewright.engine.explain import Explainer
from rulewright.engine.notation import Notation
from rulewright.engine.reference import Engine
from rulewright.engine.state import Action, Chance, Decision, State
from rulewright.engine.views import Views
from rulewright.engine.worlds import imagine
from rulewright.expr.tree import Local, ReadValue
from rulewright.expr.types import Thing
from rulewright.model.load import resolve, understood
from rulewright.model.rules import Rules
from rulewright.text.nodes import plain
from rulewright.text.reader import load

FOLDER = Path(__file__).parent
GAMES = tuple(sorted(path.name for path in FOLDER.iterdir() if (path / f"{path.name}.yaml").is_file()))
ODD = tuple(sorted((FOLDER / "odd").glob("*.yaml")))  # valid, though nobody would play them
CAP = 400  # decisions after which a game counts as played


def read(path: Path) -> Any:
    """A file as plain data."""
    report = Report()
    node = load(path, report)
    assert node is not None, [short(one) for one in report]
    return plain(node)


def game_file(game: str) -> Path:
    return FOLDER / game / f"{game}.yaml"


def variant_files(game: str) -> list[Path]:
    return sorted((FOLDER / game / "variants").glob("*.yaml"))


def counts(game: str) -> range:
    """The numbers of players of a game."""
    fewest, _, most = str(read(game_file(game))["players"]).partition(" to ")
    return range(int(fewest), int(most or fewest) + 1)


def seatings() -> list[tuple[str, int, tuple[str, ...]]]:
    """Every game with each number of players, plain and under each of its variants alone."""
    found: list[tuple[str, int, tuple[str, ...]]] = []
    for game in GAMES:
        for players in counts(game):
            found.append((game, players, ()))
            found.extend((game, players, (path.stem,)) for path in variant_files(game))
    return found


def understand(game: str, players: int, variants: tuple[str, ...] = ()) -> tuple[Rules | None, list[str]]:
    """The rules, and every complaint about them in one line."""
    return understand_file(
        game_file(game), players, [str(FOLDER / game / "variants" / f"{name}.yaml") for name in variants]
    )


def understand_file(
    path: Path, players: int | None = None, variants: Sequence[str] = ()
) -> tuple[Rules | None, list[str]]:
    report = Report()
    resolved = resolve(str(path), players, variants, report)
    rules = None if resolved is None else understood(resolved, report)
    return rules, [short(one) for one in report]


@cache
def engine(game: str, players: int, variants: tuple[str, ...] = (), tokenwise: tuple[str, ...] = ()) -> Engine:
    rules, complaints = understand(game, players, variants)
    assert rules is not None, complaints
    return Engine(rules, tokenwise=tokenwise)


# ---- by chance ------------------------------------------------------------------------------------------------


def same_action(notation: Notation, action: Action, legal: tuple[Action, ...]) -> None:
    """An action that is written and read again is the same, as text and as data."""
    for again in (
        notation.parse(notation.write(action)),
        notation.from_data(json.loads(json.dumps(notation.to_data(action)))),
    ):
        assert notation.matching(again, legal) == action, notation.write(action)


def same_position(of: Engine, state: State) -> None:
    """A position that is saved and read again is the same."""
    assert saved.loads(of, saved.dumps(of, state)) == state


def honest(of: Engine, state: State, rng: int) -> None:
    """What a viewer may imagine looks to it like the true position."""
    views = Views(of)
    for seat in (*range(of.rules.players), None):
        imagined = imagine(of, state, seat, rng)
        assert views.view(imagined, seat) == views.view(state, seat), seat


def whole(of: Engine, state: State) -> None:
    """Every thing stands in one place, no piece was won or lost, and no place holds less than nothing or too much."""
    assert saved.pieces(of, state.contents) == saved.pieces(of, of.layout.contents)
    lying: dict[str, list[int]] = {name: [] for name, one in of.rules.components.items() if one.starts_in is not None}
    for place, content in enumerate(state.contents):
        zone = of.layout.sight.zone_of[place]
        held = getattr(content, "things", content)
        room = of.layout.capacity[place]
        assert all(one >= 0 for one in held)
        assert room is None or (sum(held) if zone.pooled else len(held)) <= room, zone.name
        if isinstance(zone.holds, Thing):
            lying[zone.holds.component].extend(held)
    for name, things in lying.items():
        assert sorted(things) == list(range(len(of.rules.components[name].ids)))


def games_by_chance(of: Engine, games: int, *, close: bool = False) -> Iterator[tuple[State, int]]:
    """Seeded games to their end or to the cap: each last position with the number of decisions. `close`: all is checked
    at every decision, else only that there is an option and that nothing is lost.
    """
    notation, explainer = Notation(of.rules), Explainer(of)
    for seed in range(games):
        rng = random.Random(seed)
        state = of.start(seed=seed, first=seed % of.rules.players)
        made = 0
        while not state.over and made < CAP:
            assert isinstance(state.waiting, Decision)
            legal = of.legal(state)
            assert legal, state.waiting
            assert len(set(legal)) == len(legal)
            whole(of, state)
            if close:
                same_position(of, state)
                honest(of, state, made)
                for action in rng.sample(legal, min(len(legal), 8)):
                    same_action(notation, action, legal)
                    assert explainer.why_not(state, state.waiting.seat, action) == ()
                for definition in of.rules.actions:
                    explainer.why_not(state, state.waiting.seat, Action(definition.number, ()))
                of.measures(state)
                for seat in range(of.rules.players):
                    of.evaluate(state, seat)
            state = of.apply(state, rng.choice(legal))
            made += 1
        whole(of, state)
        places, winners = of.result(state).places, of.result(state).winners
        assert len(places) == of.rules.players
        assert set(winners) <= set(range(of.rules.players))
        yield state, made


# ---- by scenarios ---------------------------------------------------------------------------------------------


def scenarios(game: str) -> dict[str, dict[str, Any]]:
    """The cases of a game's scenario file by name, the defaults of the file filled in."""
    path = FOLDER / game / f"{game}.scenarios.yaml"
    data = read(path)
    assert data["for"] == read(game_file(game))["game"]
    defaults = {key: data[key] for key in ("players", "variants", "first_seat") if key in data}
    return {name: {**defaults, **case} for name, case in data["cases"].items()}


def begin(of: Engine, first: int) -> State:
    """A game in which chance always takes the first outcome, so that it has no chance in it."""
    return settle(of, of.start(first=first))


def settle(of: Engine, state: State) -> State:
    while isinstance(state.waiting, Chance):
        state = of.feed(state, state.waiting.outcomes[0][0])
    return state


def differences(game: str, case: dict[str, Any]) -> list[str]:
    """What comes out otherwise than a scenario states; empty when nothing does."""
    of = engine(game, case["players"], tuple(case.get("variants", ())))
    notation = Notation(of.rules)
    state = begin(of, case.get("first_seat", 0))
    given = case.get("when", [])
    *before, last = [given] if isinstance(given, str) else given or [None]
    for text in before:
        action = notation.matching(notation.parse(text), of.legal(state))
        assert action is not None, (text, [notation.write(one) for one in of.legal(state)])
        state = settle(of, of.apply(state, action))
    then = dict(case["then"])
    if "illegal" in then:
        seat = of.in_turn(state)
        reasons = [one.address for one in Explainer(of).why_not(state, seat, notation.parse(last))]
        wanted = then.pop("illegal")
        return [] if wanted in reasons else [f"illegal: {reasons}, not {wanted}"]
    if last is not None:
        action = notation.matching(notation.parse(last), of.legal(state))
        assert action is not None, (last, [notation.write(one) for one in of.legal(state)])
        state = settle(of, of.apply(state, action))
    found = facts(of, state)
    return [line for key, wanted in then.items() for line in _against(key, wanted, found(key))]


def facts(of: Engine, state: State) -> Any:
    """A function from what a scenario may state to what is so."""
    notation, views = Notation(of.rules), Views(of)
    whole_position = saved.to_data(of, state)
    written = [notation.write(action) for action in of.legal(state)]
    result = of.result(state)

    def values(name: str) -> Any:
        definition = of.rules.values[name]
        keys = tuple(Local(f"key_{at}", at, type_, (0, 0)) for at, type_ in enumerate(definition.keys))
        run = of.evaluator.run(ReadValue(name, keys, definition.type, (0, 0)))
        if not definition.keys:
            return notation.data(run(of.context(state)), definition.type)
        table = {}
        for key in of.rules.kinds[definition.keys[0].kind].numbers:  # type: ignore[union-attr]  # scenarios ask by kinds
            c = of.context(state)
            c.env[0] = key
            table[key] = notation.data(run(c), definition.type)
        return table

    table: dict[str, Any] = {
        "legal": lambda: written,
        "not_legal": lambda: written,
        "options": lambda: written,
        "count": lambda: len(written),
        "zones": lambda: whole_position["zones"],
        "state": lambda: whole_position["state"],
        "values": lambda: {name: values(name) for name in of.rules.values},
        "decides": lambda: state.waiting.seat if isinstance(state.waiting, Decision) else None,
        "step": lambda: views.step(state.waiting) if isinstance(state.waiting, Decision) else None,
        "over": lambda: state.over,
        "places": lambda: list(result.places),
        "winners": lambda: list(result.winners),
        "sees": lambda: {seat: _seen(views.view(state, seat)["zones"]) for seat in range(of.rules.players)},
    }
    return lambda key: table[key]()


def _seen(zones: Any) -> Any:
    """A view as scenarios write it: what cannot be told apart is `hidden`, as often as it is there."""
    if isinstance(zones, dict) and "hidden" in zones:
        return sorted([*zones["known"], *["hidden"] * sum(zones["hidden"].values())])
    if isinstance(zones, dict):
        return {key: _seen(one) for key, one in zones.items()}
    return [zones] if isinstance(zones, str) else [] if zones is None else zones


def _against(key: str, wanted: Any, found: Any) -> list[str]:
    match key:
        case "legal" if wanted is True:
            return []
        case "legal":
            good = set(wanted) <= set(found)
        case "not_legal":
            good = set(wanted).isdisjoint(found)
        case "zones" | "state" | "values" | "sees":
            return [f"{key}: {line}" for line in _within(wanted, found)]
        case _:
            good = wanted == found
    return [] if good else [f"{key}: {found}, not {wanted}"]


def _within(wanted: Any, found: Any) -> Iterator[str]:
    """Mappings are compared key by key as far as stated, everything else whole; `{}` is an empty bag."""
    if isinstance(wanted, dict) and wanted and isinstance(found, dict):
        names = {str(key): value for key, value in found.items()}
        for key, value in wanted.items():
            if str(key) in names:
                yield from (f"{key}: {line}" for line in _within(value, names[str(key)]))
            elif value != 0:
                yield f"there is no {key}"
    elif wanted != found:
        yield f"{found}, not {wanted}"
