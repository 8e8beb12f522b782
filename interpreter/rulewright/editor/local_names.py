"""Names that a rule binds for itself: choices, keys, arguments, the variables of loops.

In: the names of the rules, and an address. Out: what is bound there, and what can be seen from there. A name bound in
one rule is another one than the same word in the next.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulewright.diagnostics import Span
from rulewright.document.address import AddressParts, child_entries, find_entry, is_choices
from rulewright.document.language import FLOW_SECTIONS, OFFER_VERBS
from rulewright.editor.known_names import KnownNames
from rulewright.expr.parse import parse
from rulewright.expr.syntax_tree import SyntaxNode
from rulewright.frozen import frozen
from rulewright.source.nodes import MappingNode, Node, ScalarNode, as_items

KEYS_OF: Final = {"per": "key", "with": "argument"}
LOOP: Final = "loop variable"
SET_OF_CHOICE: Final = ("one_of", "some_of", "from")  # under which it is said what a choice is of


@frozen
class ShortForm:
    """What binds a name by its kind alone, as `per: player` and `every card has …` do, or in full, as `{who: player}`
    and `every c in card`: the span to be written anew, and each name with what it is of. `is_list`: it is YAML.
    """

    span: Span
    names: tuple[tuple[str, str], ...]
    is_list: bool


@frozen
class LocalName:
    """A name, what it is, an address that no other has, where it is bound. `sort`: the kind or component that it is
    of, as far as that is known; `is_implied`: the name of its kind stands for it; `form`: what binds it.
    """

    name: str
    label: str
    address: str
    span: Span
    sort: str = ""
    is_implied: bool = False
    form: ShortForm | None = None


Visible = Mapping[str, LocalName]


def sorts_of(visible: Visible) -> dict[str, str]:
    """What each visible name is of."""
    return {name: local.sort for name, local in visible.items()}


def visible_at(names: KnownNames, parts: AddressParts) -> Visible:
    """The names that the rules around an address have bound there."""
    visible: Visible = {}
    for length in range(1, len(parts)):
        visible = {**visible, **bound_at(names, parts[:length], None, visible)}
        visible = seen_by(parts[: length + 1], visible)
    return visible


def bound_at(names: KnownNames, parts: AddressParts, node: Node | None, visible: Visible) -> dict[str, LocalName]:
    """The names that the rule at an address binds for all below it; `node`: as the file that is read writes it."""
    if len(parts) > 2 and parts[-2] in OFFER_VERBS:
        return choices_of(names, parts[-1], None)
    entry = find_entry(names.root, ".".join(parts))
    found: dict[str, LocalName] = {}
    for rule in (None if entry is None else entry.value, node):
        if isinstance(rule, MappingNode):
            found |= _bound_by(names, parts, rule, visible)
    return found


def _bound_by(names: KnownNames, parts: AddressParts, rule: MappingNode, visible: Visible) -> dict[str, LocalName]:
    if len(parts) == 2 and parts[0] == "actions":
        return choices_of(names, parts[1], rule)
    found: dict[str, LocalName] = {}
    for key, label in KEYS_OF.items() if len(parts) == 2 and parts[0] != "parameters" else ():
        found |= bound_by_keys(rule.get(key), f"{'.'.join(parts)}.{key}", label)
    loop = rule.get("for_each")
    if isinstance(loop, ScalarNode) and parts[0] in (*FLOW_SECTIONS, "actions", "procedures"):
        tree = parse(loop.text, "binding")
        if isinstance(tree, SyntaxNode):
            local = bound_by_head(names, loop, tree.child(0), f"{'.'.join(parts)}.for_each", visible)
            found[local.name] = local
    return found


def bound_by_keys(keys: Node | None, address: str, label: str) -> dict[str, LocalName]:
    """The names that a `per`, a `with` or the `for_each` of a row binds."""
    if isinstance(keys, MappingNode):
        written = [(each.key, each.value.text) for each in keys if isinstance(each.value, ScalarNode)]
    else:
        written = [(item, item.text) for item in as_items(keys) if isinstance(item, ScalarNode)]
    if keys is None or not written:
        return {}
    is_implied, span = not isinstance(keys, MappingNode), keys.span
    whole = Span(span.source, span.start, span.start + len(span.text.rstrip()))
    form = ShortForm(whole, tuple((key.text, kind) for key, kind in written), is_list=True)
    return {
        key.text: LocalName(key.text, label, f"{address}.{key.text}", key.span, kind, is_implied, form)
        for key, kind in written
    }


def bound_by_head(
    names: KnownNames, scalar: ScalarNode, head: SyntaxNode, address: str, visible: Visible, base: int = 0
) -> LocalName:
    """The variable of a loop. `base`: where in the scalar its expression begins."""
    token = head.token()
    span = scalar.subspan(base + token.offsets[0], base + token.offsets[1])
    is_implied = len(head.parts) == 1
    within = head if is_implied else head.child(1)
    set_text = scalar.text[base + within.offsets[0] : base + within.offsets[1]]
    whole = scalar.subspan(base + head.offsets[0], base + head.offsets[1])
    form = ShortForm(whole, ((token.text, set_text),), is_list=False)
    sort = names.sort_of(head, sorts_of(visible))
    return LocalName(token.text, LOOP, address, span, sort, is_implied, form)


def choices_of(names: KnownNames, action: str, rule: MappingNode | None) -> dict[str, LocalName]:
    """The choices of an action in their order. `rule`: the action as the file that is read writes it."""
    address = f"actions.{action}.choose"
    entry = find_entry(names.root, address)
    found: dict[str, LocalName] = {}
    for choices in (None if entry is None else entry.value, None if rule is None else rule.get("choose")):
        for choice in child_entries(choices) if choices is not None else ():
            name, sort = choice.key.text, _sort_of_choice(names, choice.value, found)
            found[name] = LocalName(name, "choice", f"{address}.{name}", choice.key.span, sort)
    return found


def _sort_of_choice(names: KnownNames, node: Node, earlier: Visible) -> str:
    for key in SET_OF_CHOICE if isinstance(node, MappingNode) else ():
        written = node.get(key) if isinstance(node, MappingNode) else None
        tree = parse(written.text) if isinstance(written, ScalarNode) else None
        if isinstance(tree, SyntaxNode) and (sort := names.sort_of(tree, sorts_of(earlier))):
            return sort
    return ""


def is_choice(parts: AddressParts) -> bool:
    """Whether it is the address of a choice."""
    return is_choices(parts[:-1])


def seen_by(parts: AddressParts, visible: Visible) -> Visible:
    """What is visible at an address: what a choice is chosen from, and its reason, see the choices before it only."""
    if len(parts) < 5 or not is_choice(parts[:4]):
        return visible
    choices = [name for name, local in visible.items() if local.label == "choice"]
    later = choices[choices.index(parts[3]) :] if parts[3] in choices else []
    return {name: local for name, local in visible.items() if name not in later}


__all__ = [
    "KEYS_OF",
    "LOOP",
    "LocalName",
    "ShortForm",
    "Visible",
    "bound_at",
    "bound_by_head",
    "bound_by_keys",
    "choices_of",
    "is_choice",
    "seen_by",
    "sorts_of",
    "visible_at",
]
