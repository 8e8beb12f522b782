"""What is open and what is secret: who sees what lies in each place, and what stays known.

In: a writer. Out: the chapter on secrets.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.expr.types import SEAT
from rulewright.model.rules import StateDef, ZoneDef
from rulewright.rulebook.blocks import RichText, TableRow, TextRun, sentence_text, text_runs
from rulewright.rulebook.writer import RulebookWriter
from rulewright.wording.labels import Labels
from rulewright.wording.static_value import is_static, type_name
from rulewright.wording.text_case import is_same_text, upper_first


def add_secrets(writer: RulebookWriter) -> None:
    """Every zone: what it holds, how much, who looks into it; then what stays known, and what else is open to all."""
    labels, rules = writer.labels, writer.labels.rules
    writer.add_chapter("secrets")
    if rules.zones:
        header = [labels.message(key) for key in ("place", "what", "most_there", "who_sees")]
        writer.add_table("secrets.zones", header, [_zone_row(writer, zone) for zone in rules.zones.values()])
    for zone in rules.zones.values():
        if zone.is_forgetful:
            address = f"zones.{zone.name}.forgets"
            text = labels.message("forgets", place=upper_first(labels.label(f"zones.{zone.name}")))
            writer.add_text("item", address, text, covers={address})
        writer.add_passages(f"zones.{zone.name}.seen_by")
    if any(zone.seen_by != "all" for zone in rules.zones.values()):
        writer.add_text("paragraph", "secrets.counts", labels.message("counts_are_open"))
        if any(zone.seen_by != "all" and not zone.is_forgetful for zone in rules.zones.values()):
            writer.add_text("paragraph", "secrets.known", labels.message("stays_known"))
    else:
        writer.add_text("paragraph", "secrets.none", labels.message("all_open"))
    _add_states(writer)
    _add_invariants(writer)


def _zone_row(writer: RulebookWriter, zone: ZoneDef) -> TableRow:
    """A zone: its label, what it holds, how many at most, who sees it."""
    labels, address = writer.labels, f"zones.{zone.name}"
    sentence = labels.find_sentence(address)
    if sentence is None or is_same_text(sentence_text(sentence), labels.label(address)):
        content: RichText = (TextRun(_content_text(writer, zone)),)
    else:
        content = text_runs(sentence)
    title: RichText = (TextRun(upper_first(labels.label(address)), "strong"),)
    seen_by = labels.message(f"seen_by_{zone.seen_by}")
    covers = {address, f"{address}.seen_by"}
    if zone.capacity is None:
        return writer.table_row(address, [title, content, "–", seen_by], covers=covers)
    capacity, note = _capacity_text(labels, zone)
    capacity = labels.message("in_each", most=capacity) if zone.key_types else capacity
    cells: list[str | RichText] = [title, content, capacity + note, seen_by]
    return writer.table_row(address, cells, covers={*covers, f"{address}.at_most"}, exprs=[zone.capacity])


def _capacity_text(labels: Labels, zone: ZoneDef) -> tuple[str, str]:
    """How much a place of a zone holds; and where that depends on the number of players, how much for each of them."""
    capacities = {
        count: other.capacity
        for count in labels.counts
        if (other := labels.rules_for(count).zones.get(zone.name)) is not None and other.capacity is not None
    }
    if all(is_static(capacity) for capacity in capacities.values()):
        values = {count: str(labels.evaluate(capacity, count)) for count, capacity in capacities.items()}
        different = list(dict.fromkeys(values.values()))
        note = f" ({labels.list_by_count(values)})" if len(different) > 1 else ""
        return labels.phrases.join_list(different, "or"), note
    assert zone.capacity is not None
    return labels.phrases.number(zone.capacity), ""


def _content_text(writer: RulebookWriter, zone: ZoneDef) -> str:
    """What a zone without a sentence holds."""
    labels = writer.labels
    name = type_name(zone.content_type)
    section = "components" if name in labels.rules.components else "kinds"
    content = labels.label(f"{section}.{name}") if name != SEAT.kind else labels.message("of_seats")
    kinds = [type_name(key) for key in zone.key_types]
    keys = [labels.label(f"kinds.{kind}") if kind != SEAT.kind else labels.message("seat") for kind in kinds]
    return labels.message("held_by", what=content, keys=labels.phrases.join_list(keys)) if keys else content


def _add_states(writer: RulebookWriter) -> None:
    """What everybody keeps track of: all the time, and during some steps only."""
    states = writer.labels.rules.states.values()
    _add_states_of(writer, "state", "kept_track", [state for state in states if state.is_shown])
    _add_states_of(writer, "state.remembered", "remembered", [state for state in states if not state.is_shown])


def _add_states_of(writer: RulebookWriter, key: str, heading: str, states: Sequence[StateDef]) -> None:
    labels = writer.labels
    if states:
        writer.add_text("label", key, labels.message(heading))
    for state in states:
        address = state.address
        reset = f" ({labels.message(f'resets_{state.reset_scope}')})" if state.reset_scope else ""
        covers = {address, *([f"{address}.resets"] if state.reset_scope else [])}
        title, sentence = upper_first(labels.label(address)), labels.find_sentence(address)
        explanation = "" if sentence is None or is_same_text(sentence.text, title) else sentence.text.rstrip(".")
        text = f"{title}{labels.message('colon')} {explanation}{reset}." if explanation else f"{title}{reset}."
        writer.add_text("item", address, text, covers=covers, exprs=[state.initial_value], anchor=address)


def _add_invariants(writer: RulebookWriter) -> None:
    """What always holds, where the rules say it in a sentence."""
    labels = writer.labels
    invariants = [invariant for invariant in labels.rules.invariants if labels.has_sentence(invariant.address)]
    if invariants:
        writer.add_text("label", "invariants", labels.message("always"))
    for invariant in invariants:
        writer.add_sentence("item", invariant.address, exprs=[invariant.condition])


__all__ = ["add_secrets"]
