"""Actions and answers in notation as people read it, who know seat 2 as player 3: `show(whom=player 3)`.

In: their JSON form, as a reader may know it. Out: texts that can be typed at the prompt as well.
"""

from __future__ import annotations

from rulewright.engine.notation import ActionData
from rulewright.engine.value_notation import AnswerData
from rulewright.expr.types import Bag, Member, SetOf, Type
from rulewright.model.rules import Rules
from rulewright.session.match import format_action, format_answer
from rulewright.wording.messages import Messages


def readable_notation(data: ActionData, rules: Rules, messages: Messages) -> str:
    """The notation of an action's JSON form."""
    definition = rules.find_action(data["action"])
    if definition is None:
        return format_action(data)
    types = {choice.name: choice.type for choice in definition.choices}
    choose = {name: _name_players(answer, types[name], rules, messages) for name, answer in data["choose"].items()}
    return format_action({"action": data["action"], "choose": choose})


def readable_answer(answer: AnswerData, type_: Type, rules: Rules, messages: Messages) -> str:
    """The notation of an answer's JSON form."""
    return format_answer(_name_players(answer, type_, rules, messages))


def _name_players(answer: AnswerData, type_: Type, rules: Rules, messages: Messages) -> AnswerData:
    """An answer with the names of players in place of the numbers of their seats."""
    match type_:
        case Member(kind=kind) | SetOf(element=Member(kind=kind)):
            info = rules.kinds[kind]
        case Bag(kind=kind) if kind:
            info = rules.kinds[kind]
        case _:
            return answer

    def name(member: object) -> str:
        return messages.player(int(str(member))) if info.is_player(str(member)) else str(member)

    match answer:
        case dict():
            return {name(member): count for member, count in answer.items()}
        case list():
            return [name(member) for member in answer]
        case str() if answer.startswith("+"):  # one piece more
            return f"+{name(answer[1:])}"
        case _:
            return name(answer)


__all__ = ["readable_answer", "readable_notation"]
