"""Carries out one line of a variant: something is set, adjusted, added, inserted or removed at an address.

In: a game's nodes and a `Change`. Out: new nodes in which all that did not change is shared with the old, or None and a
complaint at the variant's line when what the change intends is not so: a `set` needs something there, an `add` nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from rulewright.diagnostics import Code, Hint, Related, Report, listed, nearest
from rulewright.text import codes_shape as codes
from rulewright.text.address import (
    Parts,
    addresses,
    are_choices,
    arranged,
    child,
    children,
    is_ordered,
    is_rows,
    items_by_name,
)
from rulewright.text.document import HEAD, SECTIONS
from rulewright.text.editing import (
    KIND_KEYS,
    Walk,
    adjusted,
    edited,
    may_be_empty,
    meant,
    of_members,
    principal,
    rebuilt,
    same,
    walk,
)
from rulewright.text.nodes import Entry, Mapping, Node, Scalar, Sequence, plain
from rulewright.text.variant import Change

FIXED: Final = ("game", "version", "language", "files", "texts")
BESIDE_MEMBERS: Final = ("names", "text", "source", "status")  # of a kind; any other name is a member


@dataclass(slots=True)
class Work:
    """The rules while a level of variants is laid over them. `made`: what was added in this level, and by whom."""

    root: Mapping
    report: Report
    made: dict[Parts, str]
    last: dict[
        tuple[str, Parts, str, str], str
    ]  # the last step a variant put after a sibling: its next one follows that

    def apply_all(self, changes: list[Change]) -> list[Change]:
        """Carries out changes of one verb and variant in one collection; gives those that were not refused."""
        applied = [change for change in changes[:1] if self.apply(change)]
        # the first may have made the collection; most others need no new one each, and so are carried out at once
        at_once, others = self._at_once(changes[1:])
        if at_once and at_once[0].verb == "add":
            entries = tuple(self._made(change) for change in at_once)
            self._edit(at_once[0].parts[:-1], lambda node: rebuilt(node, (*children(node), *entries)))
        elif at_once:
            gone = {change.parts[-1] for change in at_once}
            self._edit(
                at_once[0].parts[:-1],
                lambda node: rebuilt(node, tuple(one for one in children(node) if one.key.text not in gone)),
            )
        return [*applied, *at_once, *[change for change in others if self.apply(change)]]

    def _at_once(self, changes: list[Change]) -> tuple[list[Change], list[Change]]:
        """Additions of new names, and removals of those that are there, in a collection that is there; all others."""
        if not changes or changes[0].verb not in ("add", "remove"):
            return [], changes
        adds, named = changes[0].verb == "add", changes[0].parts[:-1]
        above = of_members(self.root, changes[0].parts)[:-1]
        way = walk(self.root, above)
        found = len(way.entries) == len(above) > 0 and not self._stranger(changes[0], above)
        if not found or above[0] in FIXED or isinstance(way.node, Scalar) or (adds and is_ordered(above)):
            return [], changes
        if adds and isinstance(way.node, Sequence) and items_by_name(way.node) is None:
            return [], changes
        if adds and principal(above) and not isinstance(way.node, Mapping):
            return [], changes
        names = {entry.key.text for entry in children(way.node)}
        at_once, others = list[Change](), list[Change]()
        for change in changes:
            name, parts = change.parts[-1], (*above, change.parts[-1])
            own_key = above[0] == "kinds" and len(named) < 3 and name in KIND_KEYS
            if own_key or (name in names) == adds or self._stranger(change, parts):
                others.append(change)
                continue
            (names.add if adds else names.discard)(name)
            at_once.append(replace(change, parts=parts))
        return at_once, others

    def apply(self, change: Change) -> bool:
        """Carries out one change; False when it was refused."""
        if change.parts[0] in FIXED:
            message = f"`{change.parts[0]}` belongs to the game itself: no variant changes it"
            return self._refuse(change, codes.FIXED_ADDRESS, message, label="fixed", at=0)
        if change.verb in ("add", "remove"):
            change = replace(change, parts=of_members(self.root, change.parts))
        match change.verb:
            case "set":
                return self._set(change)
            case "adjust":
                return self._adjust(change)
            case "add":
                return self._add(change)
            case "insert":
                return self._insert(change)
            case "remove":
                return self._remove(change)

    def _edit(self, parts: Parts, edit: Callable[[Node], Node]) -> None:
        root = edited(self.root, parts, edit)
        assert isinstance(root, Mapping)
        self.root = root

    def _refuse(
        self,
        change: Change,
        code: Code,
        message: str,
        *,
        label: str = "",
        help: Hint = "",
        at: int | None = None,
        related: list[Related] | None = None,
    ) -> bool:
        span = change.span if at is None else change.part_span(at)
        self.report.add(span, code, message, label=label, help=help, address=change.address, related=related or ())
        return False

    def _found(self, change: Change, parts: Parts) -> Walk | None:
        """The way to an address that has to be there."""
        way = walk(self.root, parts)
        stranger = self._stranger(change, parts)
        if stranger:
            message = f"`{change.address}` is there only because `{stranger}` adds it"
            self._refuse(
                change, codes.NO_SUCH_ADDRESS, message, help=f"say `requires: {stranger}` or `after: {stranger}`"
            )
            return None
        if len(way.entries) == len(parts):
            return way
        self._nothing_there(change, way, parts)
        return None

    def _stranger(self, change: Change, parts: Parts) -> str:
        """The variant of this level, not the change's own, that made something on the way."""
        makers = (self.made.get(parts[:length], change.variant) for length in range(1, len(parts) + 1))
        return next((maker for maker in makers if maker != change.variant), "")

    def _nothing_there(self, change: Change, way: Walk, parts: Parts) -> None:
        at = len(way.entries)
        name = parts[at]
        names = [entry.key.text for entry in children(way.node) if at or entry.key.text not in FIXED]
        above = ".".join(parts[:at])
        if name.isdecimal():
            message = f"`{name}` counts where a name is wanted" + (f" in `{above}`" if above else "")
            spot, there = min(at, len(change.parts) - 1), listed("names", names)
            self._refuse(change, codes.INDEX_FOR_ID, message, label="not a name", help=there, at=spot)
            return
        message = f"there is no `{name}` in `{above}`" if above else f"there is no `{name}` in the rules"
        related = [Related(way.entries[-1].key.span, f"`{above}` is here")] if way.entries else []
        last = at == len(parts) - 1 or (at == len(parts) - 2 and may_be_empty(parts[:-1]))
        new = "to write something new use `add`" if change.verb == "set" and last else ""

        def hint() -> str:
            close = nearest(name, names)
            if close and above:
                close = close.replace("`", f"`{above}.", 1)
            elif not close:
                same_name = [one for one in addresses(self.root) if one.endswith(f".{parts[-1]}")]
                # the name alone, without its section, may stand in several
                alone = [f"`{one}`" for one in same_name if one.count(".") == 1] if len(parts) == 1 else []
                close = f"did you mean {' or '.join(alone)}?" if alone else nearest(".".join(parts), same_name)
            return _hints(close, listed("names", names) if names else "", new)

        index = min(at, len(change.parts) - 1)
        self._refuse(change, codes.NO_SUCH_ADDRESS, message, label="not there", help=hint, at=index, related=related)

    def _set(self, change: Change) -> bool:
        assert change.payload is not None
        parts = meant(self.root, change.parts, change.payload)
        way = self._found(change, parts)
        if way is None:
            return False
        old = way.entries[-1]
        value = arranged(change.payload, parts, self.report)
        if change.expects is not None and not same(arranged(change.expects, parts, Report()), old.value):
            written = _written(old.value)
            related = [Related(old.value.span, "what is there")]
            message = f"`{change.address}` is {written}, not {_written(change.expects)} as this variant expects"
            self.report.add(
                change.expects.span,
                codes.UNEXPECTED_VALUE,
                message,
                label=f"it is {written}",
                address=change.address,
                related=related,
            )
            return False
        if same(value, old.value):
            if way.layered or change.even_if_same:
                return True  # another layer says so already; alone, this variant does change something
            related = [Related(old.value.span, "it stands here")]
            message = f"`{change.address}` is {_written(old.value)} already"
            self.report.add(
                change.payload.span,
                codes.NO_CHANGE,
                message,
                label="changes nothing",
                address=change.address,
                related=related,
            )
            return False
        key = change.name_key() if parts == change.parts else old.key
        new = Entry(key, value, (*old.layers, old.value.span))
        self._edit(
            parts[:-1],
            lambda node: rebuilt(node, tuple(new if entry is old else entry for entry in _entries(node, old))),
        )
        return True

    def _adjust(self, change: Change) -> bool:
        assert change.payload is not None
        parts = meant(self.root, change.parts, Scalar(0, "0", change.payload.span))
        way = self._found(change, parts)
        if way is None:
            return False
        old = way.entries[-1]
        value = adjusted(old.value, parts, change.payload)
        related = [Related(old.value.span, "what is there")]
        if value is None:
            message = f"`{change.address}` is {_written(old.value)}, no number that can be more or less"
            return self._refuse(change, codes.NOT_A_NUMBER, message, help="write it under `set`", related=related)
        if same(value, old.value):
            message = f"`{change.address}` stays {_written(old.value)}"
            return self._refuse(change, codes.NO_CHANGE, message, label="changes nothing", related=related)
        key = change.name_key() if parts == change.parts else old.key
        new = Entry(key, value, (*old.layers, old.value.span))
        self._edit(
            parts[:-1],
            lambda node: rebuilt(node, tuple(new if entry is old else entry for entry in _entries(node, old))),
        )
        return True

    def _add(self, change: Change) -> bool:
        assert change.payload is not None
        parent = self._parent(change)
        if parent is None or self._exists(change, parent):
            return False
        if change.parts[0] == "kinds" and isinstance(change.payload, Scalar) and isinstance(parent, Sequence):
            name = change.parts[-1]
            message = f"a member is added by its name alone, and `{change.payload.text}` stands beside it"
            self.report.add(
                change.payload.span,
                codes.WRONG_TYPE,
                message,
                label="one word too many",
                help=f"write `extend: {{{'.'.join(change.parts[:2])}: [{name}]}}`, or `{{}}` in its place",
                address=change.address,
            )
            return False
        if is_ordered(change.parts[:-1]):
            message = f"steps stand in an order: adding `{change.parts[-1]}` does not say where"
            hint = f"write `insert: {{{change.address}: {{after: …}}}}`, or `before: …`, `at: start`, `at: end`"
            return self._refuse(change, codes.ADD_WITHOUT_PLACE, message, label="no place", help=hint)
        self._put(change, parent, len(children(parent)))
        return True

    def _insert(self, change: Change) -> bool:
        assert change.place is not None
        assert isinstance(change.place.value, Scalar)
        where, sibling = change.place.key.text, change.place.value
        above = change.parts[:-1]
        parent = self._parent(change)
        if parent is None:
            return False
        if not is_ordered(above) and not are_choices(above) and not isinstance(parent, Sequence):
            message = f"nothing stands in order in `{'.'.join(above)}`"
            return self._refuse(
                change, codes.NOT_A_LIST_OF_STEPS, message, label="no ordered list", help="write it under `add`"
            )
        if self._exists(change, parent):
            return False
        names = [entry.key.text for entry in children(parent)]
        stranger = self._stranger(change, (*above, sibling.text)) if where != "at" else ""
        if where != "at" and (sibling.text not in names or stranger):
            message = f"there is no `{sibling.text}` in `{'.'.join(above)}` to stand {where}"
            hint = _hints(nearest(sibling.text, names), listed("names", names))
            if stranger:
                message = f"`{sibling.text}` is there only because `{stranger}` puts it there"
                hint = f"say `requires: {stranger}` or `after: {stranger}`"
            code = codes.NO_SUCH_SIBLING
            self.report.add(sibling.span, code, message, label="not there", help=hint, address=change.address)
            return False
        # several steps that one variant puts at one place keep the order of its file
        before = self.last.get((change.variant, above, where, sibling.text))
        self.last[change.variant, above, where, sibling.text] = change.parts[-1]
        if before is not None and (where == "after" or sibling.text == "start"):
            index = names.index(before) + 1
        elif where == "at":
            index = 0 if sibling.text == "start" else len(names)
        else:
            index = names.index(sibling.text) + (where == "after")
        self._put(change, parent, index)
        return True

    def _remove(self, change: Change) -> bool:
        way = self._found(change, change.parts)
        if way is None:
            return False
        old = way.entries[-1]
        self._edit(
            change.parts[:-1],
            lambda node: rebuilt(node, tuple(entry for entry in _entries(node, old) if entry is not old)),
        )
        return True

    # parts of these
    def _parent(self, change: Change) -> Node | None:
        """What the new thing goes into; a collection that may be empty is made when it is not written."""
        above = change.parts[:-1]
        if not above:
            if change.parts[0] in (*SECTIONS, *HEAD):
                return self.root
            self._nothing_there(change, Walk((), self.root), change.parts)
            return None
        if above[0] == "kinds" and len(above) == 3 and isinstance(walk(self.root, above[:2]).node, Sequence):
            self._widen(above[:2], "members")
        way = walk(self.root, above)
        if len(way.entries) == len(above) - 1 and may_be_empty(above) and isinstance(way.node, Mapping):
            if self._stranger(change, above):
                self._found(change, above)
                return None
            name = above[-1]
            key = Scalar(name, name, change.part_span(len(above) - 1))
            empty = Entry(key, Mapping((), change.span))
            self._edit(above[:-1], lambda node: rebuilt(node, (*children(node), empty)))
            return empty.value
        found = self._found(change, above)
        if found is None:
            return None
        node = found.node
        own_key = "members" if above[0] == "kinds" and change.parts[-1] in BESIDE_MEMBERS else principal(above)
        if own_key and len(above) > 1 and not isinstance(node, Mapping):
            return self._widen(above, own_key)
        if isinstance(node, Scalar) or (isinstance(node, Sequence) and items_by_name(node) is None):
            message = f"`{'.'.join(above)}` is {_written(node)}: nothing can be put into it"
            self._refuse(
                change,
                codes.NO_SUCH_ADDRESS,
                message,
                label="not there",
                related=[Related(node.span, "it stands here")],
            )
            return None
        return node

    def _widen(self, parts: Parts, own_key: str) -> Node:
        """A bare value gets keys beside it, so it is written with its own key from now on."""
        node = walk(self.root, parts).node
        wide = Mapping((Entry(Scalar(own_key, own_key, node.span), node),), node.span)
        self._edit(parts, lambda _: wide)
        return wide

    def _exists(self, change: Change, parent: Node) -> bool:
        there = child(parent, change.parts[-1])
        if there is None:
            return False
        maker = self.made.get(change.parts)
        if maker is not None and maker != change.variant and change.payload is not None:
            return True  # another variant of this level adds it too, with the same content: else it was told already
        related = [Related(there.key.span, "it stands here")]
        message = f"`{change.address}` is there already"
        self._refuse(
            change,
            codes.ALREADY_THERE,
            message,
            label="not new",
            help="to change it, write it under `set`",
            related=related,
        )
        return True

    def _put(self, change: Change, parent: Node, index: int) -> None:
        assert change.payload is not None
        entry, before = self._made(change), children(parent)
        self._edit(change.parts[:-1], lambda node: rebuilt(node, (*before[:index], entry, *before[index:])))

    def _made(self, change: Change) -> Entry:
        """The new entry that an addition or insertion makes."""
        assert change.payload is not None
        entry = Entry(change.name_key(), arranged(change.payload, change.parts, self.report))
        if is_rows(change.parts[:-1]) and isinstance(entry.value, Mapping):
            fields = tuple(one for one in entry.value.entries if one.key.text != "id")
            entry = Entry(entry.key, Mapping(fields, entry.value.span))
        self.made[change.parts] = change.variant
        return entry


def _entries(node: Node, old: Entry) -> tuple[Entry, ...]:
    """The entries below a node with `old` itself among them: entries of a list of words are made anew each time."""
    return tuple(old if entry.key is old.key else entry for entry in children(node))


def _hints(*hints: str) -> str:
    return "      ".join(hint for hint in hints if hint)


def _written(node: Node) -> str:
    match node:
        case Scalar(text=text):
            return f"`{text}`" if len(text) <= 40 else f"`{text[:37]}…`"
        case Mapping():
            return f"{{{', '.join(node.keys())}}}"
        case Sequence():
            written = json.dumps(plain(node), ensure_ascii=False)
            return written if len(written) <= 40 else f"{written[:37]}…"


__all__ = ["Work"]
