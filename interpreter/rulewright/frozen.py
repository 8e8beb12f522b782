"""`@frozen`, data that never changes, and `@mutable`, data whose fields can be set: classes of annotated fields.

In: a class with annotated fields. Out: what `@dataclass(slots=True)` makes of it, frozen or not, with which `fields`,
`replace`, patterns and pickling work as ever. How a class says that its objects are equal, hashed and shown stays; what
else of these methods it defines is refused. Objects of frozen classes are equal when their fields are, mutable ones
only to themselves, if no base says otherwise. The standard library compiles up to six functions for each class, and
imports modules that read Python code; for the two hundred classes of a game that took a sixth of the time until its
first board is seen. Here `__init__` alone is compiled, once for all classes of one shape, and fills the slots directly,
so that objects are made in half the time, too; all else is shared. What says of a class that it is a dataclass with
these fields is made when somebody asks, which of most classes nobody does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from reprlib import recursive_repr
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, Final, Never, TypeVar, dataclass_transform

ClassT = TypeVar("ClassT")
FIELDS: Final = "__dataclass_fields__"  # under these names the standard library keeps what it knows of a class
PARAMS: Final = "__dataclass_params__"
PARTS: Final = "__parts__"  # of a class: its fields by their names, those of its bases first
OWN_METHODS: Final = frozenset({"__init__", "__setattr__", "__delattr__", "__setstate__"})
MISSING: Final = object()  # no default


class _Field:
    """A field with more to it than a name, an annotation and a default."""

    __slots__ = ("compare", "default", "default_factory", "init", "repr")

    def __init__(self, default: Any, default_factory: Any, init: bool, repr: bool, compare: bool) -> None:
        self.default, self.default_factory = default, default_factory
        self.init, self.repr, self.compare = init, repr, compare


if TYPE_CHECKING:
    from dataclasses import field, replace
else:

    def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, compare=True):
        """A field that says more than a default: what makes one, and whether it is an argument, shown and compared."""
        return _Field(default, default_factory, init, repr, compare)

    def replace(data, /, **changes):
        """The same data with other values of some fields."""
        for name in data.__match_args__:
            if name not in changes:
                changes[name] = getattr(data, name)
        return data.__class__(**changes)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[ClassT]) -> type[ClassT]:
    """A dataclass with slots, whose fields only `__init__` sets."""
    members, parts = _members(cls)
    members["__setattr__"], members["__delattr__"] = _refuse_to_set, _refuse_to_delete
    members["__setstate__"] = _set_state
    if "__eq__" not in members:
        key = _key([name for name, part in parts.items() if part.__class__ is not _Field or part.compare])

        def is_equal(self: object, other: object) -> bool:
            return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

        members["__eq__"] = is_equal
        members.setdefault("__hash__", lambda self: hash(key(self)))
    return _made(cls, members, parts)


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def mutable(cls: type[ClassT]) -> type[ClassT]:
    """A dataclass with slots, whose fields can be set; a base says when objects are equal, if it has one."""
    return _made(cls, *_members(cls))


def is_data(of: object) -> bool:
    """Whether it is such data, or a class of such data."""
    return hasattr(of, PARTS)


def field_names(of: object) -> tuple[str, ...]:
    """The names of all fields of such data, or of its class; none of what is something else."""
    return tuple(getattr(of, PARTS, ()))


def argument_names(cls: type) -> tuple[str, ...]:
    """The names of those fields of a class of such data that are given when an object is made."""
    names: tuple[str, ...] = getattr(cls, "__match_args__")  # noqa: B009  # which the type checker does not know of
    return names


def _members(cls: type) -> tuple[dict[str, Any], Mapping[str, Any]]:
    """What the class with slots is made of, and its fields: of each its default, or what `field` made."""
    assert OWN_METHODS.isdisjoint(cls.__dict__), f"{cls.__name__} has methods of its own: make it a plain class"
    members = dict(cls.__dict__)
    members.pop("__dict__", None)
    members.pop("__weakref__", None)
    own = {
        name: members.pop(name, MISSING) for name, kind in cls.__annotations__.items() if "ClassVar" not in str(kind)
    }
    parts: Mapping[str, Any] = {**getattr(cls, PARTS, {}), **own}
    members.setdefault("__repr__", _show)
    members[FIELDS], members[PARAMS], members[PARTS] = _STANDARD_FIELDS, _STANDARD_PARAMS, parts
    members["__slots__"] = tuple(own)
    members["__match_args__"] = tuple(
        [name for name, part in parts.items() if part.__class__ is not _Field or part.init]
    )
    return members, parts


def _made(cls: type[ClassT], members: dict[str, Any], parts: Mapping[str, Any]) -> type[ClassT]:
    make: Any = type(cls)
    made = make(cls.__name__, cls.__bases__, members)
    made.__init__ = _init(made, parts)
    return made  # type: ignore[no-any-return]  # made at run time


class _AsStandard:
    """What the standard library keeps of a class under a name: who looks first puts it in this one's place."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type) -> object:
        import dataclasses  # with modules that read Python code

        of = next(base for base in owner.__mro__ if PARTS in base.__dict__)
        names = ("default", "default_factory", "init", "repr", "compare")
        parts: Mapping[str, Any] = getattr(of, PARTS)
        kinds = [base.__annotations__ for base in reversed(of.__mro__) if PARTS in base.__dict__]
        annotations = {name: kind for each in kinds for name, kind in each.items() if name in parts}
        members: dict[str, Any] = {"__module__": of.__module__, "__doc__": of.__doc__, "__annotations__": annotations}
        for name, part in parts.items():
            if part.__class__ is _Field:
                arguments = {key: value for key in names if (value := getattr(part, key)) is not MISSING}
                members[name] = dataclasses.field(**arguments)
            elif part is not MISSING:
                members[name] = part
        is_frozen = "__setattr__" in of.__dict__
        as_standard = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True, frozen=is_frozen)
        standard: Any = as_standard(type(of.__name__, (), members))
        made = getattr(standard, self._name)
        type.__setattr__(of, self._name, made)
        return made


_STANDARD_FIELDS: Final = _AsStandard(FIELDS)
_STANDARD_PARAMS: Final = _AsStandard(PARAMS)


def _key(names: list[str]) -> Callable[[object], tuple[object, ...]]:
    """What gives the fields that are compared."""
    if not names:
        return lambda _: ()
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda self: (get(self),)


def _init(made: type, parts: Mapping[str, Any]) -> Callable[..., None]:
    """`__init__`: the code of all classes with so many fields of these forms, with the setters of the slots and the
    factories of defaults as its globals.
    """
    known: dict[str, object] = {"MISSING": MISSING}
    forms, names, defaults = list[str](), ["self"], list[object]()
    for place, (name, part) in enumerate(parts.items()):
        known[f"set_{place}"] = getattr(made, name).__set__
        if part.__class__ is not _Field:
            assert part is not MISSING or not defaults, f"`{name}` has no default, but comes after fields with one"
            assert not isinstance(part, list | dict | set), (
                f"the default of `{name}` would be shared: make it by `field`"
            )
            forms.append(PASSED)
            names.append(name)
            if part is not MISSING:
                defaults.append(part)
            continue
        is_made, is_set = part.default_factory is not MISSING, part.default is not MISSING
        known[f"default_{place}"] = part.default_factory if is_made else part.default
        forms.append(_FORMS[part.init, is_made, is_set])
        if part.init:
            names.append(name)
            if is_made or is_set:
                defaults.append(MISSING if is_made else part.default)
    code = _init_code(tuple(forms), hasattr(made, "__post_init__"))
    name = f"{made.__qualname__}.__init__"
    init: Any = FunctionType(
        code.replace(co_varnames=tuple(names), co_qualname=name), known, "__init__", tuple(defaults)
    )
    init.__module__ = made.__module__
    init.__annotations__ = {name: kind for name, kind in made.__annotations__.items() if name in names} | {
        "return": None
    }
    return init  # type: ignore[no-any-return]  # made at run time


PASSED: Final = "set_{0}(self, value_{0})"
_FORMS: Final = {
    (True, False, False): PASSED,
    (True, False, True): PASSED,
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


@recursive_repr()
def _show(self: object) -> str:
    parts = getattr(self, PARTS).items()
    shown = [name for name, part in parts if part.__class__ is not _Field or part.repr]
    return f"{self.__class__.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"


def _refuse_to_set(self: object, name: str, value: object) -> Never:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> Never:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _set_state(self: object, state: tuple[None, dict[str, object]]) -> None:
    """For copies and pickles, which know the slots."""
    for name, value in state[1].items():
        object.__setattr__(self, name, value)


__all__ = ["argument_names", "field", "field_names", "frozen", "is_data", "mutable", "replace"]
