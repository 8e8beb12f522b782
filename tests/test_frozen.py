"""`@frozen` and `@mutable` make of a class what `@dataclass(slots=True)` makes of it, frozen or not."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, astuple, dataclass, fields, is_dataclass
from dataclasses import field as standard_field
from typing import Any, ClassVar

import pytest

from rulewright.frozen import argument_names, field, field_names, frozen, is_data, mutable, replace


@frozen
class Ours:
    """Every sort of field."""

    name: str
    size: int = 3
    words: list[str] = field(default_factory=list)
    note: object = field(default=None, repr=False, compare=False)
    total: int = field(init=False, repr=False)
    cache: dict[str, int] = field(default_factory=dict, init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", self.size + len(self.words))


Theirs: Any = dataclass(frozen=True, slots=True)(
    type("Ours", (), {
        "__annotations__": dict(Ours.__annotations__), "__post_init__": Ours.__post_init__, "__doc__": Ours.__doc__,
        "size": 3, "words": standard_field(default_factory=list),
        "note": standard_field(default=None, repr=False, compare=False),
        "total": standard_field(init=False, repr=False),
        "cache": standard_field(default_factory=dict, init=False, compare=False),
    })
)  # fmt: skip


@frozen
class One:
    """One field."""

    value: object


@frozen
class Nothing:
    """No field."""


@dataclass(frozen=True, slots=True)
class StandardOne:
    """One field."""

    value: object


@frozen
class Larger(One):
    """A field more, and what is no field."""

    more: int = 1
    KIND: ClassVar = "larger"


@dataclass(frozen=True, slots=True)
class StandardLarger(StandardOne):
    """The same."""

    more: int = 1
    KIND: ClassVar = "larger"


CALLS: list[Callable[[Any], Any]] = [
    lambda made: made("a"),
    lambda made: made("a", 4),
    lambda made: made("a", words=["b"], note=1),
    lambda made: replace(made("a", 4, ["b"]), size=5),
    lambda made: copy.copy(made("a", 4, ["b"])),
    lambda made: copy.deepcopy(made("a", 4, ["b"])),
]


@pytest.mark.parametrize("call", CALLS)
def test_objects_are_the_same(call: Callable[[Any], Any]) -> None:
    ours, theirs = call(Ours), call(Theirs)
    assert asdict(ours) == asdict(theirs)
    assert astuple(ours) == astuple(theirs)
    assert repr(ours) == repr(theirs)
    assert ours == call(Ours)
    assert ours != call(Theirs)
    assert (ours == Ours("a")) == (theirs == Theirs("a"))


def test_classes_are_the_same() -> None:
    assert is_dataclass(Ours)
    assert [part.name for part in fields(Ours)] == [part.name for part in fields(Theirs)]
    assert Ours.__match_args__ == Theirs.__match_args__
    assert Ours.__slots__ == Theirs.__slots__
    assert list(inspect.signature(Ours).parameters) == list(inspect.signature(Theirs).parameters)
    assert inspect.signature(One) == inspect.signature(StandardOne)


def test_fields_are_known_when_somebody_asks() -> None:
    for ours, theirs in ((Ours, Theirs), (Larger, StandardLarger), (Nothing, dataclass(type("Empty", (), {})))):
        for our, their in zip(fields(ours), fields(theirs), strict=True):
            for name in ("name", "type", "default", "default_factory", "init", "repr", "compare", "_field_type"):
                assert getattr(our, name) == getattr(their, name)
    assert repr(Larger(1)) == "Larger(value=1, more=1)"
    assert (Larger(1), Larger.KIND, Larger.__match_args__) == (Larger(1, 1), "larger", StandardLarger.__match_args__)
    assert fields(type("Below", (One,), {})) == fields(One)


def test_defaults_are_not_shared() -> None:
    assert Ours("a").words is not Ours("a").words
    assert Ours("a").cache is not Ours("a").cache


def test_nothing_can_be_set_or_deleted() -> None:
    value: Any = Ours("a")
    changes: list[Callable[[], None]] = [
        lambda: setattr(value, "size", 4),
        lambda: setattr(value, "other", 4),
        lambda: delattr(value, "size"),
    ]
    for change in changes:
        with pytest.raises(FrozenInstanceError):
            change()
    assert value.size == 3


def test_equal_objects_have_the_same_hash() -> None:
    assert len({One(1), One(1), One("1"), Nothing(), Nothing()}) == 3
    assert hash(One(1)) == hash(StandardOne(1))
    assert One(1) != StandardOne(1)
    with pytest.raises(TypeError):
        hash(One([]))


def test_wrong_arguments_are_named() -> None:
    make: Any = One
    with pytest.raises(TypeError, match=r"One\.__init__\(\) missing 1 required positional argument: 'value'"):
        make()


def test_pickles_and_patterns() -> None:
    value = Ours("a", 4, ["b"])
    assert pickle.loads(pickle.dumps(value)) == value
    assert pickle.loads(pickle.dumps(Nothing())) == Nothing()
    match value:
        case Ours(name, size):
            assert (name, size) == ("a", 4)


def test_a_class_within_itself_is_shown_shortly() -> None:
    inner: list[object] = []
    value = One(inner)
    inner.append(value)
    assert repr(value) == "One(value=[...])" == repr(value)


def test_what_a_class_defines_itself_stays() -> None:
    @frozen
    class Own:
        """Equal to itself only, and shown as it wants."""

        value: int
        __eq__, __hash__ = object.__eq__, object.__hash__

        def __repr__(self) -> str:
            return "own"

    one = Own(1)
    assert (one == one, one == Own(1), repr(one), len({one, Own(1)})) == (True, False, "own", 2)


def test_a_hash_of_its_own_stays() -> None:
    @frozen
    class Own:
        """Equal by its field, but hashed alike."""

        value: int

        def __hash__(self) -> int:
            return 7

    assert (hash(Own(1)), Own(1) == Own(1)) == (7, True)


@pytest.mark.parametrize(
    "members",
    [
        {"__init__": lambda self: None},
        {"__setattr__": lambda self, name, value: None},
        {"__annotations__": {"first": "int", "second": "int"}, "first": 1},
        {"__annotations__": {"words": "list[str]"}, "words": []},
    ],
)
def test_what_would_go_wrong_in_silence_is_refused(members: dict[str, object]) -> None:
    with pytest.raises(AssertionError):
        mutable(type("Wrong", (), members))


@mutable
class Tally:
    """What can be set."""

    name: str
    counts: list[int] = field(default_factory=list)
    total: int = field(init=False, default=0)


def test_mutable_data_can_be_set_and_is_equal_to_itself_only() -> None:
    tally = Tally("a")
    tally.total += 2
    tally.counts.append(1)
    assert repr(tally) == "Tally(name='a', counts=[1], total=2)"
    assert (tally == tally, tally == copy.copy(tally)) == (True, False)
    assert (copy.deepcopy(tally).counts, pickle.loads(pickle.dumps(tally)).total) == ([1], 2)
    assert replace(tally, name="b").counts is tally.counts
    assert asdict(tally) == {"name": "a", "counts": [1], "total": 2}
    with pytest.raises(AttributeError):
        tally.other = 1  # type: ignore[attr-defined]  # there is no such field


def test_names_of_fields() -> None:
    assert field_names(Ours) == field_names(Ours("a")) == tuple(part.name for part in fields(Theirs))
    assert argument_names(Ours) == ("name", "size", "words", "note")
    assert (field_names(Larger), field_names(Nothing), field_names(3)) == (("value", "more"), (), ())
    assert (is_data(Tally), is_data(Nothing()), is_data(StandardOne)) == (True, True, False)
