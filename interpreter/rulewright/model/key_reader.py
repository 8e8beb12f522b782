"""What zones, values and states are kept by: kinds and components, each with the variable that it binds.

In: the node under `per`, and the reader of expressions. Out: the types of keys by variable, and the values they run
over; what names no kind goes to the diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from rulewright.diagnostics import Related
from rulewright.expr.codes import FORMER_SPELLING, SHADOWING
from rulewright.expr.keywords import KEYWORDS
from rulewright.expr.scope import ComponentSymbol, KindSymbol, MemberSymbol, Symbol, UnavailableSymbol
from rulewright.expr.typecheck.expr_hints import former_name
from rulewright.expr.typecheck.loops import shadowing_reason
from rulewright.expr.types import SEAT, Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model import codes
from rulewright.model.expr_reader import IDENTIFIER_PATTERN, KEY_SORT, ExprReader
from rulewright.model.symbol_table import symbol_phrase
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, as_items
from rulewright.suggestions import closest_name, did_you_mean, join_list, meant_hint

KEY_SYMBOLS: Final = (KindSymbol, ComponentSymbol)  # by whose members things are kept
NUMBER_RANGE: Final = lazy_pattern(r"\d+ to \w+")


def read_keys(reader: ExprReader, node: Node | None, address: str) -> tuple[tuple[str, Type], ...]:
    """The keys of a zone, value or state, with the variable each binds; of a wrong one also what it may mean."""
    if node is None:
        return ()
    keys: list[tuple[ScalarNode, Type]] = []
    if isinstance(node, MappingNode):
        keys = [_read_named_key(reader, entry, address) for entry in node]
    else:
        items = [item for item in as_items(node) if isinstance(item, ScalarNode)]
        if _report_nameless_keys(reader, items, address):
            return tuple((item.text, UnknownType()) for item in items)
        keys = [(item, read_key_type(reader, item, address)) for item in items]
    scope = reader.table.scope(has_me=True)
    is_named = isinstance(node, MappingNode)
    for key, type_ in keys:
        if is_named:
            reader.check_reserved(key.text, key.span)
        if isinstance(type_, UnknownType):
            continue
        reason = shadowing_reason(key.text, type_, scope)
        if reason:
            reader.diagnostics.add(
                key.span,
                SHADOWING,
                reason,
                label="taken",
                help="choose another name" if is_named else f"write `{{name: {key.text}}}` to name the key",
                address=address,
            )
        scope = scope.with_variable(key.text, type_)
    wrong = [key.text for key, type_ in keys if isinstance(type_, UnknownType) and not is_named]
    meant = {name: UnknownType() for text in wrong for name in _meant_keys(reader, text)}
    return (*((key.text, type_) for key, type_ in keys), *meant.items())


def _several_keys_hint(words: Sequence[str]) -> str:
    """For several words where a kind is named: `each player` is one, `level and place` are two."""
    names = [word for word in words if word not in KEYWORDS]
    return f"several keys are a list: `[{', '.join(names)}]`" if len(names) > 1 else f"write `{''.join(names)}`"


def _read_named_key(reader: ExprReader, entry: Entry, address: str) -> tuple[ScalarNode, Type]:
    """`{name: kind}`: the name and the type; of `{kind: name}`, which is reported, only the name."""
    kind, name = entry.key, entry.value
    is_kind = isinstance(reader.table.symbols.get(kind.text), KEY_SYMBOLS)
    if not isinstance(name, ScalarNode) or not is_kind or name.text in reader.table.symbols:
        return kind, read_key_type(reader, name, address)
    message = f"there is no kind or component `{name.text}`"
    hint = f"the name stands first: `{{{name.text}: {kind.text}}}`"
    reader.diagnostics.add(
        name.span, codes.UNKNOWN_REFERENCE, message, label="not declared", help=hint, address=address
    )
    return name, UnknownType()


def read_key_type(reader: ExprReader, node: Node, address: str) -> Type:
    """What a zone, value or state is kept by: a kind or a component."""
    assert isinstance(node, ScalarNode)
    reader.record_use(node)
    symbol = reader.table.symbols.get(node.text)
    match symbol:
        case KindSymbol(kind=kind):
            return Member(kind)
        case ComponentSymbol():
            return Thing(node.text)
        case UnavailableSymbol(""):
            pass
        case None if former := former_name(node.text):
            reader.diagnostics.add(
                node.span, FORMER_SPELLING, former[0], label="former", help=former[1], address=address
            )
            return SEAT
        case None if NUMBER_RANGE.fullmatch(node.text):
            message = f"`{node.text}` are numbers, expected a kind or component"
            hint = f"name the numbers as a kind: `kinds: {{step: {node.text}}}`"
            reader.diagnostics.add(
                node.span, codes.UNKNOWN_REFERENCE, message, label="not a name", help=hint, address=address
            )
        case None if len(names := IDENTIFIER_PATTERN.findall(node.text)) > 1:
            reader.diagnostics.add(
                node.span,
                codes.UNKNOWN_REFERENCE,
                f"there is no kind or component `{node.text}`",
                label="several names",
                help=_several_keys_hint(names),
                address=address,
            )
        case None:
            symbols = reader.table.symbols.items()
            known = [name for name, other in symbols if isinstance(other, KEY_SYMBOLS)]
            reader.emit_unknown(node, KEY_SORT, known, address)
        case _ if node.text in reader.table.ambiguous_names:
            pass  # a kind may have been meant
        case _:
            reader.diagnostics.add(
                node.span,
                codes.WRONG_KIND_OF_THING,
                f"`{node.text}` is {symbol_phrase(symbol)}, not a kind or component",
                help=meant_hint(node.text, symbol.kind) if isinstance(symbol, MemberSymbol) else "",
                address=address,
                related=[Related(reader.table.declaration_spans[node.text], "declared here")]
                if node.text in reader.table.declaration_spans
                else (),
            )
    return UnknownType()


def key_values(reader: ExprReader, type_: Type) -> tuple[int, ...]:
    """The run-time values that a key runs over."""
    match type_:
        case Member(kind=kind) if kind in reader.kinds:
            return reader.kinds[kind].member_values
        case Thing(component=component):
            symbol = reader.table.symbols.get(component)
            return tuple(range(symbol.row_count)) if isinstance(symbol, ComponentSymbol) else ()
        case Member() | Flag() | Number() | Bag() | SetOf() | UnknownType():
            return ()
        case _:
            assert_never(type_)


def keyed_symbol(symbol: Symbol, key_types: Iterable[Type]) -> Symbol:
    """The symbol of a name with keys; where one of them is wrong, which has been reported, uses are not."""
    return UnavailableSymbol("") if any(isinstance(type_, UnknownType) for type_ in key_types) else symbol


def _report_nameless_keys(reader: ExprReader, items: Sequence[ScalarNode], address: str) -> bool:
    """Reports a list of names of which none is a kind, and some not even nearly: the keys without their kinds."""
    names = [item.text for item in items]
    if len(items) < 2 or any(name in reader.table.symbols or former_name(name) for name in names):
        return False
    known = [name for name, symbol in reader.table.symbols.items() if isinstance(symbol, KEY_SYMBOLS)]
    if not all(map(IDENTIFIER_PATTERN.fullmatch, names)) or all(did_you_mean(name, known) for name in names):
        return False
    reader.diagnostics.add(
        items[0].span,
        codes.UNKNOWN_REFERENCE,
        f"there are no kinds or components {join_list([f'`{name}`' for name in names], 'and')}",
        label="not declared",
        help=f"say what each of them is: `{{{', '.join(f'{name}: some_kind' for name in names)}}}`",
        address=address,
    )
    return True


def _meant_keys(reader: ExprReader, text: str) -> list[str]:
    """The variables that a key which names no kind is probably meant to bind, so that what uses them is not
    reported again.
    """
    known = [name for name, symbol in reader.table.symbols.items() if isinstance(symbol, KEY_SYMBOLS)]
    return [name for name in (*IDENTIFIER_PATTERN.findall(text), closest_name(text, known)) if name]


__all__ = ["key_values", "keyed_symbol", "read_key_type", "read_keys"]
