"""Is a term of a value added or taken off twice?

In: the state of a build. Out: warnings about terms that say the same as one before them in the same sum; about what is
added twice in an expression, or added and taken off again; and about terms that add a field and a number for some of
the things whose field another term adds for all, so that only the number is meant ("one more for each"). Numbers as
they are written may be the same by chance.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import COUNTED_TWICE
from rulewright.checker.common.warn import warn
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Arithmetic, Expr, FieldAccess, FieldTotal, Local, ReadState, ReadValue, ReadZone, Sum
from rulewright.expr.walk import addends, find_position_read, free_variables, iter_exprs
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.rules import ValueDef
from rulewright.source.nodes import ScalarNode


@build_pass(needs=["judged"], skip=after_errors)
def check_repeated_terms(state: BuildState) -> None:
    """Reports them; under variants the one that a variant wrote."""
    for value in state.judged.values.values():
        before = dict[object, str]()
        for address, term in _terms(value) if len(value.terms) + len(value.deductions) > 1 else ():
            key = structural_key(term)
            if key is None or before.setdefault(key, address) == address or not _reads_something(term):
                continue
            same, other = address, before[key]
            nodes = {each: condition_node(state.document.root, *each.rsplit(".", 1)) for each in (same, other)}
            if (node := nodes[other]) is not None and node.span.source.path in state.variant_files:
                same, other = other, same  # what is new is told
            if (node := nodes[same]) is None:
                continue
            message = f"this is what `{other}` is, so it is counted twice"
            hint = "remove one of the two, or write `2 * …` if it counts double"
            if same.rpartition(".")[0] != other.rpartition(".")[0]:
                message, hint = f"this is added and taken off again: `{other}` is the same", "remove both"
            warn(state, node.span, COUNTED_TWICE, message, "the same again", hint, same)
        _check_fields_again(value, state)
        for address, term in _written_terms(value):
            _check_addends(address, term, state)


def _check_addends(address: str, term: Expr, state: BuildState) -> None:
    """Reports what is added twice within one expression."""
    node, before = condition_node(state.document.root, *address.rsplit(".", 1)), set[object]()
    for addend in addends(term):
        key = structural_key(addend)
        if key in before and _reads_something(addend) and isinstance(node, ScalarNode):
            span = node.subspan(*addend.offsets)
            message = f"`{span.text.strip()}` is added twice"
            hint = "is another one meant? if it counts double, write `2 * …`"
            warn(state, span, COUNTED_TWICE, message, "the same again", hint, address)
            return
        before |= set() if key is None else {key}


def _check_fields_again(value: ValueDef, state: BuildState) -> None:
    """Reports terms that add what a field says and a number, where another term has added the field already."""
    totals = {
        (term.name, structural_key(term.of)): f"values.{value.name}.sum.{name}"
        for name, term in value.terms
        if isinstance(term, FieldTotal) and isinstance(term.of, ReadZone)
    }
    for name, term in value.terms if totals else ():
        field = _field_and_number(term)
        whole = totals.get((field, structural_key(term.over))) if field and isinstance(term, Sum) else None
        address = f"values.{value.name}.sum.{name}"
        node = condition_node(state.document.root, *address.rsplit(".", 1))
        if whole is None or node is None:
            continue
        message = f"`{whole}` adds `{field}` of each already, so it is counted twice here"
        hint = f"add the number alone, or write `2 * {field}` if it counts double"
        warn(state, node.span, COUNTED_TWICE, message, "the same again", hint, address)


def _field_and_number(term: Expr) -> str:
    """The field that a term adds up with a number for each thing."""
    if not isinstance(term, Sum) or not isinstance(term.of, Arithmetic) or term.of.op != "+":
        return ""
    sides = (term.of.left, term.of.right)
    fields = [side for side in sides if isinstance(side, FieldAccess) and isinstance(side.of, Local)]
    is_number = any(find_position_read(side) is None and not free_variables(side) for side in sides)
    return fields[0].name if is_number and len(fields) == 1 and free_variables(fields[0]) == {term.slot} else ""


def _terms(value: ValueDef) -> Iterator[tuple[str, Expr]]:
    """The terms and the deductions by their addresses."""
    for section, terms in (("sum", value.terms), ("less", value.deductions)):
        for name, term in terms:
            yield f"values.{value.name}.{section}.{name}", term


def _written_terms(value: ValueDef) -> Iterator[tuple[str, Expr]]:
    """The terms by the addresses at which they are written."""
    if [name for name, _ in value.terms] == ["is"]:
        yield f"values.{value.name}.is", value.terms[0][1]
        return
    yield from _terms(value)


def _reads_something(term: Expr) -> bool:
    return any(isinstance(part, ReadState | ReadValue | ReadZone) for part in iter_exprs(term))


__all__ = ["check_repeated_terms"]
