"""The rules while a level of variants is laid over them: what stands at an address, and what is said when nothing does.

In: a game's nodes and the changes of a level. Out: the way to an address, or a complaint at the variant's line; nodes
in which something else stands there. A change sees what was below its level and what its own variant made, no more.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from collections.abc import Mapping as Table
from dataclasses import dataclass, field
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Code, Diagnostics, Hint, Related, Span
from rulewright.document import codes
from rulewright.document.address import AddressParts, child_entries, find_entry, iter_addresses
from rulewright.document.document import GAME_SECTIONS
from rulewright.document.editing import Lookup, can_be_empty, edit_node, look_up, resolve_member
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, to_builtins
from rulewright.suggestions import did_you_mean, list_names
from rulewright.variants.variant import Change

FIXED_KEYS: Final = ("game", "version", "language", "overlays", "files", "texts")
# what stands in files of its own and is no rule
NON_RULE_HINTS: Final = {
    "table": "how things are drawn stands in the variant's own key `table`",
    "sources": "works are listed with the game; a variant can only cite them",
}


@dataclass(slots=True)
class LayerEdit:
    """One level under work.

    `makers`: what variants of the level add, and with which change; `takers`: what any variant removes. `needed`: the
    files of all that a variant requires.
    """

    root: MappingNode
    diagnostics: Diagnostics
    additions: Table[AddressParts, Change] = field(default_factory=dict)
    required_files: Table[str, frozenset[str]] = field(default_factory=dict)
    removals: Table[AddressParts, Change] = field(default_factory=dict)
    base: MappingNode = field(init=False)  # the rules below the level
    applied_additions: dict[AddressParts, Change] = field(default_factory=dict)  # what was added so far
    applied_removals: dict[AddressParts, str] = field(default_factory=dict)  # what was removed so far, and by whom
    writers: set[tuple[str, AddressParts]] = field(default_factory=set)  # which variant has set what
    # the last step that a variant put after a sibling: its next one follows that
    last_inserted: dict[tuple[str, AddressParts, str, str], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.base = self.root

    def edit(self, parts: AddressParts, edit: Callable[[Node], Node], by: Span | None = None) -> None:
        """Puts something else in the place of what stands at an address; `by`: what says so."""
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
    ) -> bool:
        """Complains of a change: at its address, at a name of that (`at`), or at another part of it."""
        span = change.span if at is None else at if isinstance(at, Span) else change.name_span(at)
        self.diagnostics.add(span, code, message, label=label, help=help, address=change.address, related=related)
        return False

    def require(self, change: Change, parts: AddressParts) -> Lookup | None:
        """The way to an address that has to be there."""
        way = look_up(self.root, parts)
        stranger = self.foreign_addition(change, parts)
        if stranger is not None:
            self._only_because(change, stranger)
            return None
        if len(way.entries) == len(parts):
            return way
        self.report_missing(change, way, parts)
        return None

    def visible_lookup(self, change: Change, way: Lookup, parts: AddressParts) -> Lookup:
        """The way as this change may see it: what another variant of the level has set is not there for it."""
        if any((change.variant, parts[:length]) in self.writers for length in range(1, len(parts) + 1)):
            return way
        before = look_up(self.base, parts)
        return before if len(before.entries) == len(parts) else way

    def foreign_addition(self, change: Change, parts: AddressParts) -> Change | None:
        """The change of another variant of this level that made something on the way."""
        makers = (self.applied_additions.get(parts[:length], change) for length in range(1, len(parts) + 1))
        return next((maker for maker in makers if maker.variant != change.variant), None)

    def foreign_removal(self, change: Change, parts: AddressParts) -> Change | None:
        """The change of another variant that has removed what stood at an address, or what that was in."""
        above = (self.removals.get(parts[:length]) for length in range(1, len(parts) + 1))
        return next((taker for taker in above if taker is not None and taker.variant != change.variant), None)

    def _only_because(self, change: Change, maker: Change) -> None:
        message = f"`{change.address}` is there only because `{maker.variant}` adds it"
        hint = f"say `requires: {maker.variant}` or `after: {maker.variant}`"
        self.reject(change, codes.NO_SUCH_ADDRESS, message, help=hint, related=[related_change(maker)])

    def report_missing(self, change: Change, way: Lookup, parts: AddressParts) -> None:
        """Complains that an address leads nowhere, and says where it could have been meant to lead."""
        at = len(way.entries)
        name = parts[at]
        if (taker := self.foreign_removal(change, parts[: at + 1])) is not None:
            message = f"`{'.'.join(parts[: at + 1])}` is no longer there: `{taker.variant}` removes it"
            spot, related = min(at, len(change.parts) - 1), [related_change(taker)]
            self.reject(change, codes.NO_SUCH_ADDRESS, message, label="removed", at=spot, related=related)
            return
        if change.is_setting:
            self._no_parameter(change)
            return
        maker = self.additions.get(parts[: at + 1])
        if maker is not None and maker.variant != change.variant and change.operation != "add":
            self._only_because(change, maker)
            return
        names = [entry.key.text for entry in child_entries(way.node) if at or entry.key.text not in FIXED_KEYS]
        above = ".".join(parts[:at])
        related = [Related(way.entries[-1].key.span, f"`{above}` is here")] if way.entries else []
        if name.isdecimal():
            message = f"`{name}` counts where a name is wanted" + (f" in `{above}`" if above else "")
            spot, there = min(at, len(change.parts) - 1), list_names("names", names)
            self.reject(change, codes.INDEX_FOR_ID, message, label="not a name", help=there, at=spot, related=related)
            return
        message = f"there is no `{name}` in `{above}`" if above else f"there is no `{name}` in the rules"
        last = at == len(parts) - 1 or (at == len(parts) - 2 and can_be_empty(parts[:-1]))
        new = "to write something new use `add`" if change.operation == "set" and last else ""
        own = ""
        if maker is not None and (change.operation not in ("add", "insert") or at < len(parts) - 1):
            own = f"this variant adds `{'.'.join(parts[: at + 1])}` itself: say there how it is to be"

        def hint() -> str:
            close = did_you_mean(name, names)
            if close and above:
                close = close.replace("`", f"`{above}.", 1)
            elif not close:
                same_name = [one for one in iter_addresses(self.root) if one.endswith(f".{parts[-1]}")]
                # the name alone, without its section, may stand in several
                alone = [f"`{one}`" for one in same_name if one.count(".") == 1] if len(parts) == 1 else []
                close = f"did you mean {' or '.join(alone)}?" if alone else did_you_mean(".".join(parts), same_name)
            return join_hints(close, list_names("names", names) if names else "", new)

        index = min(at, len(change.parts) - 1)
        help_ = (NON_RULE_HINTS.get(name, "") if at == 0 else "") or own or hint
        self.reject(change, codes.NO_SUCH_ADDRESS, message, label="not there", help=help_, at=index, related=related)

    def _no_parameter(self, change: Change) -> None:
        """A value was given on the command line to what is no parameter."""
        name = change.parts[-1]
        section = self.root.get("parameters")
        names = [entry.key.text for entry in child_entries(section)] if section is not None else []
        bare = name.removeprefix("parameters.").removesuffix(".value")
        other = next((f"{one}.{name}" for one in GAME_SECTIONS if find_entry(self.root, f"{one}.{name}")), "")
        if find_entry(self.root, name) is not None and bare not in names:
            other = name
        if bare in names:
            help_: Hint = f"write `--set {bare}=…`"
        elif other:
            help_ = join_hints(
                f"`{other}` is no parameter: what else is to change, a variant file says",
                list_names("parameters", names),
            )
        else:
            help_ = join_hints(did_you_mean(name, names), list_names("parameters", names))
        message = f"there is no parameter `{name}`"
        related = [Related(entry.key.span, "the parameters")] if (entry := self.root.entry("parameters")) else []
        self.reject(
            change,
            codes.NO_SUCH_ADDRESS,
            message,
            label="not there",
            help=help_,
            at=len(change.parts) - 1,
            related=related,
        )

    def add_principal_key(self, parts: AddressParts, own_key: str) -> Node:
        """A bare value gets keys beside it, so it is written with its own key from now on."""
        entry = look_up(self.root, parts).entries[-1]
        key = ScalarNode(own_key, own_key, entry.value.span)
        wide = MappingNode((Entry(key, entry.value, entry.history),), entry.value.span)
        self.edit(parts, lambda _: wide)
        return wide

    def resolve_member(self, change: Change) -> AddressParts:
        """The address of a change, with `members` where a member of a kind with keys is meant."""
        return resolve_member(self.root, change.parts)


def related_change(change: Change) -> Related:
    """The place of another change that a complaint speaks of."""
    return Related(change.span, f"`{change.variant}`, {change.keyword}")


def join_hints(*every: str) -> str:
    """Several hints on one line."""
    return "      ".join(hint for hint in every if hint)


def quote_node(node: Node) -> str:
    """A node as a sentence names it, cut when it is long."""
    match node:
        case ScalarNode(text=text):
            return f"`{text}`" if len(text) <= limits.MAX_QUOTED_VALUE else f"`{text[: limits.MAX_QUOTED_VALUE - 3]}…`"
        case MappingNode():
            return f"{{{', '.join(node.keys())}}}"
        case SequenceNode():
            said = json.dumps(to_builtins(node), ensure_ascii=False)
            return said if len(said) <= limits.MAX_QUOTED_VALUE else f"{said[: limits.MAX_QUOTED_VALUE - 3]}…"


__all__ = ["FIXED_KEYS", "LayerEdit", "join_hints", "quote_node", "related_change"]
