"""The rules while a layer of variants is applied to them: looking up an address, and reporting one that is missing.

In: a game's nodes and the changes of a layer. Out: lookups, edited nodes, and diagnostics at the variant's line. A
change sees the rules below its layer and what its own variant has changed, nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from collections.abc import Mapping as Table
from functools import partial
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Cause, Code, Diagnostics, Hint, Related, Span
from rulewright.document.address import AddressParts, child_entries, find_entry, iter_addresses
from rulewright.document.document import Adjustment
from rulewright.document.editing import Lookup, edit_node, look_up, resolve_member
from rulewright.document.language import (
    FIXED_KEYS,
    GAME_SECTIONS,
    OFFER_VERBS,
    VERBS,
    can_be_empty,
    keys_at,
    read_schema,
)
from rulewright.document.sentence_places import TITLE_KEY
from rulewright.frozen import field, mutable
from rulewright.source.node_memo import NodeMemo
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, to_builtins
from rulewright.suggestions import WordHint, did_you_mean, join_hints, list_names, meant_hint
from rulewright.variants import codes
from rulewright.variants.change import Change

# in files of their own, not rules
NON_RULE_HINTS: Final = {
    "display": "write how things are drawn under the variant's own key `display`",
    "sources": "list works in the game; a variant can only cite them",
}
ENTRY_KEYS: Final = frozenset({"why", "is", "value", "type", "per", "start", "when", "do", "choose", *VERBS})


def _find_addresses(root: Node) -> Table[str, list[str]]:
    """All addresses below the sections, by their last names."""
    found: dict[str, list[str]] = {}
    for address in iter_addresses(root):
        section, _, name = address.rpartition(".")
        if section:
            found.setdefault(name, []).append(address)
    return found


_addresses_by_name: Final = NodeMemo(_find_addresses, 2)  # of the rules in which many addresses are looked for


@mutable
class LayerEdit:
    """The state of one layer while its changes are applied.

    `additions`: address → the change of this layer that adds it; `removals`: address → the change of any layer that
    removes it; `required_files`: variant → the files of all that is always applied before it; `players`: variant → the
    numbers of players that it is for, where the game has `adjustments` for some.
    """

    root: MappingNode
    diagnostics: Diagnostics
    additions: Table[AddressParts, Change] = field(default_factory=dict)
    required_files: Table[str, frozenset[str]] = field(default_factory=dict)
    removals: Table[AddressParts, Change] = field(default_factory=dict)
    titles: Table[str, Entry] = field(default_factory=dict)  # address → the title of that rule
    sentences: frozenset[AddressParts] = frozenset()  # that this layer writes under `sentences`
    adjustments: tuple[Adjustment, ...] = ()
    players: Table[str, range] = field(default_factory=dict)
    base: MappingNode = field(init=False)  # the rules below the layer
    applied_additions: dict[AddressParts, Change] = field(default_factory=dict)  # so far
    applied_removals: dict[AddressParts, str] = field(default_factory=dict)  # so far; address → variant
    rejected_additions: set[tuple[str, AddressParts]] = field(default_factory=set)  # so far; variant and address
    writers: set[tuple[str, AddressParts]] = field(default_factory=set)  # variant and the address that it has set
    # the last step that a variant inserted at an anchor: its next one there follows that
    last_inserted: dict[tuple[str, AddressParts, str, str], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.base = self.root

    def edit(self, parts: AddressParts, edit: Callable[[Node], Node], by: Span | None = None) -> None:
        """Replaces the node at an address; `by`: the span that asks for it."""
        root = edit_node(self.root, parts, edit, by)
        assert isinstance(root, MappingNode)
        self.root = root

    def reject(
        self,
        change: Change,
        code: Code,
        message: str,
        *,
        label: str = "",
        help: Hint = "",
        at: int | Span | None = None,
        related: Iterable[Related] = (),
        cause: Cause | None = None,
    ) -> bool:
        """Reports a change that is not applied, at its span, at a name of its address or at a span; always False."""
        if change.operation in ("add", "insert"):
            self.rejected_additions.add((change.variant, change.parts))
        span = change.span if at is None else at if isinstance(at, Span) else change.name_span(at)
        self.diagnostics.add(
            span, code, message, label=label, help=help, address=change.address, related=related, cause=cause
        )
        return False

    def require(self, change: Change, parts: AddressParts) -> Lookup | None:
        """The lookup of an address that must exist; None when it does not, which is reported."""
        lookup = look_up(self.root, parts)
        foreign = self.foreign_addition(change, parts)
        if foreign is not None:
            self._report_foreign_addition(change, foreign)
            return None
        if len(lookup.entries) == len(parts):
            return lookup
        self.report_missing(change, lookup, parts)
        return None

    def visible_lookup(self, change: Change, lookup: Lookup, parts: AddressParts) -> Lookup:
        """The lookup as this change may see it: without what other variants of the layer have set."""
        if any((change.variant, parts[:length]) in self.writers for length in range(1, len(parts) + 1)):
            return lookup
        below = look_up(self.base, parts)
        return below if len(below.entries) == len(parts) else lookup

    def foreign_addition(self, change: Change, parts: AddressParts) -> Change | None:
        """The change of another variant of this layer that added the address or a parent of it."""
        additions = (self.applied_additions.get(parts[:length], change) for length in range(1, len(parts) + 1))
        return next((addition for addition in additions if addition.variant != change.variant), None)

    def foreign_removal(self, change: Change, parts: AddressParts) -> Change | None:
        """The change of another variant that removes the address or a parent of it."""
        removals = (self.removals.get(parts[:length]) for length in range(1, len(parts) + 1))
        return next(
            (removal for removal in removals if removal is not None and removal.variant != change.variant), None
        )

    def _report_foreign_addition(self, change: Change, addition: Change) -> None:
        message = f"`{change.address}` only exists because `{addition.variant}` adds it"
        hint = f"add `requires: {addition.variant}` or `after: {addition.variant}`"
        self.reject(change, codes.NO_SUCH_ADDRESS, message, help=hint, related=[related_change(addition)])

    def report_missing(self, change: Change, lookup: Lookup, parts: AddressParts) -> None:
        """Reports that an address does not exist, and suggests what could have been meant."""
        depth = len(lookup.entries)
        prefix, parent = parts[: depth + 1], ".".join(parts[:depth])
        if (change.variant, prefix) in self.rejected_additions:
            return  # its own addition of that is what is reported
        name = parts[depth]
        index = min(depth, len(change.parts) - 1)
        cause = Cause("no address", ".".join(prefix))
        if (removal := self.foreign_removal(change, prefix)) is not None:
            message = f"`{'.'.join(prefix)}` was removed by `{removal.variant}`"
            related = [related_change(removal)]
            self.reject(change, codes.NO_SUCH_ADDRESS, message, label="removed", at=index, related=related, cause=cause)
            return
        if change.is_setting:
            self._report_missing_parameter(change)
            return
        addition = self.additions.get(prefix)
        if addition is not None and addition.variant != change.variant and change.operation != "add":
            self._report_foreign_addition(change, addition)
            return
        names = [entry.key.text for entry in child_entries(lookup.node) if depth or entry.key.text not in FIXED_KEYS]
        if depth and change.operation == "add":  # what is there without being written
            names += sorted(key for key in keys_at(parts[:depth]) - {*names} if can_be_empty((*parts[:depth], key)))
        related = [Related(lookup.entries[-1].key.span, f"`{parent}` is defined here")] if lookup.entries else []
        if name.isdecimal():
            message = f"expected a name{f' in `{parent}`' if parent else ''}, found the index `{name}`"
            hint: Hint = list_names("names", names)
            self.reject(change, codes.INDEX_FOR_ID, message, label="not a name", help=hint, at=index, related=related)
            return
        message = f"no `{name}` in `{parent}`" if parent else f"no `{name}` in the rules"
        if depth == 0 and name in NON_RULE_HINTS:
            hint = NON_RULE_HINTS[name]
        elif name == "when" and depth > 1 and parts[depth - 2] in OFFER_VERBS:
            hint = f"conditions of an offer stand right below it: `{parent}.some_name`"
        elif len(parts) == 1 and name in read_schema("variant")["properties"]:
            hint = f"`{name}` is a key of the whole file: it stands at the beginning of a line"
        elif len(parts) == 1 and name in ENTRY_KEYS:
            hint = f"`{name}` is a key of a rule: indent it below the address of that"
        elif addition is not None and (change.operation not in ("add", "insert") or depth < len(parts) - 1):
            hint = f"this variant adds `{'.'.join(prefix)}` itself: change it there"
        else:
            hint = partial(self._missing_hint, change, parts, depth, names)
        self.reject(
            change,
            codes.NO_SUCH_ADDRESS,
            message,
            label="not found",
            help=hint,
            at=index,
            related=related,
            cause=cause,
        )

    def did_you_mean(self, change: Change, parent: AddressParts, name: str, names: Iterable[str]) -> str:
        """The hint for a name below an address; no certain one where the variant adds what is meant itself, since that
        may as well be what is misspelled.
        """
        hint = did_you_mean(name, names)
        if not isinstance(hint, WordHint):
            return hint
        addition = self.additions.get((*parent, hint.meant))
        is_own = addition is not None and addition.variant == change.variant
        return meant_hint(name, hint.meant) if is_own else hint

    def _missing_hint(self, change: Change, parts: AddressParts, depth: int, names: list[str]) -> str:
        """What an address that does not exist after `depth` names could have been meant to be."""
        closest = self.did_you_mean(change, parts[:depth], parts[depth], names)
        if closest and depth and change.item is None:
            address = closest.replace("`", f"`{'.'.join(parts[:depth])}.", 1)
            closest = closest.with_text(address) if isinstance(closest, WordHint) else address
        elif not closest:
            same_name = _addresses_by_name(self.root).get(parts[-1], [])
            # a name without its section may exist in several
            rules = [f"`{address}`" for address in same_name if address.count(".") == 1] if len(parts) == 1 else []
            closest = f"did you mean {' or '.join(rules)}?" if rules else did_you_mean(".".join(parts), same_name)
            if len(rules) == 1:
                closest = meant_hint(parts[0], rules[0].strip("`"))
        is_last = depth == len(parts) - 1 or (depth == len(parts) - 2 and can_be_empty(parts[:-1]))
        add_hint = "to define something new use `add`" if change.operation == "set" and is_last else ""
        if is_last and change.parts[-1] == TITLE_KEY:
            return f"what a rule is called stands under `sentences`: `sentences: {{{change.address}: …}}`"
        return join_hints(closest, list_names("names", names) if names else "", add_hint)

    def _report_missing_parameter(self, change: Change) -> None:
        """Reports a setting of the command line whose name is not a parameter."""
        name = change.parts[-1]
        section = self.root.get("parameters")
        names = [entry.key.text for entry in child_entries(section)] if section is not None else []
        bare = name.removeprefix("parameters.").removesuffix(".value")
        other = next(
            (
                f"{section_name}.{name}"
                for section_name in GAME_SECTIONS
                if find_entry(self.root, f"{section_name}.{name}")
            ),
            "",
        )
        if find_entry(self.root, name) is not None and bare not in names:
            other = name
        if bare in names:
            hint: Hint = f"write `--set {bare}=…`"
        elif other:
            hint = join_hints(
                f"`{other}` is not a parameter: write a variant file to change it",
                list_names("parameters", names),
            )
        else:
            hint = join_hints(did_you_mean(name, names), list_names("parameters", names))
        message = f"no parameter `{name}`"
        related = [Related(entry.key.span, "the parameters")] if (entry := self.root.entry("parameters")) else []
        self.reject(
            change,
            codes.NO_SUCH_ADDRESS,
            message,
            label="not found",
            help=hint,
            at=len(change.parts) - 1,
            related=related,
        )

    def add_principal_key(self, parts: AddressParts, key_name: str) -> Node:
        """Writes a bare value with its principal key, so that other keys can be added."""
        entry = look_up(self.root, parts).entries[-1]
        key = ScalarNode(key_name, key_name, entry.value.span)
        expanded = MappingNode((Entry(key, entry.value, entry.history),), entry.value.span)
        self.edit(parts, lambda _: expanded)
        return expanded

    def resolve_member(self, change: Change) -> AddressParts:
        """The address of a change, with `members` where a member of a kind with keys is meant."""
        return resolve_member(self.root, change.parts)


def related_change(change: Change) -> Related:
    """Another change as a related place of a diagnostic."""
    return Related(change.span, f"`{change.variant}`, {change.keyword}")


def quote_node(node: Node) -> str:
    """A node as a message quotes it, cut when it is long."""
    match node:
        case ScalarNode(text=text):
            return f"`{text}`" if len(text) <= limits.MAX_QUOTED_VALUE else f"`{text[: limits.MAX_QUOTED_VALUE - 3]}…`"
        case MappingNode():
            return f"{{{', '.join(node.keys())}}}"
        case SequenceNode():
            text = json.dumps(to_builtins(node), ensure_ascii=False)
            return text if len(text) <= limits.MAX_QUOTED_VALUE else f"{text[: limits.MAX_QUOTED_VALUE - 3]}…"


__all__ = ["LayerEdit", "quote_node", "related_change"]
