"""Data that never changes as JSON, and back: what was one object is one object again.

In: frozen objects of known classes, tuples, lists, mappings and sets of them, and what JSON has. Out: JSON that names
each object once, after its parts; from that, equal objects. Only classes that the reader names are made from it, by
calling them with their fields.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType, ModuleType
from typing import Any, Final

from rulewright.frozen import argument_names, is_data

Maker = Callable[[list[Any]], Any]

COLLECTIONS: Final[Mapping[str, Maker]] = MappingProxyType(
    {
        "tuple": tuple,
        "list": list,
        "frozenset": frozenset,
        "dict": lambda parts: dict(zip(parts[::2], parts[1::2], strict=True)),
        "mappingproxy": lambda parts: MappingProxyType(dict(zip(parts[::2], parts[1::2], strict=True))),
    }
)
LEAVES: Final = (str, int, bool, type(None))


def data_classes(modules: Iterable[ModuleType]) -> Mapping[str, type]:
    """The classes of data that some modules define, by name."""
    return {
        name: value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, type) and is_data(value) and value.__module__ == module.__name__
    }


def to_json(value: object, classes: Mapping[str, type]) -> bytes:
    """JSON of a value. Raises `TypeError` for what is of no such class."""
    packer = _Packer(classes)
    packer.pack(value)
    table = {"sorts": list(packer.sorts), "leaves": packer.leaves, "objects": packer.objects}
    return json.dumps(table, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def from_json(content: bytes, classes: Mapping[str, type]) -> Any:
    """The value again. Raises `ValueError`, `TypeError`, `LookupError` or `AttributeError` for what `to_json` did not
    write.
    """
    table = json.loads(content.decode("utf-8", "surrogatepass"))
    makers = [COLLECTIONS.get(name) or _maker(classes[name]) for name in table["sorts"]]
    values = table["leaves"]
    for sort, *parts in table["objects"]:
        values.append(makers[sort]([values[part] for part in parts]))
    return values[-1]


def _maker(cls: type) -> Maker:
    return lambda parts: cls(*parts)


class _Packer:
    """`leaves`: what is not made of other values; `objects`: the number of a sort, and those of the parts."""

    def __init__(self, classes: Mapping[str, type]) -> None:
        self.sorts: dict[str, int] = {}
        self.leaves: list[object] = []
        self.objects: list[list[int]] = []
        self._classes = classes
        self._found: dict[tuple[type, object], int] = {}  # by what a leaf is, or by where an object is
        self._kept: list[object] = []  # so that nothing else comes to lie there meanwhile

    def pack(self, root: object) -> None:
        """Takes up a value with all its parts; leaves are numbered first, then objects."""
        order: list[tuple[object, str, Sequence[object]]] = []
        self._collect(root, order)
        for value, name, parts in order:
            sort = self.sorts.setdefault(name, len(self.sorts))
            self.objects.append([sort, *(self._found[_identity(part)] for part in parts)])
            self._found[_identity(value)] = len(self.leaves) + len(self.objects) - 1

    def _collect(self, value: object, order: list[tuple[object, str, Sequence[object]]]) -> None:
        identity = _identity(value)
        if identity in self._found:
            return
        if type(value) in LEAVES:
            self._found[identity] = len(self.leaves)
            self.leaves.append(value)
            return
        name, parts = self._parts(value)
        self._kept.append(parts)
        for part in parts:
            self._collect(part, order)
        self._found[identity] = -1  # its number comes when all leaves are known
        order.append((value, name, parts))

    def _parts(self, value: object) -> tuple[str, Sequence[object]]:
        """The name of a value's sort, and what it is made from."""
        cls = type(value)
        name = cls.__name__
        if name in COLLECTIONS and cls.__module__ in ("builtins", MappingProxyType.__module__):
            if isinstance(value, Mapping):
                return name, [part for item in value.items() for part in item]
            assert isinstance(value, Iterable)
            return name, list(value)
        if self._classes.get(name) is not cls:
            raise TypeError(f"{cls.__module__}.{cls.__qualname__} is not data that can be kept")
        return name, [getattr(value, name) for name in argument_names(cls)]


def _identity(value: object) -> tuple[type, object]:
    return type(value), value if type(value) in LEAVES else id(value)


__all__ = ["data_classes", "from_json", "to_json"]
