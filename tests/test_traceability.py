"""Nothing printed is without a rule or a reason, and no rule is without a statement: no hole in either direction.

The statements stand with the rules, `rules/…/statements.yaml`. Whether a scenario shows a rule is told by what the
scenario names: actions, addresses, zones, values, things, and what the rules say of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

import mutate
from rulewright.diagnostics import Report, draw
from rulewright.model.load import default_game, load_rules
from rulewright.model.rules import Rules
from rulewright.model.statements import check_statements
from rulewright.play.scenario import Case
from rulewright.text.address import find
from rulewright.text.nodes import plain
from rulewright.text.statements import Statement, grouped, sections, statements

PRINTED = {"official", "manual", "guide"}
OURS = {"own", "ruling"}
IDS = re.compile(r"[a-z][a-z0-9_]*")
NAMED = ("zones", "values", "parameters", "components", "kinds")  # what expressions name
SILENT = {"text", "why", "source", "status", "rows"}
CHECKED = {"invariants"}  # after every turn of every scenario

# what permits, forbids, changes or shows something: how deep its address is, by section
DEPTH = {
    "kinds": [2], "parameters": [2], "components": [2], "zones": [2], "setup": [2], "turn": [2], "round": [2],
    "finale": [2], "ranking": [2], "invariants": [2], "state": [2], "values": [2, 4], "actions": [2, 4],
    "strategies": [2, 4],
}  # fmt: skip
HOLDERS = {"choose", "when", "do", "sum", "less", "terms"}  # what stands at the third place of an address of four
# and keys that say of themselves who may, who must, how many, who sees
KEYS = {
    "zones": {"at_most", "refill", "seen_by", "starts"},
    "turn": {"must", "may", "otherwise", "single", "when", "finish"},
    "components": {"starts_in"},
}


@cache
def rules() -> Rules:
    return load_rules(default_game())


@cache
def said() -> tuple[Statement, ...]:
    return statements(mutate.base())


@cache
def cases() -> Mapping[str, Case]:
    return {f"{case.path.stem}/{case.name}": case for case in mutate.cases()}


def told(one: Statement) -> str:
    return f"{one.span}: {one.text['en']}"


def carries(address: str) -> bool:
    """Whether what stands at an address permits, forbids, changes or shows something by itself."""
    section, *rest = address.split(".")
    depth = len(rest) + 1
    if depth == 3 and rest[1] in KEYS.get(section, ()):
        return True
    return depth in DEPTH.get(section, ()) and (depth < 4 or rest[1] in HOLDERS)


def carriers(statuses: set[str]) -> list[str]:
    return [address for address, note in rules().notes.items() if note.status in statuses and carries(address)]


# ---- from the printed rules to these


def test_check_finds_nothing() -> None:
    report = Report()
    check_statements(mutate.base(), report)
    assert [draw(one) for one in report] == []


def test_every_work_is_there() -> None:
    """Each with statements in every section it lists, so that every sentence can be looked up."""
    works = {work.id: [tuple(one.names.values()) for one in work.sections] for work in grouped(mutate.base(), said())}
    printed = {
        work: [tuple(one.values()) for one in listed] for work, listed in sections(mutate.base()).items() if listed
    }
    assert works == printed
    assert len(works) == 5


def test_a_statement_is_a_rule_with_a_scenario_or_has_a_reason() -> None:
    assert [told(one) for one in said() if bool(one.scenario) == bool(one.reason)] == []
    assert [told(one) for one in said() if one.instead and one.nodes] == []


def test_scenarios_exist_and_play_the_rules_without_variants() -> None:
    named = {name for one in said() for name in one.scenario}
    assert sorted(named - set(cases())) == []
    assert [name for name in named if cases()[name].variants] == []


def test_no_statement_stands_twice_in_a_section() -> None:
    seen = [(place, one.text["en"]) for one in said() for place in one.source]
    assert len(seen) == len(set(seen))


# ---- from these rules to the printed ones


def test_every_printed_rule_is_stated() -> None:
    stated = {address for one in said() for address in one.nodes}
    assert [address for address in carriers(PRINTED) if address not in stated] == []


def test_every_rule_of_ours_is_a_ruling_or_for_bots_and_figures() -> None:
    decided = {node for row in mutate.rulings().values() for node in row["nodes"]}
    above = {address for address in carriers({"ruling"}) if not any(under(address, node) for node in decided)}
    assert above == set()
    played = [address for address in carriers({"own"}) if not address.startswith("values.")]
    assert played == []
    assert carriers(PRINTED | OURS) == [address for address in rules().notes if carries(address)]


def under(address: str, above: str) -> bool:
    return f"{address}.".startswith(f"{above}.")


def sourced() -> Iterator[Any]:
    """Every rule that says where it is printed, with each place."""
    root = mutate.base().root
    for address in rules().notes:
        entry = find(root, f"{address}.source")
        cited = plain(entry.value) if entry is not None else {}
        for work, places in cited.items():
            for place in [places] if isinstance(places, str) else places:
                if work in printed_works():
                    yield pytest.param(address, work, place, id=f"{address}-{work}-{place}")


def printed_works() -> set[str]:
    return {work for work, listed in sections(mutate.base()).items() if listed}


@cache
def stated_in() -> Mapping[tuple[str, str], set[str]]:
    """Work and section, by any of its names → the rules that its statements speak of."""
    found: dict[tuple[str, str], set[str]] = {}
    for work in grouped(mutate.base(), said()):
        for section in work.sections:
            nodes = {address for one in section.statements for address in (*one.nodes, *one.instead)}
            found.update({(work.id, name): nodes for name in section.names.values()})
    return found


@pytest.mark.parametrize(("address", "work", "place"), list(sourced()))
def test_a_rule_is_stated_where_it_says_it_is_printed(address: str, work: str, place: str) -> None:
    assert any(under(one, address) for one in stated_in()[work, place])


# ---- scenarios


def words(data: Any) -> set[str]:
    """Every id in a piece of rules or of a scenario, in keys and in expressions."""
    match data:
        case dict():
            return {word for pair in data.items() for one in pair for word in words(one)}
        case list():
            return {word for one in data for word in words(one)}
        case str():
            return set(IDS.findall(data))
    return set()


def texts(data: Any) -> set[str]:
    """Every text in a piece of a scenario: among them the addresses that it names."""
    if isinstance(data, dict):
        return {text for one in data.values() for text in texts(one)}
    if isinstance(data, list):
        return {text for one in data for text in texts(one)}
    return {str(data)}


@dataclass(frozen=True)
class Spoken:
    """What a scenario says, as plain data."""

    given: Any
    when: list[str]
    then: Any

    @classmethod
    def by(cls, case: Case) -> Spoken:
        given = plain(case.given) if case.given is not None else {}
        return cls(given, [one.text for one in case.when], plain(case.then))

    @property
    def ids(self) -> set[str]:
        return words([self.given, self.when, self.then])

    @property
    def seen(self) -> set[str]:
        """The zones of which it says what is in them afterwards, or before where nothing is done."""
        places = [self.then.get("zones", {}), self.then.get("sees", {}), *([] if self.when else [self.given])]
        return words(places)


def steps_shown(spoken: Spoken, root: Any) -> set[str]:
    """Steps and actions: those it names, those whose actions it does, and those whose outcome it tells."""
    found = texts(spoken.then) | {f"actions.{one}" for one in root["actions"] if one in spoken.ids}
    for step, body in root["turn"].items():
        offers = set(body.get("must", ()))
        if offers & spoken.ids or (spoken.when and "otherwise" in body and body["otherwise"] in root["actions"]):
            found.add(f"turn.{step}")
        for one in offers:
            moves = root["actions"][one]["do"].values()
            if body.get("single") and spoken.seen & {word for move in moves for word in words(move.get("to"))}:
                found |= {f"turn.{step}", f"actions.{one}"}  # it came by itself, or did not
        if "finish" in body and "over" in spoken.then:
            found.add(f"turn.{step}")
    for step, body in root["setup"].items():
        if (spoken.seen | words(spoken.given)) & {body["from"], body["to"]}:
            found.add(f"setup.{step}")
    if {"decides", "over"} & set(spoken.then):
        found |= {f"round.{one}" for one in root["round"]}
    if {"places", "winners"} & set(spoken.then):
        found |= {f"ranking.{one}" for one in root["ranking"]}
    return found


@cache
def shown_by(name: str) -> frozenset[str]:
    """Addresses of what a scenario shows: its steps, and what it or they name, or what that is made of."""
    spoken, root = Spoken.by(cases()[name]), plain(mutate.base().root)
    found = steps_shown(spoken, root)
    for component, body in root["components"].items():
        rows = spoken.ids & set(body["rows"])
        found |= {f"components.{component}.rows.{one}" for one in rows} | (
            {f"components.{component}"} if rows else set()
        )
    named = set(spoken.ids)
    grown: set[str] = set()
    while grown != found:
        grown = set(found)
        for address in sorted(found):
            entry = find(mutate.base().root, address)
            if entry is not None and ".rows." not in address:
                named |= words({key: one for key, one in as_mapping(plain(entry.value)).items() if key not in SILENT})
        found |= {f"{section}.{one}" for section in NAMED for one in root[section] if one in named}
    return frozenset(found)


def as_mapping(data: Any) -> Any:
    return data if isinstance(data, dict) else {"is": data}


RULES_WITH_SCENARIO = [pytest.param(one, id=str(one.number)) for one in said() if one.scenario]


@pytest.mark.parametrize("one", RULES_WITH_SCENARIO)
def test_its_scenarios_show_its_rules(one: Statement) -> None:
    shown = {address for name in one.scenario for address in shown_by(name)}
    assert [node for node in one.nodes if not any(under(node, at) for at in shown | CHECKED)] == [], told(one)


@pytest.mark.parametrize("one", RULES_WITH_SCENARIO)
def test_each_of_its_scenarios_shows_some_of_its_rules(one: Statement) -> None:
    idle = [
        name
        for name in one.scenario
        if not any(under(node, at) for node in one.nodes for at in shown_by(name) | CHECKED)
    ]
    assert idle == [], told(one)


def test_a_scenario_that_names_other_things_shows_nothing_of_a_rule() -> None:
    assert "actions.buy" not in shown_by("taking/pair")
    assert "values.price" not in shown_by("taking/pair")
    assert "turn.noble" not in shown_by("taking/pair")
    assert "ranking.cards" not in shown_by("ending/the_round_is_completed")
    assert "parameters.hand_limit" not in shown_by("taking/pair")


def test_a_clause_that_is_stated_is_shown_to_forbid() -> None:
    """Somewhere among the statements that name it: an `illegal:` with its address."""
    forbidden = {
        str(plain(node)) for one in said() for name in one.scenario if (node := cases()[name].then.get("illegal"))
    }
    clauses = {node for one in said() for node in one.nodes if re.fullmatch(r"actions\.\w+\.when\.\w+", node)}
    assert sorted(clauses - forbidden) == []
