"""What a key of a rule file means, and a word of the language in an expression.

In: the kind of a file, which is its first key, and the keys that lead to one; or a word. Out: sentences of the schemas,
or of the list below; None for what authors name themselves.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from rulewright.document.address import child_entries
from rulewright.document.schemas import VARIANT_KINDS
from rulewright.editor.file_nodes import node_of_file
from rulewright.editor.file_schemas import keys_below, schema_at
from rulewright.editor.file_uses import CHANGES
from rulewright.editor.name_uses import NameUse
from rulewright.editor.open_rules import OpenRules
from rulewright.source.nodes import MappingNode, Node

MEANINGS_OF_WORDS: Final = MappingProxyType(
    {
        "me": "The player in turn; in an action, the player that does it.",
        "opponent": "The other player; only with two players.",
        "opponents": "Everyone but `me`.",
        "others": "Everyone but `me`.",
        "everyone": "All players that have not left, from the first player on.",
        "nobody": "None of the players.",
        "first_player": "The player that began the game.",
        "players": "How many players there are.",
        "round_number": "1 in the first round, 0 before.",
        "nothing": "The bag, or the set, without anything in it.",
        "true": "The flag of what holds.",
        "false": "The flag of what does not hold.",
        "count": "`count(S)`: how many members a set has, how many pieces a bag.",
        "min": "`min(a, b, …)`: the least of two numbers or more; `min of E for x in S`: of all.",
        "max": "`max(a, b, …)`: the greatest of two numbers or more; `max of E for x in S`: of all.",
        "only": "`only(S, E)`: the member of a set that has a single one; `E` for any other set.",
        "reversed": "`reversed(S)`: the set in the other order.",
        "next": "`next(player)`: the next player round the table that has not left.",
        "everyone_from": "`everyone_from(player)`: everyone still in, in turn order, beginning with that player.",
        "possible": "`possible(action)`: whether the player in turn could do that action now, if it were offered.",
    }
)


def describe_language(rules: OpenRules, offset: int) -> str | None:
    """What the language says at an offset of the open file: of the key there, or of the word in an expression; None
    where a name of the rules stands, and of keys while the file is broken.
    """
    file = node_of_file(rules.path)
    keys = key_at(file, offset) if isinstance(file, MappingNode) and file.entries else ()
    if keys:
        meaning = meaning_of_key(file.keys()[0], keys) if isinstance(file, MappingNode) else None
        return None if meaning is None else f"**key** `{keys[-1].rpartition('.')[2]}`\n\n{meaning}"
    if rules.names is None:
        return None
    words = (use.word for _, uses in rules.names.parts_of(rules.path) for use in uses if _is_at(use, offset))
    word = next((each for each in words if each in MEANINGS_OF_WORDS), None)
    return None if word is None else f"**word of the language** `{word}`\n\n{MEANINGS_OF_WORDS[word]}"


def _is_at(use: NameUse, offset: int) -> bool:
    return use.span.start <= offset <= use.span.end and not use.address and use.local is None


def key_at(node: Node, offset: int) -> tuple[str, ...]:
    """The keys that lead to the one at an offset; empty where no key stands, or only the beginning of an address."""
    for entry in child_entries(node):
        span = entry.key.span
        if span.start <= offset <= span.end:
            return () if "." in span.text[offset - span.start :] else (entry.key.text,)
        if entry.value.span.start <= offset <= entry.value.span.end:
            below = key_at(entry.value, offset)
            return (entry.key.text, *below) if below else ()
    return ()


def meaning_of_key(kind: str, keys: tuple[str, ...]) -> str | None:
    """What the last of these keys means in a kind of file; None where it is a name, or no schema speaks of it."""
    if kind in VARIANT_KINDS and len(keys) > 1 and keys[0] in CHANGES:
        found = meaning_of_key("game", tuple(".".join(keys[1:]).split(".")))  # addresses, and what is below them
        if found is not None:
            return found
    schema = schema_at(kind, keys) if keys[-1] in keys_below(kind, keys[:-1]) else None
    return None if schema is None else schema.get("description")


__all__ = ["MEANINGS_OF_WORDS", "describe_language", "key_at", "meaning_of_key"]
