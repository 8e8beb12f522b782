"""Files that a rule file names: its game, the parts of a game, variants, also in scenarios.

In: the rules that are open, the file's text and an offset. Out: the file whose name stands there, and what it is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from rulewright.diagnostics import Diagnostics
from rulewright.document.document import MANIFEST
from rulewright.editor.cursor_places import CursorPlace, cursor_place
from rulewright.editor.open_rules import SCENARIOS, VARIANT_KEYS, OpenRules
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.locale import ENGLISH
from rulewright.model.locate import RULE_FILE_SUFFIXES, available_variants
from rulewright.scenarios.nearby_files import find_nearby_file
from rulewright.source.nodes import Node, ScalarNode, as_mapping
from rulewright.variants.variant import load_variant
from rulewright.variants.variant_names import is_setting

NAME: Final = lazy_pattern(r"[^\s,\[\]{}'\"#]+")
OF_GAMES: Final = ("for", "part_of", "display")
LISTS_OF_FILES: Final = ("files", "texts")  # in the head of a game
OF_VARIANTS: Final = ("requires", "conflicts", "after", "joins")
LANGUAGES: Final = ("en", "fr")  # of a sentence that is in several, the first that is there is shown


@frozen
class NamedFile:
    """A file, the name by which it is called, and what it is."""

    path: Path
    name: str
    label: str


def file_named_at(rules: OpenRules, text: str, offset: int) -> NamedFile | None:
    """The file that is named at a place; None where none is, or where it is not there."""
    line = text.rfind("\n", 0, offset) + 1
    match = next((each for each in NAME.finditer(text, line) if each.end() >= offset), None)
    if match is None or match.start() > offset or rules.base is None:
        return None
    place, name = cursor_place(text, match.start()), match[0]
    found = None if place.is_key else _file_named(rules, place, name)
    return found if found is not None and found.path.is_file() else None


def _file_named(rules: OpenRules, place: CursorPlace, name: str) -> NamedFile | None:
    key = place.keys[-1]
    if place.keys in [(each,) for each in OF_GAMES]:
        return NamedFile(rules.game / MANIFEST if rules.game.is_dir() else rules.game, name, "game")
    if place.keys in [(each,) for each in LISTS_OF_FILES] or (key == "rows" and name.endswith(RULE_FILE_SUFFIXES)):
        folder = rules.game if rules.game.is_dir() else rules.game.parent
        return NamedFile(folder / name, name, "file")
    is_of_case = key == "variants" and rules.kind == SCENARIOS
    is_of_variant = len(place.keys) == 1 and key in OF_VARIANTS and rules.kind in VARIANT_KEYS
    if (is_of_case or is_of_variant or (place.keys == ("variant",) and rules.kind == "texts")) and not is_setting(name):
        path = _variant_named(rules, name)
        return None if path is None else NamedFile(path, name, "variant")
    return None


def _variant_named(rules: OpenRules, name: str) -> Path | None:
    assert rules.base is not None
    if name.endswith(RULE_FILE_SUFFIXES):
        return rules.path.parent / name
    known = available_variants(rules.base.name, rules.base.path).get(name)
    near = known or find_nearby_file(rules.path, "variant", name)
    return Path(near) if str(near).endswith(RULE_FILE_SUFFIXES) else None


def describe_file(file: NamedFile, language: str) -> str:
    """What a file is, for people: a variant with what it changes, in a language if it says that in it."""
    variant = load_variant(file.path, Diagnostics()) if file.label == "variant" else None
    text = None if variant is None else variant.root.get("text")
    sentence = "" if text is None else sentence_of(text, language)
    return "\n\n".join(filter(None, [f"**{file.label}** `{file.name}`", sentence, f"`{file.path}`"]))


def sentence_of(text: Node, language: str = ENGLISH) -> str:
    """A sentence as it is written; of one in several languages that in a `language`, else the first that is shown, else
    the first that is there; empty for anything else.
    """
    by_language = as_mapping(text)
    known = [by_language.get(code) for code in (language, *LANGUAGES)]
    sentences = [text, *known, *(entry.value for entry in by_language)]
    return next((each.text for each in sentences if isinstance(each, ScalarNode)), "")


__all__ = ["NamedFile", "describe_file", "file_named_at", "sentence_of"]
