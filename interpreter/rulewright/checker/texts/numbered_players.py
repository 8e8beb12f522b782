"""Do members that are called by the numbers of players, "players 1 and 3", belong to just these?

In: the state of a build. Out: warnings about parameters that give each player one of such members, where the players
who share one are not those who are together by its name. English and French.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.diagnostics import Span
from rulewright.document.address import find_entry
from rulewright.expr.types import SEAT, KindInfo, Member
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.locale import player_number
from rulewright.model.rules import ParameterDef

PLAYERS: Final = lazy_pattern(r"(?i)^(?:the |les )?(?:players?|joueurs?) (\d+(?:(?:, ?|,? (?:and|et) |-| ?& ?)\d+)+)$")
NUMBER: Final = lazy_pattern(r"\d+")
Groups = frozenset[frozenset[int]]


@build_pass(needs=["parameters", "member_sentences", "symbols"], skip=after_errors)
def check_numbered_players(state: BuildState) -> None:
    """Reports them."""
    for parameter in state.parameters.values():
        type_ = parameter.type
        if not isinstance(type_, Member) or type_ == SEAT or parameter.key_types != (SEAT,):
            continue
        kind = state.symbols.kinds[type_.kind]
        named = {} if kind.is_numeric else _players_named(kind, state)
        together = _players_together(parameter)
        if len(named) != len(kind.members) or len(together) != len(named) or together == frozenset(named.values()):
            continue
        if frozenset[int]().union(*named.values()) != frozenset[int]().union(*together):
            continue
        group = min(together - frozenset(named.values()), key=min)
        name = next(name for name, players in named.items() if min(group) in players)
        players = " and ".join(map(str, sorted(group)))
        message = f"this puts players {players} together, and a member is called `{name}`"
        hint = "change the order of the values, or the names"
        warn(state, _span(parameter, state), OTHER_WAY, message, "other players", hint, f"parameters.{parameter.name}")


def _players_named(kind: KindInfo, state: BuildState) -> Mapping[str, frozenset[int]]:
    """The players by whose numbers members are called, by the first name that says so of each."""
    found = dict[str, frozenset[int]]()
    for member in kind.members:
        for names in state.member_sentences.member_names.values():
            match = PLAYERS.search(names.get(kind.name_key(member), ("",))[0])
            if match is not None:
                found[match[0]] = frozenset(map(int, NUMBER.findall(match[1])))
                break
    return found


def _players_together(parameter: ParameterDef) -> Groups:
    """The players that a parameter gives the same."""
    groups = dict[object, set[int]]()
    for seat, value in (parameter.values_by_key or {}).items():
        groups.setdefault(value, set()).add(player_number(seat))
    return frozenset(map(frozenset, groups.values()))


def _span(parameter: ParameterDef, state: BuildState) -> Span:
    entry = find_entry(state.document.root, f"parameters.{parameter.name}")
    assert entry is not None
    return key_span(state.document.root, f"parameters.{parameter.name}", "value", entry.key.span)


__all__ = ["check_numbered_players"]
