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
from rulewright.diagnostics import Code, Hint, Related, Report, Span, listed, nearest
from rulewright.document import codes
from rulewright.document.address import Parts, addresses, children, find
from rulewright.document.document import SECTIONS
from rulewright.document.editing import Walk, edited, may_be_empty, of_members, walk
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, Sequence, plain
from rulewright.variants.variant import Change

FIXED: Final = ("game", "version", "language", "overlays", "files", "texts")
# what stands in files of its own and is no rule
NO_RULES: Final = {
    "table": "how things are drawn stands in the variant's own key `table`",
    "sources": "works are listed with the game; a variant can only cite them",
}


@dataclass(slots=True)
class Work:
    """One level under work.

    `makers`: what variants of the level add, and with which change; `takers`: what any variant removes. `needed`: the
    files of all that a variant requires.
    """

    root: Mapping
    report: Report
    makers: Table[Parts, Change] = field(default_factory=dict)
    needed: Table[str, frozenset[str]] = field(default_factory=dict)
    takers: Table[Parts, Change] = field(default_factory=dict)
    below: Mapping = field(init=False)  # the rules below the level
    made: dict[Parts, Change] = field(default_factory=dict)  # what was added so far
    gone: dict[Parts, str] = field(default_factory=dict)  # what was removed so far, and by whom
    wrote: set[tuple[str, Parts]] = field(default_factory=set)  # which variant has set what
    # the last step that a variant put after a sibling: its next one follows that
    last: dict[tuple[str, Parts, str, str], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.below = self.root

    def edit(self, parts: Parts, edit: Callable[[Node], Node], by: Span | None = None) -> None:
        """Puts something else in the place of what stands at an address; `by`: what says so."""
        root = edited(self.root, parts, edit, by)
        assert isinstance(root, Mapping)
        self.root = root

    def refuse(
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
        span = change.span if at is None else at if isinstance(at, Span) else change.part_span(at)
        self.report.add(span, code, message, label=label, help=help, address=change.address, related=related)
        return False

    def found(self, change: Change, parts: Parts) -> Walk | None:
        """The way to an address that has to be there."""
        way = walk(self.root, parts)
        stranger = self.stranger(change, parts)
        if stranger is not None:
            self._only_because(change, stranger)
            return None
        if len(way.entries) == len(parts):
            return way
        self.nothing_there(change, way, parts)
        return None

    def as_below(self, change: Change, way: Walk, parts: Parts) -> Walk:
        """The way as this change may see it: what another variant of the level has set is not there for it."""
        if any((change.variant, parts[:length]) in self.wrote for length in range(1, len(parts) + 1)):
            return way
        before = walk(self.below, parts)
        return before if len(before.entries) == len(parts) else way

    def stranger(self, change: Change, parts: Parts) -> Change | None:
        """The change of another variant of this level that made something on the way."""
        makers = (self.made.get(parts[:length], change) for length in range(1, len(parts) + 1))
        return next((maker for maker in makers if maker.variant != change.variant), None)

    def taker(self, change: Change, parts: Parts) -> Change | None:
        """The change of another variant that has removed what stood at an address, or what that was in."""
        above = (self.takers.get(parts[:length]) for length in range(1, len(parts) + 1))
        return next((taker for taker in above if taker is not None and taker.variant != change.variant), None)

    def _only_because(self, change: Change, maker: Change) -> None:
        message = f"`{change.address}` is there only because `{maker.variant}` adds it"
        hint = f"say `requires: {maker.variant}` or `after: {maker.variant}`"
        self.refuse(change, codes.NO_SUCH_ADDRESS, message, help=hint, related=[place_of(maker)])

    def nothing_there(self, change: Change, way: Walk, parts: Parts) -> None:
        """Complains that an address leads nowhere, and says where it could have been meant to lead."""
        at = len(way.entries)
        name = parts[at]
        if (taker := self.taker(change, parts[: at + 1])) is not None:
            message = f"`{'.'.join(parts[: at + 1])}` is no longer there: `{taker.variant}` removes it"
            spot, related = min(at, len(change.parts) - 1), [place_of(taker)]
            self.refuse(change, codes.NO_SUCH_ADDRESS, message, label="removed", at=spot, related=related)
            return
        if change.by_hand:
            self._no_parameter(change)
            return
        maker = self.makers.get(parts[: at + 1])
        if maker is not None and maker.variant != change.variant and change.verb != "add":
            self._only_because(change, maker)
            return
        names = [entry.key.text for entry in children(way.node) if at or entry.key.text not in FIXED]
        above = ".".join(parts[:at])
        related = [Related(way.entries[-1].key.span, f"`{above}` is here")] if way.entries else []
        if name.isdecimal():
            message = f"`{name}` counts where a name is wanted" + (f" in `{above}`" if above else "")
            spot, there = min(at, len(change.parts) - 1), listed("names", names)
            self.refuse(change, codes.INDEX_FOR_ID, message, label="not a name", help=there, at=spot, related=related)
            return
        message = f"there is no `{name}` in `{above}`" if above else f"there is no `{name}` in the rules"
        last = at == len(parts) - 1 or (at == len(parts) - 2 and may_be_empty(parts[:-1]))
        new = "to write something new use `add`" if change.verb == "set" and last else ""
        own = ""
        if maker is not None and (change.verb not in ("add", "insert") or at < len(parts) - 1):
            own = f"this variant adds `{'.'.join(parts[: at + 1])}` itself: say there how it is to be"

        def hint() -> str:
            close = nearest(name, names)
            if close and above:
                close = close.replace("`", f"`{above}.", 1)
            elif not close:
                same_name = [one for one in addresses(self.root) if one.endswith(f".{parts[-1]}")]
                # the name alone, without its section, may stand in several
                alone = [f"`{one}`" for one in same_name if one.count(".") == 1] if len(parts) == 1 else []
                close = f"did you mean {' or '.join(alone)}?" if alone else nearest(".".join(parts), same_name)
            return hints(close, listed("names", names) if names else "", new)

        index = min(at, len(change.parts) - 1)
        help_ = (NO_RULES.get(name, "") if at == 0 else "") or own or hint
        self.refuse(change, codes.NO_SUCH_ADDRESS, message, label="not there", help=help_, at=index, related=related)

    def _no_parameter(self, change: Change) -> None:
        """A value was given on the command line to what is no parameter."""
        name = change.parts[-1]
        section = self.root.get("parameters")
        names = [entry.key.text for entry in children(section)] if section is not None else []
        bare = name.removeprefix("parameters.").removesuffix(".value")
        other = next((f"{one}.{name}" for one in SECTIONS if find(self.root, f"{one}.{name}")), "")
        if find(self.root, name) is not None and bare not in names:
            other = name
        if bare in names:
            help_: Hint = f"write `--set {bare}=…`"
        elif other:
            help_ = hints(
                f"`{other}` is no parameter: what else is to change, a variant file says", listed("parameters", names)
            )
        else:
            help_ = hints(nearest(name, names), listed("parameters", names))
        message = f"there is no parameter `{name}`"
        related = [Related(entry.key.span, "the parameters")] if (entry := self.root.entry("parameters")) else []
        self.refuse(
            change,
            codes.NO_SUCH_ADDRESS,
            message,
            label="not there",
            help=help_,
            at=len(change.parts) - 1,
            related=related,
        )

    def widen(self, parts: Parts, own_key: str) -> Node:
        """A bare value gets keys beside it, so it is written with its own key from now on."""
        entry = walk(self.root, parts).entries[-1]
        key = Scalar(own_key, own_key, entry.value.span)
        wide = Mapping((Entry(key, entry.value, entry.layers),), entry.value.span)
        self.edit(parts, lambda _: wide)
        return wide

    def members(self, change: Change) -> Parts:
        """The address of a change, with `members` where a member of a kind with keys is meant."""
        return of_members(self.root, change.parts)


def place_of(change: Change) -> Related:
    """The place of another change that a complaint speaks of."""
    return Related(change.span, f"`{change.variant}`, {change.said}")


def hints(*every: str) -> str:
    """Several hints on one line."""
    return "      ".join(hint for hint in every if hint)


def written(node: Node) -> str:
    """A node as a sentence names it, cut when it is long."""
    match node:
        case Scalar(text=text):
            return f"`{text}`" if len(text) <= limits.MAX_QUOTED_VALUE else f"`{text[: limits.MAX_QUOTED_VALUE - 3]}…`"
        case Mapping():
            return f"{{{', '.join(node.keys())}}}"
        case Sequence():
            said = json.dumps(plain(node), ensure_ascii=False)
            return said if len(said) <= limits.MAX_QUOTED_VALUE else f"{said[: limits.MAX_QUOTED_VALUE - 3]}…"


__all__ = ["FIXED", "Work", "hints", "place_of", "written"]
