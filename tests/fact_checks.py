"""Facts held against play: engines that are watched, and positions that are compared with what is said of them.

In: rules with their facts, and positions of games. Out: what contradicts the facts, in words.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any

from random_play import play_randomly
from rulewright.engine.context import Context
from rulewright.engine.place_compiler import CompiledExpr
from rulewright.engine.playout import Playout
from rulewright.engine.reference.mutable_state import MutableState
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.reference.step_interpreter import CompiledStep
from rulewright.engine.reference.verbs import Bindings, CompiledEffect
from rulewright.engine.state import Action, Decision, Frame, State
from rulewright.engine.values import RuntimeValue, content_things
from rulewright.expr.tree import Constant, Expr, ReadValue
from rulewright.model.facts.accesses import Access, Accesses, AccessFinder
from rulewright.model.facts.content_ranges import number_places
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.found_ranges import PositionRanges
from rulewright.model.facts.routes import Workload
from rulewright.model.facts.value_ranges import BagRange, Scalars, SetRange, ValueRange
from rulewright.model.rules import Rules, ValueDef
from rulewright.model.traversal import domain_exprs

DECISIONS = 60


def play(engine: ReferenceEngine, seed: int, players: int) -> Iterator[tuple[State, Action]]:
    """The decisions of a random game, each with the action that is then chosen."""
    playout = Playout(engine, engine.start(seed=seed, first=seed % players))
    for step in play_randomly(playout, random.Random(seed), DECISIONS):
        assert step.action is not None
        yield step.before, step.action


# ---- what can be ---------------------------------------------------------------------------------------------


def is_among(value: RuntimeValue, known: ValueRange) -> bool:
    """Whether a value is one of those that a range has."""
    match known, value:
        case (Scalars() as scalars, int()):
            return int(value) in scalars
        case (BagRange() as bag, tuple()):
            counts = zip(bag.lows, value, bag.highs, strict=False)
            return all(low <= count <= high for low, count, high in counts) and (
                bag.low_total <= sum(value) <= bag.high_total
            )
        case (SetRange() as elements, tuple()):
            return elements.fewest <= len(value) <= elements.most and all(each in elements.elements for each in value)
    raise TypeError(f"{value} is no value for {known}")


def keys_of(definition: ValueDef, engine: ReferenceEngine) -> Iterator[tuple[int, ...]]:
    full = ExpressionRanges(engine.rules, (), ()).full_range
    choices = []
    for type_ in definition.key_types:
        known = full(type_)
        choices.append(sorted(known.listed or ()) if isinstance(known, Scalars) else [])
    return product(*choices)


class RangeCheck:
    """Compares positions with what their zones, state variables, answers and some derived values are said to be."""

    def __init__(self, engine: ReferenceEngine, positions: PositionRanges) -> None:
        self.engine = engine
        self.positions = positions
        self.expressions = ExpressionRanges(engine.rules, positions.contents, positions.variables)
        self.derived_values = tuple(self._derived_values())

    def _derived_values(self) -> Iterator[tuple[str, CompiledExpr, str, tuple[int, ...]]]:
        """Some derived values with keys: a title, the function that computes it, its name and keys."""
        rng = random.Random(1)
        for name, definition in self.engine.rules.values.items():
            every = list(keys_of(definition, self.engine))
            for keys in rng.sample(every, min(8, len(every))):
                args = tuple(
                    Constant(key, type_, (0, 0)) for key, type_ in zip(keys, definition.key_types, strict=True)
                )
                compiled = self.engine.compiler.compile(ReadValue(name, args, definition.type, (0, 0)))
                yield f"{name}{keys}", compiled, name, keys

    def exceeded(self, state: State) -> Iterator[str]:
        """What of a position is outside of what the facts say."""
        zone_of = self.engine.layout.visibility.zone_by_place
        for place, (content, known) in enumerate(zip(state.contents, self.positions.contents, strict=True)):
            if not is_among(content_things(content), known):
                yield f"{zone_of[place].name} ({place}) holds {content}, not {known}"
        for index, (value, known) in enumerate(zip(state.variables, self.positions.variables, strict=True)):
            if not is_among(value, known):
                yield f"state variable {index} is {value}, not {known}"
        if not isinstance(state.waiting, Decision):
            return
        seat = state.waiting.seat
        me = Scalars.of((seat,))
        context = self.engine.context(state, seat)
        for title, compiled, name, keys in self.derived_values:
            known = self.expressions.value(name, tuple(Scalars.of((key,)) for key in keys), me)
            if not is_among(compiled(context), known):
                yield f"{title} is {compiled(context)}, not {known}"

    def impossible(self, actions: Sequence[Action]) -> Iterator[str]:
        """The legal actions that the facts say cannot be."""
        for action in actions:
            if action.number >= 0:
                known = self.positions.choices.get(action.number)
                if known is None or not all(map(is_among, action.values, known)):
                    yield f"{action} is legal, not {known}"


# ---- what is read and written -----------------------------------------------------------------------------


def accessed_places(rules: Rules, access: Access) -> tuple[int, ...]:
    """The numbers of the places or state variables that an access means; none for other accesses."""
    if access.kind not in ("zone", "knowledge", "state"):
        return ()
    definition = rules.states[access.name] if access.kind == "state" else rules.zones[access.name]
    return tuple(number_places(definition, (sorted(key.indexes) for key in access.keys)))


def places_among(model: Rules, accesses: Sequence[Access] | frozenset[Access], *kinds: str) -> set[int]:
    return {place for access in accesses if access.kind in kinds for place in accessed_places(model, access)}


class Watch:
    """An engine whose steps are compared with what they declare; `broken` says what they did besides."""

    def __init__(self, finder: AccessFinder) -> None:
        self.finder = finder
        self.rules = finder.rules
        self.engine = ReferenceEngine(self.rules)
        self.broken: set[str] = set()
        self.seen: set[str] = set()
        interpreter: Any = self.engine.interpreter
        for number in range(len(self.rules.blocks)):
            known = self.finder.positions.blocks.get(number)
            for compiled in interpreter.blocks[number]:
                declared = None
                if known is not None:
                    declared = self.finder.own(compiled.step, known.variables, known.me)
                compiled.effect = self.watched(compiled, declared)
        finish_draw = interpreter._finish_draw

        def watched_draw(d: MutableState, value: int) -> None:
            step = interpreter._drawing_step(d)
            before = list(d.contents)
            finish_draw(d, value)
            declared = self.finder.own(step, {}, self.finder.seats) if step is not None else Accesses()
            changed = {place for place, content in enumerate(before) if d.contents[place] != content}
            if not changed <= places_among(self.rules, declared.writes, "zone") | self.refilled():
                self.broken.add(f"a draw of {step.address if step else 'no step'} changes places {sorted(changed)}")

        interpreter._finish_draw = watched_draw

    def refilled(self) -> set[int]:
        return {place for to, source, _ in self.engine.layout.refills for place in (to, source)}

    def watched(self, compiled: CompiledStep, declared: Accesses | None) -> CompiledEffect:
        effect, address = compiled.effect, compiled.step.address

        def run(d: MutableState, frame: Frame, env: Bindings) -> None:
            contents, variables = list(d.contents), list(d.variables)
            known = (list(d.knowledge.thing_pools), d.knowledge.known_pieces)
            ends = (d.ending, d.winners)
            effect(d, frame, env)
            self.seen.add(address)
            if declared is None:
                self.broken.add(f"{address} is said never to be reached")
                return
            for name, before, now, kind in (
                ("places", contents, d.contents, "zone"),
                ("state variables", variables, d.variables, "state"),
            ):
                changed = {index for index, value in enumerate(before) if now[index] != value}
                undeclared = changed - places_among(self.rules, declared.writes, kind)
                if undeclared:
                    self.broken.add(f"{address} changes {name} {sorted(undeclared)}")
            if known != (list(d.knowledge.thing_pools), d.knowledge.known_pieces):
                self.expect(declared, "knowledge", address)
            if ends != (d.ending, d.winners):
                self.expect(declared, "end", address)

        return run

    def expect(self, declared: Accesses, kind: str, address: str) -> None:
        if not any(access.kind == kind for access in declared.writes):
            self.broken.add(f"{address} changes: {kind}")


def mixed(model: Rules, reads: frozenset[Access], state: State, other: State, seat: int) -> Context:
    """A position that is like one in what is read, and like another in everything else."""
    contents, variables = list(other.contents), list(other.variables)
    for place in places_among(model, reads, "zone"):
        contents[place] = state.contents[place]
    for index in places_among(model, reads, "state"):
        variables[index] = state.variables[index]
    round_ = state.round if any(access.kind == "round" for access in reads) else other.round
    return Context(contents, variables, me=seat, first=state.first_seat, round=round_)


ReadExpr = tuple[Expr, tuple[RuntimeValue, ...], frozenset[Access]]


def read_exprs(finder: AccessFinder, engine: ReferenceEngine, state: State, rng: random.Random) -> Iterator[ReadExpr]:
    """Expressions with what their variables are and what they are said to read."""
    assert isinstance(state.waiting, Decision)
    me = Scalars.of((state.waiting.seat,))
    for name, definition in engine.rules.values.items():
        full = [finder.ranges.full_range(type_) for type_ in definition.key_types]
        keys = [rng.choice(sorted(known.listed or ())) for known in full if isinstance(known, Scalars)]
        args = tuple(Constant(key, type_, (0, 0)) for key, type_ in zip(keys, definition.key_types, strict=True))
        reads = finder.value_reads(name, tuple(Scalars.of((key,)) for key in keys), me)
        yield ReadValue(name, args, definition.type, (0, 0)), (), reads
    for action in rng.sample(engine.legal(state), min(6, len(engine.legal(state)))):
        if action.number < 0:
            continue
        definition_ = engine.rules.actions[action.number]
        answers = dict(enumerate(finder.positions.choices[action.number]))
        exprs = [expr for choice in definition_.choices for expr in domain_exprs(choice.domain)]
        for expr in (*exprs, *(clause.condition for clause in definition_.clauses)):
            yield expr, action.values, finder.reads(expr, answers, me)


# ---- what there is to do ----------------------------------------------------------------------------------


class Meter:
    """Counts what an engine does: the steps carried out in one go, and the evaluation that it counts itself."""

    def __init__(self, engine: ReferenceEngine) -> None:
        self.engine = engine
        self.steps = 0
        self.amounts: list[Workload] = []  # of each go
        interpreter: Any = engine.interpreter
        for name in ("_run_frame", "_run_draw", "_run_simultaneous_choice"):
            setattr(interpreter, name, self.counted(getattr(interpreter, name)))
        run = interpreter.run

        def metered(d: MutableState) -> None:
            self.steps = 0
            run(d)
            self.amounts.append(Workload(d.expr_steps + d.context.expr_steps, self.steps))

        interpreter.run = metered

    def counted(self, run: Callable[..., None]) -> Callable[..., None]:
        def counting(*args: object) -> None:
            self.steps += 1
            run(*args)

        return counting

    @contextmanager
    def contexts(self) -> Iterator[list[Context]]:
        """The contexts that are made meanwhile."""
        found: list[Context] = []
        engine: Any = self.engine
        make = engine.context

        def remembering(*args: object) -> Context:
            found.append(make(*args))
            return found[-1]

        engine.context = remembering
        try:
            yield found
        finally:
            engine.context = make
