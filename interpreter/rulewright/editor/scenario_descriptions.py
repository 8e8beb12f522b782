"""What a key of a scenario means, and which player a number is.

In: rules that are open, the text of a file of scenarios and an offset. Out: Markdown, or nothing. Names of the game are
described as in all other files.
"""

from __future__ import annotations

from rulewright.editor.file_nodes import node_of_file
from rulewright.editor.key_meanings import meaning_of_key
from rulewright.editor.open_rules import SCENARIOS, OpenRules
from rulewright.editor.scenario_words import CASES, OF_PLAYERS, named_in_case, names_at, sorts_of_contents
from rulewright.expr.types import SEAT
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode


def describe_in_scenarios(rules: OpenRules, text: str, offset: int) -> str | None:
    """The description of the key or player at an offset; None for any other word, and while the file is broken."""
    file = node_of_file(rules.path)
    if not isinstance(file, MappingNode) or file.keys()[:1] != (SCENARIOS,):
        return None
    keys, value = _way_to(file, offset)
    if not keys:
        return None
    if value is None and (meaning := meaning_of_key(SCENARIOS, keys)) is not None:
        return f"**key** `{keys[-1]}`\n\n{meaning}"
    number = keys[-1] if value is None else value
    case = names_at(rules, text, offset, keys)
    if case is None or not (number.isdecimal() and 1 <= int(number) <= case.players):
        return None
    if value is not None:
        is_player = keys[-1] in OF_PLAYERS
    else:
        section, *names = named_in_case(keys[2:]) if keys[0] == CASES else ("",)
        sorts = sorts_of_contents(case.names, f"{section}.{names[0]}")[0] if section and names else ()
        is_player = sorts[len(names) - 2 : len(names) - 1] == (SEAT.kind,) if names else keys[-2:-1] == ("sees",)
    return f"**{SEAT.kind}** `{number}`\n\none of {case.players}, counted from 1" if is_player else None


def _way_to(node: Node, offset: int) -> tuple[tuple[str, ...], str | None]:
    """The keys that lead to an offset; and the value there, unless it is at the last of them."""
    match node:
        case MappingNode(entries=entries):
            for entry in entries:
                if entry.key.span.start <= offset <= entry.key.span.end:
                    return (entry.key.text,), None
                if entry.value.span.start <= offset <= entry.value.span.end:
                    keys, value = _way_to(entry.value, offset)
                    return (entry.key.text, *keys), value
        case SequenceNode(items=items):
            around = [item for item in items if item.span.start <= offset <= item.span.end]
            return _way_to(around[0], offset) if around else ((), "")
        case ScalarNode(text=text):
            return (), text
    return (), ""


__all__ = ["describe_in_scenarios"]
