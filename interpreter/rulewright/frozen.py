"""`@frozen`: data that never changes, equal when its fields are equal.

In: a class with annotated fields. Out: the dataclass that `@dataclass(frozen=True, slots=True)` makes of it, with which
`fields`, `replace`, patterns and pickling work as ever. The standard library compiles six functions for each class; for
the two hundred classes of a game that took a sixth of the time until its first board is seen. Here `__init__` alone is
compiled, and fills the slots directly, so that objects are made in half the time, too; all else is shared. What says
of a class that it is a dataclass with these fields is made when somebody asks, which of most classes nobody does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from functools import cache
from operator import attrgetter
from reprlib import recursive_repr
from types import CodeType, FunctionType
from typing import Any, Final, Never, TypeVar, dataclass_transform

ClassT = TypeVar("ClassT")
FIELDS: Final = "__dataclass_fields__"  # under these names the standard library keeps what it knows of a class
PARAMS: Final = "__dataclass_params__"
SHARED_METHODS: Final = frozenset(
    {"__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__", "__setstate__"}
)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[ClassT]) -> type[ClassT]:
    """A dataclass with slots, whose fields only `__init__` sets."""
    assert SHARED_METHODS.isdisjoint(vars(cls)), f"{cls.__name__} has methods of its own: make it a dataclass"
    is_plain = not any(hasattr(base, FIELDS) for base in cls.__bases__) and "ClassVar" not in str(cls.__annotations__)
    made, made_fields = _with_slots(cls) if is_plain else _as_standard(cls)
    key = _key([part.name for part in made_fields if part.compare])

    def is_equal(self: object, other: object) -> bool:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    made.__init__, made.__repr__ = _init(made, made_fields), _repr([part.name for part in made_fields if part.repr])
    made.__eq__, made.__hash__ = is_equal, lambda self: hash(key(self))
    made.__setattr__, made.__delattr__, made.__setstate__ = _refuse_to_set, _refuse_to_delete, _set_state
    return made  # type: ignore[no-any-return]  # made at run time


def _as_standard(cls: type) -> tuple[Any, tuple[Field[Any], ...]]:
    """The class with slots as the standard library makes it, and its fields."""
    made: Any = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    return made, fields(made)


_PARAMS: Final = vars(_as_standard(type("_Empty", (), {"__doc__": "No fields."}))[0])[PARAMS]


def _with_slots(cls: type) -> tuple[Any, tuple[Field[Any], ...]]:
    """The same, of a class that inherits no fields and annotates nothing else; what the standard library knows of the
    fields is found when somebody asks.
    """
    members = dict(vars(cls))
    for name in ("__dict__", "__weakref__"):
        members.pop(name, None)
    defaults = {name: members.pop(name) for name in cls.__annotations__ if name in members}
    made_fields = tuple(
        _field(name, annotation, defaults.get(name, MISSING)) for name, annotation in cls.__annotations__.items()
    )
    members |= {
        FIELDS: _FieldsWhenAsked(defaults),
        PARAMS: _PARAMS,
        "__slots__": tuple(part.name for part in made_fields),
        "__match_args__": tuple(part.name for part in made_fields if part.init),
    }
    return type(cls)(cls.__name__, cls.__bases__, members), made_fields


def _field(name: str, annotation: Any, default: Any) -> Field[Any]:
    made: Field[Any] = default if isinstance(default, Field) else field(default=default)
    made.name, made.type = name, annotation
    return made


class _FieldsWhenAsked:
    """The fields of a class as the standard library has them: who looks first puts them in this one's place."""

    def __init__(self, defaults: dict[str, object]) -> None:
        self._defaults = defaults

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner = owner

    def __get__(self, instance: object, owner: type) -> object:
        of = self._owner
        shown = {name: getattr(of, name) for name in ("__annotations__", "__module__", "__doc__")}
        standard, _ = _as_standard(type(of.__name__, (), {**shown, **self._defaults}))
        made = getattr(standard, FIELDS)
        setattr(of, FIELDS, made)
        return made


def _key(names: list[str]) -> Callable[[object], tuple[object, ...]]:
    """What gives the fields that are compared."""
    if not names:
        return lambda _: ()
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda self: (get(self),)


def _init(made: type, made_fields: tuple[Field[Any], ...]) -> Callable[..., None]:
    """`__init__`: the code of all classes with so many fields of these forms, with the setters of the slots and the
    factories of defaults as its globals.
    """
    known: dict[str, object] = {"MISSING": MISSING}
    forms, names, defaults = list[str](), ["self"], list[object]()
    for place, part in enumerate(made_fields):
        known[f"set_{place}"] = getattr(made, part.name).__set__
        known[f"default_{place}"] = part.default if part.default_factory is MISSING else part.default_factory
        is_made, is_set = part.default_factory is not MISSING, part.default is not MISSING
        forms.append(_FORMS[part.init, is_made, is_set])
        if part.init:
            names.append(part.name)
            if is_made or is_set:
                defaults.append(MISSING if is_made else part.default)
    code = _init_code(tuple(forms), hasattr(made, "__post_init__"))
    name = f"{made.__qualname__}.__init__"
    init: Any = FunctionType(
        code.replace(co_varnames=tuple(names), co_qualname=name), known, "__init__", tuple(defaults)
    )
    init.__module__ = made.__module__
    init.__annotations__ = {part.name: part.type for part in made_fields if part.init} | {"return": None}
    return init  # type: ignore[no-any-return]  # made at run time


_FORMS: Final = {
    (True, False, False): "set_{0}(self, value_{0})",
    (True, False, True): "set_{0}(self, value_{0})",
    (True, True, False): "set_{0}(self, default_{0}() if value_{0} is MISSING else value_{0})",
    (False, True, False): "set_{0}(self, default_{0}())",
    (False, False, True): "set_{0}(self, default_{0})",
    (False, False, False): "pass",
}


@cache
def _init_code(forms: tuple[str, ...], has_post_init: bool) -> CodeType:
    """The code of `__init__`, in which a parameter is called by its place."""
    lines = [form.format(place) for place, form in enumerate(forms)]
    parameters = ["self", *(f"value_{place}" for place, form in enumerate(forms) if "value_" in form)]
    if has_post_init:
        lines.append("self.__post_init__()")
    made: dict[str, FunctionType] = {}
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines or ["pass"]), made)
    return made["__init__"].__code__


def _repr(names: list[str]) -> Callable[[object], str]:
    """What shows the fields of these names."""

    shown, values = ", ".join(f"{name}=%r" for name in names), _key(names)

    @recursive_repr()
    def show(self: object) -> str:
        return f"{self.__class__.__qualname__}({shown % values(self)})"

    return show


def _refuse_to_set(self: object, name: str, value: object) -> Never:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> Never:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _set_state(self: object, state: tuple[None, dict[str, object]]) -> None:
    """For copies and pickles, which know the slots."""
    for name, value in state[1].items():
        object.__setattr__(self, name, value)


__all__ = ["frozen"]
