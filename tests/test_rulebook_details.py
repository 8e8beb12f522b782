"""What the sentences of a rulebook must not leave out: who chooses, how one may pay, where a condition ends."""

from __future__ import annotations

import pytest

from rulebooks import print_book

pytestmark = pytest.mark.slow

TOGETHER = """
game: together
version: 1.0.0
language: 2
text: {en: Together, fr: Ensemble}
players: 3
state: {notes: {type: 0 to 9, per: player}}
actions:
  note: {do: [more: {set: notes(me), to: "min(9, notes(me) + 1)"}]}
  pause: {}
setup: [first: {together: [note, pause], by: first_player}]
turn: [act: {must: [note, pause]}]
round:
  - few: {together: [note, pause], by: each player in everyone where notes(player) < 2}
  - others: {together: [note], by: each player in everyone where player is not first_player}
  - all: {together: [pause]}
  - turns: {for_each: player, turn: player}
  - done: {when: round_number is 3, end_game: now}
"""
TOGETHER_IN_ENGLISH = """
1. In secret, one of these is chosen: note or pause. Who chooses: the first player.
- In secret, one of these is chosen: note or pause. Who chooses: each player for whom “notes” of that player is less \
than 2.
In secret, one of these is chosen. Who chooses: the first player. Then all that is chosen is carried out in turn order:
- In secret, this is done: note. Who does it: each player for whom that player is not the first player.
- All do this in secret: pause.
"""
TOGETHER_IN_FRENCH = """
1. On choisit en secret une de ces actions : note ou pause. Qui choisit : le premier joueur.
- On choisit en secret une de ces actions : note ou pause. Qui choisit : chaque joueur pour qui « notes » (ce joueur) \
est en dessous de 2.
- Tous font ceci en secret : pause.
"""


def missing_lines(game: str, code: str, sentences: str) -> list[str]:
    """The sentences that are no line of the book."""
    lines = print_book(game, code).splitlines()
    return [sentence for sentence in sentences.strip().splitlines() if sentence not in lines]


@pytest.mark.parametrize(("code", "sentences"), [("en", TOGETHER_IN_ENGLISH), ("fr", TOGETHER_IN_FRENCH)])
def test_who_chooses_in_secret_is_named(code: str, sentences: str) -> None:
    assert missing_lines(TOGETHER, code, sentences) == []


PAYING = """
game: paying
version: 1.0.0
language: 2
text: {en: Paying, fr: Payer}
players: 2
kinds:
  corn: {members: [rye, oat, pea], names: {rye: {en: rye, fr: seigle}, oat: {en: oat | oats, fr: avoine | avoines}, pea: {en: pea | peas, fr: pois | pois}}}
zones:
  bin: {holds: corn, seen_by: all, start: 9 of corn}
  barn: {holds: corn, per: player, seen_by: all}
state: {debt: {type: -5 to 5, per: player}}
actions:
  buy:
    choose:
      plain: {pay: 2 of rye, from: barn(me)}
      single: {pay: 2 of rye, from: barn(me), wild: oat}
      double: {pay: 2 of rye, from: barn(me), wild: oat, worth: 2, rebate: 1}
      both: {pay: 2 of rye + 1 of oat, from: barn(me), wild: oat, rebate: debt(me)}
      or_pea: {pay: 2 of rye, from: barn(me), wild: [oat, pea]}
      each_its_own: {pay: 2 of rye, from: barn(me), wild: [oat, pea], worth: {pea: 2}}
      of_one_sort: {pay: 2 of rye, from: barn(me), wild: oat, worth: 2, stands_for: one sort}
      now_more: {pay: 2 of rye, from: barn(me), wild: oat, worth: "if debt(me) > 0 then 2 else 1"}
      now_more_of_one: {pay: 2 of rye, from: barn(me), wild: oat, worth: "max(1, debt(me))", stands_for: one sort}
  sow: {choose: {given: {some_of: bin}}, when: {oats: {is: "given(oat) > 1"}}, do: [move: {move: given, from: bin, to: barn(me)}]}
turn: [{act: {may: [buy, sow]}}]
round: [turns: {for_each: player, turn: player}, done: {when: round_number is 9, end_game: now}]
"""  # noqa: E501
PAYING_IN_ENGLISH = """
- **plain**: a payment of 2 rye from “barn” of the player
- **single**: a payment of 2 rye from “barn” of the player; each oat pays for one piece of any sort
- **double**: a payment of 2 rye from “barn” of the player; each oat pays for 2 pieces of any sort; more than the \
price is paid only if all of it is paid in oats; one piece of the price, whichever the player likes, need not be paid
- **both**: a payment of 2 rye and 1 oat from “barn” of the player; each oat beyond those of the price pays for one \
piece of any sort; how many pieces of the price, whichever the player likes, need not be paid: “debt” of the player
- **or pea**: a payment of 2 rye from “barn” of the player; each oat or pea pays for one piece of any sort
- **each its own**: a payment of 2 rye from “barn” of the player; each oat pays for one piece of any sort; each pea \
pays for 2 pieces of any sort; nothing is paid that could be left out
- **of one sort**: a payment of 2 rye from “barn” of the player; each oat pays for up to 2 pieces of one sort; nothing \
is paid that could be left out
- **now more**: a payment of 2 rye from “barn” of the player; how many pieces of any sorts each oat pays for: 2 if \
“debt” of the player is more than 0, otherwise 1; nothing is paid that could be left out
- **now more of one**: a payment of 2 rye from “barn” of the player; how many pieces of one sort each oat pays for at \
most: the larger of 1 and “debt” of the player; nothing is paid that could be left out
- The number of oats in “given” is more than 1.
"""
PAYING_IN_FRENCH = """
- **plain** : un paiement de 2 seigle pris dans « barn » (le joueur)
- **double** : un paiement de 2 seigle pris dans « barn » (le joueur) ; chaque avoine vaut 2 pièces de n'importe \
quelle sorte ; on ne dépasse le prix que si tout est payé en avoines ; une \
pièce du prix, au choix du joueur, n'est pas due
- **both** : un paiement de 2 seigle et 1 avoine pris dans « barn » (le joueur) ; chaque avoine de plus que dans le \
prix vaut une pièce de n'importe quelle sorte ; nombre de pièces du prix, au choix du joueur, qui ne sont pas dues : \
« debt » (le joueur)
- **or pea** : un paiement de 2 seigle pris dans « barn » (le joueur) ; chaque avoine ou pois vaut une pièce de \
n'importe quelle sorte
- **of one sort** : un paiement de 2 seigle pris dans « barn » (le joueur) ; chaque avoine vaut jusqu'à 2 pièces d'une \
même sorte ; on ne paie rien dont on pourrait se passer
- **now more** : un paiement de 2 seigle pris dans « barn » (le joueur) ; nombre de pièces de n'importe quelles sortes \
que vaut chaque avoine : 2 si « debt » (le joueur) dépasse 0, sinon 1 ; on ne paie rien dont on pourrait se passer
- **now more of one** : un paiement de 2 seigle pris dans « barn » (le joueur) ; nombre de pièces d'une même sorte que \
vaut au plus chaque avoine : le plus grand parmi 1 et « debt » (le joueur) ; on ne paie rien dont on pourrait se passer
- Le nombre d'avoines dans « given » dépasse 1.
"""


@pytest.mark.parametrize(("code", "sentences"), [("en", PAYING_IN_ENGLISH), ("fr", PAYING_IN_FRENCH)])
def test_how_one_may_pay_is_said_in_full(code: str, sentences: str) -> None:
    assert missing_lines(PAYING, code, sentences) == []


LEAVING = """
game: leaving
version: 1.0.0
language: 2
text: {en: Leaving, fr: Partir}
players: 2 to 4
components: {ticket: {text: {en: ticket, fr: billet}, fields: {worth: 1 to 5}, start: heap, rows: [{id: t1, worth: 1}]}}
zones: {heap: {holds: ticket, seen_by: all, order: arrival}, hand: {holds: ticket, per: player, seen_by: all}}
state: {score: {type: 0 to 9, per: player}}
actions:
  go:
    when:
      poor: {is: no ticket in heap has ticket.worth > 3}
      idle: {is: no ticket has ticket in hand(me)}
      alone: {is: no other in others has score(other) > 3}
      nobody: {is: no player in everyone has score(player) > 3}
      first: {is: every other in everyone has other is me or score(other) < score(me)}
      twin: {is: some other in everyone has other is not me and score(other) is score(me)}
      near: {is: every other in everyone has other is me or score(other) < score(next(other))}
    do: [take: {move: top, from: heap, to: hand(me)}]
  stay: {}
turn: [act: {must: [go, stay]}]
round:
  - turns: {for_each: player, turn: player}
  - last:
      leave: each player in everyone where every other in everyone has other is player or score(other) > score(player)
  - even: {leave: each player in everyone where every other in everyone has score(other) >= score(player)}
  - done: {when: round_number is 9, end_game: now}
"""
LEAVING_IN_ENGLISH = """
- There is no ticket of “heap” for which the worth of that ticket is more than 3.
- There is no ticket for which that ticket is among “hand” of the player.
- There is nobody among the other players for whom “score” of that player is more than 3.
- There is no player for whom “score” of that player is more than 3.
- “score” of every other player is less than “score” of the player.
- For at least one other player, “score” of that other player is “score” of the player.
- For every other player, “score” of that other player is less than “score” of the player after that other player.
- It is checked who must leave the game. Who leaves it: each player for whom “score” of every other player is more \
than “score” of that player.
- It is checked who must leave the game. Who leaves it: each player for whom “score” of every player is at least \
“score” of that player.
"""
LEAVING_IN_FRENCH = """
- Il n'y a aucun élément (« billet ») parmi « heap » pour lequel « worth » (« billet ») dépasse 3.
- Il n'y a aucun élément (« billet ») pour lequel « billet » est parmi « hand » (le joueur).
- Il n'y a aucun joueur parmi les autres joueurs pour qui « score » (ce joueur) dépasse 3.
- Il n'y a aucun joueur pour qui « score » (ce joueur) dépasse 3.
- « score » (chaque autre joueur) est en dessous de « score » (le joueur).
- Pour au moins un autre joueur, « score » (cet autre joueur) est « score » (le joueur).
- On regarde qui doit quitter la partie. Qui la quitte : chaque joueur pour qui « score » (chaque autre joueur) \
dépasse « score » (ce joueur).
"""


@pytest.mark.parametrize(("code", "sentences"), [("en", LEAVING_IN_ENGLISH), ("fr", LEAVING_IN_FRENCH)])
def test_conditions_of_players_have_an_end_and_no_variables(code: str, sentences: str) -> None:
    assert missing_lines(LEAVING, code, sentences) == []


MARKED = """
game: marked
version: 1.0.0
language: 2
text: Marked
players: 2
kinds: {mark: [none_yet, every player], board: {grid: 3 by 2}}
zones:
  floor: {holds: player, per: board, seen_by: all}
  men: {holds: player, per: player, seen_by: all, start: 6 of player}
state: {latest: {type: mark}}
actions:
  stand: {choose: {place: {one_of: board}}, do: [go: {move: 1 of me, from: men(me), to: floor(place)}]}
  call: {choose: {whom: {one_of: mark}}, do: [who: {set: latest, to: whom}]}
turn: [act: {must: [stand, call]}, luck: {roll: latest, weights: {none_yet: 2, 0: 1}}]
round: [turns: {for_each: player, turn: player}, done: {when: round_number is 9, end_game: now}]
"""
MARKED_IN_ENGLISH = """
- **Mark**: none yet, player 1 and player 2.
- **place**: one of the squares of “board”
- **whom**: none yet, player 1 or player 2
2. “latest” is decided by chance (none yet: 2/3, player 1: 1/3).
"""
MARKED_IN_FRENCH = """
- **Mark** : none yet, joueur 1 et joueur 2.
- **place** : une seule case de « board »
"""


@pytest.mark.parametrize(("code", "sentences"), [("en", MARKED_IN_ENGLISH), ("fr", MARKED_IN_FRENCH)])
def test_players_among_other_members_and_squares_are_named(code: str, sentences: str) -> None:
    assert missing_lines(MARKED, code, sentences) == []
