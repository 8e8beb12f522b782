"""What is done: actions with their choices and clauses, and the steps of set-up, round, turn, finale and procedures.

In: the sections that say what happens, and the table of names. Out: blocks of steps, numbered, and the actions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import reduce
from typing import Final, Literal, NamedTuple, cast

from rulewright import limits
from rulewright.diagnostics import Related
from rulewright.expr.cost import expression_cost
from rulewright.expr.scope import ActionSymbol, Scope
from rulewright.expr.tree import Expr, Logic, StateTarget
from rulewright.expr.type_relations import is_assignable, max_elements
from rulewright.expr.typecheck.expr_hints import seat_hint
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.expr.walk import find_turn_read
from rulewright.model import codes
from rulewright.model.choices import ChoiceReader
from rulewright.model.expr_reader import ExprReader
from rulewright.model.moves import MoveReader
from rulewright.model.rules import (
    ELIMINATION_STATE,
    ActionDef,
    Block,
    Choice,
    Choose,
    Effect,
    Finish,
    GiveTurn,
    Leave,
    Offer,
    Reveal,
    Roll,
    RunSteps,
    SetState,
    Step,
)
from rulewright.model.sentences import SentenceReader
from rulewright.model.symbol_table import METADATA_KEYS
from rulewright.model.traversal import single_run_exprs, step_exprs
from rulewright.source.nodes import (
    Entry,
    MappingNode,
    Node,
    ScalarNode,
    as_items,
    as_mapping,
    as_scalar,
    text_or_default,
)

FLAG: Final = Flag()
SEAT_TYPE: Final = Member("seat")
ANY_BAG: Final = Bag("")
DECLINE: Final = "decline"

EffectReader = Callable[[MappingNode, Scope, str], Effect | None]


def declare_actions(reader: ExprReader) -> None:
    """Declares the names of actions, for `possible(…)` and offers."""
    for entry in reader.section("actions"):
        reader.declare(entry.key.text, ActionSymbol(entry.key.span), entry.key.span)
        if entry.key.text == DECLINE:
            reader.usage.used_names.add(DECLINE)
            reader.diagnostics.add(
                entry.key.span,
                codes.RESERVED_NAME,
                f"`{DECLINE}` is what every player may answer where nothing must be done",
                label="cannot be a name",
            )


class SectionBlocks(NamedTuple):
    """The blocks of the four sections of steps."""

    setup: int
    turn: int
    round: int
    finale: int


class StepReader:
    """Reads steps into blocks. A block is numbered when it is opened, so the numbering follows the files."""

    def __init__(self, reader: ExprReader, sentences: SentenceReader, *, has_elimination: bool) -> None:
        self.reader = reader
        self.sentences = sentences
        self.choices = ChoiceReader(reader, sentences)
        self.moves = MoveReader(reader)
        self.blocks: list[Block] = []
        self.actions: list[ActionDef] = []
        self.action_indices = {entry.key.text: at for at, entry in enumerate(reader.section("actions"))}
        self.action_scopes: dict[str, Scope] = {}  # of each action, after its choices
        self.procedure_blocks: dict[str, int] = {}
        self.procedure_turns: set[str] = set()  # procedures that speak of the seat in turn
        self.procedure_calls: dict[str, list[tuple[str, ScalarNode]]] = {}  # procedure -> procedures it runs
        self.has_elimination = has_elimination
        self._inside = ""  # the procedure that is being read
        self.effect_readers: dict[str, EffectReader] = {
            "move": self.moves.read_move,
            "set": self._set,
            "roll": self._roll,
            "reveal": self._reveal,
            "must": self._must,
            "may": self._may,
            "together": self._together,
            "turn": lambda node, scope, address: self._turn(node, scope, address, "turn"),
            "extra_turn": lambda node, scope, address: self._turn(node, scope, address, "extra_turn"),
            "finish": self._finish,
            "leave": self._leave,
            "run": self._run,
            "do": self._do,
        }

    # ---- actions ------------------------------------------------------------------------------------------

    def read_actions(self) -> None:
        """All actions, in the order of the files, which is their numbering."""
        for entry in self.reader.section("actions"):
            self.actions.append(self._action(entry))

    def _action(self, entry: Entry) -> ActionDef:
        name, node, address = entry.key.text, as_mapping(entry.value), f"actions.{entry.key.text}"
        scope = self.reader.scope(has_me=True)
        self.sentences.read_text(node, address, scope)
        choices: list[Choice] = []
        for one in as_mapping(node.get("choose")) if "choose" in node else ():
            choice = self.choices.read_choice(one, scope, f"{address}.choose.{one.key.text}")
            choices.append(choice)
            scope = self.reader.bind_choice(one.key, choice.type, scope, choice.address)
        if len(choices) > limits.MAX_CHOICES:
            self.reader.diagnostics.add(
                entry.key.span,
                codes.TOO_MANY,
                f"{len(choices)} choices in one action; {limits.MAX_CHOICES} are allowed",
                address=address,
            )
        self.action_scopes[name] = scope
        clauses = self.choices.read_clauses(as_mapping(node.get("when")), scope, f"{address}.when")
        do = node.get("do")
        block = self.read_block(as_mapping(do) if do is not None else None, scope, f"{address}.do")
        return ActionDef(name, self.action_indices[name], address, tuple(choices), clauses, block, entry.key.span)

    def read_sections(self) -> SectionBlocks:
        """The steps of set-up, turn, round and finale; a game needs a round."""
        reader = self.reader
        blocks = SectionBlocks(
            *(
                self.read_block(as_mapping(reader.root.get(name)), reader.scope(has_me=name == "turn"), name)
                for name in SectionBlocks._fields
            )
        )
        if "round" not in reader.root:
            reader.diagnostics.add(
                reader.root.entries[0].key.span,
                codes.MISSING_SECTION,
                "a game needs a `round`",
                help="round: [turns: {for_each: seat, turn: seat}] gives every seat a turn",
            )
        return blocks

    # ---- blocks and steps ---------------------------------------------------------------------------------

    def read_block(self, node: MappingNode | None, scope: Scope, address: str, index: int | None = None) -> int:
        """Reads a list of steps; returns the number of its block, that which was kept for it or the next."""
        number = len(self.blocks) if index is None else index
        if index is None:
            self.blocks.append(Block(address, ()))
        for entry in node or ():
            self.reader.check_local_id(entry.key.text, entry.key.span)
        steps = tuple(self._step(entry, scope, f"{address}.{entry.key.text}") for entry in node or ())
        bound = tuple(one.type for one in sorted(scope.locals.values(), key=lambda one: one.slot))
        self.blocks[number] = Block(address, tuple(step for step in steps if step is not None), bound)
        return number

    def read_procedures(self) -> None:
        """All procedures; they are numbered first, as steps anywhere may run them."""
        entries = list(self.reader.section("procedures"))
        for entry in entries:
            self.reader.check_local_id(entry.key.text, entry.key.span)
            self.procedure_blocks[entry.key.text] = len(self.blocks)
            self.blocks.append(Block(f"procedures.{entry.key.text}", ()))
        for entry in entries:
            self.procedure_calls[entry.key.text] = []
            self._inside = entry.key.text
            address, scope = f"procedures.{entry.key.text}", self.reader.scope(has_me=True)
            number = self.read_block(as_mapping(entry.value), scope, address, self.procedure_blocks[entry.key.text])
            if self._uses_turn(self.blocks[number]):
                self.procedure_turns.add(entry.key.text)
        self._inside = ""
        self._circles()
        self._pass_on_turns()

    def _uses_turn(self, block: Block) -> bool:
        """Whether steps speak of the seat in turn, in nested steps and in the procedures they run too."""
        values = frozenset(self.reader.table.turn_values)
        for step in block.steps:
            effect = step.effect
            if isinstance(effect, Choose) and step.by is None and effect.mode != "together":
                return True
            if isinstance(effect, RunSteps) and not effect.is_procedure and self._uses_turn(self.blocks[effect.block]):
                return True
            if any(find_turn_read(expr, values) for expr in step_exprs(step)):
                return True
        return False

    def _pass_on_turns(self) -> None:
        """A procedure that runs one which speaks of the seat in turn does so itself."""
        grown = True
        while grown:
            grown = False
            for name, calls in self.procedure_calls.items():
                if name not in self.procedure_turns and any(one in self.procedure_turns for one, _ in calls):
                    self.procedure_turns.add(name)
                    grown = True

    def _circles(self) -> None:
        for start in self.procedure_calls:
            path, seen = [start], {start}
            while path:
                for called, node in self.procedure_calls.get(path.pop(), ()):
                    if called == start:
                        self.reader.diagnostics.add(
                            node.span, codes.CYCLE, f"procedure `{start}` comes back to itself", label="runs it again"
                        )
                        return
                    if called not in seen:
                        seen.add(called)
                        path.append(called)

    def _step(self, entry: Entry, scope: Scope, address: str) -> Step | None:
        node = as_mapping(entry.value)
        outer = scope
        each_node, order_node, times_node, by_node = (node.get(key) for key in ("for_each", "order", "times", "by"))
        each = None if each_node is None else self.reader.read_binding(each_node, scope, address)
        if each is not None:
            scope = scope.with_variable(each.name, each.type)
        number = Number(-(10**9), 10**9)
        order = None if order_node is None else self.reader.read_expression(order_node, scope, number, address)
        times = None if times_node is None else self.reader.read_expression(times_node, outer, number, address)
        if times is not None and isinstance(times.type, Number) and times.type.high < 0:
            assert times_node is not None
            message = f"this is done {times.type.high} times at most: a step is done 0 times or more"
            self.reader.diagnostics.add(times_node.span, codes.OUT_OF_BOUNDS, message, label="below 0", address=address)
        when_node = node.get("when")
        when = None if when_node is None else self._when(when_node, scope, address)
        by = None if by_node is None else self._seats(by_node, scope, address, many="together" in node)
        self.sentences.read_text(node, address, scope)
        verb = next((key for key in self.effect_readers if key in node), None)
        if verb is not None:
            self._without_effect(node, verb, address)
        if scope.slot_count > limits.MAX_STEP_VARIABLES:
            self.reader.diagnostics.add(
                entry.key.span,
                codes.TOO_MANY,
                f"more than {limits.MAX_STEP_VARIABLES} variables are bound around this step",
                address=address,
            )
        if verb is None or (each_node is not None and each is None):
            return None
        effect = self.effect_readers[verb](node, scope, address)
        if effect is None:
            return None
        step = Step(address, effect, when, each, order, times, by, entry.key.span, source_texts=_written(node))
        return replace(
            step,
            cost=1 + sum(expression_cost(expr, scope) for expr in single_run_exprs(step)),
            loop_cost=_rounds(step, scope),
        )

    def _when(self, node: Node, scope: Scope, address: str) -> Expr | None:
        """When a step is done: its condition without a name and those with one, which must all hold."""
        if isinstance(node, MappingNode):
            self.sentences.read_reason(node, f"{address}.when", scope)
        unnamed = not isinstance(node, MappingNode) or "is" in node
        found = [self.reader.read_expression(node, scope, FLAG, address, is_condition=True)] if unnamed else []
        named = (
            [one for one in as_mapping(node) if one.key.text not in (*METADATA_KEYS, "is")]
            if isinstance(node, MappingNode)
            else []
        )
        found += [clause.condition for clause in self.choices.read_clauses(named, scope, f"{address}.when")]
        return reduce(lambda left, right: Logic("and", left, right, FLAG, right.offsets), found) if found else None

    def _without_effect(self, node: MappingNode, verb: str, address: str) -> None:
        by, single = node.get("by"), node.get("single")
        if by is not None and verb not in ("must", "may", "together"):
            text = "`by` says who decides, and this step asks nobody"
            self.reader.diagnostics.add(by.span, codes.NO_EFFECT, text, address=address)
        if single is not None and verb != "must":
            text = "only what must be done can be done by itself"
            self.reader.diagnostics.add(single.span, codes.NO_EFFECT, text, address=address)

    def _seats(self, node: Node, scope: Scope, address: str, *, many: bool) -> Expr:
        expr = self.reader.read_expression(node, scope, None, address)
        good = is_assignable(expr.type, SEAT_TYPE, self.reader.kinds) and not isinstance(expr.type, Number)
        if many:
            good = good or is_assignable(expr.type, SetOf(SEAT_TYPE), self.reader.kinds)
        if not good:
            wanted = "a set of seats" if many else "a seat"
            self.reader.emit_type_mismatch(node, expr.type, wanted, address, help=seat_hint(scope, many=many))
        return expr

    # ---- verbs --------------------------------------------------------------------------------------------

    def _set(self, node: MappingNode, scope: Scope, address: str) -> Effect | None:
        target_node, to_node = node.get("set"), node.get("to")
        assert target_node is not None
        assert to_node is not None
        target = self._target(target_node, scope, address)
        to = self.reader.read_expression(to_node, scope, None if target is None else target.type, address)
        return None if target is None else SetState(target, to)

    def _target(self, node: Node, scope: Scope, address: str) -> StateTarget | None:
        target = self.reader.read_state_target(node, scope, address)
        if target is not None and self.has_elimination and target.name == ELIMINATION_STATE:
            text = f"only the step `leave` changes who has {ELIMINATION_STATE}"
            self.reader.diagnostics.add(
                node.span, codes.WRONG_KIND_OF_THING, text, label="not to be set", address=address
            )
        return target

    def _roll(self, node: MappingNode, scope: Scope, address: str) -> Effect | None:
        reader = self.reader
        target_node = node.get("roll")
        assert target_node is not None
        target = self._target(target_node, scope, address)
        if target is None:
            return None
        weights = as_mapping(node.get("weights")) if "weights" in node else None
        ids, values = self._outcomes(target.type)
        if not values and not isinstance(target.type, UnknownType):
            self.reader.emit_type_mismatch(
                target_node, target.type, "a state that is a number within bounds, a member or a flag", address
            )
        table = dict.fromkeys(values, 1)
        if weights is not None:
            table = dict.fromkeys(values, 0)
            for entry in weights:
                if entry.key.text not in ids:
                    reader.emit_unknown(entry.key, "outcome", list(ids), address)
                    return None
                weight = entry.value.value if isinstance(entry.value, ScalarNode) else 0
                table[values[ids.index(entry.key.text)]] = weight if isinstance(weight, int) else 0
            if not any(table.values()) and values:
                reader.diagnostics.add(
                    weights.span, codes.MISSING_CASE, "no outcome has a weight above 0", address=address
                )
        return Roll(target, tuple((value, weight) for value, weight in table.items() if weight > 0))

    def _outcomes(self, type_: Type) -> tuple[tuple[str, ...], tuple[int, ...]]:
        match type_:
            case Number(low=low, high=high) if high - low < 1000:
                return tuple(map(str, range(low, high + 1))), tuple(range(low, high + 1))
            case Member(kind=kind) if kind in self.reader.kinds:
                return self.reader.kinds[kind].members, self.reader.kinds[kind].member_values
            case Flag():
                return ("false", "true"), (0, 1)
            case _:
                return (), ()

    def _reveal(self, node: MappingNode, scope: Scope, address: str) -> Effect:
        what_node, to_node = node.get("reveal"), node.get("to")
        assert what_node is not None
        what = self.reader.read_expression(what_node, scope, None, address)
        good = isinstance(what.type, Thing | UnknownType) or (
            isinstance(what.type, SetOf) and isinstance(what.type.element, Thing)
        )
        if not good:
            self.reader.emit_type_mismatch(what_node, what.type, "a thing or a set of things", address)
        to = None
        if to_node is not None and text_or_default(to_node) != "all":
            to = self._seats(to_node, scope, address, many=True)
        return Reveal(what, to)

    def _must(self, node: MappingNode, scope: Scope, address: str) -> Effect:
        return self._choose(node, "must", scope, address)

    def _may(self, node: MappingNode, scope: Scope, address: str) -> Effect:
        return self._choose(node, "may", scope, address)

    def _together(self, node: MappingNode, scope: Scope, address: str) -> Effect:
        return self._choose(node, "together", scope, address)

    def _choose(self, node: MappingNode, how: Literal["must", "may", "together"], scope: Scope, address: str) -> Effect:
        if not scope.has_me and "by" not in node and how != "together":
            self.reader.diagnostics.add(
                node.entry(how).key.span,  # type: ignore[union-attr]  # the verb was found under this key
                codes.NEEDS_A_TURN,
                "nobody is in turn here, so it must be said who decides",
                label="who?",
                help="add `by:` with a seat",
                address=address,
            )
        offers = []
        for item in as_items(node.get(how)):
            if isinstance(item, ScalarNode):
                number = self._action_number(item, address)
                if number is not None:
                    offers.append(Offer(number, ()))
                continue
            for entry in as_mapping(item):
                number = self._action_number(entry.key, address)
                if number is not None:
                    inner = self.action_scopes[entry.key.text]
                    where = f"{address}.{how}.{entry.key.text}"
                    offers.append(Offer(number, self.choices.read_clauses(as_mapping(entry.value), inner, where)))
        self._offered_once(node.get(how), address)
        otherwise_node = as_scalar(node.get("otherwise"))
        otherwise: int | Literal["nothing"] | None = None
        if otherwise_node is not None:
            is_nothing = otherwise_node.text == "nothing"
            otherwise = "nothing" if is_nothing else self._action_number(otherwise_node, address)
        return Choose(how, tuple(offers), otherwise, text_or_default(node.get("single")) == "automatic")

    def _offered_once(self, offers: Node | None, address: str) -> None:
        seen: dict[str, ScalarNode] = {}
        for item in as_items(offers):
            for key in [item] if isinstance(item, ScalarNode) else [entry.key for entry in as_mapping(item)]:
                if key.text in seen:
                    self.reader.diagnostics.add(
                        key.span,
                        codes.OFFERED_TWICE,
                        f"this step offers `{key.text}` already",
                        address=address,
                        related=[Related(seen[key.text].span, "the first time")],
                    )
                seen.setdefault(key.text, key)
        if not seen and offers is not None:
            self.reader.diagnostics.add(offers.span, codes.NO_EFFECT, "a step that offers nothing", address=address)

    def _action_number(self, node: ScalarNode, address: str) -> int | None:
        self.reader.usage.used_names.add(node.text)
        if node.text in self.action_indices:
            return self.action_indices[node.text]
        self.reader.emit_unknown(node, "action", list(self.action_indices), address)
        return None

    def _turn(self, node: MappingNode, scope: Scope, address: str, key: str) -> Effect:
        seat_node = node.get(key)
        assert seat_node is not None
        return GiveTurn(self._seats(seat_node, scope, address, many=False), key == "extra_turn")

    def _finish(self, node: MappingNode, scope: Scope, address: str) -> Effect:
        winners_node = node.get("winners")
        winners = None if winners_node is None else self._seats(winners_node, scope, address, many=True)
        return Finish(cast(Literal["round", "game"], text_or_default(node.get("finish"))), winners)

    def _leave(self, node: MappingNode, scope: Scope, address: str) -> Effect:
        seats_node = node.get("leave")
        assert seats_node is not None
        return Leave(self._seats(seats_node, scope, address, many=True))

    def _run(self, node: MappingNode, scope: Scope, address: str) -> Effect:
        name = as_scalar(node.get("run"))
        assert name is not None
        self.reader.usage.used_names.add(name.text)
        if name.text not in self.procedure_blocks:
            self.reader.emit_unknown(name, "procedure", list(self.procedure_blocks), address)
            return RunSteps(0, is_procedure=True)
        if self._inside:
            self.procedure_calls[self._inside].append((name.text, name))
        if not scope.has_me and name.text in self.procedure_turns:
            self.reader.diagnostics.add(
                name.span,
                codes.NEEDS_A_TURN,
                f"procedure `{name.text}` speaks of the seat in turn, but here no seat is in turn",
                address=address,
            )
        return RunSteps(self.procedure_blocks[name.text], is_procedure=True)

    def _do(self, node: MappingNode, scope: Scope, address: str) -> Effect:
        return RunSteps(self.read_block(as_mapping(node.get("do")), scope, f"{address}.do"), is_procedure=False)


def _written(node: MappingNode) -> tuple[tuple[str, str], ...]:
    """What a step says in expressions and words, on one line each; sentences and nested steps are said elsewhere."""
    found = []
    for entry in node:
        said = [" ".join(one.text.split()) for one in _expressions(entry) if isinstance(one, ScalarNode)]
        if said and entry.key.text not in METADATA_KEYS:
            found.append((entry.key.text, " and ".join(said if len(said) == 1 else [f"({one})" for one in said])))
    return tuple(found)


def _expressions(entry: Entry) -> Iterator[Node]:
    """What a key holds: one expression, or several conditions by name."""
    if entry.key.text == "when" and isinstance(entry.value, MappingNode):
        for one in entry.value:
            if one.key.text == "is" or one.key.text not in METADATA_KEYS:
                yield text if (text := as_mapping(one.value).get("is")) is not None else one.value
        return
    inner = entry.value.get("is") if isinstance(entry.value, MappingNode) else entry.value
    if inner is not None:
        yield inner


def _rounds(step: Step, scope: Scope) -> int:
    """A bound on the steps of finding out what a step is done for."""
    work = 0 if step.times is None else expression_cost(step.times, scope)
    if step.for_each is not None:
        for_one = sum(
            expression_cost(expr, scope) for expr in (step.for_each.condition, step.order) if expr is not None
        )
        work += expression_cost(step.for_each.over, scope) + max_elements(step.for_each.over.type, scope.kinds) * (
            1 + for_one
        )
    return work
