"""The arrays in which a batch of games takes actions and gives what came of them.

In: how many games, and what rows look like; memory of the caller's, or none. Out: for each array a flat view of it, and
its address. Memory is taken by Python's buffer protocol: arrays of NumPy or of `array`, a `bytearray`.
"""

from __future__ import annotations

import ctypes
from array import array as array_of
from collections.abc import Mapping
from math import prod
from struct import calcsize
from typing import Any, Final, Literal, TypeAlias

from rulewright.engine.compiled.observation_layout import DataType
from rulewright.frozen import frozen

BufferType: TypeAlias = DataType | Literal["int8", "float32", "bool", "uint64"]
CODES: Final[dict[BufferType, str]] = {
    "bool": "B", "uint8": "B", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint64": "Q", "float32": "f",
}  # fmt: skip
ACCEPTED: Final[dict[BufferType, str]] = {  # codes of the same size and sort, which differ by machine and library
    "bool": "?B", "uint8": "B", "int8": "b", "int16": "h", "int32": "il", "int64": "ql", "uint64": "QL", "float32": "f",
}  # fmt: skip


@frozen
class BufferShape:
    """The type of the entries of an array, and how many there are in each direction."""

    dtype: BufferType
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return prod(self.shape) * calcsize(CODES[self.dtype])


@frozen
class BatchBuffer:
    """One array. `array`: as the caller gave it, or a view with its shape; `flat`: its entries in one row."""

    array: Any  # whatever has a buffer
    flat: memoryview[Any]
    address: int


def make_buffers(shapes: Mapping[str, BufferShape], given: Mapping[str, Any]) -> dict[str, BatchBuffer]:
    """All arrays by name. Raises `ValueError` for a name that there is not, and for one of another shape or type."""
    for name in given:
        if name not in shapes:
            raise ValueError(f"there is no buffer {name!r}, only {', '.join(shapes)}")
    return {
        name: _taken(name, shape, given[name]) if name in given else _allocated(shape) for name, shape in shapes.items()
    }


def _allocated(shape: BufferShape) -> BatchBuffer:
    raw = memoryview(bytearray(max(shape.size, 8)))[: shape.size]
    code: Any = CODES[shape.dtype]
    array: Any = raw.cast(code, shape.shape) if shape.size else raw.cast(code)
    return _buffer(array, raw, code)


def _taken(name: str, shape: BufferShape, array: Any) -> BatchBuffer:
    try:
        view = memoryview(array)
    except TypeError:
        raise TypeError(f"{name} must have a buffer, as arrays have, not {type(array).__name__}") from None
    code = view.format.lstrip("@=<")
    itemsize = shape.size // max(prod(shape.shape), 1)
    if view.shape != shape.shape or view.itemsize != itemsize or code not in ACCEPTED[shape.dtype]:
        found = f"{view.format!r} of shape {view.shape}"
        raise ValueError(f"{name} must be {shape.dtype} of shape {shape.shape}, not {found}")
    if view.readonly or not view.c_contiguous:
        raise ValueError(f"{name} must be an array that can be written, without gaps")
    return _buffer(array, view.cast("B"), CODES[shape.dtype])


def read_actions(actions: Any, games: int) -> memoryview[Any]:
    """What somebody gives as the actions of all games, as int64. Raises `TypeError` for what holds no whole numbers,
    and `ValueError` for an array of another type or shape.
    """
    try:
        view = memoryview(actions)
    except TypeError:
        try:
            view = memoryview(array_of("q", actions))
        except (TypeError, OverflowError):
            message = "actions must be an array of int64, or whole numbers, one for each game"
            raise TypeError(f"{message}, not {actions!r:.60}") from None
    if view.format.lstrip("@=<") not in ("q", "l", "Q", "L") or view.itemsize != 8 or view.shape != (games,):
        raise ValueError(f"actions must be int64 of shape ({games},), not {view.format!r} of {view.shape}")
    if not view.c_contiguous:
        raise ValueError("actions must be an array without gaps")
    return view.cast("B").cast("q")


def _buffer(array: Any, raw: memoryview[Any], code: Any) -> BatchBuffer:
    address = ctypes.addressof(ctypes.c_char.from_buffer(raw)) if raw.nbytes else 0
    return BatchBuffer(array, raw.cast(code), address)


__all__ = ["BatchBuffer", "BufferShape", "BufferType", "make_buffers", "read_actions"]
