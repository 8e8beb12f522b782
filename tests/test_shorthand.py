"""What a person types means a legal action, or is asked about: everything that is written is read back, short forms
mean what they seem to, and no text makes the reader fall over.
"""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from positions import SEEDS, Spot, Table, engine_of, settle, spots, tried
from rulewright.engine.reference.explainer import Explainer
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import DECLINE, STOP_TOKEN, Action, Decision
from rulewright.engine.value_notation import NotationError
from rulewright.model.loader import load_rules
from rulewright.session.session import Session
from rulewright.session.shorthand import NotLegalNow, ShorthandParser
from rulewright.session.typed_words import normalize
from wished_actions import attempts

SPLENDOR = Table("splendor", 2)


@pytest.mark.slow
@tried(60)
@given(spots(), SEEDS)
def test_everything_written_is_read_back(here: Spot, seed: int):
    """In full notation, and as the answers one after another behind the name, in any case."""
    rng = random.Random(seed)
    state = settle(here.engine, here.state, rng)
    legal = here.engine.legal(state)
    if not isinstance(state.waiting, Decision):
        return
    shorthand, notation = ShorthandParser(here.rules), here.notation
    for action in rng.sample(legal, min(len(legal), 6)):
        assert shorthand.parse(notation.format_action(action), legal) == (action,)
        if action == DECLINE:
            continue
        definition = here.rules.actions[action.number]
        answers = [
            notation.format_value(value, choice.type)
            for choice, value in zip(definition.choices, action.values, strict=False)
        ]
        if action.token is not None:
            answers.append(notation.format_token(definition.choices[len(answers)], action.token))
        for form in (
            " ".join([definition.name, *answers]),
            f"{definition.name.upper()} {' , '.join(answers)}",
            ", ".join(
                [definition.name]
                + [f"{one.name} = {text}" for one, text in zip(definition.choices, answers, strict=False)]
            ),
        ):
            found = shorthand.parse(form, legal)
            assert found == (action,), (form, [notation.format_action(one) for one in found])


@pytest.mark.slow
@tried(40)
@given(spots(), SEEDS)
def test_an_attempt_that_is_not_legal_is_still_read(here: Spot, seed: int):
    state = settle(here.engine, here.state, random.Random(seed))
    legal = here.engine.legal(state)
    shorthand = ShorthandParser(here.rules)
    for attempt in attempts(here, seed, 4):
        text = here.notation.format_action(attempt)
        try:
            again = here.notation.parse_action(text)
        except NotationError:
            continue
        made = len(again.values)
        if here.notation.match_action(again, legal) is not None or any(
            one.number == again.number and one.values[:made] == again.values for one in legal
        ):
            continue
        with pytest.raises(NotLegalNow) as refused:
            shorthand.parse(text, legal)
        assert refused.value.attempt == again


@pytest.mark.slow
@tried(60)
@given(spots(), st.text(max_size=60))
def test_no_text_makes_it_fall_over(here: Spot, typed: str):
    legal = here.engine.legal(settle(here.engine, here.state, random.Random(0)))
    found: tuple[Action, ...] = legal
    with suppress(NotationError):
        found = ShorthandParser(here.rules).parse(typed, legal)
        assert found
    assert set(found) <= set(legal)


WORDS = ["take", "ta", "1", "2", "99", "+", "=", "a", "re", "x", "all", "o", "t01", "-1", "(", ",", "stop", "no"]


@pytest.mark.slow
@tried(60)
@given(spots(), st.lists(st.sampled_from(WORDS), min_size=1, max_size=64))
def test_many_words_are_read_soon(here: Spot, typed: list[str]):
    legal = here.engine.legal(settle(here.engine, here.state, random.Random(0)))
    names = [one.name for one in here.rules.actions]
    try:
        ShorthandParser(here.rules).parse(" ".join([*names[:1], *typed]), legal)
    except NotationError:
        return


# what is typed at the beginning of a game -> what it means: so many actions, all of them beginning so
MEANT = {
    "pair ruby": ["take_pair(colour=ruby)"],
    "PAIR Ru": ["take_pair(colour=ruby)"],
    "ta pa ruby": ["take_pair(colour=ruby)"],
    "take-pair ruby": ["take_pair(colour=ruby)"],
    "take_pair(colour = ruby)": ["take_pair(colour=ruby)"],
    "pair colour=ruby": ["take_pair(colour=ruby)"],
    "take diam sapp": [
        f"take_different(colours=diamond + sapphire + {other})" for other in ("emerald", "ruby", "onyx")
    ],
    "diff d sa e": ["take_different(colours=diamond + sapphire + emerald)"],
    "take emerald, sapphire and".removesuffix(" and") + ", diamond": [
        "take_different(colours=diamond + sapphire + emerald)"
    ],
    "emerald diamond sapphire": ["take_different(colours=diamond + sapphire + emerald)"],
    "deck 2": ["reserve_from_deck(level=2)"],
    "res d 2": ["reserve_from_deck(level=2)"],
    "l1_ruby_6": ["reserve_face_up(card=l1_ruby_6)"],
    "reserve l1 ruby 6": ["reserve_face_up(card=l1_ruby_6)"],
    "pair": [f"take_pair(colour={one})" for one in ("diamond", "sapphire", "emerald", "ruby", "onyx")],
    "emer": ["take_pair(colour=emerald)", "reserve_face_up(card=l1_emerald_8)", "reserve_face_up(card=l2_emerald_6)"],
}


@pytest.mark.parametrize("typed", MEANT)
def test_short_forms_mean_what_they_seem_to(typed: str):
    session = Session.new(engine_of(SPLENDOR), seed=3)
    assert [session.match.notation.format_action(one) for one in session.read(typed)] == MEANT[typed]


@pytest.mark.parametrize("typed", ["paire ÉMERAUDE".replace("paire", "pair"), "pair emeraudes", "PAIR Émeraude"])
def test_names_in_a_language_are_read_without_their_accents(typed: str):
    session = Session.new(engine_of(SPLENDOR), seed=3)
    [found] = session.read(typed, language="fr")
    assert session.match.notation.format_action(found) == "take_pair(colour=emerald)"


REFUSED = {  # what is typed -> the attempt that it is, or how it is refused
    "pair gold": "take_pair(colour=gold)",
    "take_pair(colour=gold)": "take_pair(colour=gold)",
    "buy l3_ruby_3": "buy(card=l3_ruby_3)",
    "pass": "pass",
    "decline": "decline",
    "give 2 ruby onyx": "give_back(tokens=2 ruby + 1 onyx)",
    "bye": "there is no action `bye` (did you mean `buy`?); actions:",
    "pair ruby ruby": "`pair ruby ruby` matches nothing that can be chosen now",
    "pair pink": "colour: Only a gem colour can be taken in a pair;",
    "take_pair(colour=pink)": "colour: Only a gem colour can be taken in a pair;",
    "reserve_from_deck 4": "level: There is no deck of that level.",
    "reserve_from_deck(level=4)": "level: There is no deck of that level.",
    "take_different pink": "`take_different pink` matches nothing that can be chosen now",  # its `why` has holes
    "": "nothing was typed",
    " (,) ": "nothing was typed",
    "a" * 2000: "2000 characters are over the limit",
    "a " * 100: "100 words",
}


@pytest.mark.parametrize("typed", REFUSED, ids=lambda typed: typed[:20])
def test_what_is_not_legal_is_an_attempt_and_the_rest_is_refused(typed: str):
    session = Session.new(engine_of(SPLENDOR), seed=3)
    with pytest.raises(NotationError) as refused:
        session.read(typed)
    if isinstance(refused.value, NotLegalNow):
        assert session.match.notation.format_action(refused.value.attempt) == REFUSED[typed]
        assert session.why_not(typed)
    else:
        assert REFUSED[typed] in str(refused.value)


def test_an_attempt_can_be_explained():
    session = Session.new(engine_of(SPLENDOR), seed=3)
    explained = Explainer(session.engine).why_not(
        session.state, 0, session.match.notation.parse_action("take_pair(colour=gold)")
    )
    assert session.why_not("pair gold") == explained


COUNTING = """
# yaml-language-server: $schema=../schemas/game.schema.json
game: counting
version: 1.0.0
language: 2
text: {en: Numbers, fr: Nombres}
players: 12
kinds:
  pip: 1 to 20
  hue: {members: [red, red_dark, blue], names: {red: {en: red | reds, fr: rouge}, blue: {en: blue, fr: bleu ciel}}}
zones:
  bank: {holds: hue, seen_by: all, start: 3 of hue}
  gone: {holds: hue, seen_by: all}
state: {height_now: {type: 0 to 20, start: 0}}
actions:
  bid: {text: Bid., choose: {height: {one_of: pip}}, do: [{note: {set: height_now, to: height}}]}
  bid_all: {text: Bid everything., do: [{note: {set: height_now, to: 20}}]}
  show: {text: Show., choose: {who: {one_of: player}, hue: {one_of: hue}}, do: []}
  drop: {text: Drop., choose: {hues: {some_of: bank, total: 0 to 3}}, do: [{away: {move: hues, from: bank, to: gone}}]}
turn: [{act: {may: [bid, bid_all, show, drop]}}]
round: [{turns: {for_each: player, turn: player}}]
ranking: [{first: {most: count(gone)}}]
"""

COUNTED = {
    "bid 1": "bid(height=1)",  # and not 10
    "20": "bid(height=20)",
    "bid all": "bid_all",
    "bid": None,  # the action of that name, of which the answer is open, and not bid_all
    "show 1 red": "show(who=1, hue=red)",  # and neither seat 10 nor red_dark
    "show 11 bl": "show(who=11, hue=blue)",
    "show 1 dark": "show(who=1, hue=red_dark)",
    "drop 2 red blue": "drop(hues=2 red + 1 blue)",
    "drop red blue red": "drop(hues=2 red + 1 blue)",
    "drop 2x red, 1 bleu ciel": "drop(hues=2 red + 1 blue)",
    "drop 2reds": "drop(hues=2 red)",
    "drop nothing": "drop(hues=nothing)",
    "decl": "decline",
}


@pytest.fixture(scope="module")
def counting(tmp_path_factory: pytest.TempPathFactory) -> ReferenceEngine:
    path = tmp_path_factory.mktemp("counting") / "counting.yaml"
    path.write_text(COUNTING, encoding="utf-8")
    return ReferenceEngine(load_rules(str(path)))


@pytest.mark.parametrize("typed", COUNTED)
def test_numbers_counts_and_names_that_begin_alike(counting: ReferenceEngine, typed: str):
    session = Session.new(counting, seed=1)
    found = [session.match.notation.format_action(one) for one in session.read(typed, language="fr")]
    assert found == ([COUNTED[typed]] if COUNTED[typed] else [f"bid(height={pip})" for pip in range(1, 21)])


@pytest.mark.parametrize(
    ("typed", "action", "says_all"),
    [
        ("reserve from deck level=2", "reserve_from_deck(level=2)", True),
        ("reserve_from_deck(level=2)", "reserve_from_deck(level=2)", True),
        ("reserve from deck lev=2", "reserve_from_deck(level=2)", False),
        ("deck level=2", "reserve_from_deck(level=2)", False),
        ("level=2", "reserve_from_deck(level=2)", False),
        ("reserve from deck", "reserve_from_deck(level=2)", False),
        ("take different ruby onyx diamonds", "take_different(colours=diamond + ruby + onyx)", True),
        ("take different ruby onyx dia", "take_different(colours=diamond + ruby + onyx)", False),
        ("buy l1_onyx_8", "buy(card=l1_onyx_8, payment=3 sapphire)", True),
        ("buy l1_onyx_8 3 sapphire", "buy(card=l1_onyx_8, payment=3 sapphire)", True),
        ("buy 3 sapphire", "buy(card=l1_onyx_8, payment=3 sapphire)", False),  # the card is left open
        ("buy payment=3 sapphire", "buy(card=l1_onyx_8, payment=3 sapphire)", False),
    ],
)
def test_what_is_written_in_full(typed: str, action: str, says_all: bool):
    parser = ShorthandParser(engine_of(SPLENDOR).rules)
    assert parser.says_all(typed, parser.notation.parse_action(action)) is says_all


def test_pieces_are_given_one_at_a_time(counting: ReferenceEngine):
    session = Session.new(ReferenceEngine(counting.rules, tokenwise=["actions.drop.choose.hues"]), seed=1)
    for typed, token in (("drop blue", 2), ("red", 0), ("drop stop", STOP_TOKEN)):
        [found] = session.read(typed)
        assert found.token == token
        session.act(found)


def test_a_text_that_could_be_several_is_not_done():
    session = Session.new(engine_of(SPLENDOR), seed=3)
    with pytest.raises(NotationError, match="is ambiguous: take_pair"):
        session.act("pair")
    assert not session.match.history
    session.act("pair onyx")
    assert session.log()[0].text == "take_pair(colour=onyx)"


def test_simplest_letters():
    assert normalize("  Bleu-Ciel d'Été ") == "bleu_ciel_d_ete"
