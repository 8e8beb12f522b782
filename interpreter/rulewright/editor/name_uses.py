"""What each word of a rule means: ids where they are declared, in addresses, expressions, and holes of sentences.

In: the names that a rule speaks of, its node and address. Out: its words, each with the address of what it means, or
with the name that a rule binds for itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from rulewright.diagnostics import Span
from rulewright.document.address import AddressParts, child_entries
from rulewright.document.language import (
    OFFER_VERBS,
    PROSE_KEYS,
    definition_at,
    ordered_principal_key,
    principal_key,
)
from rulewright.document.sentence_places import TEXT_KEY
from rulewright.editor.known_names import ID, KnownNames, is_prose_key, is_word
from rulewright.editor.local_names import (
    KEYS_OF,
    LocalName,
    ShortForm,
    Visible,
    bound_at,
    bound_by_head,
    bound_by_keys,
    is_choice,
    seen_by,
    sorts_of,
)
from rulewright.expr.keywords import RESERVED_NAMES
from rulewright.expr.parse import canonical_text, parse
from rulewright.expr.syntax_tree import SyntaxNode, SyntaxToken
from rulewright.expr.templates import PIECE_PATTERN
from rulewright.frozen import field, frozen
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode, as_items, as_mapping

if TYPE_CHECKING:
    from rulewright.expr.grammar import StartRule

ADDRESS_KEYS: Final = ("at", "about")  # of a passage
NOT_OF_ONE: Final = ("holds", "type", "seen_by", "order")  # what a declaration says of all its keys together
OUTSIDE_THE_LOOP: Final = ("for_each", "times")  # of a step, they do not see its own variable
LOOPS: Final = ("some", "every", "no", "each")
AGGREGATES: Final = ("total", "greatest", "least")
STARTS: Final[dict[str, tuple[StartRule, ...]]] = {
    "for_each": ("binding",), "move": ("amount",), "to": ("place", "expr"), "grid": ("grid",),
}  # fmt: skip
STARTS_BY_TITLE: Final[dict[str, tuple[StartRule, ...]]] = {"a place": ("place",), "a type": ("type",)}
OTHER_STARTS: Final[tuple[StartRule, ...]] = ("expr", "every_kind")
ROW_KEYS: Final = ("id", "for_each", "source", "status", "text")


@frozen
class NameUse:
    """A word of the rules: where, the address of what it means, what it is bound to, what could be meant there besides.
    `is_field`: it follows a dot; `form`: what it is a part of that could be written in another form.
    """

    span: Span
    word: str
    address: str
    local: LocalName | None = None
    visible: Visible = field(default_factory=dict)
    is_field: bool = False
    form: ShortForm | None = None

    @property
    def is_binding(self) -> bool:
        """Whether it stands for its kind and binds its name at once: as `per: NAME` and `for_each: NAME` do."""
        return self.local is not None and self.local.is_implied and self.span == self.local.span


@frozen
class ExpressionPlace:
    """Where an expression is: in which scalar, and which of its characters."""

    scalar: ScalarNode
    start: int
    end: int


def file_of_cases(name: str) -> str:
    """The address above the cases of a file of scenarios, which has that name."""
    return f"scenarios.{name.replace('.', '/')}"


class RuleWalk:
    """Goes through rules with the names that they speak of. What is found of expressions is added to `expressions`."""

    def __init__(self, names: KnownNames, expressions: list[ExpressionPlace]) -> None:
        self.names, self.expressions = names, expressions
        self._fields: dict[AddressParts, str] = {}  # what the keys of rows mean, of which there can be very many

    # ---- names and addresses --------------------------------------------------------------------------------

    def named(self, node: Node) -> Iterator[NameUse]:
        """Names that stand alone, one or several."""
        for item in as_items(node):
            if isinstance(item, ScalarNode) and (address := self.names.in_expressions.get(item.text, "")):
                yield NameUse(item.span, item.text, address)

    def addresses(self, node: Node) -> Iterator[NameUse]:
        """A list of addresses, or one."""
        for item in as_items(node):
            if isinstance(item, ScalarNode):
                yield from self.address(item)

    def address(self, scalar: ScalarNode) -> Iterator[NameUse]:
        """The names within an address."""
        parts = tuple(scalar.text.split("."))
        first = 2 if parts[0] == "display" else 1
        start = sum(len(part) + 1 for part in parts[:first])
        for index in range(first, len(parts)):
            end = start + len(parts[index])
            before = ("kinds", parts[2]) if parts[:2] == ("display", "members") else ()
            if first == 1:
                address = self.names.meaning(parts[: index + 1])
            elif before and index == 3:
                address = self.names.meaning((*before, parts[index]))
            else:
                address = self.names.in_expressions.get(parts[index], "")
            if address:
                yield NameUse(scalar.subspan(start, end), parts[index], address)
            start = end + 1

    # ---- rows -----------------------------------------------------------------------------------------------

    def rows(self, node: Node, component: str) -> Iterator[NameUse]:
        """The rows of a component as a list."""
        for item in as_items(node):
            yield from self._row(as_mapping(item), ("components", component, "rows"))

    def _row(self, row: MappingNode, parts: AddressParts) -> Iterator[NameUse]:
        each, name = row.get("for_each"), row.get("id")
        visible: dict[str, LocalName] = {}
        for word, local in bound_by_keys(each, f"{'.'.join(parts)}@{row.span.start}", "name of a row").items():
            # where the component has a field of that name, the name is the field's
            of_field = self.names.field(parts[1], word)
            address = of_field or local.address
            visible[word] = LocalName(
                word,
                "field" if of_field else local.label,
                address,
                local.span,
                local.sort,
                local.is_implied,
                local.form,
            )
        if each is not None:
            yield from self.keys(each, visible)
        if isinstance(name, ScalarNode):
            if each is None:
                address = self.names.meaning((*parts, name.text))
                yield NameUse(name.span, name.text, address)
            else:
                yield from self.holes(name, parts, visible)
        for entry in row:
            key, below = entry.key.text, (*parts, "", entry.key.text)
            if key not in ROW_KEYS:
                if below not in self._fields:
                    self._fields[below] = self.names.meaning(below)
                yield NameUse(entry.key.span, key, self._fields[below])
                yield from self._cell(entry.value, below, visible)
            elif key in PROSE_KEYS:
                yield from self.words(MappingNode((entry,), row.span), below[:-1], {}, is_prose=False)

    def _cell(self, node: Node, parts: AddressParts, visible: Visible) -> Iterator[NameUse]:
        """The words of a cell; of most it is one, which is found without reading an expression."""
        if (
            not isinstance(node, ScalarNode)
            or not ID.fullmatch(node.text)
            or node.text in RESERVED_NAMES
            or node.text in visible
        ):
            yield from self.words(node, parts, visible, is_prose=False)
        elif isinstance(node.value, str):
            self.expressions.append(ExpressionPlace(node, 0, len(node.text)))
            address = self.global_name(node.text) or self.names.things.get(node.text, "")
            yield NameUse(node.subspan(0, len(node.text)), node.text, address, None, visible)

    # ---- rules ----------------------------------------------------------------------------------------------

    def words(self, node: Node, parts: AddressParts, visible: Visible, *, is_prose: bool) -> Iterator[NameUse]:
        """The words of what is at an address, and below it."""
        if isinstance(node, ScalarNode):
            yield from self.text(node, parts, visible, is_prose=is_prose)
            return
        if isinstance(node, SequenceNode) and not is_prose:
            if parts[0] == "components" and parts[2:] == ("rows",):
                yield from self.rows(node, parts[1])
                return
            if key := ordered_principal_key(parts):
                parts = (*parts, key)  # a list alone is short for it
        inner = {**visible, **bound_at(self.names, parts, node, visible)}
        if isinstance(node, SequenceNode) and (not child_entries(node) or parts[-1] in ADDRESS_KEYS):
            for item in node:
                yield from self.words(item, parts, inner, is_prose=is_prose)
            return
        for entry in child_entries(node):
            key = entry.key.text
            below = (*parts, key)
            is_alone = is_word(node, entry)
            if is_alone and not is_prose and parts[-1] in KEYS_OF and len(parts) == 3:
                continue
            local = inner.get(key) if is_choice(below) else None
            address = local.address if local is not None else self.names.meaning(below)
            if address:
                yield NameUse(entry.key.span, key, address, local, inner)
            elif is_alone:
                yield from self.text(entry.key, parts, inner, is_prose=is_prose)
            if is_alone:
                continue
            if key in KEYS_OF and len(parts) == 2:
                yield from self.keys(entry.value, inner)
                continue
            if key == "for_each" and len(parts) == 4 and parts[2] == "rows":
                continue
            is_outside = key in OUTSIDE_THE_LOOP or (key in NOT_OF_ONE and len(parts) == 2)
            seen = visible if is_outside else static_view(below, seen_by(below, inner))
            yield from self.words(entry.value, below, seen, is_prose=is_prose or is_prose_key(below))

    def keys(self, node: Node, visible: Visible) -> Iterator[NameUse]:
        """The names that `per`, `with` and `for_each` bind, and the kinds that they run over."""
        if isinstance(node, MappingNode):
            for entry in node:
                local = visible.get(entry.key.text)
                form = None if local is None else local.form
                if local is not None:
                    yield NameUse(entry.key.span, entry.key.text, local.address, local, visible, form=form)
                if isinstance(entry.value, ScalarNode):
                    yield NameUse(entry.value.span, entry.value.text, self.global_name(entry.value.text), form=form)
            return
        for item in as_items(node):
            if isinstance(item, ScalarNode):
                yield NameUse(item.span, item.text, self.global_name(item.text), visible.get(item.text), visible)

    def text(self, scalar: ScalarNode, parts: AddressParts, visible: Visible, *, is_prose: bool) -> Iterator[NameUse]:
        """The words of an expression, of an address, or of the holes of a sentence."""
        if not isinstance(scalar.value, str):
            return
        if is_prose:
            yield from self.holes(scalar, parts, visible)
            return
        definition = definition_at(parts) or {}
        if scalar.value in definition.get("enum", ()):
            return
        if parts[0] == "book" and parts[-1] in ADDRESS_KEYS:
            yield from self.address(scalar)
            return
        title = definition.get("title", "")
        if "x-principal" in definition:
            title = (definition_at((*parts, principal_key(parts))) or {}).get("title", "")
        for start in STARTS.get(parts[-1]) or STARTS_BY_TITLE.get(title, OTHER_STARTS):
            tree = parse(scalar.text, start)
            if isinstance(tree, SyntaxNode):
                yield from self._tree(scalar, tree, 0, visible, parts)
                return

    def holes(self, scalar: ScalarNode, parts: AddressParts, visible: Visible) -> Iterator[NameUse]:
        """The words in the holes of a sentence."""
        for piece in PIECE_PATTERN.finditer(scalar.text) if "{" in scalar.text else ():
            hole = (piece["hole"] or "").partition(":")[0]
            tree = parse(hole) if hole else None
            if isinstance(tree, SyntaxNode):
                yield from self._tree(scalar, tree, piece.start("hole"), visible, parts, hole=canonical_text(hole))

    def global_name(self, word: str) -> str:
        """The address of what a word means in expressions where no rule binds it; empty where it means nothing."""
        return "" if word in RESERVED_NAMES else self.names.in_expressions.get(word, "")

    def _tree(
        self,
        scalar: ScalarNode,
        tree: SyntaxNode,
        base: int,
        visible: Visible,
        parts: AddressParts,
        *,
        hole: str = "",
    ) -> Iterator[NameUse]:
        """The words of an expression that begins at `base`; each loop sees its variable."""
        self.expressions.append(ExpressionPlace(scalar, base + tree.offsets[0], base + tree.offsets[1]))
        names, is_run = self.names, parts[-1] == "run"
        called = _first_token(tree) if is_run else None

        def use(token: SyntaxToken, seen: Visible) -> NameUse:
            span = scalar.subspan(base + token.offsets[0], base + token.offsets[1])
            local = seen.get(token.text)
            if token is called:
                address = f"procedures.{token.text}"
                return NameUse(span, token.text, address if address in names.declared else "", None, seen)
            if local is None:
                thing = names.things.get(token.text, "") if parts[2:3] == ("rows",) else ""
                return NameUse(span, token.text, self.global_name(token.text) or thing, None, seen)
            if local.is_implied and local.label != "field":
                return NameUse(span, token.text, self.global_name(token.text), local, seen)
            form = local.form if span == local.span else None
            return NameUse(span, token.text, local.address, local, seen, form=form)

        def field_use(node: SyntaxNode, seen: Visible) -> NameUse:
            token = node.token(1)
            span = scalar.subspan(base + token.offsets[0], base + token.offsets[1])
            owner = names.sort_of(node.child(0), sorts_of(seen))
            return NameUse(span, token.text, names.field(owner, token.text), None, seen, is_field=True)

        def inside(head: SyntaxNode, seen: Visible) -> Visible:
            token = head.token()
            is_step = parts[-1] == "for_each" and tree.rule == "binding" and head is tree.child(0)
            address = ".".join(parts)
            if hole:  # the holes of a sentence are the same in every language, wherever it is written
                address = f"{'.'.join(_without_language(parts))}@{hole}@{token.text}"
            elif not is_step:
                address = f"{address}@{scalar.span.source.path}:{scalar.span.start + base + token.offsets[0]}"
            return {**seen, token.text: bound_by_head(names, scalar, head, address, seen, base)}

        def loop(head: SyntaxNode, others: tuple[SyntaxNode, ...], seen: Visible) -> Iterator[NameUse]:
            within = inside(head, seen)
            local = within[head.token().text]
            for part in head.children():
                for each in walk(part, seen):
                    whole = local.form is not None and each.word == local.form.names[0][1]
                    yield (
                        each
                        if not whole
                        else NameUse(
                            each.span, each.word, each.address, each.local, each.visible, each.is_field, local.form
                        )
                    )
            yield use(head.token(), within)
            for part in others:
                yield from walk(part, within)

        def walk(node: SyntaxNode, seen: Visible) -> Iterator[NameUse]:
            if node.rule in LOOPS or node.rule == "binding":
                yield from loop(node.child(0), node.children()[1:], seen)
            elif node.rule in AGGREGATES:
                binding = node.child(1)
                yield from loop(binding.child(0), (*binding.children()[1:], node.child(0)), seen)
            else:
                for part in node.parts:
                    if isinstance(part, SyntaxNode):
                        yield from walk(part, seen)
                    elif node.rule == "field":
                        yield field_use(node, seen)
                    elif ID.fullmatch(part.text):
                        yield use(part, seen)

        yield from walk(tree, visible)


def static_view(parts: AddressParts, visible: Visible) -> Visible:
    """What a sentence sees that only the rulebook prints: what an action, a choice or a condition says of itself sees
    no choices.
    """
    if parts[-1] != TEXT_KEY:
        return visible
    is_of_action = parts[0] == "actions" and len(parts) == 3
    is_of_condition = "when" in parts[-3:-1] or is_choice(parts[:-1])
    is_of_offer = len(parts) > 3 and parts[-4] in OFFER_VERBS
    return {} if is_of_action or is_of_condition or is_of_offer else visible


def _without_language(parts: AddressParts) -> AddressParts:
    while parts and (parts[-1] == TEXT_KEY or (len(parts[-1]) in (2, 3) and parts[-2:-1] in ((TEXT_KEY,), ("why",)))):
        parts = parts[:-1]
    return parts


def _first_token(tree: SyntaxNode) -> SyntaxToken | None:
    while isinstance(tree.parts[0], SyntaxNode):
        tree = tree.parts[0]
    return tree.parts[0]


__all__ = ["ExpressionPlace", "NameUse", "RuleWalk", "file_of_cases", "static_view"]
