"""What is done: actions with their choices and clauses, and the steps of set-up, round, turn, finale and procedures.

In: the sections of actions and steps. Out: numbered blocks of steps, and the actions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Final, NamedTuple, get_args

from rulewright import limits
from rulewright.diagnostics import Cause, Span
from rulewright.expr.cost import expression_cost, repetition_cost
from rulewright.expr.scope import ActionSymbol, Scope
from rulewright.expr.tree import Expr, Logic
from rulewright.expr.type_relations import is_assignable
from rulewright.expr.typecheck.expr_hints import names_that_fit, seat_hint
from rulewright.expr.types import ANY_NUMBER, FLAG, SEAT, Flag, Number, SetOf, Thing, Type, UnknownType
from rulewright.expr.walk import find_turn_read
from rulewright.frozen import replace
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model import codes
from rulewright.model.actions import ActionDef
from rulewright.model.choices import ChoiceReader
from rulewright.model.effects import (
    Block,
    Choose,
    Effect,
    EndMoment,
    Finish,
    GiveTurn,
    Leave,
    Reveal,
    RunSteps,
    Step,
)
from rulewright.model.expr_reader import IDENTIFIER_PATTERN, ExprReader
from rulewright.model.key_reader import read_keys
from rulewright.model.moves import MoveReader
from rulewright.model.offers import OfferReader
from rulewright.model.procedure_calls import called_name, read_arguments
from rulewright.model.procedure_turns import ProcedureRun, Procedures, report_runs_outside_turns
from rulewright.model.rules import DECLINE_TEXT
from rulewright.model.sentences import SentenceReader
from rulewright.model.source_texts import source_texts
from rulewright.model.state_steps import StateStepReader
from rulewright.model.symbol_table import METADATA_KEYS
from rulewright.model.traversal import single_run_exprs, step_exprs
from rulewright.source.nodes import (
    Entry,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    as_mapping,
    as_scalar,
    literal_value,
    text_or_default,
)
from rulewright.suggestions import join_list, list_names

LEAVE_OUT: Final = "leave it out"
ME: Final = lazy_pattern(r"\bme\b")
END_MOMENTS: Final[tuple[EndMoment, ...]] = get_args(EndMoment)

EffectReader = Callable[[MappingNode, Scope, str], Effect | None]


def declare_actions(reader: ExprReader) -> None:
    """Declares the names of actions, for `possible(…)` and offers."""
    for entry in reader.section("actions"):
        reader.declare(entry.key.text, ActionSymbol(), entry.key.span)
        if entry.key.text == DECLINE_TEXT:
            reader.usage.used_names.add(DECLINE_TEXT)
            reader.diagnostics.add(
                entry.key.span,
                codes.RESERVED_NAME,
                f"`{DECLINE_TEXT}` is reserved for declining",
                label="cannot be a name",
                help=f"choose another name: who says no to a `may` answers `{DECLINE_TEXT}`",
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
        self.offers = OfferReader(reader, self.choices)
        self.moves = MoveReader(reader)
        self.state_steps = StateStepReader(reader, has_elimination=has_elimination)
        self.blocks: list[Block] = []
        self.actions: list[ActionDef] = []
        self.procedure_blocks: dict[str, int] = {}
        self.procedure_arguments: dict[str, tuple[tuple[str, Type], ...]] = {}  # their names and types
        self.procedure_spans: dict[str, Span] = {}
        self.procedure_turns: set[str] = set()  # procedures that need a seat in turn
        self.procedure_calls: dict[str, list[tuple[str, ScalarNode]]] = {}  # procedure -> procedures it runs
        self.run_in_turns: set[str] = set()  # procedures that steps of turns and actions run
        self.runs_outside_turns: list[ProcedureRun] = []  # of those that need a seat in turn
        self.has_elimination = has_elimination
        self._procedure = ""  # the procedure being read
        self.effect_readers: dict[str, EffectReader] = {
            "move": self.moves.read_move,
            "set": self.state_steps.read_set,
            "roll": self.state_steps.read_roll,
            "reveal": self._reveal,
            "must": lambda node, scope, address: self.offers.read_choose(node, "must", scope, address),
            "may": lambda node, scope, address: self.offers.read_choose(node, "may", scope, address),
            "together": lambda node, scope, address: self.offers.read_choose(node, "together", scope, address),
            "turn": lambda node, scope, address: self._turn(node, scope, address, "turn"),
            "extra_turn": lambda node, scope, address: self._turn(node, scope, address, "extra_turn"),
            "end_game": self._finish,
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
        self.sentences.read_text(node, address, self.reader.scope(has_me=True))
        choices, scope = self.offers.choices_of(entry)
        clauses = self.choices.read_clauses(as_mapping(node.get("when")), scope, f"{address}.when")
        do = node.get("do")
        block = self.read_block(as_mapping(do) if do is not None else None, scope, f"{address}.do")
        return ActionDef(name, self.offers.indices[name], address, choices, clauses, block, entry.key.span)

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
                help="write `round: [turns: {for_each: player, turn: player}]` to give every player a turn",
                cause=Cause("no section", "round"),
            )
        procedures = Procedures(self.procedure_blocks, self.procedure_arguments, self.procedure_calls)
        report_runs_outside_turns(reader, procedures, self.blocks, self.runs_outside_turns, self.run_in_turns)
        return blocks

    # ---- blocks and steps ---------------------------------------------------------------------------------

    def read_block(self, node: MappingNode | None, scope: Scope, address: str, index: int | None = None) -> int:
        """Reads a list of steps; returns the index of its block: `index` if one was reserved, else the next."""
        if index is None:
            index = len(self.blocks)
            self.blocks.append(Block(address, ()))
        for entry in node or ():
            self.reader.check_local_id(entry.key.text, entry.key.span)
        steps = tuple(self._step(entry, scope, f"{address}.{entry.key.text}") for entry in node or ())
        types = tuple(variable.type for variable in sorted(scope.locals.values(), key=lambda variable: variable.slot))
        self.blocks[index] = Block(address, tuple(step for step in steps if step is not None), types)
        return index

    def read_procedures(self) -> None:
        """All procedures; they are numbered first, as steps anywhere may run them."""
        entries = list(self.reader.section("procedures"))
        for entry in entries:
            self.reader.check_local_id(entry.key.text, entry.key.span)
            address, arguments = f"procedures.{entry.key.text}", as_mapping(entry.value).get("with")
            self.procedure_arguments[entry.key.text] = self._read_argument_kinds(arguments, f"{address}.with")
            self.procedure_spans[entry.key.text] = entry.key.span
            self.procedure_blocks[entry.key.text] = len(self.blocks)
            self.blocks.append(Block(address, ()))
        for entry in entries:
            self.procedure_calls[entry.key.text] = []
            self._procedure = entry.key.text
            index = self.procedure_blocks[entry.key.text]
            scope = self.reader.scope(has_me=True, variables=dict(self.procedure_arguments[entry.key.text]))
            address = self.blocks[index].address
            self.read_block(as_mapping(as_mapping(entry.value).get("do")), scope, f"{address}.do", index)
            self.blocks[index] = replace(self.blocks[index], address=address)
            if self._uses_turn(self.blocks[index]):
                self.procedure_turns.add(entry.key.text)
        self._procedure = ""
        self._check_cycles()
        self._propagate_turns()

    def _read_argument_kinds(self, arguments: Node | None, address: str) -> tuple[tuple[str, Type], ...]:
        """The arguments of a procedure: their names, and of what type they are."""
        items = arguments.items if isinstance(arguments, SequenceNode) else ()
        names = [item for item in items if isinstance(item, ScalarNode)]
        if not names or any(name.text in self.reader.table.symbols for name in names):
            return read_keys(self.reader, arguments, address)
        listed = join_list([f"`{name.text}`" for name in names], "and")
        message = f"{listed} {'are' if names[1:] else 'is'} not a kind or component"
        hint = f"give each argument its kind: `{{{', '.join(f'{name.text}: a_kind' for name in names)}}}`"
        self.reader.diagnostics.add(
            names[0].span, codes.UNKNOWN_REFERENCE, message, label="not declared", help=hint, address=address
        )
        return tuple((name.text, UnknownType()) for name in names)

    def _uses_turn(self, block: Block) -> bool:
        """Whether steps need a seat in turn, nested steps too."""
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

    def _propagate_turns(self) -> None:
        """A procedure that runs one which needs a seat in turn needs one itself."""
        has_grown = True
        while has_grown:
            has_grown = False
            for name, calls in self.procedure_calls.items():
                if name not in self.procedure_turns and any(called in self.procedure_turns for called, _ in calls):
                    self.procedure_turns.add(name)
                    has_grown = True

    def _check_cycles(self) -> None:
        """Reports a procedure that runs itself, or procedures that run one another too deep."""
        for start in self.procedure_calls:
            pending: list[tuple[str, ...]] = [(start,)]
            seen = {start}
            while pending:
                way = pending.pop()
                for called, node in self.procedure_calls.get(way[-1], ()):
                    if called == start:
                        between = join_list([f"`{name}`" for name in way[1:]], "and") if len(way) > 1 else ""
                        message = f"procedure `{start}` runs itself" + (f" through {between}" if between else "")
                        hint = "repeat steps with `times` and `while`"
                        self.reader.diagnostics.add(
                            node.span, codes.CYCLE, message, label=f"runs `{start}` again", help=hint
                        )
                        return
                    if called not in seen:
                        seen.add(called)
                        pending.append((*way, called))
        self._check_depth()

    def _check_depth(self) -> None:
        """Reports procedures that run one another deeper than whoever follows them goes."""
        deepest = list(self.procedure_calls)
        for _ in range(limits.MAX_DEFINITION_DEPTH):
            calls = {called: node for name in deepest for called, node in self.procedure_calls.get(name, ())}
            deepest = list(calls)
        if deepest:
            message = f"procedures run one another more than {limits.MAX_DEFINITION_DEPTH} deep"
            self.reader.diagnostics.add(calls[deepest[0]].span, codes.TOO_MANY, message, label="one too deep")

    def _step(self, entry: Entry, scope: Scope, address: str) -> Step | None:
        node = as_mapping(entry.value)
        outer = scope
        each_node, times_node, by_node = (node.get(key) for key in ("for_each", "times", "by"))
        each = None if each_node is None else self.reader.read_binding(each_node, scope, address)
        if each is not None:
            scope = scope.with_variable(each.name, each.type)
        elif isinstance(each_node, ScalarNode) and (variable := IDENTIFIER_PATTERN.search(each_node.text)):
            scope = scope.with_variable(variable[0], UnknownType())  # what uses it is not reported again
        highest_node = node.get("highest_first")
        order_node = highest_node or node.get("lowest_first")
        order = None if order_node is None else self.reader.read_expression(order_node, scope, ANY_NUMBER, address)
        times = None if times_node is None else self.reader.read_expression(times_node, outer, ANY_NUMBER, address)
        if times is not None and isinstance(times.type, Number) and times.type.high < 0:
            assert times_node is not None
            message = f"a step cannot be repeated fewer than 0 times, but this is at most {times.type.high}"
            self.reader.diagnostics.add(times_node.span, codes.OUT_OF_BOUNDS, message, label="below 0", address=address)
        while_node, when_node = node.get("while"), node.get("when")
        while_condition = None
        if while_node is not None:
            while_condition = self.reader.read_expression(while_node, scope, FLAG, address, is_condition=True)
        when = None if when_node is None else self._read_condition(when_node, scope, address)
        by = None if by_node is None else self._read_seats(by_node, scope, address, many="together" in node)
        self.sentences.read_rule_text(node, address, scope)
        verb = next((key for key in self.effect_readers if key in node), None)
        if verb is not None:
            self._check_unused_keys(node, verb, address)
        if scope.slot_count > limits.MAX_STEP_VARIABLES:
            self.reader.diagnostics.add(
                entry.key.span,
                codes.TOO_MANY,
                f"the variables in scope of this step are over the limit of {limits.MAX_STEP_VARIABLES}",
                address=address,
            )
        if verb is None or (each_node is not None and each is None):
            return None
        effect = self.effect_readers[verb](node, scope, address)
        if effect is None:
            return None
        step = Step(
            address,
            effect,
            when,
            each,
            order,
            times,
            by,
            entry.key.span,
            is_descending=highest_node is not None,
            while_condition=while_condition,
            source_texts=source_texts(node),
        )
        return replace(
            step,
            cost=1 + sum(expression_cost(expr, scope) for expr in single_run_exprs(step)),
            loop_cost=repetition_cost(step.times, step.for_each, step.order, scope),
        )

    def _read_condition(self, node: Node, scope: Scope, address: str) -> Expr | None:
        """When a step is done: its condition without a name and those with one, which must all hold."""
        if isinstance(node, MappingNode):
            self.sentences.read_reason(node, f"{address}.when", scope)
        unnamed = not isinstance(node, MappingNode) or "is" in node
        conditions = [self.reader.read_expression(node, scope, FLAG, address, is_condition=True)] if unnamed else []
        named = (
            [entry for entry in as_mapping(node) if entry.key.text not in (*METADATA_KEYS, "is")]
            if isinstance(node, MappingNode)
            else []
        )
        conditions += [clause.condition for clause in self.choices.read_clauses(named, scope, f"{address}.when")]
        return (
            reduce(lambda left, right: Logic("and", left, right, FLAG, right.offsets), conditions)
            if conditions
            else None
        )

    def _check_unused_keys(self, node: MappingNode, verb: str, address: str) -> None:
        by, single = node.get("by"), node.get("if_only_one")
        if by is not None and verb not in ("must", "may", "together"):
            text = "`by` has no effect: nobody decides in this step"
            self.reader.diagnostics.add(by.span, codes.NO_EFFECT, text, help=LEAVE_OUT, address=address)
        if single is not None and verb != "must":
            text = "`if_only_one` has no effect without `must`"
            self.reader.diagnostics.add(single.span, codes.NO_EFFECT, text, help=LEAVE_OUT, address=address)

    def _read_seats(self, node: Node, scope: Scope, address: str, *, many: bool) -> Expr:
        meant = SetOf(SEAT) if many else SEAT
        expr = self.reader.read_expression(node, scope, None, address, meant=meant)
        is_seat = is_assignable(expr.type, SEAT, self.reader.kinds) and not isinstance(expr.type, Number)
        if many:
            is_seat = is_seat or is_assignable(expr.type, SetOf(SEAT), self.reader.kinds)
        if not is_seat:
            wanted = "a player or a set of players" if many else "a player"
            hint, cause = seat_hint(scope, many=many) if isinstance(expr.type, Number) else "", None
            if many and isinstance(expr.type, Flag) and isinstance(node, ScalarNode):
                condition = ME.sub(SEAT.kind, node.text)
                hint, cause = f"write `each player where {condition}`", Cause("condition")
            hint = hint or list_names("names that fit", names_that_fit(meant, scope))
            self.reader.emit_type_mismatch(node, expr.type, wanted, address, help=hint, cause=cause)
        return expr

    # ---- verbs --------------------------------------------------------------------------------------------

    def _reveal(self, node: MappingNode, scope: Scope, address: str) -> Effect:
        what_node, to_node = node.get("reveal"), node.get("to")
        assert what_node is not None
        what = self.reader.read_expression(what_node, scope, None, address)
        is_thing = isinstance(what.type, Thing | UnknownType) or (
            isinstance(what.type, SetOf) and isinstance(what.type.element, Thing)
        )
        if not is_thing:
            self.reader.emit_type_mismatch(what_node, what.type, "a thing or a set of things", address)
        to = None
        if to_node is not None and text_or_default(to_node) != "all":
            hinted = replace(scope, later_names=(*scope.later_names, "all"))
            to = self._read_seats(to_node, hinted, address, many=True)
        return Reveal(what, to)

    def _turn(self, node: MappingNode, scope: Scope, address: str, key: str) -> Effect:
        seat_node = node.get(key)
        assert seat_node is not None
        return GiveTurn(self._read_seats(seat_node, scope, address, many=False), key == "extra_turn")

    def _finish(self, node: MappingNode, scope: Scope, address: str) -> Effect:
        winners_node = node.get("winners")
        winners = None if winners_node is None else self._read_seats(winners_node, scope, address, many=True)
        return Finish(literal_value(node.get("end_game"), END_MOMENTS, "after_round"), winners)

    def _leave(self, node: MappingNode, scope: Scope, address: str) -> Effect:
        seats_node = node.get("leave")
        assert seats_node is not None
        return Leave(self._read_seats(seats_node, scope, address, many=True))

    def _run(self, node: MappingNode, scope: Scope, address: str) -> Effect | None:
        call = as_scalar(node.get("run"))
        assert call is not None
        name = called_name(call)
        self.reader.usage.used_names.add(name.text)
        if name.text not in self.procedure_blocks:
            self.reader.usage.used_names.update(self.procedure_blocks)  # it may mean any of them
            advice = ""
            if isinstance(self.reader.table.symbols.get(name.text), ActionSymbol):
                advice = f"`{name.text}` is an action: offer it with `must: [{name.text}]` or `may`"
            self.reader.emit_unknown(name, "procedure", list(self.procedure_blocks), address, advice=advice)
            return None
        if self._procedure:
            self.procedure_calls[self._procedure].append((name.text, name))
        elif scope.has_me:
            self.run_in_turns.add(name.text)
        elif name.text in self.procedure_turns:
            self.runs_outside_turns.append(ProcedureRun(name, address))
        types = [type_ for _, type_ in self.procedure_arguments[name.text]]
        declaration = self.procedure_spans[name.text]
        arguments = read_arguments(self.reader, call, scope, types, declaration, address)
        if arguments is None:
            return None
        return RunSteps(self.procedure_blocks[name.text], is_procedure=True, arguments=arguments)

    def _do(self, node: MappingNode, scope: Scope, address: str) -> Effect:
        return RunSteps(self.read_block(as_mapping(node.get("do")), scope, f"{address}.do"), is_procedure=False)
