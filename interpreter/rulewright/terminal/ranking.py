"""Who is ahead at the end of a game, and by what: the numbers that decided, and no others.

In: a finished match. Out: lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rulewright.engine.interface import Engine, is_draw
from rulewright.engine.state import State
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Arithmetic, Expr, If
from rulewright.expr.walk import free_variables
from rulewright.model.rules import Criterion, Rules
from rulewright.session.match import Match
from rulewright.terminal.board import Board
from rulewright.terminal.reasons import wrap
from rulewright.wording.messages import Messages

SEAT_SLOT: Final = 0  # of the variable `seat` in criteria and measures


def ranking_lines(match: Match, board: Board, viewer: int) -> list[str]:
    """What ended a game, and the places with what decided them; without a winner there are no places."""
    engine, state, messages = match.engine, match.state, board.messages
    result = engine.result(state)
    outcome = "draw" if is_draw(engine, state, result) else "ranking" if result.winners else "nobody_won"
    has_winner = outcome == "ranking"
    decisive = _decisive_scores(engine, state, messages) if result.winners else {}
    lines = [*_end_lines(board, state, viewer), messages(outcome)]
    seats = range(engine.rules.players)
    for seat in sorted(seats, key=lambda seat: result.ranks[seat]) if has_winner else seats:
        won = [messages("won")] if has_winner and seat in result.winners else []
        place = f"{result.ranks[seat]:>3}. " if has_winner else "     "
        details = ", ".join([*won, *decisive.get(seat, ())])
        lines += wrap(f"{messages.player(seat)}{messages('colon')} {details}".rstrip(" :"), place)
    return lines


def _decisive_scores(engine: Engine, state: State, messages: Messages) -> dict[int, list[str]]:
    """By seat: the first criterion, and each next one as long as the seat is level with another.

    Among named winners, or seats that left at different times, no criterion decides.
    """
    rules, elimination = engine.rules, engine.compiler.elimination
    seats = range(rules.players)
    named = state.winners or ()  # by a rule: they share the first place whatever the criteria say
    groups: dict[int, tuple[object, ...]] = {  # equal for seats among which the criteria decide
        seat: (seat in named, elimination.elimination_rank(state.variables, seat)) for seat in seats
    }
    sizes = Counter(groups.values())
    compared = [seat for seat in seats if seat not in named and (sizes[groups[seat]] > 1 or len(sizes) == 1)]
    scores: dict[int, list[str]] = {seat: [] for seat in compared}
    measures = engine.measures(state)
    for criterion in rules.ranking:
        values = _values(engine, state, criterion)
        name = _same_measure(rules, criterion)
        shown: Sequence[int] = values
        if name is not None and isinstance(measure := measures[name], tuple):
            shown = measure
        label = criterion.address.rpartition(".")[2].replace("_", " ")
        label = label if name is None else _measure_label(rules, messages.locale, name)
        for seat in compared:
            value = ("no", "yes")[shown[seat]] if _is_yes_or_no(criterion.of) else ""
            scores[seat].append(f"{label}{messages('colon')} {messages(value)}" if value else f"{label} {shown[seat]}")
        groups = {seat: (*groups[seat], values[seat]) for seat in compared}
        sizes = Counter(groups.values())
        compared = [seat for seat in compared if sizes[groups[seat]] > 1]
    return scores


def _values(engine: Engine, state: State, criterion: Criterion) -> tuple[int, ...]:
    """The number of each seat by which a criterion ranks."""
    context, run = engine.context(state), engine.compiler.compile_number(criterion.of)
    values = []
    for seat in range(engine.rules.players):
        context.env[SEAT_SLOT] = seat
        values.append(run(context))
    return tuple(values)


def _same_measure(rules: Rules, criterion: Criterion) -> str | None:
    """The measure that says in words what a criterion ranks by: the same number, perhaps more or less by one that is
    the same for all.
    """
    key = structural_key(criterion.of)
    for measure in rules.measures:
        of: Expr = measure.of
        if isinstance(of, Arithmetic) and of.op in ("+", "-") and SEAT_SLOT not in free_variables(of.right):
            is_same = key in (structural_key(of), structural_key(of.left))
        else:
            is_same = key == structural_key(of)
        if measure.is_per_seat and is_same:
            return measure.name
    return None


def _is_yes_or_no(of: Expr) -> bool:
    """Whether a criterion only asks whether something holds: `if … then 1 else 0`."""
    return isinstance(of, If) and [getattr(part, "value", None) for part in (of.then, of.otherwise)] == [1, 0]


def _end_lines(board: Board, state: State, viewer: int) -> list[str]:
    """The sentence of the step that ended the game."""
    frame = state.end_frame
    if frame is None:
        return []
    context = board.engine.context(state, frame.seat)
    context.env[: len(frame.env)] = frame.env
    address = board.rules.blocks[frame.block].steps[frame.step].address
    reader = None if viewer == board.rules.players else viewer
    sentence = board.theme.sentences.render_at(address, context, viewer, board.views.hidden_test(state, reader))
    return [*wrap(sentence), ""] if sentence else []


def _measure_label(rules: Rules, code: str, measure: str) -> str:
    """What a measure is called: its sentence, if that is all words, else its name."""
    language = rules.languages.get(code, rules.languages["en"])
    sentence = language.sentences.get(f"measures.{measure}")
    words = [part for part in sentence.parts if isinstance(part, str)] if sentence is not None else []
    if sentence is None or len(words) < len(sentence.parts):
        return measure.replace("_", " ")
    text = "".join(words).rstrip(".")
    return text[:1].lower() + text[1:]


__all__ = ["ranking_lines"]
