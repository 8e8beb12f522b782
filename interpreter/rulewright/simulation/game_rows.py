"""Games as lines of a table that any program reads: one line for each game with all its statistics.

In: what all games depend on, and games. Out: lines of CSV, and the games again from such lines. The first line, behind
`#`, holds what the games depend on; the second names the columns:

- game, seed: number and seed; for a tournament deal before them: games of one deal have one seed
- bot.SEAT: who sat there
- finished: 1, or 0 for a game that was given up; winners: seats with blanks between; draw: 1 when all of them won by
  finishing level; ending: the address of the step that ended the game; place.SEAT: 1 is best
- turns, decisions, forced, legal: how many (legal: legal actions of all decisions together)
- options: how many decisions had so many legal actions, as LEGAL:DECISIONS with blanks between
- measures.NAME or measures.NAME.SEAT: the measures of the game
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from rulewright.errors import RulewrightError
from rulewright.frozen import frozen
from rulewright.model.rules import Rules
from rulewright.simulation.simulations import GameStats, GameTask, game_seed

COMMENT_PREFIX: Final = "# "


class RowsError(RulewrightError):
    """Lines that hold no games, or not those that are asked for; the text says what is wrong."""


@frozen
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
        for measure in rules.measures
        for name in (
            [f"measures.{measure.name}.{seat}" for seat in seats]
            if measure.is_per_seat
            else [f"measures.{measure.name}"]
        )
    ]
    return [
        *(["deal"] if deals else []), "game", "seed", *(f"bot.{seat}" for seat in seats), "finished", "winners", "draw",
        "ending", *(f"place.{seat}" for seat in seats), "turns", "decisions", "forced", "legal", "options", *measures,
    ]  # fmt: skip


def format_header(metadata: Mapping[str, object], rules: Rules, *, deals: bool = False) -> str:
    """The first two lines. `metadata`: what the games depend on, as JSON data."""
    text = json.dumps(metadata, ensure_ascii=False)
    return f"{COMMENT_PREFIX}{text}\n{_csv_line(column_names(rules, deals=deals))}"


def format_row(row: GameRow) -> str:
    """A game as a line."""
    stats = row.stats
    places: Sequence[object] = stats.places or [""] * len(row.bots)
    measures = [number for _, value in stats.measures for number in (value if isinstance(value, tuple) else (value,))]
    return _csv_line([
        *([] if row.deal is None else [row.deal]), row.number, stats.seed, *row.bots, int(stats.is_finished),
        " ".join(map(str, stats.winners)), int(stats.is_draw), stats.ending, *places, stats.turns, stats.decisions,
        stats.forced_decisions, stats.legal_count,
        " ".join(f"{legal}:{decisions}" for legal, decisions in stats.option_counts), *map(int, measures),
    ])  # fmt: skip


def _csv_line(cells: Iterable[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def split_row(text: str) -> list[str]:
    """The cells of a line."""
    return next(csv.reader([text]))


def read_rows(
    lines: Iterable[str],
    metadata: Mapping[str, object],
    rules: Rules,
    tasks: Iterable[GameTask],
    *,
    deals: bool = False,
) -> Iterator[GameRow]:
    """The games in these lines; raises `RowsError` if they are not those of the tasks, from the first on."""
    rest, expected = iter(lines), iter(tasks)
    seed = metadata["seed"]
    assert isinstance(seed, int)
    _check_metadata(next(rest, ""), metadata)
    if next(rest, "") != _csv_line(column_names(rules, deals=deals)):
        raise RowsError("its second line must name the columns of these games")
    for number, row_cells in enumerate(csv.reader(rest), start=1):
        try:
            row = _parse_row(row_cells, rules, deals=deals)
        except (ValueError, IndexError, csv.Error):
            raise RowsError(f"its line {number + 2} is not a game") from None
        task = next(expected, None)
        if task is None:
            raise RowsError("it has more games than --games")
        bots, stream = task
        expected_row = (number, stream if deals else None, bots, game_seed(seed, stream))
        if (row.number, row.deal, row.bots, row.stats.seed) != expected_row:
            raise RowsError(f"its line {number + 2} is not game {number}")
        yield row


def parse_metadata(first_line: str) -> dict[str, object]:
    """What the games depend on, as the first line says it; raises `RowsError`."""
    if not first_line.startswith(COMMENT_PREFIX):
        raise RowsError(f"no `{COMMENT_PREFIX.strip()}` header in line 1")
    try:
        data = json.loads(first_line.removeprefix(COMMENT_PREFIX))
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise RowsError("its first line does not describe the games")
    return data


def _check_metadata(first_line: str, expected: Mapping[str, object]) -> None:
    """Raises `RowsError` unless the first line says that the games depend on what is expected."""
    actual = parse_metadata(first_line)
    for key in {**expected, **actual}:
        if actual.get(key) != expected.get(key):
            actual_text, expected_text = (json.dumps(data.get(key), ensure_ascii=False) for data in (actual, expected))
            raise RowsError(f"its games have {key} {actual_text}, not {expected_text}")


def _parse_row(row_cells: Sequence[str], rules: Rules, *, deals: bool) -> GameRow:
    rest = iter(row_cells)
    seats = range(rules.players)

    def number() -> int:
        return int(next(rest, ""))

    deal = number() if deals else None
    game, seed = number(), number()
    bots = tuple(next(rest, "") for _ in seats)
    finished, winners = bool(number()), tuple(map(int, next(rest, "").split()))
    draw, ending = bool(number()), next(rest, "")
    places = [next(rest, "") for _ in seats]
    turns, decisions, forced, legal = (number() for _ in range(4))
    pairs = (pair.partition(":") for pair in next(rest, "").split())
    options = tuple((int(legal_count), int(count)) for legal_count, _, count in pairs)
    stats = GameStats(
        seed=seed,
        is_finished=finished,
        winners=winners,
        places=tuple(map(int, places)) if finished else (),
        decisions=decisions,
        turns=turns,
        option_counts=options,
        forced_decisions=forced,
        measures=tuple(
            (measure.name, tuple(number() for _ in seats) if measure.is_per_seat else number())
            for measure in rules.measures
        ),
        is_draw=draw,
        ending=ending,
    )
    if next(rest, None) is not None or stats.legal_count != legal:
        raise ValueError(game)
    return GameRow(game, bots, stats, deal)


__all__ = [
    "GameRow",
    "RowsError",
    "column_names",
    "format_header",
    "format_row",
    "parse_metadata",
    "read_rows",
    "split_row",
]
