"""Nothing printed is without a rule or a reason, and no rule is without a statement: no hole in either direction.

The statements stand with the rules, `rules/…/statements.yaml`. That a scenario shows a rule means: it fails when the
rule is changed, as the table of rulings changes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import pytest

import mutate
from rulewright.checker.texts.statement_references import check_statements
from rulewright.diagnostics import Diagnostics, render_full
from rulewright.document.statements import Statement, group_by_publication, load_statements, publication_sections
from rulewright.model.loader import load_rules
from rulewright.model.locate import default_game
from rulewright.model.rules import Rules
from rulewright.scenarios.scenario_file import Case
from rulewright.source.nodes import to_builtins

pytestmark = pytest.mark.slow

PRINTED = {"official", "manual", "guide"}
OURS = {"own", "ruling"}
SAY = {"official": {"rulebook", "rulebook_bilingual"}, "manual": {"manual"}, "guide": {"guide", "digest"}}
UNCHANGED = re.compile(r"^(kinds|invariants|book)\.|\.fields\.")  # what is there, holds always, or is told beside

# what permits, forbids, changes or shows something: how deep its address is, by section
DEPTH = {
    "kinds": [2], "parameters": [2], "components": [2], "zones": [2], "setup": [2], "turn": [2], "round": [2],
    "finale": [2], "ranking": [2], "invariants": [2], "state": [2], "values": [2, 4], "actions": [2, 4],
    "strategies": [2, 4],
}  # fmt: skip
HOLDERS = {"choose", "when", "do", "sum", "less", "terms"}  # what stands at the third place of an address of four
# and keys that say of themselves who may, who must, how many, who sees
KEYS = {
    "zones": {"at_most", "refill", "seen_by", "start"},
    "turn": {"must", "may", "if_unable", "if_only_one", "when", "end_game"},
    "components": {"start"},
}


@cache
def rules() -> Rules:
    return load_rules(default_game())


@cache
def all_stated() -> tuple[Statement, ...]:
    return load_statements(mutate.base())


@cache
def cases() -> Mapping[str, Case]:
    return {f"{case.path.stem}/{case.name}": case for case in mutate.cases()}


def describe(one: Statement) -> str:
    return f"{one.span}: {one.text['en']}"


def carries(address: str) -> bool:
    """Whether what stands at an address permits, forbids, changes or shows something by itself."""
    section, *rest = address.split(".")
    depth = len(rest) + 1
    if depth == 3 and rest[1] in KEYS.get(section, ()):
        return True
    return depth in DEPTH.get(section, ()) and (depth < 4 or rest[1] in HOLDERS)


def carriers(statuses: set[str]) -> list[str]:
    return [address for address, note in rules().provenance.items() if note.status in statuses and carries(address)]


# ---- from the printed rules to these


def test_check_finds_nothing() -> None:
    diagnostics = Diagnostics()
    check_statements(mutate.base(), diagnostics)
    assert [render_full(one) for one in diagnostics] == []


def test_every_work_is_there() -> None:
    """Each with statements in every section it lists, so that every sentence can be looked up."""
    works = {
        work.id: [tuple(one.names.values()) for one in work.sections]
        for work in group_by_publication(mutate.base(), all_stated())
        if work.id in printed_works()
    }
    printed = {
        work: [tuple(one.values()) for one in listed]
        for work, listed in publication_sections(mutate.base().sources).items()
        if listed
    }
    assert works == printed
    assert len(works) == 5


def test_a_statement_is_a_rule_with_a_scenario_or_has_a_reason() -> None:
    assert [describe(one) for one in all_stated() if bool(one.scenarios) == bool(one.reason_id)] == []
    assert [describe(one) for one in all_stated() if one.instead and one.addresses] == []


def test_what_holds_instead_is_a_ruling() -> None:
    decided = [node for row in mutate.rulings().values() for node in row["nodes"]]
    assert [describe(one) for one in all_stated() if one.instead and not ruled(one.instead, decided)] == []


def ruled(nodes: Sequence[str], decided: Sequence[str]) -> bool:
    return any(under(node, one) or under(one, node) for node in nodes for one in decided)


def test_scenarios_exist_and_play_the_rules_without_variants() -> None:
    named = {name for one in all_stated() for name in one.scenarios}
    assert sorted(named - set(cases())) == []
    assert [name for name in named if cases()[name].variants] == []


def test_no_statement_stands_twice_in_a_section() -> None:
    seen = [(place, one.text["en"]) for one in all_stated() for place in one.source]
    assert len(seen) == len(set(seen))


# ---- from these rules to the printed ones


def test_every_printed_rule_is_stated() -> None:
    stated = {address for one in all_stated() for address in one.addresses}
    assert [address for address in carriers(PRINTED) if address not in stated] == []


@pytest.mark.parametrize("status", sorted(SAY))
def test_its_status_is_that_of_who_says_it(status: str) -> None:
    stated = {
        address for one in all_stated() for address in one.addresses if SAY[status] & {work for work, _ in one.source}
    }
    assert [address for address in carriers({status}) if address not in stated] == []


def test_every_rule_of_ours_is_a_ruling_or_for_bots_and_figures() -> None:
    decided = {node for row in mutate.rulings().values() for node in row["nodes"]}
    above = {address for address in carriers({"ruling"}) if not any(under(address, node) for node in decided)}
    assert above == set()
    played = [address for address in carriers({"own"}) if not address.startswith("values.")]
    assert played == []
    assert carriers(PRINTED | OURS) == [address for address in rules().provenance if carries(address)]


def under(address: str, above: str) -> bool:
    return f"{address}.".startswith(f"{above}.")


def sourced() -> Iterator[tuple[str, str, str]]:
    """Every rule that is said to be printed somewhere, with the work and each place in it."""
    for address, note in rules().provenance.items():
        for work, place in note.source if carries(address) else ():
            if work in printed_works():
                yield address, work, place


def printed_works() -> set[str]:
    return {work for work, listed in publication_sections(mutate.base().sources).items() if listed}


@cache
def stated_in() -> Mapping[tuple[str, str], set[str]]:
    """Work and section, by any of its names → the rules that its statements speak of."""
    found: dict[tuple[str, str], set[str]] = {}
    for work in group_by_publication(mutate.base(), all_stated()):
        for section in work.sections:
            nodes = {address for one in section.statements for address in (*one.addresses, *one.instead)}
            found.update({(work.id, name): nodes for name in section.names.values()})
    return found


def test_a_rule_is_stated_where_it_says_it_is_printed() -> None:
    elsewhere = [
        (address, work, place)
        for address, work, place in sourced()
        if not any(under(one, address) or under(address, one) for one in stated_in()[work, place])
    ]
    assert elsewhere == []


# ---- scenarios: each notices when the rule is changed that it is named for


def touched(operations: dict[str, Any]) -> Iterator[str]:
    """Addresses that a change of a ruling speaks of; what is inserted is no rule of the game."""
    for verb, what in operations.items():
        yield from what if verb != "insert" else ()


@cache
def changes(node: str) -> tuple[tuple[int, int], ...]:
    """Ruling and number of all changes of a rule, then of those of an answer that the rule carries."""
    own, answers = [], []
    for ruling, row in mutate.rulings().items():
        for number, operations in enumerate(row.get("mutation", ()), start=1):
            if any(under(one, node) or under(node, one) for one in touched(operations)):
                own.append((ruling, number))
            elif any(under(node, one) for one in row["nodes"]):
                answers.append((ruling, number))
    return (*own, *answers)


@cache
def notices(name: str, ruling: int, number: int) -> bool:
    """Whether a scenario fails when a change of a ruling is laid over the rules."""
    diagnostics = mutate.runner_of(ruling, number).run(cases()[name]).diagnostics
    return any(one.code in mutate.NOTICED for one in diagnostics)


def shows(name: str, node: str) -> bool:
    return any(notices(name, *change) for change in changes(node))


RULES = [pytest.param(one, id=str(one.number)) for one in all_stated() if one.scenarios]
with_scenario = pytest.mark.parametrize("one", RULES)


@with_scenario
def test_its_rules_cannot_change_unnoticed(one: Statement) -> None:
    nodes = [node for node in one.addresses if not UNCHANGED.search(node)]
    assert [node for node in nodes if not any(shows(name, node) for name in one.scenarios)] == [], describe(one)


@with_scenario
def test_each_of_its_scenarios_shows_a_rule_of_it(one: Statement) -> None:
    assert [name for name in one.scenarios if not any(shows(name, node) for node in one.addresses)] == [], describe(one)


def test_a_clause_that_is_stated_is_shown_to_forbid() -> None:
    """Somewhere among the statements that name it: an `illegal:` with its address."""
    forbidden = {
        str(to_builtins(node))
        for one in all_stated()
        for name in one.scenarios
        if (node := cases()[name].then.get("illegal"))
    }
    clauses = {node for one in all_stated() for node in one.addresses if re.fullmatch(r"actions\.\w+\.when\.\w+", node)}
    assert sorted(clauses - forbidden) == []


def test_a_scenario_of_other_things_shows_nothing_of_a_rule() -> None:
    assert not shows("taking/pair", "actions.buy.choose.payment")
    assert not shows("taking/pair", "parameters.hand_limit")
    assert not shows("ending/the_round_is_completed", "ranking.cards")
