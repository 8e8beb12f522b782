"""Is there a step that is never carried out, or a condition that what comes before has made false?

In: rules, and the composition they were built from. Out: warnings. Under variants only what a variant wrote or made so.
What depends on how many play is said only if it is so with the most players, too.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.codes import DEALS_SHORT
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import CHANGES_NOTHING, NEVER_REACHED
from rulewright.checker.common.most_players import has_most_players, with_most_players
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.parameter_reads import ParameterReads
from rulewright.checker.logic.empty_zones import FEWER_WILL_DO
from rulewright.checker.logic.flow_verdicts import COPY, IDLE, DeadClause, DeadStep, FlowResult, IdleStep
from rulewright.checker.logic.known_conditions import KnownRanges
from rulewright.checker.logic.step_flow import find_dead_steps
from rulewright.diagnostics import Code, Diagnostics, Related, Span
from rulewright.document.address import find_entry
from rulewright.expr.codes import NEVER_TRUE
from rulewright.expr.tree import ReadState
from rulewright.expr.walk import iter_exprs
from rulewright.frozen import frozen
from rulewright.model.codes import SAME_FOR_ALL
from rulewright.model.effects import Finish, Move, SetState
from rulewright.model.facts.declared_ranges import find_declared_ranges
from rulewright.model.loader import Composition, base_rules
from rulewright.model.rules import Rules
from rulewright.source.nodes import ScalarNode
from rulewright.suggestions import join_list


@frozen
class _Finding:
    """Something that never happens: where it is written, as text, at which rule; what makes it so. `is_end`: it would
    end the game.
    """

    code: Code
    span: Span
    subject: str
    address: str
    causes: tuple[str, ...]
    is_end: bool = False


def check_flow(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports steps and clauses that the steps before them rule out."""
    flow = find_dead_steps(rules)
    emptying = set(_check_ranking(rules, flow, composition, diagnostics))
    reported_causes = set[tuple[str, ...]]()
    if not flow.steps and not flow.clauses and not flow.idle:
        return
    always = _addresses(_with_most_players(composition))
    reported = [one.span for one in diagnostics if one.code is NEVER_TRUE]
    short = {f"{one.address}.move" for one in diagnostics if one.code is DEALS_SHORT}
    ends = {step.address for block in rules.blocks for step in block.steps if isinstance(step.effect, Finish)}
    of_base: set[str] | None = None  # what never happens without the variants either, once that is asked
    variant_files = composition.variant_files
    for finding in _findings(flow, composition):
        if always is not None and finding.address not in always:
            continue
        if finding.code is NEVER_REACHED and finding.causes in reported_causes:
            continue  # the first step after an end is enough
        if finding.code is CHANGES_NOTHING and not finding.address.endswith((f".{IDLE}", f".{COPY}")):
            if finding.causes in emptying:
                continue  # so is the first rule that is about what is no longer there
            emptying.add(finding.causes)
        if finding.address in short or any(finding.span.contains(span) for span in reported):
            continue
        if composition.is_judged(finding.span):
            _report(finding, composition, diagnostics, _begins_anew(finding, rules))
            reported_causes.add(finding.causes)
        else:
            of_base = _dead_in_base(composition) if of_base is None else of_base
            is_replaced = finding.is_end and not ends.isdisjoint(finding.causes)  # by another end, which may be meant
            if finding.address not in of_base and not is_replaced:
                reported_causes.add(finding.causes)
                _blame(finding, composition, variant_files, diagnostics)


def _check_ranking(
    rules: Rules, flow: FlowResult, composition: Composition, diagnostics: Diagnostics
) -> Iterator[tuple[str, ...]]:
    """Reports criteria that come to the same for everybody when the game ends, since a step has emptied a place; gives
    the rules that make each so.
    """
    known = flow.ends
    if known is None or not (known.empty or known.set_by) or rules.has_elimination:
        return
    declared, parameters, names = find_declared_ranges(rules), ParameterReads(rules), NamesTouched(rules)
    zones = {zone for zone, _ in known.empty.values()}
    for criterion in rules.ranking:
        if not names.read(criterion.of) & zones:
            continue
        ranges = KnownRanges(rules, declared.contents, known, parameters)
        if ranges.scalars(criterion.of, {0: ranges.seats}, ranges.seats).single is None or not ranges.used:
            continue
        key = "most" if criterion.is_maximized else "fewest"
        node = condition_node(composition.document.root, criterion.address, key)
        if node is None or not composition.is_judged(node.span):
            continue
        causes = tuple(dict.fromkeys(ranges.used))
        diagnostics.add(
            node.span,
            SAME_FOR_ALL,
            "this is the same for every player when the game ends",
            label="decides nothing",
            help=f"{join_list([f'`{cause}`' for cause in causes], 'and')} comes before",
            address=criterion.address,
            related=[Related(span, cause) for cause in causes if (span := _rule_span(composition, cause))],
        )
        yield causes


def _begins_anew(finding: _Finding, rules: Rules) -> str:
    """What to do about a state that begins anew each turn or round and that the one step to blame counts on."""
    steps = [step for block in rules.blocks for step in block.steps if step.address in finding.causes]
    if len(finding.causes) != 1 or len(steps) != 1 or not isinstance(effect := steps[0].effect, SetState):
        return ""
    state = rules.states[effect.target.name]
    counts_on = any(isinstance(part, ReadState) and part.name == state.name for part in iter_exprs(effect.to))
    if not counts_on or state.reset_scope not in ("turn", "round"):
        return ""
    scope = state.reset_scope
    return f"`{state.name}` begins anew with each {scope}: leave out `resets: {scope}` if it is to go on"


def _report(finding: _Finding, composition: Composition, diagnostics: Diagnostics, begins_anew: str) -> None:
    """Where it is."""
    causes = join_list([f"`{cause}`" for cause in finding.causes], "and")
    label = {NEVER_REACHED: "is never reached", CHANGES_NOTHING: "changes nothing here"}.get(
        finding.code, "never holds here"
    )
    is_ended = finding.code is NEVER_REACHED and not finding.address.endswith(".for_each")
    verb = "ends the game before" if is_ended else "comes before and rules it out"
    help_ = f"{causes} {verb}" if len(finding.causes) == 1 else f"{causes} come before and rule it out"
    if finding.code is CHANGES_NOTHING and finding.address.endswith((".move", ".reveal")):
        is_own = finding.causes == (finding.address.rpartition(".")[0],)
        help_ = "its own condition says that nothing is there" if is_own else f"after {causes} nothing is there"
        if _is_while(finding.causes):
            help_ = "the loop goes on only while nothing is there: is its condition the wrong way round?"
    elif finding.code is CHANGES_NOTHING:
        help_ = f"after {causes} there is nothing to add or to take off"
    if all(cause.startswith("zones.") for cause in finding.causes):
        help_ = f"{causes} {'begins' if len(finding.causes) == 1 else 'begin'} empty"
    if all(cause.startswith("state.") for cause in finding.causes):
        help_ = f"{causes} {'begins' if len(finding.causes) == 1 else 'begin'} anew just before"
    help_, address = begins_anew or help_, finding.address
    if address.endswith(f".{COPY}"):
        label, address = "is always the same here", f"{address.removesuffix(COPY)}{IDLE}"
    others = (finding.address.rpartition(".")[0],) if _is_while(finding.causes) else finding.causes
    related = [Related(span, other) for other in others if (span := _rule_span(composition, other))]
    diagnostics.add(
        finding.span,
        finding.code,
        f"{finding.subject} {label}",
        label=label.removeprefix("is "),
        help=help_,
        address=address,
        related=related,
    )


def _blame(finding: _Finding, composition: Composition, files: frozenset[str], diagnostics: Diagnostics) -> None:
    """At the rule of a variant that rules out one of the game, if one does."""
    for cause in finding.causes:
        span = _rule_span(composition, cause)
        if span is None or span.source.path not in files:
            continue
        name = composition.chosen_variants[-1].name
        of_rule = f"of `{finding.address}`"
        verbs = {NEVER_REACHED: "is never reached", CHANGES_NOTHING: f"{of_rule} changes nothing"}
        what = verbs.get(finding.code, f"{of_rule} never holds")
        diagnostics.add(
            span,
            finding.code,
            f"with variant `{name}`: {finding.subject} {what} after this",
            label="rules it out",
            address=cause,
            related=[Related(finding.span, finding.address)],
        )
        return


def _findings(flow: FlowResult, composition: Composition) -> list[_Finding]:
    return [
        *(_step_finding(dead, composition) for dead in flow.steps),
        *(_clause_finding(dead) for dead in flow.clauses),
        *(_idle_finding(idle, composition) for idle in flow.idle if not _fails_at_once(idle)),
    ]


def _fails_at_once(idle: IdleStep) -> bool:
    """Whether the set-up takes what has to be there from where nothing is: then it fails, which is told."""
    move = idle.step.effect
    if not isinstance(move, Move) or move.source is None or move.amount.mode in FEWER_WILL_DO:
        return False
    return all(cause.startswith("zones.") for cause in idle.causes)


def _step_finding(dead: DeadStep, composition: Composition) -> _Finding:
    step, is_end = dead.step, isinstance(dead.step.effect, Finish)
    if not dead.is_reached:
        span = _rule_span(composition, step.address) or step.span
        return _Finding(NEVER_REACHED, span, f"`{step.address}`", step.address, dead.causes, is_end)
    node = condition_node(composition.document.root, step.address, dead.key)
    if dead.key == "for_each":
        address = f"{step.address}.for_each"
        if dead.condition is None or not isinstance(node, ScalarNode):
            span = step.span if node is None else node.span
            return _Finding(NEVER_REACHED, span, "what is done for each", address, dead.causes, is_end)
        text = node.text[slice(*dead.condition.offsets)].strip()
        return _Finding(NEVER_TRUE, node.subspan(*dead.condition.offsets), f"`{text}`", address, dead.causes, is_end)
    if not isinstance(node, ScalarNode) or dead.condition is None:
        span = step.span if node is None else node.span
        return _Finding(NEVER_TRUE, span, "this condition", step.address, dead.causes, is_end)
    text, span = node.text[slice(*dead.condition.offsets)].strip(), node.subspan(*dead.condition.offsets)
    return _Finding(NEVER_TRUE, span, f"`{text}`", step.address, dead.causes, is_end)


def _idle_finding(idle: IdleStep, composition: Composition) -> _Finding:
    step = idle.step
    if _is_while(idle.causes):
        loop = condition_node(composition.document.root, idle.causes[0].removesuffix(".while"), "while")
        if isinstance(loop, ScalarNode):
            subject, address = f"within a loop that asks `{loop.text}`, `{step.address}`", f"{step.address}.{idle.key}"
            return _Finding(CHANGES_NOTHING, loop.span, subject, address, idle.causes)
    key = {"move": "from", COPY: IDLE}.get(idle.key, idle.key)
    node = condition_node(composition.document.root, step.address, key)
    if node is None:
        node = condition_node(composition.document.root, step.address, idle.key)
    span, address = step.span if node is None else node.span, f"{step.address}.{idle.key}"
    return _Finding(
        CHANGES_NOTHING, span, f"`{node.text}`" if isinstance(node, ScalarNode) else "this", address, idle.causes
    )


def _is_while(causes: tuple[str, ...]) -> bool:
    """Whether a loop within which something is moved goes on only where it is not there."""
    return len(causes) == 1 and causes[0].endswith(".while")


def _clause_finding(dead: DeadClause) -> _Finding:
    clause = dead.clause
    return _Finding(NEVER_TRUE, clause.span, f"`{clause.source_text}`", clause.address, dead.causes)


def _rule_span(composition: Composition, address: str) -> Span | None:
    entry = find_entry(composition.document.root, address)
    return None if entry is None else entry.key.span


def _addresses(flow: FlowResult | None) -> set[str] | None:
    if flow is None:
        return None
    steps = {f"{dead.step.address}.for_each" if dead.key == "for_each" else dead.step.address for dead in flow.steps}
    idle = {f"{one.step.address}.{one.key}" for one in flow.idle}
    return steps | idle | {dead.clause.address for dead in flow.clauses}


def _dead_in_base(composition: Composition) -> set[str]:
    """What never happens without the chosen variants either."""
    base = base_rules(composition)
    return set() if base is None else _addresses(find_dead_steps(base)) or set()


def _with_most_players(composition: Composition) -> FlowResult | None:
    """What never happens when as many play as can; None where that is what is being checked."""
    if has_most_players(composition):
        return None
    found = with_most_players(composition)
    return FlowResult() if found is None else find_dead_steps(found[1])


__all__ = ["check_flow"]
