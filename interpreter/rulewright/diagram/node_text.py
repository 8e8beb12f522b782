"""The text of a step, an action or a zone in a picture: its sentence, or, where it has none, what it does as the rules
write it.

In: rules, a locale. Out: short texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Literal, assert_never

from rulewright.document.text_addresses import reason_address, title_address
from rulewright.model.actions import ActionDef, Choice, Clause, OneOf, Pay, SomeOf
from rulewright.model.effects import (
    Block,
    Choose,
    Finish,
    GiveTurn,
    Leave,
    Move,
    Reveal,
    Roll,
    RunSteps,
    SetState,
    Step,
)
from rulewright.model.locale import ENGLISH
from rulewright.model.rules import Criterion, Rules, ZoneDef
from rulewright.model.traversal import only_step
from rulewright.wording.messages import Messages
from rulewright.wording.phrases import PhraseRenderer
from rulewright.wording.static_sentences import StaticSentenceRenderer
from rulewright.wording.text_case import humanize, upper_first

SectionKey = Literal["setup", "round", "turn", "finale"]
DIAGRAM_SECTIONS: Final[tuple[SectionKey, ...]] = ("setup", "round", "turn", "finale")  # in the order of drawing
VISIBILITY_KEYS: Final = {"nobody": "seen_nobody", "owner": "seen_owner", "others": "seen_others"}


PhraseSource = Callable[[Rules], PhraseRenderer]  # phrases for what has no sentence, by the rules that it is part of


class NodeText:
    """The texts of one set of rules in one locale. `phrases_for`: else what has no sentence is shown as written."""

    def __init__(self, rules: Rules, locale: str, phrases_for: PhraseSource | None = None) -> None:
        self.rules = rules
        self.language = locale if locale in rules.languages else ENGLISH
        self.messages = Messages(rules, locale)
        self._phrases = None if phrases_for is None else phrases_for(rules)
        phrase = None if self._phrases is None else self._phrases.in_sentence
        self._sentences = StaticSentenceRenderer(rules, self.language, phrase)

    def sentence_text(self, address: str) -> str:
        """The sentence of a rule, in English if it has none in this language; empty when it has none."""
        for language in (self.language, ENGLISH):
            template = self.rules.languages[language].sentences.get(address)
            if template is not None:
                return self._sentences.render(template)
        return ""

    def game_title(self) -> str:
        """What the game calls itself."""
        return self.sentence_text("game") or self.rules.game

    # ---- names --------------------------------------------------------------------------------------------

    def action(self, action: ActionDef) -> str:
        """What an action is called: its title, or its name."""
        return self.sentence_text(title_address(action.address)) or humanize(action.name)

    def zone(self, zone: ZoneDef) -> str:
        """What a zone is called: its title, or its name."""
        return self.sentence_text(title_address(zone.address)) or humanize(zone.name)

    # ---- steps --------------------------------------------------------------------------------------------

    def repetition(self, step: Step) -> str:
        """For what or how often a step is done; empty when it is done once."""
        texts, messages = dict(step.source_texts), self.messages
        order_key = "highest_first" if step.is_descending else "lowest_first"
        if self._phrases is not None:
            exprs = {order_key: step.order, "times": step.times, "while": step.while_condition}
            texts |= {key: self._phrases.expr(expr) for key, expr in exprs.items() if expr is not None}
            texts |= {"for_each": self._phrases.binding(step.for_each)} if step.for_each is not None else {}
        parts = [messages("for_each", what=texts["for_each"])] if "for_each" in texts else []
        parts += [messages(order_key, what=texts[order_key])] if order_key in texts else []
        parts += [messages("times", number=texts["times"])] if "times" in texts else []
        parts += [messages("while", what=texts["while"])] if "while" in texts else []
        return ", ".join(parts)

    def join(self, text: str, more: str) -> str:
        """Two texts as one; behind a sentence the other becomes one too."""
        if text.endswith((".", "!", "?")):
            return f"{text} {upper_first(more)}"
        return self.messages("named", name=text, text=more)

    def step(self, step: Step) -> tuple[str, ...]:
        """A step in paragraphs: its sentence; or its name and what it does."""
        only = only_step(self.rules, step)
        sentence = self.sentence_text(step.address) or (self.sentence_text(only.address) if only else "")
        sentence = sentence or self._phrased(step)
        return (sentence,) if sentence else tuple(filter(None, (humanize(leaf_name(step.address)), self.effect(step))))

    def _phrased(self, step: Step) -> str:
        """What a step does, as a phrase; empty without phrases, and for a step that contains others."""
        if self._phrases is None or isinstance(step.effect, Choose | RunSteps):
            return ""
        return upper_first(self._phrases.effect(step))

    def effect(self, step: Step) -> str:
        """What a step does, as a phrase or as it is written."""
        if phrase := self._phrased(step):
            return phrase
        texts, messages = dict(step.source_texts), self.messages
        match step.effect:
            case Move():
                holes = {"what": texts["move"], "source": texts.get("from", ""), "to": texts["to"]}
                return messages("move" if "from" in texts else "put", **holes)
            case SetState():
                return messages("set", what=texts["set"], value=texts["to"])
            case Roll():
                return messages("roll", what=texts["roll"])
            case Reveal():
                return messages("reveal", what=texts["reveal"], whom=texts.get("to", "all"))
            case Choose(mode=mode):
                if "by" not in texts:
                    return messages(mode)
                how = messages("together_by" if mode == "together" else mode)
                return messages("named", name=messages("by", who=texts["by"]), text=how)
            case GiveTurn(is_extra=is_extra):
                if is_extra:
                    return messages("extra_turn", who=texts["extra_turn"])
                return messages("turn_of", who=texts["turn"])
            case Finish(when=when):
                winners = "; " + messages("winners", who=texts["winners"]) if "winners" in texts else ""
                return messages(f"finish_{when}") + winners
            case Leave():
                return messages("leave", who=texts["leave"])
            case RunSteps(is_procedure=is_procedure):
                if not is_procedure:
                    return ""
                name, _, arguments = texts["run"].removesuffix(")").partition("(")
                if not arguments:
                    return messages("run", name=humanize(name))
                return messages("run_with", name=humanize(name), arguments=arguments)
            case _:
                assert_never(step.effect)

    def condition(self, step: Step) -> str:
        """The condition of a step: its sentence, or as it is written."""
        address = f"{step.address}.when"
        reason = self.sentence_text(reason_address(address))
        return self.sentence_text(address) or reason or self.condition_phrase(step)

    def condition_phrase(self, step: Step) -> str:
        """The condition of a step as a phrase or as it is written; empty where there is none."""
        if self._phrases is None or step.when is None:
            return dict(step.source_texts).get("when", "")
        return upper_first(self._phrases.condition(step.when))

    def criterion(self, criterion: Criterion) -> tuple[str, ...]:
        """A line of the ranking: its sentence; or its name and what it compares."""
        sentence = self.sentence_text(criterion.address)
        if sentence:
            return (sentence,)
        rank = self.messages("most" if criterion.is_maximized else "fewest", of=criterion.source_text)
        return (humanize(leaf_name(criterion.address)), rank)

    # ---- actions ------------------------------------------------------------------------------------------

    def clause(self, clause: Clause) -> str:
        """When an action is allowed: the clause's own sentence, else its condition."""
        phrase = clause.source_text if self._phrases is None else self._phrases.condition(clause.condition)
        return self.messages("allowed_if", what=self.sentence_text(clause.address) or phrase)

    def choice(self, choice: Choice) -> str:
        """What can be chosen: the choice's own sentence, else its domain."""
        if sentence := self.sentence_text(choice.address):
            return sentence
        if self._phrases is not None:
            return self._phrases.choice(choice)
        text = self._domain_text(choice)
        return text if choice.condition is None else f"{text}, {self.messages('if', what=choice.source_texts[-1])}"

    def _domain_text(self, choice: Choice) -> str:
        messages, (of, *more) = self.messages, choice.source_texts
        match choice.domain:
            case OneOf():
                return messages("one_of", of=of)
            case SomeOf():
                has_total = choice.domain.total is not None
                return messages("so_many_of", total=more[0], of=of) if has_total else messages("some_of", of=of)
            case Pay():
                return messages("pay", price=of, source=more[0])
            case _:
                assert_never(choice.domain)


def is_chance_step(rules: Rules, step: Step) -> bool:
    """Whether dice, a random draw or a shuffled pile decide what a step does."""
    match step.effect:
        case Roll():
            return True
        case Move(amount=amount, source=source):
            is_shuffled = source is not None and rules.zones[source.zone].is_shuffled
            return "random" in amount.mode or (amount.mode == "top" and is_shuffled)
        case _:
            return False


def section_block(rules: Rules, section: SectionKey) -> int:
    """The index of the block of a section."""
    return {"setup": rules.setup, "round": rules.round, "turn": rules.turn, "finale": rules.finale}[section]


def iter_procedures(rules: Rules) -> Iterator[tuple[int, Block]]:
    """The procedures with the index of their block, each once."""
    seen = set[str]()
    for index, block in enumerate(rules.blocks):
        if block.address.startswith("procedures.") and block.address.count(".") == 1 and block.address not in seen:
            seen.add(block.address)
            yield index, block


def leaf_name(address: str) -> str:
    """The name at the end of an address."""
    return address.rpartition(".")[2]


__all__ = [
    "DIAGRAM_SECTIONS",
    "VISIBILITY_KEYS",
    "NodeText",
    "SectionKey",
    "is_chance_step",
    "iter_procedures",
    "leaf_name",
    "section_block",
]
