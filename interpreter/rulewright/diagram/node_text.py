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
    GiveTurn,
    Leave,
    Move,
    OneOf,
    Pay,
    Reveal,
    Roll,
    Rules,
    RunSteps,
    SetState,
    SomeOf,
    Step,
    ZoneDef,
)
from rulewright.wording.messages import Messages
from rulewright.wording.phrases import PhraseRenderer
from rulewright.wording.static_sentences import StaticSentenceRenderer
from rulewright.wording.text_case import humanize

VISIBILITY_KEYS: Final = {"nobody": "seen_nobody", "owner": "seen_owner", "others": "seen_others"}


PhraseSource = Callable[[Rules], PhraseRenderer]  # words for what has no sentence, by the rules that it stands in


class NodeText:
    """The texts of some rules in one language."""

    def __init__(self, rules: Rules, code: str, phrases_for: PhraseSource | None = None) -> None:
        self.rules = rules
        self.language = code if code in rules.languages else ENGLISH
        self.messages = Messages(rules, code)
        self._saying = StaticSentenceRenderer(rules, self.language)
        self._phrases = None if phrases_for is None else phrases_for(rules)

    def sentence_text(self, address: str) -> str:
        """The sentence of a node, in English if it has none in this language; empty when it has none."""
        for code in (self.language, ENGLISH):
            found = self.rules.languages[code].sentences.get(address)
            if found is not None:
                return self._saying.render(found)
        return ""

    def game_title(self) -> str:
        """What the game calls itself."""
        return self.sentence_text("game") or self.rules.game

    # ---- names --------------------------------------------------------------------------------------------

    def action(self, action: ActionDef) -> str:
        """What an action is called: the title that the rules draw it with, or its name."""
        drawn = self.rules.display.get("actions")
        entry = drawn.get(action.name) if isinstance(drawn, Mapping) else None
        return self._title(entry) or humanize(action.name)

    def zone(self, zone: ZoneDef) -> str:
        """What a zone is called: the title that the rules draw it with, or its name."""
        lines = [line for part in ("board", "seats") for line in self._lines(part)]
        titles = (self._title(line) for line in lines if line.get("zone") == zone.name)
        return next((title for title in titles if title), humanize(zone.name))

    def _lines(self, part: str) -> list[Mapping[str, Any]]:
        lines = self.rules.display.get(part)
        return [line for line in lines if isinstance(line, Mapping)] if isinstance(lines, list | tuple) else []

    def _title(self, entry: object) -> str:
        title = entry.get("title") if isinstance(entry, Mapping) else None
        if isinstance(title, Mapping):
            title = title.get(self.language) or title.get(ENGLISH)
        return title if isinstance(title, str) else ""

    # ---- steps --------------------------------------------------------------------------------------------

    def repetition(self, step: Step) -> str:
        """For what or how often a step is done; empty when it is done once."""
        written, words = dict(step.source_texts), self.messages
        if self._phrases is not None:
            told = {"order": step.order, "times": step.times}
            written |= {key: self._phrases.expr(expr) for key, expr in told.items() if expr is not None}
            written |= {"for_each": self._phrases.binding(step.for_each)} if step.for_each is not None else {}
        said = [words("for_each", what=written["for_each"])] if "for_each" in written else []
        said += [words("in_order", what=written["order"])] if "order" in written else []
        said += [words("times", number=written["times"])] if "times" in written else []
        return ", ".join(said)

    def join(self, said: str, more: str) -> str:
        """Two texts as one; behind a sentence the other is one too."""
        if said.endswith((".", "!", "?")):
            return f"{said} {more[:1].upper()}{more[1:]}"
        return self.messages("named", name=said, text=more)

    def step(self, step: Step) -> tuple[str, ...]:
        """A step in paragraphs: its sentence; or its name and what it does."""
        sentence = self.sentence_text(step.address) or self._phrased(step)
        return (sentence,) if sentence else tuple(filter(None, (humanize(leaf_name(step.address)), self.effect(step))))

    def _phrased(self, step: Step) -> str:
        """What a step does, in words, where there are words for it and it is no frame around others."""
        if self._phrases is None or isinstance(step.effect, Choose | RunSteps):
            return ""
        said = self._phrases.effect(step)
        return said[:1].upper() + said[1:]

    def effect(self, step: Step) -> str:
        """What a step does, as it is written."""
        if phrased := self._phrased(step):
            return phrased
        written, words = dict(step.source_texts), self.messages
        match step.effect:
            case Move():
                holes = {"what": written["move"], "source": written.get("from", ""), "to": written["to"]}
                return words("move" if "from" in written else "put", **holes)
            case SetState():
                return words("set", what=written["set"], value=written["to"])
            case Roll():
                return words("roll", what=written["roll"])
            case Reveal():
                return words("reveal", what=written["reveal"], whom=written.get("to", "all"))
            case Choose(mode=how):
                by = words("by", who=written["by"]) if "by" in written else ""
                return words("named", name=by, text=words(how)) if by else words(how)
            case GiveTurn(is_extra=extra):
                return (
                    words("extra_turn", who=written["extra_turn"]) if extra else words("turn_of", who=written["turn"])
                )
            case Finish(when=when):
                winners = "; " + words("winners", who=written["winners"]) if "winners" in written else ""
                return words(f"finish_{when}") + winners
            case Leave():
                return words("leave", who=written["leave"])
            case RunSteps(is_procedure=fresh):
                return words("run", name=humanize(written["run"])) if fresh else ""
            case _:
                assert_never(step.effect)

    def condition(self, step: Step) -> str:
        """The condition of a step: its sentence, or as it is written."""
        address = f"{step.address}.when"
        return self.sentence_text(f"{address}.text") or self.sentence_text(address) or self.condition_phrase(step)

    def condition_phrase(self, step: Step) -> str:
        """The condition of a step in words, or as it is written; nothing where there is none."""
        if self._phrases is None or step.when is None:
            return dict(step.source_texts).get("when", "")
        said = self._phrases.condition(step.when)
        return said[:1].upper() + said[1:]

    def criterion(self, criterion: Criterion) -> tuple[str, ...]:
        """A line of the ranking: its sentence; or its name and what it goes by."""
        said = self.messages("most" if criterion.is_maximized else "fewest", of=criterion.source_text)
        sentence = self.sentence_text(criterion.address)
        return (sentence,) if sentence else (humanize(leaf_name(criterion.address)), said)

    # ---- actions ------------------------------------------------------------------------------------------

    def clause(self, clause: Clause) -> str:
        """When an action is allowed: the clause's own sentence, or as it is written."""
        written = clause.source_text if self._phrases is None else self._phrases.condition(clause.condition)
        return self.messages("allowed_if", what=self.sentence_text(f"{clause.address}.text") or written)

    def choice(self, choice: Choice) -> str:
        """What can be chosen: the choice's own sentence, or as it is written."""
        own = self.sentence_text(f"{choice.address}.text")
        if own:
            return own
        if self._phrases is not None:
            return self._phrases.domain(choice.domain)
        words, (of, *more) = self.messages, choice.source_texts
        match choice.domain:
            case OneOf():
                return words("one_of", of=of)
            case SomeOf():
                return words("so_many_of", total=more[0], of=of) if more else words("some_of", of=of)
            case Pay():
                return words("pay", price=of, source=more[0])
            case _:
                assert_never(choice.domain)


def is_chance_step(rules: Rules, step: Step) -> bool:
    """Whether dice, a blind draw or a shuffled pile decide what comes of a step."""
    match step.effect:
        case Roll():
            return True
        case Move(amount=amount, source=source):
            shuffled = source is not None and rules.zones[source.zone].is_shuffled
            return "random" in amount.mode or (amount.mode == "top" and shuffled)
        case _:
            return False


def leaf_name(address: str) -> str:
    """The name at the end of an address."""
    return address.rpartition(".")[2]


__all__ = ["VISIBILITY_KEYS", "NodeText", "is_chance_step", "leaf_name"]
