"""How the game ends and who is ahead, who sees what, what was asked, what is wise, and all the numbers.

In: a writer. Out: the last chapters.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rulewright.model.rules import Criterion, ZoneDef
from rulewright.model.traversal import step_exprs
from rulewright.rulebook.blocks import Heading, RichText, TableBlock, TextBlock, TextRun, plain_text
from rulewright.rulebook.chapters.equipment import add_kinds
from rulewright.rulebook.chapters.gameplay import finish_steps
from rulewright.rulebook.chapters.setup import parameter_row
from rulewright.rulebook.writer import RulebookWriter, step_addresses

UNOFFICIAL_STATUSES: Final = ("manual", "guide", "ruling")  # who says so when the publisher does not


def add_end(w: RulebookWriter) -> None:
    """What ends the game, what is done then, and who is ahead."""
    t, rules = w.labels, w.labels.rules
    w.add_chapter("end")
    for step in finish_steps(w):
        w.add_step(step, "item")
    last = rules.blocks[rules.finale].steps
    if last:
        w.add_text("label", "finale", t.message("finale"))
        w.add_steps(rules.finale, "number")
    w.close_chapter()
    if rules.ranking:
        w.add_heading(3, "ranking", t.message("ranking"), "ranking")
        for criterion in rules.ranking:
            _criterion(w, criterion)
        w.add_passages("ranking")


def _criterion(w: RulebookWriter, criterion: Criterion) -> None:
    t = w.labels
    covers = {f"{criterion.address}.{'most' if criterion.is_maximized else 'fewest'}"}
    text = t.message("most" if criterion.is_maximized else "fewest", of=t.phrases.expr(criterion.of))
    if not w.add_sentence("number", criterion.address, reads=[criterion.of], covers=covers, beneath=text):
        w.add_text("number", criterion.address, text, covers={criterion.address, *covers}, exprs=[criterion.of])
    w.add_passages(criterion.address, depth=1)


# ---- who sees what --------------------------------------------------------------------------------------------------


def add_hidden_information(w: RulebookWriter) -> None:
    """Every place: what it holds, how much, who looks into it; then what stays known."""
    t, rules = w.labels, w.labels.rules
    w.add_chapter("secrets")
    if rules.zones:
        rows = []
        for zone in rules.zones.values():
            address = f"zones.{zone.name}"
            told = t.find_sentence(address)
            most = "" if zone.capacity is None else _most(w, zone)
            covers = {address, f"{address}.seen_by", *([f"{address}.at_most"] if most else [])}
            exprs = [zone.capacity] if zone.capacity is not None else []
            what: RichText = told.text if told is not None else (TextRun(_held(w, zone)),)
            cells: list[str | RichText] = [
                (TextRun(_upper(t.label(address)), "strong"),),
                what,
                most or "–",
                t.message(f"seen_by_{zone.seen_by}"),
            ]
            rows.append(w.table_row(address, cells, covers=covers, reads=exprs))
        head = [t.message("place"), t.message("what"), t.message("most_there"), t.message("who_sees")]
        w.blocks.append(TableBlock("secrets.zones", tuple((TextRun(one),) for one in head), tuple(rows)))
    for zone in rules.zones.values():
        if zone.is_forgetful:
            text = t.message("forgets", place=t.label(f"zones.{zone.name}"))
            w.add_text("item", f"zones.{zone.name}.forgets", text, covers={f"zones.{zone.name}.forgets"})
        w.add_passages(f"zones.{zone.name}.seen_by")
    if any(zone.seen_by != "all" for zone in rules.zones.values()):
        w.add_text("paragraph", "secrets.counts", t.message("counts_are_open"))
        if any(zone.seen_by != "all" and not zone.is_forgetful for zone in rules.zones.values()):
            w.add_text("paragraph", "secrets.known", t.message("stays_known"))
    else:
        w.add_text("paragraph", "secrets.none", t.message("all_open"))
    if rules.states:
        w.add_text("label", "state", t.message("kept_track"))
        for name, state in rules.states.items():
            address = f"state.{name}"
            reset = f" ({t.message(f'resets_{state.reset_scope}')})" if state.reset_scope else ""
            covers = {address, *([f"{address}.resets"] if state.reset_scope else [])}
            text_ = f"{_upper(t.label(address))}{reset}."
            w.add_text("item", address, text_, covers=covers, exprs=[state.initial_value], anchor=address)
    said = [one for one in rules.invariants if t.has_sentence(one.address)]
    if said:
        w.add_text("label", "invariants", t.message("always"))
        for one in said:
            w.add_sentence("item", one.address, reads=[one.condition])


def _most(w: RulebookWriter, zone: ZoneDef) -> str:
    assert zone.capacity is not None
    said = w.labels.phrases.expr(zone.capacity)
    return w.labels.message("in_each", most=said) if zone.key_types else said


def _held(w: RulebookWriter, zone: ZoneDef) -> str:
    """What a zone without words holds."""
    name = getattr(zone.content_type, "kind", "") or getattr(zone.content_type, "component", "")
    section = "components" if name in w.labels.rules.components else "kinds"
    what = w.labels.label(f"{section}.{name}") if name != "seat" else w.labels.message("of_seats")
    keys_ = [w.labels.label(f"kinds.{one}") if one != "seat" else w.labels.message("seat") for one in _keys(zone)]
    return w.labels.message("held_by", what=what, keys=w.labels.phrases.join_list(keys_)) if keys_ else what


def _keys(zone: ZoneDef) -> list[str]:
    return [getattr(one, "kind", "") or getattr(one, "component", "") for one in zone.key_types]


# ---- questions, tips, numbers ---------------------------------------------------------------------------------------


def add_faq(w: RulebookWriter) -> None:
    """Questions with their answers, and which rules somebody other than the publisher has decided."""
    t = w.labels
    asked = [one for one in t.passages.get("questions", ()) if t.has_sentence(one.address)]
    decided = _decided(w)
    if not asked and not decided:
        return
    w.add_chapter("questions")
    for passage in asked:
        _source(w, passage.address)
    for status in UNOFFICIAL_STATUSES:
        found = [(address, line, heading) for address, line, heading in decided if _status(w, address) == status]
        if found:
            w.add_text("label", f"decided.{status}", t.message(f"decided_{status}"))
        for address, line, heading in found:
            where: RichText = (
                TextRun(plain_text(heading.text), link=heading.anchor),
                TextRun(t.message("colon") + " "),
            )
            text = (*where, *line.text, *w.citation(address))
            w.add_text("item", f"decided.{address}", text, covers={f"{address}.source"}, mentions={address})
    w.add_works()


def _source(w: RulebookWriter, address: str) -> None:
    """Puts behind an answer who says so."""
    at = next(n for n, one in enumerate(w.blocks) if one.key == address)
    found = w.blocks[at]
    assert isinstance(found, TextBlock)
    w.blocks[at] = replace(found, text=(*found.text, *w.citation(address)))


def _status(w: RulebookWriter, address: str) -> str:
    note = w.labels.note(address)
    return "" if note is None else note.status


def _decided(w: RulebookWriter) -> list[tuple[str, TextBlock, Heading]]:
    """The lines that were written so far of rules that are not the publisher's, each with its section."""
    found: list[tuple[str, TextBlock, Heading]] = []
    now: Heading | None = None
    for block in w.blocks:
        if isinstance(block, Heading):
            now = block
        elif isinstance(block, TextBlock) and now is not None and block.key in block.covers:
            own = _status(w, block.key)
            if (
                own in UNOFFICIAL_STATUSES
                and not block.key.startswith("book.")
                and w.labels.has_sentence(_said_at(w, block))
            ):
                found.append((block.key, block, now))
    return found


def _said_at(w: RulebookWriter, line: TextBlock) -> str:
    return line.key if w.labels.has_sentence(line.key) else f"{line.key}.text"


def add_tips(w: RulebookWriter) -> None:
    """What the strategies advise, and the words that they use."""
    t, rules = w.labels, w.labels.rules
    told = [
        one
        for one in rules.strategies
        if any(t.has_sentence(f"strategies.{one.name}.terms.{x.name}") for x in one.terms)
    ]
    if not told and not t.passages.get("tips"):
        return
    w.add_chapter("tips")
    for strategy in told:
        address = f"strategies.{strategy.name}"
        if not w.add_sentence("label", address):
            w.add_text("label", address, t.label(address), covers={address})
        for term in strategy.terms:
            exprs = [term.of, *([term.when] if term.when is not None else [])]
            w.add_sentence("item", f"{address}.terms.{term.name}", reads=exprs)
    words = [
        name for name in rules.values if f"values.{name}" in w.bot_only_values and t.has_sentence(f"values.{name}")
    ]
    if words:
        w.add_text("label", "tips.words", t.message("words_of_tips"))
        for name in words:
            w.add_sentence("item", f"values.{name}")


def add_numbers(w: RulebookWriter) -> None:
    """All numbers of the rules at a glance."""
    t = w.labels
    if not t.rules.parameters:
        return
    w.add_chapter("numbers")
    rows = tuple(parameter_row(w, name, "numbers") for name in t.rules.parameters)
    columns = [t.message("column", players=one) for one in t.counts]
    if all(len(set(row.cells[1:])) == 1 for row in rows):  # the same for all numbers of players
        rows = tuple(replace(row, cells=row.cells[:2]) for row in rows)
        columns = [t.message("number")]
    head = [t.message("what"), *columns]
    w.blocks.append(TableBlock("numbers.parameters", tuple((TextRun(one),) for one in head), rows))
    add_kinds(w, numeric=True)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


__all__ = ["add_end", "add_faq", "add_hidden_information", "add_numbers", "add_tips", "step_addresses", "step_exprs"]
