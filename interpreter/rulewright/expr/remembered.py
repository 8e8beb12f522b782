"""An expression that was read before is not read again where all names in it still mean the same.

In: a key of everything that a reading depends on besides names, a scope, and a function that reads. Out: what that
function returned the first time, or now.

While something is read for the first time, every name that is looked up is noted with what it refers to. The result is
given again in another scope only if each of these names refers there to the very same symbol, so that reading again
would take the same way at each of its branches. How many play is looked up, too, as the kind of players; so what does
not ask is read once for all numbers of players. `same_symbol` gives equal declarations one symbol, in whatever build
they were made; nodes and places in files are in no key, since typed trees have none. What reports anything is never
kept: it is read again, and reported at its own place.

Whole actions and terms, taken over in the same way with all that reading them notes down, made a check of a variant two
to six in a hundred faster, and some slower: most of their expressions are known, and what is left is soon done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, TypeVar

from rulewright import limits
from rulewright.diagnostics import Diagnostics
from rulewright.expr.scope import Scope
from rulewright.frozen import mutable
from rulewright.source.node_memo import nothing_known_of_nodes

ReadT = TypeVar("ReadT")
MeaningT = TypeVar("MeaningT")
MAX_VERSIONS: Final = 8  # of one reading, with other meanings of its names; the oldest is dropped


@mutable
class _Lookups(Mapping[str, MeaningT]):
    """A table of names that notes what is looked up, and whether all of it was asked for."""

    table: Mapping[str, MeaningT]
    noted: dict[str, MeaningT | None]
    is_listed: bool = False

    def get(self, key: str, default: object = None) -> MeaningT | None:  # type: ignore[override]  # no other default
        """The meaning of a name."""
        assert default is None
        found = self.noted[key] = self.table.get(key)
        return found

    def __getitem__(self, key: str) -> MeaningT:
        found = self.get(key)
        if found is None:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self.get(key) is not None

    def __iter__(self) -> Iterator[str]:
        self.is_listed = True
        return iter(self.table)

    def __len__(self) -> int:
        self.is_listed = True
        return len(self.table)


@mutable
class _Reading:
    """What was read, and what the names that were looked up referred to. `kinds`: None where all were listed."""

    symbols: tuple[tuple[str, object], ...]
    kinds: tuple[tuple[str, object], ...]
    all_kinds: tuple[tuple[str, object], ...] | None
    result: object

    def holds_in(self, scope: Scope) -> bool:
        """Whether all of these names refer to the same in a scope."""
        symbol_of, kind_of = scope.symbols.get, scope.kinds.get
        for name, symbol in self.symbols:
            if symbol_of(name) is not symbol:
                return False
        for name, kind in self.kinds:
            if kind_of(name) is not kind:
                return False
        return self.all_kinds is None or self.all_kinds == tuple(scope.kinds.items())


class _Memory:
    """All that is kept. `is_used`: whether anything is; without, everything is read anew."""

    def __init__(self) -> None:
        self.readings: dict[tuple[object, ...], list[_Reading]] = {}
        self.symbols: dict[str, list[object]] = {}
        self.is_used = True

    def clear(self) -> None:
        """Forgets everything."""
        self.readings.clear()
        self.symbols.clear()


_MEMORY: Final = _Memory()


def recall(
    key: tuple[object, ...], scope: Scope, diagnostics: Diagnostics | None, read: Callable[[Scope], ReadT]
) -> ReadT:
    """What `read` returns in a scope. `key`: all else that it depends on. `diagnostics`: where it may report."""
    if not _MEMORY.is_used or scope.ambiguous_names:
        return read(scope)
    place = (
        *key,
        scope.slot_count,
        scope.has_me,
        scope.is_before_play,
        tuple(scope.locals.items()),
    )
    versions = _MEMORY.readings.get(place)
    for version in versions or ():
        if version.holds_in(scope):
            return version.result  # type: ignore[return-value]  # the first part of the key says what it is
    symbols, kinds = _Lookups(scope.symbols, {}), _Lookups(scope.kinds, {})
    before = 0 if diagnostics is None else diagnostics.report_count
    result = read(scope.with_tables(symbols, kinds))
    if symbols.is_listed or (diagnostics is not None and diagnostics.report_count > before):
        return result
    if versions is None:
        if len(_MEMORY.readings) >= limits.MAX_REMEMBERED_READINGS:
            _MEMORY.clear()
        versions = _MEMORY.readings[place] = []
    all_kinds = tuple(scope.kinds.items()) if kinds.is_listed else None
    versions.insert(0, _Reading(tuple(symbols.noted.items()), tuple(kinds.noted.items()), all_kinds, result))
    del versions[MAX_VERSIONS:]
    return result


def same_symbol(name: str, symbol: MeaningT) -> MeaningT:
    """The symbol that a name was given before, if an equal one was; else this one."""
    known = _MEMORY.symbols.setdefault(name, [])
    for index, other in enumerate(known):
        if type(other) is type(symbol) and other == symbol:
            if index:
                known.insert(0, known.pop(index))
            return other
    known.insert(0, symbol)
    del known[limits.MAX_REMEMBERED_SYMBOLS :]
    return symbol


@contextmanager
def reading_anew() -> Iterator[None]:
    """While this lasts nothing is remembered, nor anything known of nodes from before: for tests that compare."""
    before, _MEMORY.is_used = _MEMORY.is_used, False
    try:
        with nothing_known_of_nodes():
            yield
    finally:
        _MEMORY.is_used = before


__all__ = ["reading_anew", "recall", "same_symbol"]
