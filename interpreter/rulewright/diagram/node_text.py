"""What a step, an action or a place says in a picture: its sentence, or, where it has none, what it does as the rules
write it.

In: rules, a language. Out: short texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, assert_never

from rulewright.model.locale import ENGLISH
from rulewright.model.rules import (
    ActionDef,
    Choice,
    Choose,
    Clause,
    Criterion,
    Finish,
    Leave,
    Move,
    OneOf,
    Pay,
    Reveal,
    Roll,
    Rules,
    Run,
    Set,
    SomeOf,
    Step,
    Turn,
    ZoneDef,
)
from rulewright.wording.messages import Wording
from rulewright.wording.phrases import Phrases
from rulewright.wording.static_sentences import Saying

SEEN: Final = {"nobody": "seen_nobody", "owner": "seen_owner", "others": "seen_others"}


Phrased = Callable[[Rules], Phrases]  # words for what has no sentence, by the rules that it stands in


class Telling:
    """The texts of some rules in one language."""

    def __init__(self, rules: Rules, code: str, phrased: Phrased | None = None) -> None:
        self.rules = rules
        self.code = code if code in rules.languages else ENGLISH
        self.words = Wording(rules, code)
        self._saying = Saying(rules, self.code)
        self._phrases = None if phrased is None else phrased(rules)

    def sentence(self, address: str) -> str:
        """The sentence of a node, in English if it has none in this language; empty when it has none."""
        for code in (self.code, ENGLISH):
            found = self.rules.languages[code].sentences.get(address)
            if found is not None:
                return self._saying.say(found)
        return ""

    def game(self) -> str:
        """What the game calls itself."""
        return self.sentence("game") or self.rules.game

    # ---- names --------------------------------------------------------------------------------------------

    def action(self, action: ActionDef) -> str:
        """What an action is called: the title that the rules draw it with, or its name."""
        drawn = self.rules.table.get("actions")
        entry = drawn.get(action.name) if isinstance(drawn, Mapping) else None
        return self._title(entry) or plain(action.name)

    def zone(self, zone: ZoneDef) -> str:
        """What a zone is called: the title that the rules draw it with, or its name."""
        lines = [line for part in ("board", "seats") for line in self._lines(part)]
        titles = (self._title(line) for line in lines if line.get("zone") == zone.name)
        return next((title for title in titles if title), plain(zone.name))

    def _lines(self, part: str) -> list[Mapping[str, Any]]:
        lines = self.rules.table.get(part)
        return [line for line in lines if isinstance(line, Mapping)] if isinstance(lines, list | tuple) else []

    def _title(self, entry: object) -> str:
        title = entry.get("title") if isinstance(entry, Mapping) else None
        if isinstance(title, Mapping):
            title = title.get(self.code) or title.get(ENGLISH)
        return title if isinstance(title, str) else ""

    # ---- steps --------------------------------------------------------------------------------------------

    def repeated(self, step: Step) -> str:
        """For what or how often a step is done; empty when it is done once."""
        written, words = dict(step.written), self.words
        if self._phrases is not None:
            told = {"order": step.order, "times": step.times}
            written |= {key: self._phrases.expr(expr) for key, expr in told.items() if expr is not None}
            written |= {"for_each": self._phrases.binding(step.each)} if step.each is not None else {}
        said = [words("for_each", what=written["for_each"])] if "for_each" in written else []
        said += [words("in_order", what=written["order"])] if "order" in written else []
        said += [words("times", number=written["times"])] if "times" in written else []
        return ", ".join(said)

    def both(self, said: str, more: str) -> str:
        """Two texts as one; behind a sentence the other is one too."""
        if said.endswith((".", "!", "?")):
            return f"{said} {more[:1].upper()}{more[1:]}"
        return self.words("named", name=said, text=more)

    def step(self, step: Step) -> tuple[str, ...]:
        """A step in paragraphs: its sentence; or its name and what it does."""
        sentence = self.sentence(step.address) or self._phrased(step)
        return (sentence,) if sentence else tuple(filter(None, (plain(last_name(step.address)), self.done(step))))

    def _phrased(self, step: Step) -> str:
        """What a step does, in words, where there are words for it and it is no frame around others."""
        if self._phrases is None or isinstance(step.effect, Choose | Run):
            return ""
        said = self._phrases.effect(step)
        return said[:1].upper() + said[1:]

    def done(self, step: Step) -> str:
        """What a step does, as it is written."""
        if phrased := self._phrased(step):
            return phrased
        written, words = dict(step.written), self.words
        match step.effect:
            case Move():
                holes = {"what": written["move"], "source": written.get("from", ""), "to": written["to"]}
                return words("move" if "from" in written else "put", **holes)
            case Set():
                return words("set", what=written["set"], value=written["to"])
            case Roll():
                return words("roll", what=written["roll"])
            case Reveal():
                return words("reveal", what=written["reveal"], whom=written.get("to", "all"))
            case Choose(how=how):
                by = words("by", who=written["by"]) if "by" in written else ""
                return words("named", name=by, text=words(how)) if by else words(how)
            case Turn(extra=extra):
                return (
                    words("extra_turn", who=written["extra_turn"]) if extra else words("turn_of", who=written["turn"])
                )
            case Finish(when=when):
                winners = "; " + words("winners", who=written["winners"]) if "winners" in written else ""
                return words(f"finish_{when}") + winners
            case Leave():
                return words("leave", who=written["leave"])
            case Run(fresh=fresh):
                return words("run", name=plain(written["run"])) if fresh else ""
            case _:
                assert_never(step.effect)

    def condition(self, step: Step) -> str:
        """The condition of a step: its sentence, or as it is written."""
        address = f"{step.address}.when"
        return self.sentence(f"{address}.text") or self.sentence(address) or self.when(step)

    def when(self, step: Step) -> str:
        """The condition of a step in words, or as it is written; nothing where there is none."""
        if self._phrases is None or step.when is None:
            return dict(step.written).get("when", "")
        said = self._phrases.condition(step.when)
        return said[:1].upper() + said[1:]

    def criterion(self, criterion: Criterion) -> tuple[str, ...]:
        """A line of the ranking: its sentence; or its name and what it goes by."""
        said = self.words("most" if criterion.most else "fewest", of=criterion.written)
        sentence = self.sentence(criterion.address)
        return (sentence,) if sentence else (plain(last_name(criterion.address)), said)

    # ---- actions ------------------------------------------------------------------------------------------

    def clause(self, clause: Clause) -> str:
        """When an action is allowed: the clause's own sentence, or as it is written."""
        written = clause.text if self._phrases is None else self._phrases.condition(clause.is_)
        return self.words("allowed_if", what=self.sentence(f"{clause.address}.text") or written)

    def choice(self, choice: Choice) -> str:
        """What can be chosen: the choice's own sentence, or as it is written."""
        own = self.sentence(f"{choice.address}.text")
        if own:
            return own
        if self._phrases is not None:
            return self._phrases.domain(choice.domain)
        words, (of, *more) = self.words, choice.parts
        match choice.domain:
            case OneOf():
                return words("one_of", of=of)
            case SomeOf():
                return words("so_many_of", total=more[0], of=of) if more else words("some_of", of=of)
            case Pay():
                return words("pay", price=of, source=more[0])
            case _:
                assert_never(choice.domain)


def by_chance(rules: Rules, step: Step) -> bool:
    """Whether dice, a blind draw or a shuffled pile decide what comes of a step."""
    match step.effect:
        case Roll():
            return True
        case Move(amount=amount, source=source):
            shuffled = source is not None and rules.zones[source.zone].shuffled
            return "random" in amount.how or (amount.how == "top" and shuffled)
        case _:
            return False


def last_name(address: str) -> str:
    """The name at the end of an address."""
    return address.rpartition(".")[2]


def plain(name: str) -> str:
    """A name as words."""
    return name.replace("_", " ")


__all__ = ["SEEN", "Telling", "by_chance", "last_name", "plain"]
