"""What `rulewright show --facts` says of the shipped games."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from command_line import CommandLine

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("zones.hand", "holds 0 to 3 of: any card"),
        ("zones.deck", "holds deck(3): 0 to 20 of: 20 cards: l3_diamond_1,"),
        ("zones.market", "refilled market(1, 1), … from deck(1); market(2, 1), … from deck(2)"),
        ("zones.purse", "holds 0 to 4 diamond, sapphire, emerald, ruby, onyx each; 0 to 5 gold; 0 to 13 in all"),
        ("values.bonuses", "can be 0 to 18 diamond, sapphire, emerald, ruby, onyx each; 0 to 90 in all"),
        ("state.passed", "can be true or false"),
        ("actions.take_different", "colours 0 to 3 of: any gem"),
        ("actions.buy", "numbers 47 to 3826 of 3915"),
        ("actions.give_back", "tokens 0 to 3 diamond, sapphire, emerald, ruby, onyx, gold each; 0 to 3 in all"),
        ("actions.reserve_from_deck", "level 1 to 3"),
        ("turn.act", "next turn.act, turn.noble, turn.give_back"),
        ("turn.give_back", "writes purse(me), supply"),
        (".", "cost between decisions at most 110,054 of 20,000,000 steps of evaluation, 44 of 10,000 steps"),
        ("turn", "inside round"),
        ("actions.buy.do.keep", "takes from hand(me), market"),
        (
            "actions.buy.choose.payment",
            "numbers 252, by what the wild pieces stand for (at most 5, 5, 5, 5, 5, 0, 5 in all)",
        ),
        ("actions.receive_noble.choose.noble", "numbers 3, by place (nobles: 3)"),
        ("actions.take_different.choose.colours", "numbers 26, by rank among sets of 0 to 3 out of 5"),
        ("actions.give_back.choose.tokens", "by rank among bags of at most 3, 3, 3, 3, 3, 3, 0 to 3 in all"),
        ("values.price", "read by actions.buy"),
        ("actions.take_different.when.in_supply", "can be true or false reads supply"),
        ("ranking.prestige", "reads tableau, visited"),
        ("actions.pass", "offered by turn.act"),
        ("zones.tableau", "looked at how many cards; total of bonus; total of prestige"),
        ("zones.nobles", "holds 0 to 3 of: any noble"),
        ("state.passed", "set back when a round begins"),
        ("actions.buy.do", "reads deck, hand(me), market, purse(me) writes"),
        ("round", "writes deck, hand, market, nobles, passed,"),
        ("turn.act", "legal list at most 88,283 of 20,000,000 steps of evaluation"),
        (". tests/games/sack/sack.yaml", "cost no bound without a decision endless round"),
        ("zones.stock tests/games/workers/workers.yaml", "looked at how many pieces; how many of one piece"),
        ("state.die tests/games/race/race.yaml", "read by actions.throw.do.go, turn.more, turn.six"),
        ("turn.more.may.throw.not_a_one tests/games/race/race.yaml", "reads die"),
        ("zones.purse tests/odd_rules/clauses.yaml", "holds 0 to 3 x, y each; 0 to 3 in all"),
        (". tests/odd_rules/together.yaml", "endless nothing"),
        (". tests/odd_rules/queued-turns.yaml", "endless turn"),
        ("zones.sticks nim", "holds sticks(3): 0 to 5 stick; 0 to 5 in all"),
        ("actions.take nim", "number 1 to 7"),
        ("zones.hand kuhn-poker", "holds 0 to 1 of: any card"),
        ("state.whereabouts wrack-line", "can be"),
    ],
)
def test_a_fact(run_cli: CommandLine, words: str, line: str) -> None:
    address, *game = words.split()
    assert run_cli("show", "--facts", address, *game) == 0
    assert line in " ".join(run_cli.out.split())


def test_a_rule_without_facts(run_cli: CommandLine) -> None:
    assert run_cli("show", "--facts", "parameters.gems_each") == 2
    message = "there are no facts about `parameters.gems_each`; zones, states, values, actions, steps and `.` have some"
    assert run_cli.err == f"rulewright: {message}\n"


def manual_calls() -> list[tuple[str, str]]:
    """The calls that the manual shows in its part on facts, each with what it prints."""
    text = (Path(__file__).parent.parent / "rules" / "MANUAL.md").read_text(encoding="utf-8")
    part = text[text.index("## What follows from the rules") : text.index("### Numbers of actions")]
    blocks = re.findall(r"```console\n(.*?)```", part, re.DOTALL)
    calls = [call for block in blocks for call in re.split(r"^\$ rulewright ", block, flags=re.MULTILINE)[1:]]
    return [(call.partition("\n")[0], call.partition("\n")[2]) for call in calls]


@pytest.mark.parametrize(("words", "printed"), manual_calls())
def test_the_manual_shows_what_is_printed(run_cli: CommandLine, words: str, printed: str) -> None:
    assert run_cli(*words.split()) == 0
    assert run_cli.out.startswith(printed.removesuffix("…\n"))
    assert printed.endswith("…\n") or run_cli.out == printed
