"""Which engines there are, and which one plays: the one place that decides it.

In: rules. Out: an `Engine`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final, TypeAlias

from rulewright.engine.engine_names import REFERENCE_ENGINE
from rulewright.engine.interface import Engine, Observer, WatchableEngine
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.model.rules import Rules

if TYPE_CHECKING:
    from rulewright.engine.reference.observation import Watcher

EngineFactory: TypeAlias = Callable[[Rules, Collection[str]], Engine]  # rules, choices that are answered piece by piece

ENGINES: Final[dict[str, EngineFactory]] = {
    REFERENCE_ENGINE: lambda rules, tokenwise: ReferenceEngine(rules, tokenwise=tokenwise),
}


def make_engine(rules: Rules, *, tokenwise: Collection[str] = ()) -> Engine:
    """The engine of rules. `tokenwise`: addresses of the choices that are answered piece by piece; raises `ValueError`
    for any other.
    """
    return ENGINES[REFERENCE_ENGINE](rules, tokenwise)


def make_watchable_engine(rules: Rules) -> WatchableEngine:
    """The engine that defines what rules mean, which can tell what it asks and does."""
    return ReferenceEngine(rules)


def make_observed_engine(rules: Rules, observer: Observer) -> Engine:
    """The same; the observer is told what it asks and does."""
    engine = make_watchable_engine(rules)
    engine.observe(observer)
    return engine


def make_watched_engine(rules: Rules, addresses: Collection[str], watcher: Watcher) -> Engine:
    """The same; the watcher is shown the position before each time that one of some steps is carried out."""
    from rulewright.engine.reference.observation import watch_steps  # few games are watched

    engine = ReferenceEngine(rules)
    watch_steps(engine.interpreter, addresses, watcher)
    return engine


__all__ = [
    "ENGINES",
    "EngineFactory",
    "make_engine",
    "make_observed_engine",
    "make_watchable_engine",
    "make_watched_engine",
]
