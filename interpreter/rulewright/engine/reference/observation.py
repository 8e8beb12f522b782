"""Who wants to know is told which conditions a game asks, with what answer, and which steps it carries out.

In: what an engine has made ready of actions, steps and values, and a function that is told. Out: the same objects,
whose functions are replaced by ones that tell before they return. So an engine that nobody observes does nothing more.

What is told is a site and an outcome. Sites are addresses: of a clause, of a step that runs, of a choice whose answers
are listed; `….when`, `….while` and `….for_each` of the conditions of a step, `values.NAME` of a derived value.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias, TypeVar

from rulewright.engine.context import Context
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.interface import Asker, Observer
from rulewright.engine.place_compiler import CompiledExpr, CompiledNumber
from rulewright.engine.reference.choice_domains import CompiledDomain
from rulewright.engine.reference.legal_actions import ActionGenerator, CompiledAction
from rulewright.engine.reference.mutable_state import MutableState
from rulewright.engine.reference.step_interpreter import CompiledStep, StepInterpreter
from rulewright.engine.reference.verbs import Bindings, CompiledEffect
from rulewright.engine.state import Frame
from rulewright.engine.values import RuntimeValue

ConditionT = TypeVar("ConditionT")
ResultT = TypeVar("ResultT")
Watcher: TypeAlias = Callable[[str, MutableState], object]  # the address of a step; the position just before it


def when_site(address: str) -> str:
    """The site of the condition under which a step is carried out, or something is chosen."""
    return f"{address}.when"


def while_site(address: str) -> str:
    """The site of the condition with which a step is repeated."""
    return f"{address}.while"


def loop_site(address: str) -> str:
    """The site of the condition of what a step is done for."""
    return f"{address}.for_each"


def value_site(name: str) -> str:
    """The site of a derived value."""
    return f"values.{name}"


def observe_actions(generator: ActionGenerator, observer: Observer) -> None:
    """Tells of the clauses and choices of all actions, also where a step offers them under clauses of its own."""
    for action in generator.all_actions():
        _observe_action(action, observer)


def _observe_action(action: CompiledAction, observer: Observer) -> None:
    for clauses in action.clauses:
        clauses[:] = [(clause, _observed_condition(run, clause.address, observer)) for clause, run in clauses]
    choices = action.definition.choices
    action.domains = [
        _observed_domain(domain, choice.address, condition, observer)
        for domain, choice, condition in zip(action.domains, choices, action.conditions, strict=True)
    ]


def _observed_domain(
    answers_of: CompiledDomain, address: str, condition: CompiledExpr | None, observer: Observer
) -> CompiledDomain:
    def observed(c: Context) -> Sequence[RuntimeValue]:
        is_asked = condition is None or bool(condition(c))
        if condition is not None:
            observer((when_site(address), is_asked))
        if is_asked:
            observer((address, True))
        return answers_of(c)

    return observed


def observe_steps(interpreter: StepInterpreter, observer: Observer) -> None:
    """Tells of the steps and their conditions."""
    for index in range(len(interpreter.rules.blocks)):
        for compiled in interpreter.blocks[index]:
            _observe_step(compiled, observer)


def _observe_step(compiled: CompiledStep, observer: Observer) -> None:
    address = compiled.step.address
    compiled.effect = _observed_effect(compiled.effect, address, observer)
    if compiled.when is not None:
        compiled.when = _observed_condition(compiled.when, when_site(address), observer)
    if compiled.while_condition is not None:
        compiled.while_condition = _observed_condition(compiled.while_condition, while_site(address), observer)
    if compiled.loop is not None and compiled.loop.where is not None:
        where = _observed_condition(compiled.loop.where, loop_site(address), observer)
        compiled.loop = compiled.loop._replace(where=where)


def watch_steps(interpreter: StepInterpreter, addresses: Collection[str], watcher: Watcher) -> None:
    """Shows the position before each time that one of some steps is carried out; its context has the seat in turn and
    the variables of the step.
    """
    for index in range(len(interpreter.rules.blocks)):
        for compiled in interpreter.blocks[index]:
            if compiled.step.address in addresses:
                compiled.effect = _watched_effect(compiled.effect, compiled.step.address, watcher)


def watch_conditions(
    generator: ActionGenerator, interpreter: StepInterpreter, addresses: Collection[str], asker: Asker
) -> None:
    """Says where some clauses and conditions of steps are asked, each time before they are."""
    for action in generator.all_actions():
        for clauses in action.clauses:
            clauses[:] = [
                (clause, _asked_before(run, clause.address, asker) if clause.address in addresses else run)
                for clause, run in clauses
            ]
    for index in range(len(interpreter.rules.blocks)):
        for compiled in interpreter.blocks[index]:
            if compiled.step.address in addresses and compiled.when is not None:
                compiled.when = _asked_before(compiled.when, compiled.step.address, asker)


def _asked_before(run: Callable[[Context], ConditionT], address: str, asker: Asker) -> Callable[[Context], ConditionT]:
    def asked(c: Context) -> ConditionT:
        asker(address, c)
        return run(c)

    return asked


def _watched_effect(effect: CompiledEffect, address: str, watcher: Watcher) -> CompiledEffect:
    def watched(d: MutableState, frame: Frame, env: Bindings) -> None:
        d.context_for(frame.seat, env)
        watcher(address, d)
        effect(d, frame, env)

    return watched


def observe_values(compiler: ExprCompiler, observer: Observer) -> None:
    """Tells of the derived values that are computed; what is known of a position already is not computed again."""
    compiler.wrap_values(lambda name, run: _observed_run(run, value_site(name), observer))


def observed_criterion(run: CompiledNumber, address: str, observer: Observer) -> CompiledNumber:
    """A criterion of the ranking that tells when it is asked."""
    return _observed_run(run, address, observer)


def _observed_condition(
    run: Callable[[Context], ConditionT], site: str, observer: Observer
) -> Callable[[Context], ConditionT]:
    def observed(c: Context) -> ConditionT:
        holds = run(c)
        observer((site, bool(holds)))
        return holds

    return observed


def _observed_run(run: Callable[[Context], ResultT], site: str, observer: Observer) -> Callable[[Context], ResultT]:
    event = (site, True)

    def observed(c: Context) -> ResultT:
        observer(event)
        return run(c)

    return observed


def _observed_effect(effect: CompiledEffect, site: str, observer: Observer) -> CompiledEffect:
    event = (site, True)

    def observed(d: MutableState, frame: Frame, env: Bindings) -> None:
        observer(event)
        effect(d, frame, env)

    return observed


__all__ = [
    "Watcher",
    "loop_site",
    "observe_actions",
    "observe_steps",
    "observe_values",
    "observed_criterion",
    "value_site",
    "watch_conditions",
    "watch_steps",
    "when_site",
    "while_site",
]
