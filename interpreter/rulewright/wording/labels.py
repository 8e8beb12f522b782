"""What rules are called and what they say, for a reader who has not begun to play.

In: the rules of a game for each number of players, and a locale. Out: labels and sentences. Where a value depends on
the number of players, every value is given, with the numbers of players for which it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from rulewright import limits
from rulewright.document.text_addresses import title_address
from rulewright.engine.context import Context
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.sentence_renderer import SentenceRenderer
from rulewright.engine.values import RuntimeValue, as_int, as_tuple
from rulewright.engine.visibility import Visibility
from rulewright.expr.sentence_template import Hole, PluralHole, SentenceTemplate
from rulewright.expr.tree import (
    Builtin,
    Call,
    Constant,
    Expr,
    FieldAccess,
    FieldTotal,
    ReadParameter,
    ReadState,
    ReadValue,
    ReadZone,
)
from rulewright.expr.types import SEAT, Bag, Member, SetOf, Thing, Type
from rulewright.expr.walk import conjuncts, iter_exprs
from rulewright.frozen import frozen, replace
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.effects import Step
from rulewright.model.locale import ENGLISH, builtin_messages
from rulewright.model.rules import ELIMINATION_STATE, Passage, Provenance, Rules
from rulewright.wording.messages import Messages
from rulewright.wording.phrases import PhraseRenderer
from rulewright.wording.static_value import is_static, set_element_type
from rulewright.wording.text_case import humanize

FIELD_HOLE: Final = lazy_pattern(r"\{([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)\}")  # of the display: a thing and its field
EMPTY_CONTEXT: Final = Context((), (), me=-1)
LABELLED_SECTIONS: Final = ("kinds", "components", "parameters", "state")  # whose sentence is a label
NODE_SECTIONS: Final = {ReadParameter: "parameters", ReadState: "state", ReadValue: "values", ReadZone: "zones"}


@frozen
class RenderedSentence:
    """A sentence as text. `note`: what depends on the number of players, in parentheses; empty when nothing does.
    `mentions`: the addresses of what its holes name.
    """

    text: str
    note: str
    mentions: frozenset[str]


class Labels:
    """Labels and sentences of a game in one locale. `rules`: by number of players; `players`: the number that leads."""

    def __init__(self, rules: Mapping[int, Rules], players: int, locale: str, messages: Messages) -> None:
        self.rules = rules[players]
        self.players = players
        self.counts = tuple(sorted(rules))
        self.locale = locale
        self._messages = messages
        self._sentences_by_count = {count: _sentence_renderer(rules[count], locale) for count in self.counts}
        self.sentences = self._sentences_by_count[players]
        self.phrases = PhraseRenderer(self.rules, messages, self)
        self._varying_parameters = {
            name
            for name in self.rules.parameters
            if len({_parameter_values(other, name) for other in rules.values()}) > 1
        }
        self.passages: dict[str, list[Passage]] = {}
        for passage in self.rules.explanations.book().passages:
            if passage.when is None or self.evaluate(passage.when, players):
                self.passages.setdefault(passage.topic, []).append(passage)
        self.impossible_steps = {
            count: frozenset(_impossible_steps(sentences.rules, sentences.compiler))
            for count, sentences in self._sentences_by_count.items()
        }

    def message(self, key: str, **holes: object) -> str:
        """A message of the program for books."""
        return self._messages(f"book_{key}", **holes)

    # ---- values -------------------------------------------------------------------------------------------

    def static_value(self, expr: Expr) -> str:
        """The value of a static expression as text."""
        return self._static_value(expr, self.players)

    def static_elements(self, expr: Expr) -> list[str]:
        """The elements of a static set as texts."""
        return [
            self.value_text(element, set_element_type(expr))
            for element in as_tuple(self.evaluate(expr, self.players) or ())
        ]

    def static_number(self, expr: Expr) -> int:
        """The number that a static expression is; of a bag how many it holds."""
        value = self.evaluate(expr, self.players)
        return sum(map(as_int, value)) if isinstance(value, tuple) else as_int(value or 0)

    def varies(self, expr: Expr) -> bool:
        """Whether the value of a static expression depends on the number of players."""
        return len(self.counts) > 1 and any(
            (isinstance(part, Builtin) and part.name == "players")
            or (isinstance(part, ReadParameter) and part.name in self._varying_parameters)
            for part in iter_exprs(expr)
        )

    def _static_value(self, expr: Expr, players: int) -> str:
        sentences = self._sentences_by_count[players]
        return self.value_text(sentences.compiler.compile(expr)(EMPTY_CONTEXT), expr.type, players)

    def value_text(self, value: RuntimeValue | None, type_: Type, count: int | None = None) -> str:
        """A value as text. `count`: the number of players, else the one that leads."""
        sentences = self.sentences if count is None else self._sentences_by_count[count]
        match type_:
            case Thing(component=component):
                return self.thing_text(component, as_int(value or 0))
            case SetOf(element=Thing(component=component)):
                return sentences.join_list([self.thing_text(component, as_int(row)) for row in as_tuple(value or ())])
            case Bag(kind=kind) if kind and sentences.rules.kinds[kind].is_numeric:
                info = sentences.rules.kinds[kind]
                names = [sentences.member_name(kind, number) for number in info.member_values]
                counts = zip(as_tuple(value or ()), names, strict=True)
                return sentences.join_list([f"{number} × {name}" for number, name in counts if number])
            case Member(kind=kind) if SEAT.kind in (info := sentences.rules.kinds[kind]).includes and kind != SEAT.kind:
                member = info.members[info.member_values.index(as_int(value or 0))]
                if not member.isdecimal():
                    return sentences.format_value(value, type_)
                return self.message("player", number=int(member) + 1)
            case _:
                return sentences.format_value(value, type_)

    def thing_text(self, component: str, row: int) -> str:
        """What a thing is called: by its sentence, else by its id as words."""
        name = self.sentences.thing_name(component, row)
        return humanize(name) if name == self.rules.components[component].ids[row] else name

    def key_text(self, value: RuntimeValue, type_: Type, count: int) -> str:
        """The key of a place as text: a player by number, from 1 on, or a value."""
        if type_ == SEAT:
            return self.message("player", number=as_int(value) + 1)
        return self.value_text(value, type_, count)

    def phrases_for(self, rules: Rules) -> PhraseRenderer:
        """Phrases for the expressions of these rules, or of those without variants."""
        if rules is self.rules:
            return self.phrases
        return Labels({rules.players: rules}, rules.players, self.locale, self._messages).phrases

    def evaluate(self, expr: Expr, count: int, env: tuple[RuntimeValue, ...] = ()) -> RuntimeValue:
        """The value of a static expression for a number of players. `env`: values of its variables by slot."""
        return self._sentences_by_count[count].compiler.compile(expr)(Context((), (), me=-1, env=env))

    def rules_for(self, count: int) -> Rules:
        """The rules for a number of players."""
        return self._sentences_by_count[count].rules

    def sentences_for(self, count: int) -> SentenceRenderer:
        """The sentences of the rules for a number of players."""
        return self._sentences_by_count[count]

    def can_happen(self, step: Step) -> bool:
        """Whether a step can happen at all with the number of players that leads."""
        return step.address not in self.impossible_steps[self.players]

    # ---- labels -------------------------------------------------------------------------------------------

    def label(self, address: str) -> str:
        """What a rule is called: by its title or its own sentence; else its id as words."""
        section, _, rest = address.partition(".")
        title = self._template(title_address(address))
        if title is not None:
            return self._render(title, title_address(address)).text
        is_labelled = section in LABELLED_SECTIONS or self._is_block_state(address)
        if is_labelled and (sentence := self.find_sentence(address)) is not None:
            return sentence.text
        if section == "kinds" and "." in rest:
            kind, _, member = rest.partition(".")
            return self.member_label(kind, member)
        if section == "values" and (sentence := self.find_sentence(address)) is not None:
            text = sentence.text
            if len(text) <= limits.MAX_LABEL_LENGTH and not text.endswith((".", "!", "?")):
                return text  # not a sentence but a name
        if address == f"state.{ELIMINATION_STATE}" and self.rules.has_elimination:
            return self.message("left")
        return _name_label(address)

    def _is_block_state(self, address: str) -> bool:
        """Whether it is the address of a variable of some steps."""
        state = self.rules.states.get(address.rpartition(".")[2])
        return state is not None and state.address == address

    def has_label(self, address: str) -> bool:
        """Whether it is called otherwise than by its id."""
        return self.label(address) != _name_label(address)

    def member_label(self, kind: str, member: str, count: int = 1) -> str:
        """What a member of a kind is called. `count`: how many of it, for the plural."""
        info = self.rules.kinds[kind]
        if kind == SEAT.kind:
            return member
        if SEAT.kind in info.includes and member.isdecimal():
            return self.message("player", number=int(member) + 1)
        return self.sentences.member_name(kind, info.member_values[info.members.index(member)], count)

    def family_member_label(self, member: str, count: int) -> str:
        """What a member is called that another kind of the family may declare."""
        languages = self.rules.languages
        english = languages[ENGLISH]
        forms = languages.get(self.locale, english).member_names.get(member) or english.member_names.get(member)
        return self.sentences.plural_form(forms, count) if forms else humanize(member)

    def localize(self, sentence: object) -> str:
        """A sentence of the display (a text, or texts by locale) in this locale."""
        if isinstance(sentence, dict):
            return str(sentence.get(self.locale) or sentence.get(ENGLISH) or next(iter(sentence.values())))
        return str(sentence)

    # ---- sentences ----------------------------------------------------------------------------------------

    def _template(self, address: str, players: int | None = None) -> SentenceTemplate | None:
        return self._sentences_by_count[self.players if players is None else players].find_sentence(address)

    def has_sentence(self, address: str) -> bool:
        """Whether a rule has a sentence of its own."""
        return self._template(address) is not None

    def find_sentence(self, address: str) -> RenderedSentence | None:
        """The sentence at an address, for all numbers of players; None when there is none."""
        template = self._template(address)
        return None if template is None else self._render(template, address)

    def sentence_for(self, address: str, players: int) -> str:
        """The sentence at an address for one number of players. It must exist."""
        template = self._template(address, players)
        assert template is not None
        texts = []
        for part in template.parts:
            match part:
                case str():
                    texts.append(part)
                case Hole(expr=expr) if is_static(expr):
                    texts.append(self._static_value(expr, players))
                case Hole(expr=expr):
                    texts.append(self.phrases.in_sentence(expr))
                case PluralHole(expr=expr, forms=forms):
                    number = as_int(self.evaluate(expr, players)) if is_static(expr) else 0
                    texts.append(self.sentences.plural_form(forms, number))
        return "".join(texts)

    def has_static_sentence(self, address: str) -> bool:
        """Whether there is a sentence and every value in it is known before play."""
        template = self._template(address)
        return template is not None and all(
            is_static(part.expr) for part in template.parts if not isinstance(part, str)
        )

    def _render(self, template: SentenceTemplate, address: str) -> RenderedSentence:
        """Fills in the values for all numbers of players whose sentence has the same words."""
        counts = [
            count
            for count in self.counts
            if (other := self._template(address, count)) is not None
            and _shape(other) == _shape(template)
            and (address not in self.impossible_steps[count] or count == self.players)
        ]
        texts: list[str] = []
        notes: list[str] = []
        mentions = set[str]()
        for index, part in enumerate(template.parts):
            match part:
                case str():
                    texts.append(part)
                    continue
                case Hole(expr=expr) if is_static(expr):
                    values = {count: self._static_value(self._hole(address, count, index), count) for count in counts}
                    texts.append(self.phrases.join_list(list(dict.fromkeys(values.values())), "or"))
                    if len(set(values.values())) > 1:
                        notes.append(self.list_by_count(values))
                case Hole(expr=expr):
                    texts.append(self.phrases.in_sentence(expr))
                case PluralHole(expr=expr, forms=forms) if is_static(expr):
                    numbers = [as_int(self.evaluate(self._hole(address, count, index), count)) for count in counts]
                    texts.append(self.sentences.plural_form(forms, max(numbers)))
                case PluralHole(forms=forms):
                    texts.append(forms[-1])
            mentions |= named_addresses(part.expr, self.rules)
        separator = self.message("semicolon") + " "
        note = f"({separator.join(dict.fromkeys(notes))})" if notes else ""
        return RenderedSentence("".join(texts), note, frozenset(mentions))

    def _hole(self, address: str, players: int, index: int) -> Expr:
        """The expression of a hole, by its index among the parts of a sentence."""
        template = self._template(address, players)
        assert template is not None
        part = template.parts[index]
        assert not isinstance(part, str)
        return part.expr

    def list_by_count(self, values: Mapping[int, str]) -> str:
        """Values by number of players as text: `3 with 2 players, 4 with 3 players`."""
        counts_by_value: dict[str, list[str]] = {}
        for count, value in values.items():
            counts_by_value.setdefault(value, []).append(str(count))
        return ", ".join(
            self.message(
                "with_one" if counts == ["1"] else "with", players=self.phrases.join_list(counts, "or"), value=value
            )
            for value, counts in counts_by_value.items()
        )

    def note(self, address: str) -> Provenance | None:
        """Source and status of a rule; None when it has neither."""
        return self.rules.provenance.get(address)


def _sentence_renderer(rules: Rules, locale: str) -> SentenceRenderer:
    """The sentences of a game in a locale; where it does not have it, with the program's own words in that locale."""
    if locale not in rules.languages:
        language = replace(rules.languages[ENGLISH], code=locale, messages=builtin_messages(locale))
        rules = replace(rules, languages={**rules.languages, locale: language})
    return SentenceRenderer(rules, ExprCompiler(rules), Visibility(rules), locale)


def _parameter_values(rules: Rules, name: str) -> str:
    """The values of a parameter, to compare with those for another number of players."""
    definition = rules.parameters.get(name)
    return "" if definition is None else f"{definition.value} {definition.values_by_key}"


def named_addresses(expr: Expr, rules: Rules) -> frozenset[str]:
    """The addresses of what an expression names."""
    return frozenset(_iter_named(expr, rules))


def all_named_addresses(exprs: Iterable[Expr], rules: Rules) -> frozenset[str]:
    """The addresses of what expressions name."""
    return frozenset[str]().union(*(named_addresses(expr, rules) for expr in exprs))


def _iter_named(expr: Expr, rules: Rules) -> Iterable[str]:
    for part in iter_exprs(expr):
        section = NODE_SECTIONS.get(type(part))
        if section is not None:
            assert isinstance(part, ReadParameter | ReadState | ReadValue | ReadZone)
            yield rules.states[part.name].address if isinstance(part, ReadState) else f"{section}.{part.name}"
        match part:
            case Call(action=action) if action:
                yield f"actions.{action}"
            case FieldAccess(of=of, name=name) | FieldTotal(of=of, name=name):
                thing = set_element_type(of)
                if isinstance(thing, Thing):
                    yield f"components.{thing.component}.fields.{name}"
            case Constant(value=int() as number, type=Member(kind=kind)) if kind != SEAT.kind:
                info = rules.kinds[kind]
                if not info.is_numeric and number in info.member_values:
                    yield f"kinds.{kind}.{info.members[info.member_values.index(number)]}"
            case _:
                pass


def _impossible_steps(rules: Rules, compiler: ExprCompiler) -> Iterable[str]:
    """The addresses of the steps whose condition is known not to hold, whatever happens, and of those within them."""
    steps = [step for block in rules.blocks for step in block.steps]
    undone = tuple(
        f"{step.address}."
        for step in steps
        if step.when is not None
        and any(
            is_static(condition) and not compiler.compile(condition)(Context((), (), me=-1))
            for condition in conjuncts(step.when)
        )
    )
    return (step.address for step in steps if f"{step.address}.".startswith(undone))


def display_lines(display: Mapping[str, object], section: str) -> list[Mapping[str, object]]:
    """The lines of a section (`board`, `players`) of the display; none when the game does not have it."""
    lines = display.get(section)
    return [line for line in lines if isinstance(line, Mapping)] if isinstance(lines, list | tuple) else []


def _name_label(address: str) -> str:
    return humanize(address.rpartition(".")[2])


def _shape(template: SentenceTemplate) -> tuple[object, ...]:
    """What a sentence has whatever its values are: its words, and the holes as they are written."""
    return tuple(part if isinstance(part, str) else (part.text, getattr(part, "forms", ())) for part in template.parts)


__all__ = [
    "FIELD_HOLE",
    "Labels",
    "RenderedSentence",
    "all_named_addresses",
    "display_lines",
    "named_addresses",
]
