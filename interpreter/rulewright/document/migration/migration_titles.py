"""Titles of rules, each once: what passages of the book and lines of the display called them stands at `ADDRESS.title`.

In: the files of a game, or a variant. Out: edits that take the titles out, and the titles by address. Where book and
display differ, the book's counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.document.migration.migration_edits import Edit, removals
from rulewright.document.migration.migration_sentence_lines import by_language
from rulewright.frozen import field, mutable
from rulewright.source.nodes import Entry, MappingNode, as_items, as_mapping, text_or_default

QUESTIONS = "questions"
LINE_SECTIONS = {"zone": "zones", "value": "values"}  # what a line draws, and where that is declared
LOOK_SECTIONS = {"actions": "actions", "state": "state"}  # of the display, and where they are declared


@mutable
class TitlesFound:
    """Titles by address and language, and what is taken out of a file for them."""

    titles: dict[str, dict[str, str]] = field(default_factory=dict)
    edits: list[Edit] = field(default_factory=list)
    passages: dict[str, str] = field(default_factory=dict)  # passage → the rule that it gave its title to

    def add(self, address: str, title: Mapping[str, str]) -> None:
        """A title, unless the rule has one."""
        known = self.titles.setdefault(address, {})
        for code, text in title.items():
            known.setdefault(code, text)


def take_passage_titles(found: TitlesFound, passages: MappingNode, *, prefix: str = "") -> bool:
    """Takes the titles out of passages that give them to rules; whether no other passage is left.

    `prefix`: what stands before a passage's name among the keys; keys without it are other things.
    """
    gone: list[Entry] = []
    for entry in passages:
        passage, name = as_mapping(entry.value), entry.key.text.removeprefix(prefix)
        title, topic = passage.entry("title"), text_or_default(passage.get("at"))
        is_passage = entry.key.text.startswith(prefix) and "at" in passage
        if not is_passage or title is None or topic == QUESTIONS or ("." not in topic and "text" in passage):
            continue
        found.add(topic, by_language(title.value))
        found.passages[name] = topic
        if "text" in passage:
            found.edits += removals(passage, [title])
        else:
            gone.append(entry)
    if gone and len(gone) == len(passages.entries):
        return True
    found.edits += removals(passages, gone)
    return False


def take_display_titles(found: TitlesFound, display: MappingNode) -> None:
    """Takes the titles out of a display."""
    emptied: list[Entry] = []
    for section, rules in LOOK_SECTIONS.items():
        looks = display.entry(section)
        gone: list[Entry] = []
        for entry in as_mapping(looks.value) if looks is not None else ():
            look = as_mapping(entry.value)
            title = look.entry("title")
            if title is None:
                continue
            words = by_language(title.value)
            found.add(f"{rules}.{entry.key.text}", {code: text[:1].upper() + text[1:] for code, text in words.items()})
            if len(look.entries) == 1:
                gone.append(entry)
            else:
                found.edits += removals(look, [title])
        if looks is not None and gone and len(gone) == len(as_mapping(looks.value).entries):
            emptied.append(looks)
        elif looks is not None:
            found.edits += removals(as_mapping(looks.value), gone)
    found.edits += removals(display, emptied)
    for line in (line for section in ("board", "players", "seats") for line in as_items(display.get(section))):
        title = as_mapping(line).entry("title")
        if title is not None:
            found.add(_line_address(as_mapping(line)), by_language(title.value))
            found.edits += removals(as_mapping(line), [title])


def _line_address(line: MappingNode) -> str:
    key = next((key for key in LINE_SECTIONS if key in line), "zone")
    return f"{LINE_SECTIONS[key]}.{text_or_default(line.get(key))}"


def take_translated_titles(found: TitlesFound, code: str, sentences: MappingNode) -> Iterator[Edit]:
    """Takes the titles of passages that gave them to rules out of a texts file; the edits of that file."""
    gone: list[Entry] = []
    for entry in sentences:
        section, _, rest = entry.key.text.partition(".")
        name, _, ending = rest.partition(".")
        topic = found.passages.get(name) if section == "book" and ending == "title" else None
        if topic is not None:
            found.titles[topic][code] = text_or_default(entry.value)
            gone.append(entry)
    yield from removals(sentences, gone)


__all__ = ["TitlesFound", "take_display_titles", "take_passage_titles", "take_translated_titles"]
