"""All facts of a rule model, and what they say of the rule at an address.

In: rules. Out: `Facts`, and lines of text: what something can be, what it reads and writes, what can come next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product
from typing import Final, get_args

from rulewright import limits
from rulewright.expr.tree import Expr, Place, ReadValue
from rulewright.expr.types import FLAG, Bag, Member, SetOf, Type
from rulewright.expr.walk import iter_exprs
from rulewright.model.actions import ActionDef, Clause
from rulewright.model.effects import Choose, Move, Step
from rulewright.model.facts.accesses import Access, Accesses, AccessFinder
from rulewright.model.facts.action_numbers import (
    ActionNumbering,
    find_action_numbering,
)
from rulewright.model.facts.costs import Costs, find_costs
from rulewright.model.facts.expression_ranges import ExpressionRanges, Variables
from rulewright.model.facts.fact_words import FactWords
from rulewright.model.facts.flow import Flow, StepPlace, find_flow
from rulewright.model.facts.found_ranges import PositionRanges
from rulewright.model.facts.position_ranges import find_position_ranges
from rulewright.model.facts.routes import Route
from rulewright.model.facts.value_ranges import Scalars
from rulewright.model.facts.zone_uses import Look, ZoneUse, find_zone_uses
from rulewright.model.rules import Rules, StateDef, ZoneDef
from rulewright.model.traversal import asked_exprs, choice_exprs, offered_actions

USES: Final = get_args(Look)


class Facts:
    """What rules say of themselves. Each part is computed when it is first asked for.

    `positions`: what is known of positions already.
    """

    def __init__(self, rules: Rules, positions: PositionRanges | None = None) -> None:
        self.rules = rules
        self._given_positions = positions

    @cached_property
    def positions(self) -> PositionRanges:
        """What every place and state variable can hold, and what each choice can be."""
        return self._given_positions or find_position_ranges(self.rules)

    @cached_property
    def ranges(self) -> ExpressionRanges:
        """What expressions can be in any position."""
        return self.accesses.ranges

    @cached_property
    def accesses(self) -> AccessFinder:
        """What is read and written."""
        return AccessFinder(self.rules, self.positions)

    @cached_property
    def flow(self) -> Flow:
        """What runs what, and what can follow what."""
        return find_flow(self.rules)

    @cached_property
    def action_numbering(self) -> ActionNumbering:
        """A number for every action, whatever the position."""
        return find_action_numbering(self.rules, self.positions)

    @cached_property
    def costs(self) -> Costs:
        """How much there is to do between decisions, and for lists of legal actions."""
        return find_costs(self.rules, self.positions)

    @cached_property
    def zone_uses(self) -> Mapping[str, frozenset[ZoneUse]]:
        """How the rules look at zones."""
        return find_zone_uses(self.rules)

    @cached_property
    def words(self) -> FactWords:
        """How ranges, accesses and numbers are said."""
        return FactWords(self.rules, self.ranges)

    def step_at(self, address: str) -> StepPlace | None:
        """The step at an address."""
        return next((place for place, step in self._steps() if step.address == address), None)

    def _steps(self) -> Iterator[tuple[StepPlace, Step]]:
        for number, block in enumerate(self.rules.blocks):
            for index, step in enumerate(block.steps):
                yield StepPlace(number, index), step

    # ---- in words ------------------------------------------------------------------------------------------

    def describe(self, address: str) -> list[tuple[str, str]]:
        """The facts about a rule, each with its label; `.`: about the whole game; none for what has none."""
        section, _, name = address.partition(".")
        rules = self.rules
        if address in (".", ""):
            return list(self._game_facts())
        if section == "zones" and name in rules.zones:
            return list(self._zone_facts(rules.zones[name]))
        state = next((state for state in rules.states.values() if state.address == address), None)
        if state is not None:
            return list(self._state_facts(state))
        if section == "values" and name in rules.values:
            return list(self._value_facts(name))
        action = rules.find_action(name) if section == "actions" else None
        if action is not None:
            return list(self._action_facts(action))
        action = rules.find_action(name.partition(".")[0]) if section == "actions" else None
        if action is not None and (found := list(self._part_facts(action, address))):
            return found
        if address in self._judged:
            return [("reads", self.words.accesses_text(self._judged_reads(address)))]
        block = next((number for number, each in enumerate(rules.blocks) if each.address == address), None)
        if block is not None:
            return list(self._block_facts(block))
        for _, step in self._steps():
            for offer in step.effect.offers if isinstance(step.effect, Choose) else ():
                for clause in offer.clauses:
                    if clause.address == address:
                        return list(self._clause_facts(clause, rules.actions[offer.action]))
        place = self.step_at(address)
        return [] if place is None else list(self._step_facts(place))

    def _game_facts(self) -> Iterator[tuple[str, str]]:
        yield "actions", f"numbered below {self.action_numbering.count}"
        yield "places", f"{len(self.positions.contents)}, and {len(self.positions.variables)} state variables"
        yield "cost", self._route_text(self.costs.game)
        endless = sorted(self.rules.blocks[block].address for block in self.costs.endless)
        yield "endless", ", ".join(endless) or "nothing"
        recursive = sorted(self.rules.blocks[block].address for block in self.flow.recursive)
        yield "recursive", ", ".join(recursive) or "nothing"

    def _block_facts(self, block: int) -> Iterator[tuple[str, str]]:
        if block not in self.positions.blocks:
            yield "reached", "never"
            return
        yield from self._accesses_facts(self.accesses.block(block))
        yield "cost", self._route_text(self.costs.blocks[block])
        if block in self.costs.endless:
            yield "endless", "it can follow itself for ever without a decision"
        if block in self.flow.recursive:
            yield "recursive", "its steps can run themselves"
        callers = [self.rules.blocks[place.block].steps[place.index].address for place in self.flow.run_by[block]]
        yield "run by", ", ".join(dict.fromkeys(callers)) or "no step"
        around = sorted(self.rules.blocks[outer].address for outer in self.flow.around[block])
        yield "inside", ", ".join(around) or "nothing"

    def _route_text(self, route: Route) -> str:
        """How much there is to do without a decision, next to the limits of play."""
        most = route.longest
        if not most.is_bounded:
            return "no bound without a decision"
        return (
            f"between decisions at most {most.evaluation:,} of {limits.MAX_WORK:,} steps of evaluation, "
            f"{most.steps:,} of {limits.MAX_AUTOMATIC_STEPS:,} steps"
        )

    def _zone_facts(self, zone: ZoneDef) -> Iterator[tuple[str, str]]:
        type_: Type = Bag(zone.content_type.kind) if isinstance(zone.content_type, Member) else SetOf(zone.content_type)
        texts = [
            self.words.range_text(self.positions.contents[place], type_)
            for place in range(zone.first_index, zone.first_index + zone.size)
        ]
        yield from self._by_key("holds", zone, texts)
        if zone.refill is not None:
            yield "refilled", self._refill_text(zone, zone.refill)
        uses = sorted(self.zone_uses[zone.name], key=lambda use: (not use.is_fold, USES.index(use.look), use.field))
        yield "looked at", "; ".join(self.words.use_text(zone, use) for use in uses) or "never"
        yield from self._users("zone", zone.name)

    def _refill_text(self, zone: ZoneDef, refill: Place) -> str:
        """From which places the places of a zone fill themselves."""
        source = self.rules.zones[refill.zone]
        pairs = []
        for keys in product(*zone.key_values):
            env = {slot: Scalars.of((key,)) for slot, key in enumerate(keys)}
            access = Access("zone", source.name, self.accesses.keys(source, refill.keys, env, self.ranges.seats))
            names = [self.words.value_text(key, type_) for key, type_ in zip(keys, zone.key_types, strict=True)]
            pairs.append((self.words.access_text(access), f"{zone.name}({', '.join(names)})" if names else zone.name))
        by_source = {text: [place for other, place in pairs if other == text] for text, _ in pairs}
        if len(by_source) == 1:
            return f"from {next(iter(by_source))}"
        parts = [(f"{places[0]}, …" if len(places) > 1 else places[0], text) for text, places in by_source.items()]
        return "; ".join(f"{places} from {text}" for places, text in parts)

    def _state_facts(self, state: StateDef) -> Iterator[tuple[str, str]]:
        texts = [
            self.words.range_text(self.positions.variables[index], state.type)
            for index in range(state.first_index, state.first_index + state.size)
        ]
        yield from self._by_key("can be", state, texts)
        if state.reset_scope:
            begun = state.block_address or f"a {state.reset_scope}"
            yield "set back", f"when {begun} begins"
        yield from self._users("state", state.name)

    def _by_key(self, label: str, definition: ZoneDef | StateDef, texts: list[str]) -> Iterator[tuple[str, str]]:
        """The text of each place: one for all when they are alike, else with the first key where only that matters."""
        if len(set(texts)) == 1:
            yield label, texts[0]
            return
        inner = len(texts) // len(definition.key_values[0])
        for index, value in enumerate(definition.key_values[0]):
            part = texts[index * inner : (index + 1) * inner]
            key = self.words.value_text(value, definition.key_types[0])
            name = f"{definition.name}({key}{', …' if len(definition.key_values) > 1 else ''})"
            yield label, f"{name}: {'; or '.join(dict.fromkeys(part))}"

    def _users(self, kind: str, name: str) -> Iterator[tuple[str, str]]:
        """The steps that read and that write a zone or state, and the actions that are legal according to it."""
        found: dict[str, list[str]] = {"read by": [], "written by": []}
        for place, step in self._steps():
            known = self.positions.blocks.get(place.block)
            if known is None:
                continue
            own = self.accesses.own(step, known.variables, known.me)
            for label, accesses in (("read by", own.reads), ("written by", own.writes)):
                if any((access.kind, access.name) == (kind, name) for access in accesses):
                    found[label].append(step.address)
        for action in self.rules.actions:
            reads = self.accesses.legality_reads(action, self.ranges.seats)
            if action.index in self.positions.choices and any((each.kind, each.name) == (kind, name) for each in reads):
                found["read by"].append(action.address)
        for address in self._judged:
            if any((access.kind, access.name) == (kind, name) for access in self._judged_reads(address)):
                found["read by"].append(address)
        for label, addresses in found.items():
            yield label, ", ".join(addresses) or "nothing"

    def _value_facts(self, name: str) -> Iterator[tuple[str, str]]:
        definition = self.rules.values[name]
        keys = tuple(self.ranges.full_range(type_) for type_ in definition.key_types)
        yield "can be", self.words.range_text(self.ranges.value(name, keys, self.ranges.seats), definition.type)
        yield "reads", self.words.accesses_text(self.accesses.value_reads(name, keys, self.ranges.seats))
        yield "read by", ", ".join(self._readers_of_value(name)) or "nothing"

    def _readers_of_value(self, name: str) -> Iterator[str]:
        """The addresses of what names a derived value."""
        rules = self.rules
        named: list[tuple[str, Iterable[Expr]]] = [(step.address, asked_exprs(step)) for _, step in self._steps()]
        for action in rules.actions:
            domains = (expr for choice in action.choices for expr in choice_exprs(choice))
            named.append((action.address, (*domains, *(clause.condition for clause in action.clauses))))
        named += [
            (f"values.{value.name}", [term for _, term in (*value.terms, *value.deductions)])
            for value in rules.values.values()
        ]
        named += [(address, [expr]) for address, expr in self._judged.items()]
        for address, exprs in named:
            if any(isinstance(part, ReadValue) and part.name == name for expr in exprs for part in iter_exprs(expr)):
                yield address

    def _action_facts(self, action: ActionDef) -> Iterator[tuple[str, str]]:
        answers = self.positions.choices.get(action.index)
        if answers is None:
            yield "possible", "never"
            return
        for choice, known in zip(action.choices, answers, strict=True):
            yield choice.name, self.words.range_text(known, choice.type)
        numbered = self.action_numbering.actions[action.index]
        numbers = f"{numbered.first} to {numbered.first + numbered.count - 1}" if numbered.count > 1 else numbered.first
        yield "numbers", f"{numbers} of {self.action_numbering.count}"
        offered = [
            step.address
            for _, step in self._steps()
            if isinstance(step.effect, Choose) and action.index in offered_actions(step.effect)
        ]
        yield "offered by", ", ".join(offered) or "no step"
        yield "legal by", self.words.accesses_text(self.accesses.legality_reads(action, self.ranges.seats))
        yield from self._accesses_facts(self.accesses.action(action))

    def _part_facts(self, action: ActionDef, address: str) -> Iterator[tuple[str, str]]:
        """The facts about a choice or a clause of an action."""
        answers = self.positions.choices.get(action.index)
        env = dict(enumerate(answers or ()))
        for slot, choice in enumerate(action.choices):
            if choice.address == address:
                yield "can be", "nothing" if answers is None else self.words.range_text(answers[slot], choice.type)
                if answers is not None:
                    yield (
                        "numbers",
                        self.words.numbering_text(self.action_numbering.actions[action.index].choices[slot]),
                    )
                yield "reads", self._exprs_text(choice_exprs(choice), env)
        for clause in action.clauses:
            if clause.address == address:
                yield from self._clause_facts(clause, action)

    def _clause_facts(self, clause: Clause, action: ActionDef) -> Iterator[tuple[str, str]]:
        env = dict(enumerate(self.positions.choices.get(action.index, ())))
        yield "can be", self.words.range_text(self.ranges.scalars(clause.condition, env, self.ranges.seats), FLAG)
        yield "reads", self._exprs_text((clause.condition,), env)

    def _exprs_text(self, exprs: Iterable[Expr], env: Variables) -> str:
        seats = self.ranges.seats
        return self.words.accesses_text(access for expr in exprs for access in self.accesses.reads(expr, env, seats))

    @cached_property
    def _judged(self) -> dict[str, Expr]:
        """What is computed beside the steps: of the ranking and the invariants, by address."""
        criteria = {criterion.address: criterion.of for criterion in self.rules.ranking}
        return criteria | {invariant.address: invariant.condition for invariant in self.rules.invariants}

    def _judged_reads(self, address: str) -> frozenset[Access]:
        """What a line of the ranking or an invariant reads; a seat may be bound."""
        return self.accesses.reads(self._judged[address], {0: self.ranges.seats}, self.ranges.seats)

    def _step_facts(self, place: StepPlace) -> Iterator[tuple[str, str]]:
        step, known = self.rules.blocks[place.block].steps[place.index], self.positions.blocks.get(place.block)
        if known is None:
            yield "reached", "never"
            return
        yield from self._accesses_facts(self.accesses.step(step, known.variables, known.me))
        if isinstance(step.effect, Move):
            sources = self.accesses.sources(step, known.variables, known.me)
            yield "takes from", self.words.accesses_text(sources) if sources is not None else "wherever it lies"
        loop = f", {step.loop_cost:,} more for its loop" if step.loop_cost else ""
        yield (
            "cost",
            f"{step.cost:,} steps of evaluation by itself{loop}; {self._route_text(self.costs.steps[step.address])}",
        )
        if step.address in self.costs.lists:
            yield "legal list", f"at most {self.costs.lists[step.address]:,} of {limits.MAX_WORK:,} steps of evaluation"
        if place.block in self.flow.recursive:
            yield "recursive", "its steps can run themselves"
        if place in self.flow.next:
            following = [self.rules.blocks[each.block].steps[each.index].address for each in self.flow.next[place]]
            yield "next", ", ".join(following) or "no decision"
            around = sorted(self.rules.blocks[block].address for block in self.flow.around[place.block])
            yield "inside", ", ".join(around) or "nothing"

    def _accesses_facts(self, accesses: Accesses) -> Iterator[tuple[str, str]]:
        yield "reads", self.words.accesses_text(accesses.reads)
        yield "writes", self.words.accesses_text(accesses.writes)


__all__ = ["Facts"]
