"""What rules are called and what they say, for a reader who has not begun to play.

In: the rules of a game for each number of players, and a language. Out: names and texts. Where a number hangs on how
many play, all are told, and with how many which of them holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from rulewright.engine.evaluator import ExprCompiler
from rulewright.engine.knowledge import Visibility
from rulewright.engine.sentence_renderer import SentenceRenderer
from rulewright.engine.values import Context
from rulewright.expr.templates import Hole, PluralHole, SentenceTemplate
from rulewright.expr.tree import (
    Call,
    Constant,
    Expr,
    FieldAccess,
    FieldTotal,
    Logic,
    ReadParameter,
    ReadState,
    ReadValue,
    ReadZone,
)
from rulewright.expr.types import Member, SetOf, Thing, Type
from rulewright.model.rules import ELIMINATION_STATE, Passage, Provenance, Rules, Step
from rulewright.model.traversal import iter_exprs
from rulewright.rulebook.blocks import RichText, TextRun
from rulewright.wording.phrases import PhraseRenderer, Says
from rulewright.wording.static_value import is_static

FIELD_HOLE: Final = re.compile(r"\{([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)\}")  # of the table: a thing and its field
MAX_LABEL_LENGTH: Final = 60  # characters of a text that can stand for what it says
EMPTY_CONTEXT: Final = Context((), (), me=-1)
NODE_SECTIONS: Final = {ReadParameter: "parameters", ReadState: "state", ReadValue: "values", ReadZone: "zones"}


@dataclass(frozen=True, slots=True)
class RenderedSentence:
    """A text and the addresses that stand in its holes."""

    text: RichText
    mentions: frozenset[str]


class Labels:
    """Names and sentences of a game in one language. `rules`: by number of players; `players`: the one that leads."""

    def __init__(self, rules: Mapping[int, Rules], players: int, code: str, words: Says) -> None:
        self.rules = rules[players]
        self.players = players
        self.counts = tuple(sorted(rules))
        self.code = code
        self._words = words
        self._speakers = {
            count: SentenceRenderer(one, ExprCompiler(one), Visibility(one), code)
            for count, one in sorted(rules.items())
        }
        self.sentences = self._speakers[players]
        self.phrases = PhraseRenderer(self.rules, words, self.label, self.static_value)
        self.passages: dict[str, list[Passage]] = {}
        for passage in self.rules.passages:
            if passage.when is not None and not self.evaluate(passage.when, players):
                continue
            self.passages.setdefault(passage.topic, []).append(passage)
        self.impossible_steps = {count: frozenset(_undone(self, count)) for count in self.counts}
        self._titles = dict(_titles(self.rules.display))

    def message(self, key: str, **holes: object) -> str:
        """The program's own words."""
        return self._words(f"book_{key}", **holes)

    # ---- values -------------------------------------------------------------------------------------------

    def static_value(self, expr: Expr) -> str:
        """A settled expression in words."""
        return self._value(expr, self.players)

    def _value(self, expr: Expr, players: int) -> str:
        speaker = self._speakers[players]
        return speaker.format_value(speaker.compiler.compile(expr)(EMPTY_CONTEXT), expr.type)

    def value_text(self, value: Any, type_: Type) -> str:
        """A value in words."""
        return self.sentences.format_value(value, type_)

    def key_text(self, value: Any, type_: Type, count: int) -> str:
        """What something is kept for: a player by number, from 1 on, or a value in words."""
        if type_ == Member("seat"):
            return self.message("player", number=value + 1)
        return self._speakers[count].format_value(value, type_)

    def phrases_for(self, rules: Rules) -> PhraseRenderer:
        """Words for the expressions of some rules, of these or of those before variants."""
        if rules is self.rules:
            return self.phrases
        return Labels({rules.players: rules}, rules.players, self.code, self._words).phrases

    def evaluate(self, expr: Expr, count: int, env: tuple[Any, ...] = ()) -> Any:
        """The value of a settled expression for so many players."""
        speaker = self._speakers[count]
        return speaker.compiler.compile(expr)(Context((), (), me=-1, env=env))

    def rules_for(self, count: int) -> Rules:
        """The rules for so many players."""
        return self._speakers[count].rules

    def sentences_for(self, count: int) -> SentenceRenderer:
        """Who says values for so many players."""
        return self._speakers[count]

    def can_happen(self, step: Step) -> bool:
        """Whether a step can happen at all with the players that lead."""
        return step.address not in self.impossible_steps[self.players]

    # ---- names --------------------------------------------------------------------------------------------

    def label(self, address: str) -> str:
        """What a rule is called: by the book, the table or itself; else its id."""
        section, _, rest = address.partition(".")
        for passage in self.passages.get(address, ()):
            title = self._sentence(f"{passage.address}.title")
            if title is not None and (not passage.role):
                return _joined(self._filled(title, f"{passage.address}.title").text)
        if address in self._titles:
            return self.localize(self._titles[address])
        if section in ("kinds", "components", "parameters", "state") and self._sentence(address) is not None:
            said = self.find_sentence(address)
            if said is not None:
                return _joined(said.text)
        if section == "kinds" and "." in rest:
            kind, _, member = rest.partition(".")
            return self.member_label(kind, member)
        if section == "values" and (found := self._sentence(address)) is not None:
            label = _joined(self._filled(found, address).text)
            if len(label) <= MAX_LABEL_LENGTH and not label.endswith((".", "!", "?")):
                return label  # no sentence, but what it is called
        if address == f"state.{ELIMINATION_STATE}" and self.rules.has_elimination:
            return self.message("left")
        return address.rpartition(".")[2].replace("_", " ")

    def has_label(self, address: str) -> bool:
        """Whether somebody has given it a name."""
        return self.label(address) != address.rpartition(".")[2].replace("_", " ")

    def member_label(self, kind: str, member: str, count: int = 1) -> str:
        """What a member of a kind is called."""
        info = self.rules.kinds[kind]
        if info.is_numeric or kind == "seat":
            return member
        return self.sentences.member_name(kind, info.member_values[info.members.index(member)], count)

    def family_member_label(self, kind: str, word: str, count: int) -> str:
        """What a member is called that may be declared by another kind of the family."""
        languages = self.rules.languages
        forms = languages.get(self.code, languages["en"]).member_names.get(word) or languages["en"].member_names.get(
            word
        )
        return self.sentences.plural_form(forms, count) if forms else word.replace("_", " ")

    def localize(self, sentence: Any) -> str:
        """A sentence of the table in this language."""
        if isinstance(sentence, dict):
            return str(sentence.get(self.code) or sentence.get("en") or next(iter(sentence.values())))
        return str(sentence)

    # ---- sentences ----------------------------------------------------------------------------------------

    def _sentence(self, address: str, players: int | None = None) -> SentenceTemplate | None:
        return self._speakers[self.players if players is None else players].find_sentence(address)

    def has_sentence(self, address: str) -> bool:
        """Whether a sentence stands there."""
        return self._sentence(address) is not None

    def find_sentence(self, address: str) -> RenderedSentence | None:
        """The sentence at an address, for all numbers of players; None when there is none."""
        sentence = self._sentence(address)
        return None if sentence is None else self._filled(sentence, address)

    def sentence_for(self, address: str, players: int) -> str:
        """A sentence as it is with so many players."""
        sentence = self._sentence(address, players)
        assert sentence is not None
        texts = []
        for part in sentence.parts:
            match part:
                case str():
                    texts.append(part)
                case Hole(expr=expr) if is_static(expr):
                    texts.append(self._value(expr, players))
                case Hole(expr=expr):
                    texts.append(self.phrases.expr(expr))
                case PluralHole(expr=expr, forms=forms):
                    texts.append(
                        self.sentences.plural_form(forms, self.evaluate(expr, players) if is_static(expr) else 0)
                    )
        return "".join(texts)

    def has_static_sentence(self, address: str) -> bool:
        """Whether nothing in a sentence needs a game."""
        sentence = self._sentence(address)
        return sentence is not None and all(
            is_static(part.expr) for part in sentence.parts if not isinstance(part, str)
        )

    def _filled(self, sentence: SentenceTemplate, address: str) -> RenderedSentence:
        alike = [
            count
            for count in self.counts
            if (other := self._sentence(address, count)) is not None
            and _shape(other) == _shape(sentence)
            and (address not in self.impossible_steps[count] or count == self.players)
        ]
        texts: list[str] = []
        notes: list[str] = []
        mentions = set[str]()
        for at, part in enumerate(sentence.parts):
            match part:
                case str():
                    texts.append(part)
                    continue
                case Hole(expr=expr) if is_static(expr):
                    found = {count: self._value(_part(self._sentence(address, count), at), count) for count in alike}
                    texts.append(self.phrases.join_list(list(dict.fromkeys(found.values())), "or"))
                    if len(set(found.values())) > 1:
                        notes.append(self.list_by_count(found))
                case Hole(expr=expr):
                    texts.append(self.phrases.expr(expr))
                case PluralHole(expr=expr, forms=forms) if is_static(expr):
                    numbers = [self.evaluate(_part(self._sentence(address, count), at), count) for count in alike]
                    texts.append(self.sentences.plural_form(forms, max(numbers)))
                case PluralHole(forms=forms):
                    texts.append(forms[-1])
            mentions |= named_addresses(part.expr, self.rules)
        text: RichText = (TextRun("".join(texts)),)
        if notes:
            text = (*text, TextRun(f" ({'; '.join(dict.fromkeys(notes))})", "em"))
        return RenderedSentence(text, frozenset(mentions))

    def list_by_count(self, found: Mapping[int, str]) -> str:
        """What holds with how many players."""
        return ", ".join(self.message("with", players=count, value=value) for count, value in found.items())

    def note(self, address: str) -> Provenance | None:
        """Source and status of a rule."""
        return self.rules.provenance.get(address)


def named_addresses(expr: Expr, rules: Rules) -> frozenset[str]:
    """The addresses of what an expression names."""
    return frozenset(_reads(expr, rules))


def all_named_addresses(exprs: Iterable[Expr], rules: Rules) -> frozenset[str]:
    """The addresses of what expressions name."""
    return frozenset[str]().union(*(named_addresses(expr, rules) for expr in exprs))


def _reads(expr: Expr, rules: Rules) -> Iterable[str]:
    for part in iter_exprs(expr):
        section = NODE_SECTIONS.get(type(part))
        if section is not None:
            assert isinstance(part, ReadParameter | ReadState | ReadValue | ReadZone)
            yield f"{section}.{part.name}"
        match part:
            case Call(action=action) if action:
                yield f"actions.{action}"
            case FieldAccess(of=of, name=name) | FieldTotal(of=of, name=name):
                type_ = of.type.element if isinstance(of.type, SetOf) else of.type
                if isinstance(type_, Thing):
                    yield f"components.{type_.component}.fields.{name}"
            case Constant(value=int() as number, type=Member(kind=kind)) if kind != "seat":
                info = rules.kinds[kind]
                if not info.is_numeric and number in info.member_values:
                    yield f"kinds.{kind}.{info.members[info.member_values.index(number)]}"
            case _:
                pass


def _undone(t: Labels, count: int) -> Iterable[str]:
    """The addresses of the steps whose condition is known not to hold with so many players."""
    for block in t.rules_for(count).blocks:
        for step in block.steps:
            if step.when is not None and any(is_static(one) and not t.evaluate(one, count) for one in _all(step.when)):
                yield step.address


def _all(when: Expr) -> Iterable[Expr]:
    """The conditions that all have to hold."""
    if isinstance(when, Logic) and when.op == "and":
        yield from _all(when.left)
        yield from _all(when.right)
    else:
        yield when


def _titles(table: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    """What the table calls actions, zones and values; of several names the first."""
    found: dict[str, Any] = {}
    for section in ("board", "seats"):
        for line in table.get(section, ()):
            for key, where in (("zone", "zones"), ("value", "values")):
                if key in line and line.get("title"):
                    found.setdefault(f"{where}.{line[key]}", line["title"])
    for name, look in dict(table.get("actions", {})).items():
        if look.get("title"):
            found[f"actions.{name}"] = look["title"]
    return found.items()


def _shape(sentence: SentenceTemplate) -> tuple[object, ...]:
    return tuple(part if isinstance(part, str) else (part.text, getattr(part, "forms", ())) for part in sentence.parts)


def _part(sentence: SentenceTemplate | None, at: int) -> Expr:
    assert sentence is not None
    part = sentence.parts[at]
    assert not isinstance(part, str)
    return part.expr


def _joined(text: RichText) -> str:
    return "".join(run.text for run in text if run.emphasis != "em")


__all__ = ["FIELD_HOLE", "Labels", "RenderedSentence", "all_named_addresses", "named_addresses"]
