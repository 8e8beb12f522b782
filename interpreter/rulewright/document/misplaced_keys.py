"""Keys that stand one level too high or too low: a choice directly in its action, the new value below `set`.

In: a key that is unknown where it stands, or a mapping where something else is expected. Out: a hint that says where it
belongs; empty where nothing tells.
"""

from __future__ import annotations

from typing import Final

from rulewright import limits
from rulewright.document.located_nodes import LocatedNode
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, as_mapping

ACTION_TITLE: Final = "an action"
COMPONENT_TITLE: Final = "a component"
TEXTS_TITLE: Final = "sentences in a language"
DISPLAY_TITLE: Final = "a display"
PARTS_OF_ACTIONS: Final = {  # by the key under which such entries stand: the keys that only they have
    "choose": ("one_of", "some_of", "pay"),
    "when": ("is",),
    "do": ("move", "set", "roll", "reveal", "run", "turn", "extra_turn", "end_game", "leave"),
}
LOOK_KEYS: Final = ("letter", "shape", "colour")


def below_hint(title: str, entry: Entry) -> str:
    """For a key that a mapping with that title does not have: the key under which it belongs."""
    name, value = entry.key.text, as_mapping(entry.value) if isinstance(entry.value, MappingNode) else None
    if title == ACTION_TITLE and value is not None:
        for key, marks in PARTS_OF_ACTIONS.items():
            if any(mark in value for mark in marks):
                form = f"`{key}: {{{name}: …}}`" if key != "do" else f"`do: [{name}: …]`"
                return f"put it under `{key}`: {form}"
    if title == COMPONENT_TITLE and isinstance(entry.value, ScalarNode):
        return f"if it is a field, put it under `fields`: `fields: {{{name}: {_shown(entry.value)}}}`"
    if name == "title":
        return "a title stands under `sentences`, at the address of its rule: `….title: …`"
    if title == TEXTS_TITLE and "." in name:
        return f"put it under `sentences`, indented: `{name}: …`"
    if title == DISPLAY_TITLE and value is not None and any(key in value for key in LOOK_KEYS):
        return f"put it under `members`, indented: `{name}: …`"
    return ""


def above_hint(location: LocatedNode) -> str:
    """For a mapping behind a key of a step that takes a single value: what stands beside that key."""
    node, key = location.node, location.key.text if location.key is not None else ""
    if not isinstance(node, MappingNode) or not node.entries:
        return ""
    first = node.entries[0]
    if key == "set" and len(node.entries) == 1 and isinstance(first.value, ScalarNode):
        return f"write `set: {first.key.text}, to: {_shown(first.value)}`"
    if key == "roll" and len(node.entries) == 1:
        return f"write `roll: {first.key.text}, weights: …`"
    if key == "end_game":
        return f"write its other keys beside it: `{key}: now, {', '.join(f'{name}: …' for name in node.keys()[:2])}`"
    return ""


def _shown(node: Node) -> str:
    text = node.text if isinstance(node, ScalarNode) else ""
    return text if text and len(text) <= limits.MAX_QUOTED_WORD else "…"


__all__ = ["ACTION_TITLE", "above_hint", "below_hint"]
