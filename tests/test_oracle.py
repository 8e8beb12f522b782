"""The hand-written rules that confirm the rule files are themselves right.

They are held against the worked examples of the rulebook and the reference manual; `test_oracle_games` holds them
against what must hold in every game, a second way to count, and the yardstick, which somebody else wrote.
"""

import pytest

from oracle.cards import CARDS, GEMS, NOBLES, TOKENS
from oracle.lockstep import name_of
from oracle.rules import Game, IllegalActionError, Phase

pytestmark = pytest.mark.slow


# ---- positions -------------------------------------------------------------------------------------------------------


def bag(**counts):
    return [counts.get(token, 0) for token in TOKENS]


def give(game, seat, **counts):
    """Move tokens out of the supply into a purse."""
    for kind, n in enumerate(bag(**counts)):
        game.supply[kind] -= n
        game.purse[seat][kind] += n
        assert game.supply[kind] >= 0


def find(game, card_id):
    """Take a card out of the deck or the market; the place in the market is filled."""
    card = CARDS[card_id]
    deck, row = game.decks[card.level - 1], game.market[card.level - 1]
    if card in deck:
        deck.remove(card)
    else:
        row[row.index(card)] = deck.pop() if deck else None
    return card


def own(game, seat, *card_ids):
    for card_id in card_ids:
        card = find(game, card_id)
        game.tableau[seat].append(card)
        game.bonuses[seat][card.bonus] += 1
        game.prestige[seat] += card.prestige


def reserve(game, seat, *card_ids):
    game.hand[seat].extend(find(game, card_id) for card_id in card_ids)


def show(game, card_id):
    """Lay a card face up, in the first place of its row."""
    level = CARDS[card_id].level
    card = find(game, card_id)
    game.decks[level - 1].append(game.market[level - 1][0])
    game.market[level - 1][0] = card


def clear_market(game):
    """Every card that is not owned goes out of the game."""
    for deck, row in zip(game.decks, game.market, strict=True):
        deck.clear()
        row[:] = [None] * 4


def nobles_on_table(game, *ids):
    game.nobles = [NOBLES[noble] for noble in ids]


def bonus_cards(*wishes):
    """Cards of level 1 without prestige: `("ruby", 3)` are three with a ruby bonus."""
    return [f"l1_{gem}_{n}" for gem, count in wishes for n in range(1, count + 1)]


def options(game, name):
    return [text for text in game.legal() if name_of(text) == name]


def payments(game, card_id):
    return {text.partition("payment=")[2].rstrip(")") for text in options(game, "buy") if f"card={card_id}," in text}


def end_round(game):
    """Play quiet turns until the first seat is in turn again."""
    while True:
        quiet = options(game, "take_different") or options(game, "give_back") or game.legal()
        game.apply(quiet[0])
        if game.over or (game.seat == game.first_seat and game.phase is Phase.ACT):
            return


# ---- the worked examples of the rulebook and the manual --------------------------------------------------------------


@pytest.mark.parametrize(("players", "each"), [(2, 4), (3, 5), (4, 7)])
def test_set_up_for_each_number_of_players(players, each):
    game = Game(players)
    assert game.supply == [each] * 5 + [5]
    assert len(game.nobles) == players + 1
    assert [card.id for card in game.market[0]] == [f"l1_diamond_{n}" for n in (1, 2, 3, 4)]
    assert [len(deck) for deck in game.decks] == [36, 26, 16]


def test_two_sapphire_bonuses_against_two_sapphire_and_one_emerald():
    game = Game(2)
    own(game, 0, *bonus_cards(("sapphire", 2)))
    show(game, "l1_ruby_1")
    give(game, 0, sapphire=3, emerald=1)
    assert payments(game, "l1_ruby_1") == {"1 emerald"}


def test_the_printed_cards_cost_what_the_rulebook_says():
    game = Game(4)
    show(game, "l2_ruby_4")
    show(game, "l3_sapphire_2")
    give(game, 0, diamond=1, sapphire=4, emerald=2)
    give(game, 1, diamond=6, sapphire=3, onyx=3)
    assert payments(game, "l2_ruby_4") == {"1 diamond + 4 sapphire + 2 emerald"}
    game.apply("buy(card=l2_ruby_4, payment=1 diamond + 4 sapphire + 2 emerald)")
    assert game.prestige[0] == 2
    assert game.bonuses[0] == [0, 0, 0, 1, 0]
    assert payments(game, "l3_sapphire_2") == {"6 diamond + 3 sapphire + 3 onyx"}


def test_three_ruby_bonuses_save_three_rubies_and_never_more():
    game = Game(2)
    own(game, 0, *bonus_cards(("ruby", 3)))
    show(game, "l2_diamond_4")  # 5 ruby and 3 onyx
    give(game, 0, ruby=3, onyx=3)
    assert payments(game, "l2_diamond_4") == {"2 ruby + 3 onyx"}
    show(game, "l1_diamond_1")  # 2 ruby and 1 onyx
    assert payments(game, "l1_diamond_1") == {"1 onyx"}


def test_enough_bonuses_buy_a_card_for_nothing():
    game = Game(2)
    own(game, 0, *bonus_cards(("ruby", 2), ("onyx", 1)))
    show(game, "l1_diamond_1")
    assert payments(game, "l1_diamond_1") == {"nothing"}
    game.apply("buy(card=l1_diamond_1, payment=nothing)")
    assert game.supply == bag(diamond=4, sapphire=4, emerald=4, ruby=4, onyx=4, gold=5)


def test_the_printed_noble_comes_for_three_three_and_three():
    game = Game(2)
    nobles_on_table(game, "n06", "n01")
    own(game, 0, *bonus_cards(("diamond", 3), ("sapphire", 3), ("emerald", 2)))
    show(game, "l1_emerald_7")  # 2 diamond and 1 sapphire: free by now
    game.apply("buy(card=l1_emerald_7, payment=nothing)")
    assert game.visited[0] == [NOBLES["n06"]]
    assert game.prestige[0] == 3
    assert game.nobles == [NOBLES["n01"]]
    assert game.decides() == 1


def test_three_different_colours_and_pairs():
    game = Game(2)
    assert len(options(game, "take_different")) == 10
    assert options(game, "take_pair") == [f"take_pair(colour={gem})" for gem in GEMS]
    game.apply("take_different(colours=diamond + ruby + onyx)")
    assert game.purse[0] == bag(diamond=1, ruby=1, onyx=1)


def test_no_pair_out_of_three():
    game = Game(2)
    give(game, 1, ruby=1)
    assert "take_pair(colour=ruby)" not in game.legal()


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        ({"ruby": 1, "onyx": 2}, ["take_different(colours=ruby + onyx)"]),
        ({"ruby": 4}, ["take_different(colours=ruby)", "take_pair(colour=ruby)"]),
        ({}, []),
    ],
)
def test_fewer_than_three_colours_left(left, expected):
    game = Game(2)
    game.supply = bag(**left, gold=5)
    assert options(game, "take_different") + options(game, "take_pair") == expected


def test_gold_cannot_be_taken_with_gems():
    assert not any("gold" in text for text in Game(2).legal())


def test_reserving_takes_gold_and_the_place_is_filled_by_the_next_card():
    game = Game(2)
    game.apply("reserve_face_up(card=l2_diamond_2)")
    assert game.purse[0] == bag(gold=1)
    assert [card.id for card in game.market[1]] == ["l2_diamond_1", "l2_diamond_5", "l2_diamond_3", "l2_diamond_4"]


def test_reserving_without_gold_and_from_a_deck():
    game = Game(2)
    give(game, 1, gold=5)
    game.apply("reserve_from_deck(level=3)")
    assert game.purse[0] == bag()
    assert [card.id for card in game.hand[0]] == ["l3_sapphire_1"]
    assert len(game.decks[2]) == 15


def test_no_fourth_reserved_card():
    game = Game(2)
    reserve(game, 0, "l1_onyx_1", "l1_onyx_2", "l1_onyx_3")
    assert not options(game, "reserve_face_up")
    assert not options(game, "reserve_from_deck")


def test_reserving_at_ten_tokens_gives_one_back_and_it_may_be_the_gold():
    game = Game(2)
    give(game, 0, diamond=4, ruby=4, onyx=2)
    game.apply("reserve_from_deck(level=1)")
    assert game.phase is Phase.GIVE_BACK
    assert game.decides() == 0
    assert set(game.legal()) == {f"give_back(tokens=1 {t})" for t in ("diamond", "ruby", "onyx", "gold")}
    game.apply("give_back(tokens=1 gold)")
    assert game.purse[0] == bag(diamond=4, ruby=4, onyx=2)
    assert game.decides() == 1


def test_exactly_the_excess_is_given_back_also_what_was_just_taken():
    game = Game(4)
    give(game, 0, diamond=4, ruby=4, gold=1)
    game.apply("take_different(colours=sapphire + emerald + onyx)")
    assert set(options(game, "give_back")) == {
        f"give_back(tokens={tokens})"
        for tokens in (
            *("2 diamond", "2 ruby"),
            *(f"1 {a} + 1 {b}" for i, a in enumerate(TOKENS) for b in TOKENS[i + 1 :]),
        )
    }
    game.apply("give_back(tokens=1 sapphire + 1 onyx)")
    assert game.purse[0] == bag(diamond=4, ruby=4, gold=1, emerald=1)


def test_gold_pays_also_for_a_colour_one_holds():
    game = Game(2)
    show(game, "l1_diamond_1")  # 2 ruby and 1 onyx
    give(game, 0, ruby=2, onyx=1, gold=2)
    ways = ["2 ruby + 1 onyx", "2 ruby + 1 gold", "1 ruby + 1 onyx + 1 gold", "1 ruby + 2 gold", "1 onyx + 2 gold"]
    assert payments(game, "l1_diamond_1") == set(ways)
    game.colours_first = True
    assert {t for a in game.actions() for t in [str(a)] if "l1_diamond_1, p" in t} == {
        "buy(card=l1_diamond_1, payment=2 ruby + 1 onyx)"
    }


def test_coloured_tokens_first_still_fills_gaps_with_gold():
    game = Game(2, colours_first=True)
    show(game, "l1_diamond_1")
    give(game, 0, ruby=1, gold=3)
    assert payments(game, "l1_diamond_1") == {"1 ruby + 2 gold"}
    game.apply("buy(card=l1_diamond_1, payment=1 ruby + 2 gold)")
    assert game.supply == bag(diamond=4, sapphire=4, emerald=4, ruby=4, onyx=4, gold=4)


def test_a_reserved_card_can_be_bought_and_only_by_its_holder():
    game = Game(2)
    reserve(game, 0, "l1_onyx_3")  # 3 emerald
    give(game, 0, emerald=3)
    assert payments(game, "l1_onyx_3") == {"3 emerald"}
    game.apply("take_different(colours=diamond + ruby + onyx)")
    give(game, 1, gold=3)
    assert payments(game, "l1_onyx_3") == set()


def test_the_own_bonus_of_a_card_does_not_pay_for_it():
    game = Game(2)
    show(game, "l1_sapphire_3")  # 1 sapphire, 3 emerald, 1 ruby
    give(game, 0, emerald=3, ruby=1)
    assert payments(game, "l1_sapphire_3") == set()


def test_reserved_cards_and_tokens_do_not_count_for_a_noble():
    game = Game(4)
    nobles_on_table(game, "n06")
    own(game, 0, *bonus_cards(("diamond", 3), ("sapphire", 3), ("emerald", 2)))
    reserve(game, 0, "l1_emerald_7")
    give(game, 0, emerald=4)
    game.apply("take_different(colours=diamond + ruby + onyx)")
    assert game.visited[0] == []


def test_among_several_nobles_the_player_chooses_and_another_comes_next_turn():
    game = Game(2)
    nobles_on_table(game, "n06", "n07", "n01")
    own(game, 0, *bonus_cards(("diamond", 3), ("sapphire", 3), ("emerald", 3), ("onyx", 3)))
    game.apply("take_pair(colour=ruby)")
    assert game.decides() == 0
    assert game.legal() == ["receive_noble(noble=n06)", "receive_noble(noble=n07)"]
    game.apply("receive_noble(noble=n07)")
    assert game.prestige[0] == 3
    game.apply("take_different(colours=diamond + sapphire + emerald)")
    game.apply("take_different(colours=diamond + sapphire + emerald)")
    assert [noble.id for noble in game.visited[0]] == ["n07", "n06"]
    assert game.decides() == 1


def test_the_noble_comes_before_tokens_are_given_back():
    game = Game(2)
    nobles_on_table(game, "n06", "n07")
    own(game, 0, *bonus_cards(("diamond", 3), ("sapphire", 3), ("emerald", 3), ("onyx", 3)))
    give(game, 0, diamond=4, sapphire=4, gold=1)
    game.apply("take_different(colours=emerald + ruby + onyx)")
    assert game.phase is Phase.NOBLE
    game.apply("receive_noble(noble=n06)")
    assert game.phase is Phase.GIVE_BACK


def test_a_deck_that_runs_out_leaves_the_place_empty():
    game = Game(2)
    game.decks[2].clear()
    assert options(game, "reserve_from_deck") == ["reserve_from_deck(level=1)", "reserve_from_deck(level=2)"]
    game.apply("reserve_face_up(card=l3_diamond_2)")
    assert [card and card.id for card in game.market[2]] == ["l3_diamond_1", None, "l3_diamond_3", "l3_diamond_4"]
    assert len(options(game, "reserve_face_up")) == 11


@pytest.mark.parametrize(("seat", "first", "turns_to_come"), [(0, 0, 2), (1, 0, 1), (2, 0, 0), (1, 1, 2), (0, 1, 0)])
def test_at_fifteen_the_round_is_completed(seat, first, turns_to_come):
    game = Game(3, first_seat=first)
    game.prestige[seat] = 15
    while game.seat != seat:
        game.apply(options(game, "take_different")[0])
        assert not game.over
    game.apply(options(game, "take_different")[0])
    for _ in range(turns_to_come):
        assert not game.over
        game.apply(options(game, "take_different")[0])
    assert game.over
    assert game.legal() == []
    assert game.decides() is None


def test_a_noble_of_the_last_round_counts():
    game = Game(2)
    nobles_on_table(game, "n01")
    own(game, 1, *bonus_cards(("diamond", 4), ("sapphire", 4)))
    game.prestige[:] = [16, 14]
    game.apply("take_pair(colour=ruby)")
    game.apply("take_pair(colour=onyx)")
    assert game.over
    assert game.prestige == [16, 17]
    assert game.places() == [2, 1]


@pytest.mark.parametrize(
    ("prestige", "cards", "places", "winners"),
    [
        ((15, 17), (1, 9), [2, 1], [1]),
        ((15, 15), (5, 4), [2, 1], [1]),
        ((15, 15), (4, 4), [1, 1], [0, 1]),
        ((16, 15, 15, 3), (8, 4, 4, 0), [1, 2, 2, 4], [0]),
        ((3, 15, 15, 15), (1, 4, 4, 5), [4, 1, 1, 3], [1, 2]),
    ],
)
def test_ranking(prestige, cards, places, winners):
    game = Game(len(prestige))
    cheap = iter(bonus_cards(*((gem, 7) for gem in GEMS)))
    for seat, n in enumerate(cards):
        own(game, seat, *(next(cheap) for _ in range(n)))
    reserve(game, 0, "l3_onyx_1", "l3_onyx_2")  # a reserved card is not a bought one
    game.prestige[:] = prestige
    assert game.places() == places
    assert game.winners() == winners


def stuck_game(players=2, first_seat=0):
    """Nobody can do anything: the supply is empty of gems, all hands are full and dear, the market is gone."""
    game = Game(players, first_seat=first_seat)
    dear = iter(card.id for card in CARDS.values() if card.level == 3)
    for seat in range(players):
        reserve(game, seat, *(next(dear) for _ in range(3)))
    clear_market(game)
    game.supply = bag(gold=5)
    return game


def test_without_any_action_the_hand_is_shown_and_the_turn_passed():
    game = stuck_game()
    assert game.hand_seen_by(1, 0) == ["hidden"] * 3
    assert game.legal() == ["pass"]
    game.apply("pass")
    assert game.hand_seen_by(1, 0) == [card.id for card in game.hand[0]]
    assert game.hand_seen_by(0, 1) == ["hidden"] * 3


def test_unwelcome_actions_are_no_reason_to_pass():
    game = stuck_game()
    game.supply = bag(ruby=1, gold=5)
    assert game.legal() == ["take_different(colours=ruby)"]


def test_a_noble_comes_on_a_turn_of_passing():
    game = stuck_game()
    game.bonuses[0] = [4, 4, 0, 0, 0]
    nobles_on_table(game, "n01")
    game.hand[0] = [CARDS["l3_onyx_2"]] * 3  # 7 ruby
    game.apply("pass")
    assert game.prestige[0] == 3


@pytest.mark.parametrize("first_seat", [0, 1, 2])
def test_a_round_of_forced_passes_ends_the_game(first_seat):
    game = stuck_game(3, first_seat)
    for _ in range(3):
        assert not game.over
        game.apply("pass")
    assert game.over
    assert game.places() == [1, 1, 1]


def test_forced_passes_of_two_rounds_do_not_end_the_game():
    game = stuck_game(3)
    game.supply = bag(ruby=1, gold=5)
    game.apply("take_different(colours=ruby)")
    game.apply("pass")
    game.apply("pass")
    game.apply("pass")  # the third in a row, in the middle of the next round
    assert not game.over
    game.apply("pass")
    game.apply("pass")
    assert game.over


def test_who_knows_which_reserved_card():
    game = Game(3)
    game.apply("reserve_from_deck(level=2)")
    end_round(game)
    game.apply("reserve_face_up(card=l1_diamond_1)")
    own_hand = ["l2_diamond_5", "l1_diamond_1"]
    assert game.hand_seen_by(0, 0) == own_hand
    assert game.hand_seen_by(1, 0) == game.hand_seen_by(2, 0) == ["hidden", "l1_diamond_1"]


def test_an_illegal_action_is_refused():
    game = Game(2)
    for text in ("pass", "take_different(colours=diamond + ruby)", "take_pair(colour=gold)", "buy(card=l1_onyx_1)"):
        with pytest.raises(IllegalActionError):
            game.apply(text)
    assert game.position() == Game(2).position()
