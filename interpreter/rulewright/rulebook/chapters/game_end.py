"""How the game ends and who is ahead, who sees what, what was asked, what is wise, and all the numbers.

In: a writer. Out: the last chapters.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rulewright.model.rules import Criterion, ZoneDef
from rulewright.model.traversal import step_parts
from rulewright.rulebook.blocks import Heading, Line, Run, Table, Text, plain
from rulewright.rulebook.chapters.equipment import sorts
from rulewright.rulebook.chapters.gameplay import finishing
from rulewright.rulebook.chapters.setup import parameter
from rulewright.rulebook.writer import Writer, keys

DECIDED: Final = ("manual", "guide", "ruling")  # who says so when the publisher does not


def end(w: Writer) -> None:
    """What ends the game, what is done then, and who is ahead."""
    t, rules = w.telling, w.telling.rules
    w.chapter("end")
    for step in finishing(w):
        w.step(step, "item")
    last = rules.blocks[rules.finale].steps
    if last:
        w.line("label", "finale", t.say("finale"))
        w.steps(rules.finale, "number")
    w.close()
    if rules.ranking:
        w.heading(3, "ranking", t.say("ranking"), "ranking")
        for criterion in rules.ranking:
            _criterion(w, criterion)
        w.passages("ranking")


def _criterion(w: Writer, criterion: Criterion) -> None:
    t = w.telling
    says = {f"{criterion.address}.{'most' if criterion.most else 'fewest'}"}
    text = t.say("most" if criterion.most else "fewest", of=t.wording.expr(criterion.of))
    if not w.said("number", criterion.address, reads=[criterion.of], says=says, beneath=text):
        w.line("number", criterion.address, text, says={criterion.address, *says}, reads=[criterion.of])
    w.passages(criterion.address, depth=1)


# ---- who sees what --------------------------------------------------------------------------------------------------


def secrets(w: Writer) -> None:
    """Every place: what it holds, how much, who looks into it; then what stays known."""
    t, rules = w.telling, w.telling.rules
    w.chapter("secrets")
    if rules.zones:
        rows = []
        for zone in rules.zones.values():
            address = f"zones.{zone.name}"
            told = t.sentence(address)
            most = "" if zone.at_most is None else _most(w, zone)
            says = {address, f"{address}.seen_by", *([f"{address}.at_most"] if most else [])}
            exprs = [zone.at_most] if zone.at_most is not None else []
            what: Text = told.text if told is not None else (Run(_held(w, zone)),)
            cells: list[str | Text] = [
                (Run(_upper(t.called(address)), "strong"),),
                what,
                most or "–",
                t.say(f"seen_by_{zone.seen_by}"),
            ]
            rows.append(w.row(address, cells, says=says, reads=exprs))
        head = [t.say("place"), t.say("what"), t.say("most_there"), t.say("who_sees")]
        w.blocks.append(Table("secrets.zones", tuple((Run(one),) for one in head), tuple(rows)))
    for zone in rules.zones.values():
        if zone.forgets:
            text = t.say("forgets", place=t.called(f"zones.{zone.name}"))
            w.line("item", f"zones.{zone.name}.forgets", text, says={f"zones.{zone.name}.forgets"})
        w.passages(f"zones.{zone.name}.seen_by")
    if any(zone.seen_by != "all" for zone in rules.zones.values()):
        w.line("paragraph", "secrets.counts", t.say("counts_are_open"))
        if any(zone.seen_by != "all" and not zone.forgets for zone in rules.zones.values()):
            w.line("paragraph", "secrets.known", t.say("stays_known"))
    else:
        w.line("paragraph", "secrets.none", t.say("all_open"))
    if rules.states:
        w.line("label", "state", t.say("kept_track"))
        for name, state in rules.states.items():
            address = f"state.{name}"
            reset = f" ({t.say(f'resets_{state.resets}')})" if state.resets else ""
            says = {address, *([f"{address}.resets"] if state.resets else [])}
            text_ = f"{_upper(t.called(address))}{reset}."
            w.line("item", address, text_, says=says, reads=[state.start], anchor=address)
    said = [one for one in rules.invariants if t.has(one.address)]
    if said:
        w.line("label", "invariants", t.say("always"))
        for one in said:
            w.said("item", one.address, reads=[one.is_])


def _most(w: Writer, zone: ZoneDef) -> str:
    assert zone.at_most is not None
    said = w.telling.wording.expr(zone.at_most)
    return w.telling.say("in_each", most=said) if zone.keys else said


def _held(w: Writer, zone: ZoneDef) -> str:
    """What a zone without words holds."""
    name = getattr(zone.holds, "kind", "") or getattr(zone.holds, "component", "")
    section = "components" if name in w.telling.rules.components else "kinds"
    what = w.telling.called(f"{section}.{name}") if name != "seat" else w.telling.say("of_seats")
    keys_ = [w.telling.called(f"kinds.{one}") if one != "seat" else w.telling.say("seat") for one in _keys(zone)]
    return w.telling.say("held_by", what=what, keys=w.telling.wording.several(keys_)) if keys_ else what


def _keys(zone: ZoneDef) -> list[str]:
    return [getattr(one, "kind", "") or getattr(one, "component", "") for one in zone.keys]


# ---- questions, tips, numbers ---------------------------------------------------------------------------------------


def questions(w: Writer) -> None:
    """Questions with their answers, and which rules somebody other than the publisher has decided."""
    t = w.telling
    asked = [one for one in t.passages.get("questions", ()) if t.has(one.address)]
    decided = _decided(w)
    if not asked and not decided:
        return
    w.chapter("questions")
    for passage in asked:
        _source(w, passage.address)
    for status in DECIDED:
        found = [(address, line, heading) for address, line, heading in decided if _status(w, address) == status]
        if found:
            w.line("label", f"decided.{status}", t.say(f"decided_{status}"))
        for address, line, heading in found:
            where: Text = (Run(plain(heading.text), to=heading.anchor), Run(t.say("colon") + " "))
            text = (*where, *line.text, *w.cited(address))
            w.line("item", f"decided.{address}", text, says={f"{address}.source"}, mentions={address})
    w.works()


def _source(w: Writer, address: str) -> None:
    """Puts behind an answer who says so."""
    at = next(n for n, one in enumerate(w.blocks) if one.key == address)
    found = w.blocks[at]
    assert isinstance(found, Line)
    w.blocks[at] = replace(found, text=(*found.text, *w.cited(address)))


def _status(w: Writer, address: str) -> str:
    note = w.telling.standing(address)
    return "" if note is None else note.status


def _decided(w: Writer) -> list[tuple[str, Line, Heading]]:
    """The lines that were written so far of rules that are not the publisher's, each with its section."""
    found: list[tuple[str, Line, Heading]] = []
    now: Heading | None = None
    for block in w.blocks:
        if isinstance(block, Heading):
            now = block
        elif isinstance(block, Line) and now is not None and block.key in block.says:
            own = _status(w, block.key)
            if own in DECIDED and not block.key.startswith("book.") and w.telling.has(_said_at(w, block)):
                found.append((block.key, block, now))
    return found


def _said_at(w: Writer, line: Line) -> str:
    return line.key if w.telling.has(line.key) else f"{line.key}.text"


def tips(w: Writer) -> None:
    """What the strategies advise, and the words that they use."""
    t, rules = w.telling, w.telling.rules
    told = [one for one in rules.strategies if any(t.has(f"strategies.{one.name}.terms.{x.name}") for x in one.terms)]
    if not told and not t.passages.get("tips"):
        return
    w.chapter("tips")
    for strategy in told:
        address = f"strategies.{strategy.name}"
        if not w.said("label", address):
            w.line("label", address, t.called(address), says={address})
        for term in strategy.terms:
            exprs = [term.of, *([term.when] if term.when is not None else [])]
            w.said("item", f"{address}.terms.{term.name}", reads=exprs)
    words = [name for name in rules.values if f"values.{name}" in w.unplayed and t.has(f"values.{name}")]
    if words:
        w.line("label", "tips.words", t.say("words_of_tips"))
        for name in words:
            w.said("item", f"values.{name}")


def numbers(w: Writer) -> None:
    """All numbers of the rules at a glance."""
    t = w.telling
    if not t.rules.parameters:
        return
    w.chapter("numbers")
    rows = tuple(parameter(w, name, "numbers") for name in t.rules.parameters)
    columns = [t.say("column", players=one) for one in t.counts]
    if all(len(set(row.cells[1:])) == 1 for row in rows):  # the same for all numbers of players
        rows = tuple(replace(row, cells=row.cells[:2]) for row in rows)
        columns = [t.say("number")]
    head = [t.say("what"), *columns]
    w.blocks.append(Table("numbers.parameters", tuple((Run(one),) for one in head), rows))
    sorts(w, numeric=True)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


__all__ = ["end", "keys", "numbers", "questions", "secrets", "step_parts", "tips"]
