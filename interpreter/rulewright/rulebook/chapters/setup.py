"""How the game is set up for each number of players.

In: a writer. Out: the chapter on setting up.
"""

from __future__ import annotations

from rulewright import limits
from rulewright.expr.types import SEAT, Member
from rulewright.model.locale import ENGLISH
from rulewright.model.rules import ComponentDef, Rules, ZoneDef
from rulewright.model.traversal import filled_zones, step_exprs
from rulewright.rulebook.blocks import FigureBlock, RichText, TextRun, sentence_text, text_runs
from rulewright.rulebook.board_plan import board_plan
from rulewright.rulebook.chapters.numbers import parameter_row, parameter_text
from rulewright.rulebook.component_values import starting_bags
from rulewright.rulebook.decisions import add_decisions, add_procedures, blocks_used_only_by, reached_blocks
from rulewright.rulebook.writer import RulebookWriter
from rulewright.wording.labels import Labels, named_addresses
from rulewright.wording.text_case import is_same_text, upper_first


def add_setup(writer: RulebookWriter) -> None:
    """What depends on the number of players, then zone by zone what lies there at first, then step by step; then what
    is decided there.
    """
    labels, rules = writer.labels, writer.labels.rules
    writer.add_chapter("setup")
    rows = [parameter_row(writer, name, "setup") for name in _setup_parameters(labels)]
    if rows:
        header = [labels.message("numbers_of_setup"), *writer.count_headers()]
        writer.add_table("setup.numbers", header, rows)
    _add_player_overlays(writer)
    for zone in rules.zones.values():
        _add_zone(writer, zone)
    writer.add_steps(rules.setup, "number")
    writer.add_passages("setup.first")
    if writer.blocks[-1].key != "chapter.setup" and _has_empty_zone(rules):
        writer.add_text("paragraph", "setup.else", labels.message("else_empty"))
    plan = board_plan(labels)
    if plan is not None:
        alt = labels.message("plan")
        writer.blocks.append(FigureBlock("setup.plan", plan, (TextRun(alt),), alt))
    writer.close_chapter()
    add_decisions(writer, rules.setup)
    add_procedures(writer, blocks_used_only_by(rules, rules.setup))


def _has_empty_zone(rules: Rules) -> bool:
    """Whether there is a zone into which nothing comes before play."""
    filled = {zone.name for zone in rules.zones.values() if zone.initial_content is not None or zone.refill is not None}
    filled |= {part.initial_place.zone for part in rules.components.values() if part.initial_place is not None}
    for block in reached_blocks(rules, {rules.setup}):
        filled |= filled_zones(rules.blocks[block].steps)
    return not set(rules.zones) <= filled


def _add_player_overlays(writer: RulebookWriter) -> None:
    """The sentences of the variants that belong to numbers of players."""
    labels = writer.labels
    for count in labels.counts:
        rules = labels.rules_for(count)
        for address in rules.languages[ENGLISH].sentences:
            name = address.removeprefix("variants.")
            if address != name and name not in (*rules.variants, *rules.implied_variants):
                text = labels.sentence_for(address, count)
                writer.add_text("item", f"{address} {count}", text, covers={address})


def _setup_parameters(labels: Labels) -> list[str]:
    """The parameters that set-up reads, and those that depend on the number of players."""
    rules = labels.rules
    exprs = [zone.initial_content for zone in rules.zones.values() if zone.initial_content is not None]
    exprs += [expr for step in rules.blocks[rules.setup].steps for expr in step_exprs(step)]
    named = {address for expr in exprs for address in named_addresses(expr, rules)}
    return [
        name
        for name in rules.parameters
        if f"parameters.{name}" in named or len({parameter_text(labels, name, count) for count in labels.counts}) > 1
    ]


def _add_zone(writer: RulebookWriter, zone: ZoneDef) -> None:
    """What lies in a zone at first, and how the book says to lay it out; nothing where neither is there to say."""
    labels, rules, address = writer.labels, writer.labels.rules, f"zones.{zone.name}"
    components = [
        component
        for component in rules.components.values()
        if component.initial_place is not None and component.initial_place.zone == zone.name
    ]
    passages = [
        passage.address
        for passage in labels.passages.get(address, ())
        if not passage.role and labels.has_sentence(passage.address)
    ]
    if zone.initial_content is None and zone.refill is None and not components and not passages:
        return
    text: RichText = (TextRun(upper_first(labels.label(address)), "strong"), TextRun(labels.message("colon")))
    covers, mentions = {address}, set[str]()
    for sentence_address in passages or [address]:  # the book says how to lay it out, the zone what it is
        sentence = labels.find_sentence(sentence_address)
        if sentence is not None:
            runs = text_runs(sentence)
            if not is_same_text(sentence_text(sentence), labels.label(address)):  # else the label has said it
                text = (*text, TextRun(" "), *runs, *(() if _is_complete(runs) else (TextRun("."),)))
            mentions |= sentence.mentions
            covers.add(sentence_address)
    texts, more_covers = _content_texts(labels, zone, components, is_explained=bool(passages))
    if zone.refill is not None and zone.capacity is not None:
        mentions.add(f"zones.{zone.refill.zone}")
    writer.add_text(
        "number",
        f"setup.{address}",
        (*text, *(run for content in texts for run in (TextRun(" "), content))),
        covers=covers | more_covers,
        mentions=mentions,
        exprs=[expr for expr in (zone.initial_content, zone.capacity) if expr is not None],
    )
    writer.add_passages(address, roles=("example", "note"))


def _content_texts(
    labels: Labels, zone: ZoneDef, components: list[ComponentDef], *, is_explained: bool
) -> tuple[list[TextRun], set[str]]:
    """What lies in a zone at first and whether it is refilled, in texts, with the addresses that they cover.

    `is_explained`: the game's book says by itself which things lie there.
    """
    address = f"zones.{zone.name}"
    texts: list[TextRun] = []
    covers = set[str]()
    if zone.initial_content is not None:
        bag = _common_content(labels, zone)
        link = TextRun(labels.message("as_told"), link="components")
        texts.append(link if bag is None else TextRun(labels.message("at_first", bag=bag)))
        covers.add(f"{address}.start")
    for component in components:
        covers.add(f"components.{component.name}.start")
        if not is_explained:
            texts.append(TextRun(labels.message("home_of", things=labels.label(f"components.{component.name}"))))
    if zone.is_shuffled and components:
        covers.add(f"{address}.order")
        if not is_explained:
            texts.append(TextRun(labels.message("shuffled")))
    if zone.refill is not None and zone.capacity is not None:
        most = labels.phrases.number(zone.capacity)
        key = "refilled_one" if most == "1" else "refilled"
        texts.append(TextRun(labels.message(key, most=most, source=labels.label(f"zones.{zone.refill.zone}"))))
        covers |= {f"{address}.refill", f"{address}.at_most"}
    return texts, covers


def _common_content(labels: Labels, zone: ZoneDef) -> str | None:
    """What the places of a zone hold at first; None where that depends on the number of players."""
    texts = {
        _content_text(labels, count, zone) for count in labels.counts if zone.name in labels.rules_for(count).zones
    }
    return texts.pop() if len(texts) == 1 else None


def _content_text(labels: Labels, count: int, zone: ZoneDef) -> str:
    """What the places of a zone hold at first with a number of players: once if it is the same in all of them."""
    bags = starting_bags(labels, count, zone)
    if not bags:  # no places
        return labels.message("nothing")
    zone = labels.rules_for(count).zones[zone.name]
    assert zone.initial_content is not None
    is_of_seats = isinstance(zone.content_type, Member) and zone.content_type.kind == SEAT.kind
    texts = {
        bag: labels.message("pieces", number=sum(bag))
        if is_of_seats
        else labels.value_text(bag, zone.initial_content.type, count)
        for bag in bags.values()
    }
    if len(set(texts.values())) == 1:
        text = next(iter(texts.values()))
        return text if not zone.key_types else labels.message("each_place", bag=text)
    names = {
        keys: " ".join(labels.key_text(key, type_, count) for key, type_ in zip(keys, zone.key_types, strict=True))
        for keys in bags
    }
    alike: dict[str, list[str]] = {}  # places with the same content, by its text; those with none are not named
    for keys, bag in bags.items():
        if any(bag):
            alike.setdefault(texts[bag], []).append(names[keys])
    separator = labels.message("semicolon") + " "
    return separator.join(
        f"{labels.phrases.join_list(places[: limits.MAX_LISTED_PLACES])}{labels.message('colon')} {text}"
        for text, places in list(alike.items())[: limits.MAX_LISTED_PLACES]
    )


def _is_complete(text: RichText) -> bool:
    """Whether it ends as a sentence does."""
    return text[-1].text.rstrip().endswith((".", "!", "?", ")"))


__all__ = ["add_setup"]
