"""Every construct of the language is used by some small game, and every small game plays.

A construct is a pattern over a game's lines `address = value`; items of lists are addressed by name, or else by `#`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.playing import (
    CAP,
    GAMES,
    build,
    counts,
    engine,
    fewer_samples,
    game_file,
    game_files,
    games_by_chance,
    read,
    seatings,
    variant_files,
)
from rulewright import bundle
from rulewright.expr.keywords import BUILTINS, FUNCTIONS
from rulewright.model.locate import available_variants

pytestmark = pytest.mark.slow

STEP = r"(?:setup|turn|round|finale|procedures|actions)\b.*"

# construct → the game that uses it, a pattern for the address, a pattern for the value
CONSTRUCTS: dict[str, tuple[str, str, str]] = {
    "kind of words": ("lowest", r"kinds\.house\.#", "north"),
    "kind that embeds one": ("sack", r"kinds\.piece\.#", "every colour"),
    "kind of numbers": ("kuhn-poker", r"kinds\.value\.members", "1 to 3"),
    "kind of numbers not from 1": ("sack", r"kinds\.worth", "2 to 4"),
    "kind up to a parameter": ("nim", r"kinds\.row\.members", "1 to row_count"),
    "kind over players": ("lowest", r"kinds\.number", "1 to players \\+ 1"),
    "kind grid": ("tic-tac-toe", r"kinds\.\w+\.grid", "3 by 3"),
    "kind lines": ("tic-tac-toe", r"kinds\.\w+\.lines_of", "square"),
    "kind in long form with names": ("kuhn-poker", r"kinds\.money\.names\.coin\.en", r"coin \| coins"),
    "parameter bare": ("race", r"parameters\.goal\.value", r"20 \+ players"),
    "parameter per kind": ("lowest", r"parameters\.steps\.per", "house"),
    "parameter that chooses by players": ("race", r"parameters\.start\.value", "if players .*"),
    "parameter flag": ("lowest", r"parameters\.open\.type", "flag"),
    "field flag": ("foreheads", r"components\.card\.fields\.special", "flag"),
    "field set of kind": ("foreheads", r"components\.judge\.fields\.and_all", "set of suit"),
    "field bag": ("foreheads", r"components\.judge\.fields\.pays", "bag of half"),
    "field thing": ("foreheads", r"components\.judge\.fields\.likes", "card"),
    "field seat": ("auction", r"components\.lot\.fields\.set_of", "player"),
    "field cell": ("island", r"components\.storm\.fields\.cell", "cell"),
    "rows with texts": ("kuhn-poker", r"components\.card\.rows\.#\.text\.en", "the jack"),
    "zone per seat": ("kuhn-poker", r"zones\.hand\.per", "player"),
    "zone per number": ("sack", r"zones\.row\.per", "worth"),
    "zone per cell": ("tic-tac-toe", r"zones\.board\.per", "square"),
    "zone per thing, tokens on cards": ("workers", r"zones\.at_work\.per\.place", "job"),
    "zone per several": ("foreheads", r"zones\.secret\.per\.#", "suit"),
    "zone with named key": ("foreheads", r"zones\.forehead\.per\.holder", "player"),
    "zone holds numbers": ("sack", r"zones\.dice\.holds", "worth"),
    "zone holds seats": ("workers", r"zones\.crew\.holds", "player"),
    "at_most by a key's field": ("workers", r"zones\.at_work\.at_most", r"place\.size"),
    "order shuffled": ("kuhn-poker", r"zones\.deck\.order", "shuffled"),
    "order of arrival": ("auction", r"zones\.chest\.order", "arrival"),
    "refill of things": ("workers", r"zones\.row\.refill", "jobs"),
    "refill of pieces": ("sack", r"zones\.row\.refill", "sack"),
    "start over a key": ("nim", r"zones\.sticks\.start", r"\(base \+ step \* \(row - 1\)\) of stick"),
    "seen by all": ("nim", r"zones\.sticks\.seen_by", "all"),
    "seen by nobody": ("kuhn-poker", r"zones\.deck\.seen_by", "nobody"),
    "seen by the owner": ("kuhn-poker", r"zones\.hand\.seen_by", "owner"),
    "seen by the others": ("foreheads", r"zones\.forehead\.seen_by", "others"),
    "pieces seen by the owner": ("auction", r"zones\.purse\.seen_by", "owner"),
    "zone that forgets": ("foreheads", r"zones\.secret\.forgets", "true"),
    "state of a block": ("auction", r"round\.auction\.state\.best\.type", "0 to 99"),
    "choice with a condition": ("auction", r"actions\.give\.choose\.more\.when", "goods\\(me\\) is not empty"),
    "while": ("auction", r"round\.auction\.do\.bids\.while", "not others_out"),
    "value bare": ("race", r"values\.reach", "if .*"),
    "value of a kind": ("race", r"values\.hurt\.per", "player"),
    "value of a thing": ("workers", r"values\.free\.per", "job"),
    "value sum of terms": ("foreheads", r"values\.points\.sum\.secrets", ".*"),
    "value with a term in long form": ("foreheads", r"values\.points\.sum\.own\.is", ".*"),
    "value less": ("foreheads", r"values\.points\.less\.specials", ".*"),
    "value that is a bag": ("workers", r"values\.price\.sum\.tax\.is", ".* 1 of copper .*"),
    "value that is a flag": ("lowest", r"values\.alone\.is", "no .*"),
    "state number": ("race", r"state\.at\.type", "0 to goal"),
    "state flag": ("race", r"state\.coin\.type", "flag"),
    "state member": ("race", r"state\.sky\.type", "weather"),
    "state per seat": ("race", r"state\.at\.per", "player"),
    "state per several": ("race", r"state\.wounds\.per\.#", "weather"),
    "state per cell": ("island", r"state\.built\.per", "cell"),
    "state resets with the turn": ("race", r"state\.die\.resets", "turn"),
    "state resets with the round": ("race", r"state\.sky\.resets", "round"),
    "one_of a range": ("nim", r"actions\.take\.choose\.number\.one_of", r"1 to count\(sticks\(row\)\)"),
    "one_of a kind": ("tic-tac-toe", r"actions\.occupy\.choose\.square\.one_of", "square"),
    "one_of a zone": ("workers", r"actions\.exactly\.choose\.job\.one_of", "row"),
    "one_of those that …": ("workers", r"actions\.send\.choose\.job\.one_of", "each job in row where .*"),
    "one_of lines": ("island", r"actions\.drain\.choose\.path\.one_of", "each path where .*"),
    "some_of a kind": ("island", r"actions\.build\.choose\.cells\.some_of", "each cell where .*"),
    "some_of things": ("tricks", r"actions\.exchange\.choose\.cards\.some_of", r"hand\(me\)"),
    "some_of pieces of several places": ("island", r"actions\.drain\.choose\.pieces\.some_of", r"land\(path\)"),
    "some_of a bag": ("workers", r"actions\.drop\.choose\.given\.some_of", ".* of .*"),
    "some_of with a number": ("auction", r"actions\.give\.choose\.two\.total", "2"),
    "some_of with a range": ("workers", r"actions\.change\.choose\.given\.total", "1 to 2"),
    "some_of with a range from none": ("island", r"actions\.build\.choose\.cells\.total", r"0 to dams\(level\)"),
    "some_of any number": ("island", r"actions\.look\.choose\.storms\.some_of", "past"),
    "pay without wild": ("workers", r"actions\.exactly\.choose\.payment\.pay", r"job\.needs"),
    "pay with wild": ("workers", r"actions\.work\.choose\.payment\.wild", "silver"),
    "pay with wild worth 2": ("workers", r"actions\.work\.choose\.payment\.worth", "2"),
    "pay with several wild": ("workers", r"actions\.buy_out\.choose\.payment\.wild\.#", "copper"),
    "pay with worth for each": ("workers", r"actions\.buy_out\.choose\.payment\.worth\.silver", "2 .*"),
    "pay for one sort": ("workers", r"actions\.buy_out\.choose\.payment\.stands_for", "one sort"),
    "pay with a rebate": ("workers", r"actions\.exactly\.choose\.payment\.rebate", "if .* then 1 else 0"),
    "domain with why": ("nim", r"actions\.take\.choose\.number\.why\.en", ".*"),
    "clause with why": ("tricks", r"actions\.follow\.when\.suit\.why\.en", ".*"),
    "action that does nothing": ("island", r"actions\.wait\.do", r"\[\]"),
    "move so many of": ("nim", rf"{STEP}\.move", "number of stick"),
    "move a thing": ("auction", rf"{STEP}\.move", r"first 1 of chest"),
    "move a chosen set": ("island", r"actions\.look\.do\.back\.move", "storms"),
    "move a chosen bag": ("workers", r"actions\.work\.do\.pay\.move", "payment"),
    "move up to": ("island", rf"{STEP}\.move", "up to storm.strength of sand"),
    "move up to a chosen bag": ("island", rf"{STEP}\.move", "up to pieces"),
    "move all pieces": ("kuhn-poker", rf"{STEP}\.move", "all"),
    "move all things": ("foreheads", rf"{STEP}\.move", "all"),
    "move top": ("kuhn-poker", rf"{STEP}\.move", "top"),
    "move top n": ("tricks", rf"{STEP}\.move", "top 3"),
    "move top so many as chosen": ("tricks", rf"{STEP}\.move", r"top count\(cards\)"),
    "move things at random": ("island", rf"{STEP}\.move", "1 at random"),
    "move up to n things at random": ("island", rf"{STEP}\.move", "up to 2 at random"),
    "move pieces at random": ("sack", rf"{STEP}\.move", "number at random"),
    "move up to n pieces at random": ("sack", rf"{STEP}\.move", "up to worth at random"),
    "move under a pile": ("foreheads", rf"{STEP}\.to", "bottom of pile"),
    "move into a shuffled zone": ("foreheads", r"actions\.shuffle\.do\.back\.to", "pile"),
    "set number": ("lowest", rf"{STEP}\.set", "rounds"),
    "set keyed": ("race", rf"{STEP}\.set", r"at\(me\)"),
    "set doubly keyed": ("race", rf"{STEP}\.set", r"wounds\(me, sky\)"),
    "set flag": ("auction", rf"{STEP}\.set", r"out\(me\)"),
    "set member": ("lowest", rf"{STEP}\.set", r"site\(me\)"),
    "roll number": ("race", rf"{STEP}\.roll", "die"),
    "roll flag": ("race", rf"{STEP}\.roll", "coin"),
    "roll member": ("race", rf"{STEP}\.roll", "sky"),
    "roll with weights": ("race", rf"{STEP}\.weights\.1", "2"),
    "roll member with weights": ("island", r"turn\.tide\.weights\.middle", "2"),
    "reveal to all": ("kuhn-poker", r"procedures\.showdown\.reveal\.to", "all"),
    "reveal to a seat": ("foreheads", r"actions\.peek\.do\.look\.to", "me"),
    "reveal to several": ("foreheads", r"actions\.whisper\.do\.show\.to", "others"),
    "must": ("nim", r"turn\.take\.must\.#", "take"),
    "must if_unable an action": ("workers", r"turn\.act\.if_unable", "rest"),
    "must if_unable nothing": ("sack", r"turn\.act\.if_unable", "nothing"),
    "must with if_only_one": ("island", r"turn\.look\.if_only_one", "automatic"),
    "may": ("auction", r"round\.auction\.do\.bids\.do\.poor\.may\.#", "take"),
    "together": ("lowest", r"round\.bids\.together\.#", "bid"),
    "together in the set-up": ("wrack-line", r"setup\.keep\.together\.#", "answer"),
    "offer with a clause": ("workers", r"turn\.act\.must\.change\.rich\.is", ".*"),
    "offer of may with a clause": ("race", r"turn\.more\.may\.throw\.not_a_one\.why", ".*"),
    "turn": ("nim", r"round\.turns\.turn", "player"),
    "round with several turns": ("island", r"round\.again\.turn", "first_player"),
    "no turn at all": ("tricks", r"turn", r"\[\]"),
    "extra turn": ("wrack-line", r"procedures\.message\.\w+\.extra_turn", "me"),
    "end_game after_round": ("race", r"turn\.home\.end_game", "after_round"),
    "end_game now": ("race", r"round\.long\.end_game", "now"),
    "winners a seat": ("nim", r"turn\.end\.winners", "me"),
    "winners nobody": ("island", r"turn\.lost\.winners", "nobody"),
    "winners everyone": ("rotation", r"round\.even\.winners", "everyone"),
    "winners a set": ("auction", r"round\.end\.winners", "each player where .*"),
    "a list for the most seats": ("outlast", r"parameters\.coins_each\.value\.#", "10"),
    "leave a seat": ("outlast", r"actions\.give_up\.do\.out\.leave", "me"),
    "leave a set of seats": ("outlast", r"round\.out\.leave", "each player in everyone where .*"),
    "who has left": ("outlast", r"invariants\.alive\.is", r".*left\(player\) > 0"),
    "run": ("kuhn-poker", r"round\.showdown\.run", "showdown"),
    "run within an action": ("wrack-line", r"actions\.gather\.do\.message\.run", "message"),
    "do": ("auction", r"procedures\.sell\.winner\.do\.lot\.move", "all"),
    "when bare": ("kuhn-poker", r"round\.showdown\.when", "stake is not empty"),
    "when with why": ("race", rf"{STEP}\.when\.why", ".*"),
    "for_each kind": ("nim", r"round\.turns\.for_each", "player"),
    "for_each in a set": ("island", r"procedures\.flood\.storms\.for_each", "storm in near"),
    "for_each with where": ("kuhn-poker", r"procedures\.showdown\.purse\.for_each", "player where .*"),
    "for_each over a line": ("island", r"actions\.drain\.do\.out\.for_each", "cell in path"),
    "for_each with lowest_first": ("race", r"round\.turns\.lowest_first", r"at\(player\)"),
    "for_each backwards": ("foreheads", r"round\.turns\.for_each", r"player in reversed\(everyone\)"),
    "times": ("race", r"turn\.more\.times", "2"),
    "times by an expression": ("island", r"turn\.new\.times", "min.*"),
    "times around a do": ("auction", r"round\.auction\.do\.bids\.times", "4"),
    "by": ("auction", r"round\.auction\.do\.bids\.do\.ask\.by", "player"),
    "by an expression": ("tricks", r"round\.follow\.by", "if .*"),
    "procedure with arguments": ("auction", r"procedures\.pay_bid\.with", "player"),
    "procedure": ("island", r"procedures\.flood\.past\.move", "all"),
    "finale": ("island", r"finale\.show\.reveal", "sky"),
    "finale that asks": ("wrack-line", r"finale\.barter\.may\.#", "barter"),
    "finale that moves": ("auction", r"finale\.rest\.move", ".*"),
    "ranking most": ("race", r"ranking\.way\.most", ".*"),
    "ranking fewest": ("race", r"ranking\.wounds\.fewest", ".*"),
    "invariant after a step": ("race", r"invariants\.thrice\.after", "step"),
    "invariant after a turn": ("race", r"invariants\.turns\.after", "turn"),
    "invariant after a round": ("race", r"invariants\.rounds\.after", "round"),
    "measure": ("race", r"measures\.rounds", "round_number"),
    "measure of seats": ("race", r"measures\.way\.per", "player"),
    "evaluation": ("race", r"evaluation\.hurt\.weight", "-3"),
    "strategy": ("race", r"strategies\.steady\.text", ".*"),
    "strategy with advice for always": ("race", r"strategies\.steady\.terms\.way\.weight", "10"),
    "strategy with advice for a while": ("race", r"strategies\.steady\.terms\.care\.when", "at.* >= goal // 2"),
    "one player": ("race", "players", "1 to 4"),
    "five players": ("lowest", "players", "2 to 5"),
    "a game in two languages": ("tic-tac-toe", r"text\.fr", "Morpion"),
    "plural in a sentence": ("foreheads", r"actions\.peek\.when\.left\.why", r".*\{looks: look \| looks\}.*"),
    "a bag in a sentence": ("kuhn-poker", r"actions\.bet\.text\.en", r".*\{1 of coin\}.*"),
}
CHANGES: dict[str, tuple[str, str, str]] = {
    "variant sets": ("nim/misere", r"set\.turn\.end\.winners", "opponent"),
    "variant sets what it expects": ("kuhn-poker/ten-hands", r"set\.parameters\.hands\.expects", "1"),
    "variant adds a clause": ("nim/misere-one-pass", r"add\.actions\.pass\.when\.sticks_left", ".*"),
    "variant adds an action": ("nim/one-pass", r"add\.actions\.pass\.when\.not_rested", ".*"),
    "variant adds an offer": ("nim/one-pass", r"add\.turn\.take\.must\.pass", ".*"),
    "variant adds state": ("nim/one-pass", r"add\.state\.rested\.type", "flag"),
    "variant removes": ("wrack-line/no-ropes", r"remove\.#", r"actions\.cling"),
    "variant that joins two": ("nim/misere-one-pass", r"joins\.#", "one-pass"),
    "variant inserts after": ("splendor/solo", r"insert\..*\.before|insert\..*\.after", ".*"),
}


def lines(node: Any, address: str = "") -> Iterator[str]:
    """The leaves of a file as `address = value`."""
    if isinstance(node, dict) and node:
        for key, value in node.items():
            yield from lines(value, f"{address}.{key}" if address else str(key))
    elif isinstance(node, list) and node:
        for item in node:
            named = isinstance(item, dict) and len(item) == 1 and isinstance(next(iter(item.values())), dict)
            yield from lines(item, address if named else f"{address}.#")
    else:
        yield f"{address} = {json.dumps(node) if isinstance(node, bool) else node}"


def uses(paths: list[Path], address: str, value: str) -> bool:
    pattern = re.compile(f"{address} = {value}", re.DOTALL)
    return any(pattern.fullmatch(line) for path in paths for line in lines(read(path)))


@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_construct_is_used(construct: str) -> None:
    game, address, value = CONSTRUCTS[construct]
    assert uses(game_files(game), address, value)


@pytest.mark.parametrize("change", CHANGES)
def test_change_is_used(change: str) -> None:
    variant, address, value = CHANGES[change]
    game, _, name = variant.partition("/")
    assert uses([available_variants(game, game_file(game))[name]], address, value)


def test_every_key_of_the_language_is_used() -> None:
    schema = json.loads((bundle.bundle_folder("schemas") / "language.schema.json").read_text(encoding="utf-8"))["$defs"]
    nodes = [name for name in schema if not name.endswith("_any")]
    keys = {key for name in nodes for key in schema[name].get("properties", {})}
    shipped = (bundle.bundle_folder("rules") / "splendor").rglob("*.yaml")
    everything = [
        line
        for path in (*[path for game in GAMES for path in game_files(game)], *shipped)
        for line in lines(read(path))
    ]
    used = {part for line in everything for part in line.split(" = ")[0].split(".")}
    assert keys - used == set()


def test_every_word_of_expressions_is_used() -> None:
    said = " ".join(
        line.split(" = ", 1)[1] for game in GAMES for path in game_files(game) for line in lines(read(path))
    )
    words = {
        *BUILTINS,
        *FUNCTIONS,
        "some",
        "every",
        "no",
        "each",
        "sum of",
        "max of",
        "min of",
        "if",
        "is not",
        "in",
        "less",
        "//",
        "%",
    }
    assert {word for word in words if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", said)} == UNUSED_WORDS


UNUSED_WORDS = {"opponents"}  # the expression suite uses it


# ---- and every game plays --------------------------------------------------------------------------------------

SEATINGS = seatings()
NAMES = [f"{game}-{players}{'-' if variants else ''}{'-'.join(variants)}" for game, players, variants in SEATINGS]


@pytest.mark.parametrize(("game", "players", "variants"), SEATINGS, ids=NAMES)
def test_no_diagnostics(game: str, players: int, variants: tuple[str, ...]) -> None:
    rules, diagnostics = build(game, players, variants)
    assert diagnostics == []
    assert rules is not None


@pytest.mark.parametrize(("game", "players", "variants"), SEATINGS, ids=NAMES)
def test_plays_to_the_end(game: str, players: int, variants: tuple[str, ...]) -> None:
    played = list(games_by_chance(engine(game, players, variants), fewer_samples(game, 8)))
    assert all(state.over for state, _ in played) or max(made for _, made in played) == CAP


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("game", "players", "variants"), SEATINGS, ids=NAMES)
def test_everything_agrees_at_every_decision(game: str, players: int, variants: tuple[str, ...]) -> None:
    for state, made in games_by_chance(engine(game, players, variants), fewer_samples(game, 2), close=True):
        assert state.over or made == CAP


def test_there_are_games_for_one_and_for_five() -> None:
    everywhere = {players for game in GAMES for players in counts(game)}
    assert everywhere == {1, 2, 3, 4, 5}
    assert sum(bool(variant_files(game)) for game in GAMES) >= 1
