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
from rulewright.rulebook.blocks import Heading, RichText, Rulebook, TableBlock, TextRun, covered_addresses, plain_text
from rulewright.rulebook.chapters.appendix import SectionWriter, add_appendix
from rulewright.rulebook.chapters.equipment import add_components
from rulewright.rulebook.chapters.game_end import add_end, add_faq, add_hidden_information, add_numbers, add_tips
from rulewright.rulebook.chapters.gameplay import add_round, add_turn
from rulewright.rulebook.chapters.setup import add_setup
from rulewright.rulebook.player_counts import merge_books
from rulewright.rulebook.writer import RulebookWriter
from rulewright.wording.labels import Labels
from rulewright.wording.messages import Messages
from rulewright.wording.phrases import Says


def build_rulebook(
    rules: Mapping[int, Rules],
    code: str,
    before: Mapping[int, Rules] | None = None,
    *,
    extra_sections: Sequence[SectionWriter] | None = None,
) -> Rulebook:
    """The rulebook of a game for all the numbers of players that are given.

    `before`: rules to hold the picture of a turn against; `appended`: with an appendix, which has these sections too.
    """
    words = Messages(rules[max(rules)], code)
    books = {count: _book(rules, count, code, words, before or {}, extra_sections) for count in sorted(rules)}
    return merge_books(books, words)


def _book(
    rules: Mapping[int, Rules],
    players: int,
    code: str,
    words: Says,
    before: Mapping[int, Rules],
    appended: Sequence[SectionWriter] | None,
) -> Rulebook:
    telling = Labels(rules, players, code, words)
    w = RulebookWriter(telling, before.get(players, next(iter(before.values()), None)))
    _head(w)
    _chapter_of_passages(w, "idea")
    add_components(w)
    add_setup(w)
    _values(w)
    add_round(w)
    add_turn(w)
    add_end(w)
    add_hidden_information(w)
    add_faq(w)
    add_tips(w)
    add_numbers(w)
    if appended is not None:
        add_appendix(w, appended)
    _index(w)
    return Rulebook(
        code, telling.label("game") if not telling.has_sentence("game") else w.plain_sentence("game"), tuple(w.blocks)
    )


def _head(w: RulebookWriter) -> None:
    t, rules = w.labels, w.labels.rules
    name = w.plain_sentence("game") if t.has_sentence("game") else rules.game
    w.blocks.append(Heading("game", 1, (TextRun(name),), "game", frozenset({"game"})))
    counts = t.counts
    key = "for_players" if len(counts) > 1 else "for_count" if counts[0] > 1 else "for_one"
    w.add_text("lead", "head", t.message(key, fewest=counts[0], most=counts[-1]), covers={"players"})
    for variant in (*rules.variants, *rules.implied_variants):
        said = t.find_sentence(f"variants.{variant}")
        key = "variant" if variant in rules.variants else "joined"
        text = (
            TextRun(variant, "strong"),
            *((TextRun(t.message("colon") + " "), *said.text) if said is not None else ()),
        )
        w.add_text(
            "note", f"variants.{variant}", (TextRun(t.message(key) + " "), *text), covers={f"variants.{variant}"}
        )


def _chapter_of_passages(w: RulebookWriter, chapter: str) -> None:
    if any(w.labels.has_sentence(one.address) for one in w.labels.passages.get(chapter, ())):
        w.add_chapter(chapter)


def _values(w: RulebookWriter) -> None:
    """What is worked out from what lies on the table."""
    t = w.labels
    names = [
        name
        for name in t.rules.values
        if f"values.{name}" not in w.bot_only_values and t.has_sentence(f"values.{name}")
    ]
    if not names and not t.passages.get("values"):
        return
    w.add_chapter("values")
    for name in names:
        add_term(w, name)


def add_term(w: RulebookWriter, name: str) -> None:
    """A derived quantity: what it is called and what it is."""
    t, address = w.labels, f"values.{name}"
    definition = t.rules.values[name]
    said = t.find_sentence(address)
    title: RichText = (
        (TextRun(t.label(address), "strong"), TextRun(t.message("colon") + " ")) if t.has_label(address) else ()
    )
    text = said.text if said is not None else (TextRun(t.label(address)),)
    if title and plain_text(text) == t.label(address):  # a label, which says what it is called and not what it is
        title, text = _defined(t, definition, text)
    exprs = [expr for _, expr in (*definition.terms, *definition.deductions)]
    covers, formula = {address}, ""
    for key, sign, terms in (("sum", "+", definition.terms), ("less", "−", definition.deductions)):
        for term, _ in terms:
            inner = f"{address}.{key}.{term}"
            if t.has_sentence(inner):
                said_there = w.plain_sentence(inner)
                formula += f" {sign if formula else '='} {said_there[:1].lower()}{said_there[1:]}"
                covers.add(inner)
    if formula:
        text = (*text, TextRun(f" ({formula.strip()})", "em"))
    elif not plain_text(text).rstrip().endswith((".", "!", "?", ")")):
        text = (*text, TextRun("."))
    w.add_text("item", address, (*title, *text), covers=covers, exprs=exprs, anchor=address)
    w.add_passages(address)


def _defined(t: Labels, definition: ValueDef, label: RichText) -> tuple[RichText, RichText]:
    """A quantity that has only a label: its name, and what it is in words, where that is short enough to be read."""
    told = [
        (key, t.phrases.condition(expr) if expr.type == Flag() else t.phrases.expr(expr))
        for key, terms in (("plus", definition.terms), ("minus", definition.deductions))
        for _, expr in terms
    ]
    said = told[0][1]
    for key, one in told[1:]:
        said = t.message(key, a=said, b=one)
    if len(said) > limits.MAX_PHRASE_LENGTH:
        return (), label
    return (TextRun(plain_text(label), "strong"), TextRun(t.message("colon") + " ")), (TextRun(said),)


# ---- the index ------------------------------------------------------------------------------------------------------


def _index(w: RulebookWriter) -> None:
    """Every name of the game, and where it is spoken of; the section that explains it comes first."""
    t = w.labels
    places: dict[str, list[Heading]] = {}
    explained: dict[str, Heading] = {}
    now: Heading | None = None
    for block in w.blocks:
        if isinstance(block, Heading):
            now = block
        if now is None or now.level == 1:
            continue
        for address in block.covers:
            explained.setdefault(address, now)
        for address in sorted(block.mentions | block.covers):
            if now not in places.setdefault(address, []):
                places[address].append(now)
    entries: dict[str, list[Heading]] = {}
    for address in _terms(w):
        found = places.get(address, [])
        first = explained.get(address)
        ordered = [*([first] if first is not None else []), *[one for one in found if one is not first]]
        name = t.label(address)
        entries.setdefault(name[:1].upper() + name[1:], []).extend(
            one for one in ordered if one not in entries.get(name[:1].upper() + name[1:], [])
        )
    w.add_chapter("index")
    for name in sorted(entries, key=lambda one: one.casefold()):
        leads: list[TextRun] = []
        for heading in entries[name][: limits.MAX_INDEX_SECTIONS]:
            between = ", " if leads else t.message("colon") + " "
            leads += [TextRun(between), TextRun("".join(run.text for run in heading.text), link=heading.anchor)]
        if leads:
            w.add_text("item", f"index.{name}", (TextRun(name, "strong"), *leads))


def _terms(w: RulebookWriter) -> Iterable[str]:
    t, rules = w.labels, w.labels.rules
    yield from (f"kinds.{name}" for name in rules.kinds if name != "seat" and t.has_sentence(f"kinds.{name}"))
    for name, info in rules.kinds.items():
        if name != "seat" and not info.is_numeric and not info.cell_kind:
            declared = [word for word in info.members if word in rules.languages["en"].member_names]
            yield from (f"kinds.{name}.{word}" for word in declared)
    for name, component in rules.components.items():
        yield f"components.{name}"
        yield from (f"components.{name}.fields.{field}" for field in component.field_types)
    yield from (f"zones.{name}" for name in rules.zones)
    yield from (f"values.{name}" for name in rules.values if _is_term(w, f"values.{name}"))
    yield from (action.address for action in rules.actions)


def _is_term(w: RulebookWriter, address: str) -> bool:
    """Whether a quantity has a name of its own, or a label by which what is done in the game speaks of it."""
    named = any(w.labels.has_sentence(f"{one.address}.title") for one in w.labels.passages.get(address, ()))
    return w.labels.has_label(address) and (named or address not in w.bot_only_values)


def strip_index(found: Rulebook) -> Rulebook:
    """The same book up to its index."""
    at = next((n for n, one in enumerate(found.blocks) if one.key == "chapter.index"), len(found.blocks))
    return replace(found, blocks=found.blocks[:at])


__all__ = ["CHAPTERS", "TableBlock", "add_term", "build_rulebook", "covered_addresses"]
