"""Rules that would run for hours are stopped, always at the same place: work is reckoned, no clock is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.engine.reference import Engine, RuleFault
from rulewright.model.load import load_rules

HEAD = "game: long\nversion: 1.0.0\nlanguage: 1\ntext: A game that takes long\nplayers: 2\n"
ROUND = "round: [turns: {for_each: seat, turn: seat}]\n"
STATE = "state: {s: {type: 0 to 9, start: 1}}\n"

TOO_LONG = {
    "a dear condition, asked often": (
        STATE
        + "kinds: {n: 1 to 900}\n"
        + "actions: {act: {do: [x: {times: 9000, set: s, to: 1,"
        + " when: some n has (every m in 1 to 900 has (m < 1000 or s is 9)) and n > 5000}]}}\n"
        + "turn: [a: {must: [act]}]\n",
        "actions.act.do: what happens between two decisions could take more than 20,000,000 steps to work out",
    ),
    "many answers": (
        STATE
        + "kinds: {n: 1 to 1000}\n"
        + "actions: {act: {choose: {a: {one_of: n}, b: {one_of: n}, c: {one_of: n}}, do: [x: {set: s, to: 1}]}}\n"
        + "turn: [a: {must: [act]}]\n",
        "actions.act: finding what is legal could take more than 20,000,000 steps",
    ),
    "an offer that is never open, looked for often": (
        STATE
        + "kinds: {n: 1 to 900}\n"
        + "actions: {act: {choose: {a: {one_of: n}}, when: {c: a > 900 + s}, do: [x: {set: s, to: a // 900}]}}\n"
        + "turn: [a: {times: 9000, must: [act], otherwise: nothing}]\n",
        "actions.act: finding what is legal could take more than 20,000,000 steps",
    ),
    "steps without an end": (
        STATE + "actions: {act: {do: [x: {set: s, to: 1}]}}\nturn: [a: {when: s is 2, must: [act]}]\n",
        "round: 10000 steps without a decision or chance",
    ),
    "a wall of things, moved one by one": (
        "components:\n  stone:\n    fields: {}\n    starts_in: here\n    rows: ["
        + ", ".join(f"{{id: s{number}}}" for number in range(3000))
        + "]\nzones:\n  here: {holds: stone, order: shuffled, seen_by: nobody}\n"
        + "  there: {holds: stone, order: arrival, seen_by: all}\n"
        + "actions: {act: {do: [x: {move: top 3000, from: here, to: there}]}}\nturn: [a: {must: [act]}]\n",
        "zones.there: what happens between two decisions could take more than 20,000,000 steps to work out",
    ),
}


@pytest.mark.parametrize("name", TOO_LONG)
def test_rules_that_run_too_long_are_stopped(name: str, tmp_path: Path) -> None:
    """Each is refused with its address, in the first decision of a seat or while nobody decides."""
    text, expected = TOO_LONG[name]
    file = tmp_path / "long.yaml"
    file.write_text(HEAD + text + ROUND)

    def first_decision() -> None:
        engine = Engine(load_rules(str(file)))
        state = engine.start(seed=1)
        engine.apply(state, engine.legal(state)[0])

    with pytest.raises(RuleFault) as fault:
        first_decision()
    assert f"{fault.value.address}: {fault.value.message}" == expected
