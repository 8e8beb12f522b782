"""Games as lines of a table that any program reads: one line for each game, which says all that came of it.

In: what all games have in common, and `Played` games. Out: lines of CSV, and the games again from such lines. The first
line, behind `#`, pins what the games hang on; the second names the columns:

- game, seed: number and seed; for a tournament deal before them: games of one deal have one seed
- bot.SEAT: who sat there
- finished: 1, or 0 for a game that was given up; winners: seats with blanks between; place.SEAT: 1 is best
- turns, decisions, forced, legal: how many (legal: legal actions of all decisions together)
- options: how many decisions had so many legal actions, as LEGAL:DECISIONS with blanks between
- measures.NAME or measures.NAME.SEAT: the measures of the game
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rulewright.errors import RulewrightError
from rulewright.model.rules import Rules
from rulewright.simulation.simulations import GameStats, GameTask, game_seed

COMMENT_PREFIX: Final = "# "


class RowsError(RulewrightError):
    """Lines that hold no games, or not those of this setting; the text says what is wrong."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game with its number, who sat where, and the number of its deal if it has one."""

    number: int
    bots: tuple[str, ...]
    stats: GameStats
    deal: int | None = None


def column_names(rules: Rules, *, deals: bool = False) -> list[str]:
    """The names of the columns."""
    seats = range(rules.players)
    measures = [
        name
        for one in rules.measures
        for name in ([f"measures.{one.name}.{seat}" for seat in seats] if one.is_per_seat else [f"measures.{one.name}"])
    ]
    return [
        *(["deal"] if deals else []), "game", "seed", *(f"bot.{seat}" for seat in seats), "finished", "winners",
        *(f"place.{seat}" for seat in seats), "turns", "decisions", "forced", "legal", "options", *measures,
    ]  # fmt: skip


def format_header(settings: dict[str, Any], rules: Rules, *, deals: bool = False) -> str:
    """The first two lines."""
    pinned = json.dumps(settings, ensure_ascii=False)
    return f"{COMMENT_PREFIX}{pinned}\n{_line(column_names(rules, deals=deals))}"


def format_row(row: GameRow) -> str:
    """A game as a line."""
    played = row.stats
    places: Sequence[object] = played.places or [""] * len(row.bots)
    measures = [one for _, value in played.measures for one in (value if isinstance(value, tuple) else (value,))]
    return _line([
        *([] if row.deal is None else [row.deal]), row.number, played.seed, *row.bots, int(played.is_finished),
        " ".join(map(str, played.winners)), *places, played.turns, played.decisions,
        played.forced_decisions, played.legal_count,
        " ".join(f"{legal}:{decisions}" for legal, decisions in played.option_counts), *map(int, measures),
    ])  # fmt: skip


def _line(cells: Iterable[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def split_row(text: str) -> list[str]:
    """The cells of a line."""
    return next(csv.reader([text]))


def read_rows(
    lines: Iterable[str], common: dict[str, Any], rules: Rules, tasks: Iterable[GameTask], *, deals: bool = False
) -> Iterator[GameRow]:
    """The games in these lines; raises `BadRows` if they are not those of the tasks, from the first on."""
    rest, expected = iter(lines), iter(tasks)
    _same(next(rest, ""), common)
    if next(rest, "") != _line(column_names(rules, deals=deals)):
        raise RowsError("its second line must name the columns of these games")
    for number, row_cells in enumerate(csv.reader(rest), start=1):
        try:
            row = _row(row_cells, rules, deals=deals)
        except (ValueError, IndexError, csv.Error):
            raise RowsError(f"its line {number + 2} is not a game") from None
        task = next(expected, None)
        if task is None:
            raise RowsError("it has more games than --games")
        bots, seeded = task
        expected_text = (number, seeded if deals else None, bots, game_seed(common["seed"], seeded))
        if (row.number, row.deal, row.bots, row.stats.seed) != expected_text:
            raise RowsError(f"its line {number + 2} is not game {number}")
        yield row


def _same(first: str, common: dict[str, Any]) -> None:
    try:
        found = json.loads(first.removeprefix(COMMENT_PREFIX)) if first.startswith(COMMENT_PREFIX) else None
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise RowsError("its first line does not describe the games")
    for key in {**common, **found}:
        if found.get(key) != common.get(key):
            found_text, expected_text = (json.dumps(one.get(key), ensure_ascii=False) for one in (found, common))
            raise RowsError(f"its games have {key} {found_text}, not {expected_text}")


def _row(row_cells: Sequence[str], rules: Rules, *, deals: bool) -> GameRow:
    rest = iter(row_cells)
    seats = range(rules.players)

    def number() -> int:
        return int(next(rest, ""))

    deal = number() if deals else None
    at, seed = number(), number()
    bots = tuple(next(rest, "") for _ in seats)
    finished, winners = bool(number()), tuple(map(int, next(rest, "").split()))
    places = [next(rest, "") for _ in seats]
    turns, decisions, forced, legal = (number() for _ in range(4))
    options = tuple((int(a), int(b)) for a, _, b in (pair.partition(":") for pair in next(rest, "").split()))
    played = GameStats(
        seed=seed,
        is_finished=finished,
        winners=winners,
        places=tuple(map(int, places)) if finished else (),
        decisions=decisions,
        turns=turns,
        option_counts=options,
        forced_decisions=forced,
        measures=tuple(
            (one.name, tuple(number() for _ in seats) if one.is_per_seat else number()) for one in rules.measures
        ),
    )
    if next(rest, None) is not None or played.legal_count != legal:
        raise ValueError(at)
    return GameRow(at, bots, played, deal)


__all__ = ["GameRow", "RowsError", "column_names", "format_header", "format_row", "read_rows", "split_row"]
