"""A rulebook from which somebody can play who never has: what the game is about, what lies on the table, what is done
in a turn, how it ends, who sees what, what was asked, what is wise.

In: the rules for each number of players, a language, the program's words. Out: a `Book`. Every word of the game comes
from its data; what the data does not say is told from the rules themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from rulewright import limits
from rulewright.expr.types import Flag
from rulewright.model.passages import CHAPTERS
from rulewright.model.rules import Rules, ValueDef
from rulewright.rulebook.blocks import Book, Heading, Run, Table, Text, plain, spoken
from rulewright.rulebook.chapters.appendix import Section, appendix
from rulewright.rulebook.chapters.equipment import components
from rulewright.rulebook.chapters.game_end import end, numbers, questions, secrets, tips
from rulewright.rulebook.chapters.gameplay import course, turn
from rulewright.rulebook.chapters.setup import setup
from rulewright.rulebook.player_counts import held_together
from rulewright.rulebook.writer import Writer
from rulewright.wording.labels import Telling
from rulewright.wording.messages import Wording
from rulewright.wording.phrases import Says


def book(
    rules: Mapping[int, Rules],
    code: str,
    before: Mapping[int, Rules] | None = None,
    *,
    appended: Sequence[Section] | None = None,
) -> Book:
    """The rulebook of a game for all the numbers of players that are given.

    `before`: rules to hold the picture of a turn against; `appended`: with an appendix, which has these sections too.
    """
    words = Wording(rules[max(rules)], code)
    books = {count: _book(rules, count, code, words, before or {}, appended) for count in sorted(rules)}
    return held_together(books, words)


def _book(
    rules: Mapping[int, Rules],
    players: int,
    code: str,
    words: Says,
    before: Mapping[int, Rules],
    appended: Sequence[Section] | None,
) -> Book:
    telling = Telling(rules, players, code, words)
    w = Writer(telling, before.get(players, next(iter(before.values()), None)))
    _head(w)
    _chapter_of_passages(w, "idea")
    components(w)
    setup(w)
    _values(w)
    course(w)
    turn(w)
    end(w)
    secrets(w)
    questions(w)
    tips(w)
    numbers(w)
    if appended is not None:
        appendix(w, appended)
    _index(w)
    return Book(code, telling.called("game") if not telling.has("game") else w.plain("game"), tuple(w.blocks))


def _head(w: Writer) -> None:
    t, rules = w.telling, w.telling.rules
    name = w.plain("game") if t.has("game") else rules.game
    w.blocks.append(Heading("game", 1, (Run(name),), "game", frozenset({"game"})))
    counts = t.counts
    key = "for_players" if len(counts) > 1 else "for_count" if counts[0] > 1 else "for_one"
    w.line("lead", "head", t.say(key, fewest=counts[0], most=counts[-1]), says={"players"})
    for variant in (*rules.variants, *rules.joined):
        said = t.sentence(f"variants.{variant}")
        key = "variant" if variant in rules.variants else "joined"
        text = (Run(variant, "strong"), *((Run(t.say("colon") + " "), *said.text) if said is not None else ()))
        w.line("note", f"variants.{variant}", (Run(t.say(key) + " "), *text), says={f"variants.{variant}"})


def _chapter_of_passages(w: Writer, chapter: str) -> None:
    if any(w.telling.has(one.address) for one in w.telling.passages.get(chapter, ())):
        w.chapter(chapter)


def _values(w: Writer) -> None:
    """What is worked out from what lies on the table."""
    t = w.telling
    names = [name for name in t.rules.values if f"values.{name}" not in w.unplayed and t.has(f"values.{name}")]
    if not names and not t.passages.get("values"):
        return
    w.chapter("values")
    for name in names:
        value(w, name)


def value(w: Writer, name: str) -> None:
    """A derived quantity: what it is called and what it is."""
    t, address = w.telling, f"values.{name}"
    definition = t.rules.values[name]
    said = t.sentence(address)
    title: Text = (Run(t.called(address), "strong"), Run(t.say("colon") + " ")) if t.entitled(address) else ()
    text = said.text if said is not None else (Run(t.called(address)),)
    if title and plain(text) == t.called(address):  # a label, which says what it is called and not what it is
        title, text = _defined(t, definition, text)
    exprs = [expr for _, expr in (*definition.terms, *definition.less)]
    says, formula = {address}, ""
    for key, sign, terms in (("sum", "+", definition.terms), ("less", "−", definition.less)):
        for term, _ in terms:
            inner = f"{address}.{key}.{term}"
            if t.has(inner):
                said_there = w.plain(inner)
                formula += f" {sign if formula else '='} {said_there[:1].lower()}{said_there[1:]}"
                says.add(inner)
    if formula:
        text = (*text, Run(f" ({formula.strip()})", "em"))
    elif not plain(text).rstrip().endswith((".", "!", "?", ")")):
        text = (*text, Run("."))
    w.line("item", address, (*title, *text), says=says, reads=exprs, anchor=address)
    w.passages(address)


def _defined(t: Telling, definition: ValueDef, label: Text) -> tuple[Text, Text]:
    """A quantity that has only a label: its name, and what it is in words, where that is short enough to be read."""
    told = [
        (key, t.wording.condition(expr) if expr.type == Flag() else t.wording.expr(expr))
        for key, terms in (("plus", definition.terms), ("minus", definition.less))
        for _, expr in terms
    ]
    said = told[0][1]
    for key, one in told[1:]:
        said = t.say(key, a=said, b=one)
    if len(said) > limits.MAX_PHRASE_LENGTH:
        return (), label
    return (Run(plain(label), "strong"), Run(t.say("colon") + " ")), (Run(said),)


# ---- the index ------------------------------------------------------------------------------------------------------


def _index(w: Writer) -> None:
    """Every name of the game, and where it is spoken of; the section that explains it comes first."""
    t = w.telling
    places: dict[str, list[Heading]] = {}
    explained: dict[str, Heading] = {}
    now: Heading | None = None
    for block in w.blocks:
        if isinstance(block, Heading):
            now = block
        if now is None or now.level == 1:
            continue
        for address in block.says:
            explained.setdefault(address, now)
        for address in sorted(block.mentions | block.says):
            if now not in places.setdefault(address, []):
                places[address].append(now)
    entries: dict[str, list[Heading]] = {}
    for address in _terms(w):
        found = places.get(address, [])
        first = explained.get(address)
        ordered = [*([first] if first is not None else []), *[one for one in found if one is not first]]
        name = t.called(address)
        entries.setdefault(name[:1].upper() + name[1:], []).extend(
            one for one in ordered if one not in entries.get(name[:1].upper() + name[1:], [])
        )
    w.chapter("index")
    for name in sorted(entries, key=lambda one: one.casefold()):
        leads: list[Run] = []
        for heading in entries[name][: limits.MAX_INDEX_SECTIONS]:
            between = ", " if leads else t.say("colon") + " "
            leads += [Run(between), Run("".join(run.text for run in heading.text), to=heading.anchor)]
        if leads:
            w.line("item", f"index.{name}", (Run(name, "strong"), *leads))


def _terms(w: Writer) -> Iterable[str]:
    t, rules = w.telling, w.telling.rules
    yield from (f"kinds.{name}" for name in rules.kinds if name != "seat" and t.has(f"kinds.{name}"))
    for name, info in rules.kinds.items():
        if name != "seat" and not info.numeric and not info.lines_of:
            declared = [word for word in info.members if word in rules.languages["en"].names]
            yield from (f"kinds.{name}.{word}" for word in declared)
    for name, component in rules.components.items():
        yield f"components.{name}"
        yield from (f"components.{name}.fields.{field}" for field in component.fields)
    yield from (f"zones.{name}" for name in rules.zones)
    yield from (f"values.{name}" for name in rules.values if _is_term(w, f"values.{name}"))
    yield from (action.address for action in rules.actions)


def _is_term(w: Writer, address: str) -> bool:
    """Whether a quantity has a name of its own, or a label by which what is done in the game speaks of it."""
    named = any(w.telling.has(f"{one.address}.title") for one in w.telling.passages.get(address, ()))
    return w.telling.entitled(address) and (named or address not in w.unplayed)


def without_index(found: Book) -> Book:
    """The same book up to its index."""
    at = next((n for n, one in enumerate(found.blocks) if one.key == "chapter.index"), len(found.blocks))
    return replace(found, blocks=found.blocks[:at])


__all__ = ["CHAPTERS", "Table", "book", "spoken", "value"]
