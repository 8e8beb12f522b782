"""What rules are called and what they say, for a reader who has not begun to play.

In: the rules of a game for each number of players, and a language. Out: names and texts. Where a number hangs on how
many play, all are told, and with how many which of them holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from rulewright.engine.evaluator import Evaluator
from rulewright.engine.knowledge import Sight
from rulewright.engine.sentence_renderer import Speaker
from rulewright.engine.values import Context
from rulewright.expr.templates import Hole, Plural, Sentence
from rulewright.expr.tree import (
    Call,
    Constant,
    Expr,
    Field,
    Logic,
    ReadParameter,
    ReadState,
    ReadValue,
    ReadZone,
    Total,
)
from rulewright.expr.types import Member, SetOf, Thing, Type
from rulewright.model.rules import LEFT, Note, Passage, Rules, Step
from rulewright.model.traversal import parts
from rulewright.rulebook.blocks import Run, Text
from rulewright.wording.phrases import Phrases, Says
from rulewright.wording.static_value import settled

HOLE: Final = re.compile(r"\{([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)\}")  # of the table: a thing and its field
LABEL: Final = 60  # characters of a text that can stand for what it says
BLANK: Final = Context((), (), me=-1)
READS: Final = {ReadParameter: "parameters", ReadState: "state", ReadValue: "values", ReadZone: "zones"}


@dataclass(frozen=True, slots=True)
class Said:
    """A text and the addresses that stand in its holes."""

    text: Text
    mentions: frozenset[str]


class Telling:
    """Names and sentences of a game in one language. `rules`: by number of players; `players`: the one that leads."""

    def __init__(self, rules: Mapping[int, Rules], players: int, code: str, words: Says) -> None:
        self.rules = rules[players]
        self.players = players
        self.counts = tuple(sorted(rules))
        self.code = code
        self._words = words
        self._speakers = {count: Speaker(one, Evaluator(one), Sight(one), code) for count, one in sorted(rules.items())}
        self.speaker = self._speakers[players]
        self.wording = Phrases(self.rules, words, self.called, self.valued)
        self.passages: dict[str, list[Passage]] = {}
        for passage in self.rules.book:
            if passage.when is not None and not self.number(passage.when, players):
                continue
            self.passages.setdefault(passage.at, []).append(passage)
        self.undone = {count: frozenset(_undone(self, count)) for count in self.counts}
        self._titles = dict(_titles(self.rules.table))

    def say(self, key: str, **holes: object) -> str:
        """The program's own words."""
        return self._words(f"book_{key}", **holes)

    # ---- values -------------------------------------------------------------------------------------------

    def valued(self, expr: Expr) -> str:
        """A settled expression in words."""
        return self._value(expr, self.players)

    def _value(self, expr: Expr, players: int) -> str:
        speaker = self._speakers[players]
        return speaker.value(speaker.evaluator.run(expr)(BLANK), expr.type)

    def value(self, value: Any, type_: Type) -> str:
        """A value in words."""
        return self.speaker.value(value, type_)

    def at(self, value: Any, type_: Type, count: int) -> str:
        """What something is kept for: a player by number, from 1 on, or a value in words."""
        if type_ == Member("seat"):
            return self.say("player", number=value + 1)
        return self._speakers[count].value(value, type_)

    def phrased(self, rules: Rules) -> Phrases:
        """Words for the expressions of some rules, of these or of those before variants."""
        if rules is self.rules:
            return self.wording
        return Telling({rules.players: rules}, rules.players, self.code, self._words).wording

    def number(self, expr: Expr, count: int, env: tuple[Any, ...] = ()) -> Any:
        """The value of a settled expression for so many players."""
        speaker = self._speakers[count]
        return speaker.evaluator.run(expr)(Context((), (), me=-1, env=env))

    def rules_of(self, count: int) -> Rules:
        """The rules for so many players."""
        return self._speakers[count].rules

    def speaker_of(self, count: int) -> Speaker:
        """Who says values for so many players."""
        return self._speakers[count]

    def done(self, step: Step) -> bool:
        """Whether a step can happen at all with the players that lead."""
        return step.address not in self.undone[self.players]

    # ---- names --------------------------------------------------------------------------------------------

    def called(self, address: str) -> str:
        """What a rule is called: by the book, the table or itself; else its id."""
        section, _, rest = address.partition(".")
        for passage in self.passages.get(address, ()):
            title = self._sentence(f"{passage.address}.title")
            if title is not None and (not passage.role):
                return _joined(self._filled(title, f"{passage.address}.title").text)
        if address in self._titles:
            return self.in_language(self._titles[address])
        if section in ("kinds", "components", "parameters", "state") and self._sentence(address) is not None:
            said = self.sentence(address)
            if said is not None:
                return _joined(said.text)
        if section == "kinds" and "." in rest:
            kind, _, member = rest.partition(".")
            return self.member(kind, member)
        if section == "values" and (found := self._sentence(address)) is not None:
            label = _joined(self._filled(found, address).text)
            if len(label) <= LABEL and not label.endswith((".", "!", "?")):
                return label  # no sentence, but what it is called
        if address == f"state.{LEFT}" and self.rules.leaves:
            return self.say("left")
        return address.rpartition(".")[2].replace("_", " ")

    def entitled(self, address: str) -> bool:
        """Whether somebody has given it a name."""
        return self.called(address) != address.rpartition(".")[2].replace("_", " ")

    def member(self, kind: str, member: str, count: int = 1) -> str:
        """What a member of a kind is called."""
        info = self.rules.kinds[kind]
        if info.numeric or kind == "seat":
            return member
        return self.speaker.name(kind, info.numbers[info.members.index(member)], count)

    def member_of_family(self, kind: str, word: str, count: int) -> str:
        """What a member is called that may be declared by another kind of the family."""
        languages = self.rules.languages
        forms = languages.get(self.code, languages["en"]).names.get(word) or languages["en"].names.get(word)
        return self.speaker.form(forms, count) if forms else word.replace("_", " ")

    def in_language(self, sentence: Any) -> str:
        """A sentence of the table in this language."""
        if isinstance(sentence, dict):
            return str(sentence.get(self.code) or sentence.get("en") or next(iter(sentence.values())))
        return str(sentence)

    # ---- sentences ----------------------------------------------------------------------------------------

    def _sentence(self, address: str, players: int | None = None) -> Sentence | None:
        return self._speakers[self.players if players is None else players].sentence(address)

    def has(self, address: str) -> bool:
        """Whether a sentence stands there."""
        return self._sentence(address) is not None

    def sentence(self, address: str) -> Said | None:
        """The sentence at an address, for all numbers of players; None when there is none."""
        sentence = self._sentence(address)
        return None if sentence is None else self._filled(sentence, address)

    def said_with(self, address: str, players: int) -> str:
        """A sentence as it is with so many players."""
        sentence = self._sentence(address, players)
        assert sentence is not None
        texts = []
        for part in sentence.parts:
            match part:
                case str():
                    texts.append(part)
                case Hole(expr=expr) if settled(expr):
                    texts.append(self._value(expr, players))
                case Hole(expr=expr):
                    texts.append(self.wording.expr(expr))
                case Plural(expr=expr, forms=forms):
                    texts.append(self.speaker.form(forms, self.number(expr, players) if settled(expr) else 0))
        return "".join(texts)

    def settled(self, address: str) -> bool:
        """Whether nothing in a sentence needs a game."""
        sentence = self._sentence(address)
        return sentence is not None and all(settled(part.expr) for part in sentence.parts if not isinstance(part, str))

    def _filled(self, sentence: Sentence, address: str) -> Said:
        alike = [
            count
            for count in self.counts
            if (other := self._sentence(address, count)) is not None
            and _shape(other) == _shape(sentence)
            and (address not in self.undone[count] or count == self.players)
        ]
        texts: list[str] = []
        notes: list[str] = []
        mentions = set[str]()
        for at, part in enumerate(sentence.parts):
            match part:
                case str():
                    texts.append(part)
                    continue
                case Hole(expr=expr) if settled(expr):
                    found = {count: self._value(_part(self._sentence(address, count), at), count) for count in alike}
                    texts.append(self.wording.several(list(dict.fromkeys(found.values())), "or"))
                    if len(set(found.values())) > 1:
                        notes.append(self.by_players(found))
                case Hole(expr=expr):
                    texts.append(self.wording.expr(expr))
                case Plural(expr=expr, forms=forms) if settled(expr):
                    numbers = [self.number(_part(self._sentence(address, count), at), count) for count in alike]
                    texts.append(self.speaker.form(forms, max(numbers)))
                case Plural(forms=forms):
                    texts.append(forms[-1])
            mentions |= reads(part.expr, self.rules)
        text: Text = (Run("".join(texts)),)
        if notes:
            text = (*text, Run(f" ({'; '.join(dict.fromkeys(notes))})", "em"))
        return Said(text, frozenset(mentions))

    def by_players(self, found: Mapping[int, str]) -> str:
        """What holds with how many players."""
        return ", ".join(self.say("with", players=count, value=value) for count, value in found.items())

    def standing(self, address: str) -> Note | None:
        """Source and status of a rule."""
        return self.rules.notes.get(address)


def reads(expr: Expr, rules: Rules) -> frozenset[str]:
    """The addresses of what an expression names."""
    return frozenset(_reads(expr, rules))


def all_reads(exprs: Iterable[Expr], rules: Rules) -> frozenset[str]:
    """The addresses of what expressions name."""
    return frozenset[str]().union(*(reads(expr, rules) for expr in exprs))


def _reads(expr: Expr, rules: Rules) -> Iterable[str]:
    for part in parts(expr):
        section = READS.get(type(part))
        if section is not None:
            assert isinstance(part, ReadParameter | ReadState | ReadValue | ReadZone)
            yield f"{section}.{part.name}"
        match part:
            case Call(action=action) if action:
                yield f"actions.{action}"
            case Field(of=of, name=name) | Total(of=of, name=name):
                type_ = of.type.of if isinstance(of.type, SetOf) else of.type
                if isinstance(type_, Thing):
                    yield f"components.{type_.component}.fields.{name}"
            case Constant(value=int() as number, type=Member(kind=kind)) if kind != "seat":
                info = rules.kinds[kind]
                if not info.numeric and number in info.numbers:
                    yield f"kinds.{kind}.{info.members[info.numbers.index(number)]}"
            case _:
                pass


def _undone(t: Telling, count: int) -> Iterable[str]:
    """The addresses of the steps whose condition is known not to hold with so many players."""
    for block in t.rules_of(count).blocks:
        for step in block.steps:
            if step.when is not None and any(settled(one) and not t.number(one, count) for one in _all(step.when)):
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


def _shape(sentence: Sentence) -> tuple[object, ...]:
    return tuple(part if isinstance(part, str) else (part.text, getattr(part, "forms", ())) for part in sentence.parts)


def _part(sentence: Sentence | None, at: int) -> Expr:
    assert sentence is not None
    part = sentence.parts[at]
    assert not isinstance(part, str)
    return part.expr


def _joined(text: Text) -> str:
    return "".join(run.text for run in text if run.mark != "em")


__all__ = ["HOLE", "Said", "Telling", "all_reads", "reads"]
