"""A game of Splendor by the official rules, as a person would write it by hand.

In: the number of players, who begins, the order of the decks and nobles. Out: at every decision the seat that decides
and the complete list of what it may do; at the end the places. Independent of the package: it confirms it.

Sources: Splendor, rulebook (Space Cowboys, 2014; English; French and English); where that is silent, Splendor,
comprehensive reference manual (publisher not named). What neither says is marked "our reading".

A bag of tokens is six counts in the order diamond, sapphire, emerald, ruby, onyx, gold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations, compress, product
from random import Random
from typing import NamedTuple

from .cards import CARDS, GEMS, GOLD, LEVELS, NOBLES, TOKENS, Card, Noble

Bag = tuple[int, ...]

GEMS_EACH = {2: 4, 3: 5, 4: 7}
GOLD_TOTAL = 5
MARKET_WIDTH = 4
PAIR_MINIMUM = 4
HAND_LIMIT = 3
TOKEN_LIMIT = 10
TARGET_PRESTIGE = 15

NO_TOKENS: Bag = (0,) * 6
ONE_OF: tuple[Bag, ...] = tuple(tuple(int(i == k) for i in range(6)) for k in range(6))
TWO_OF: tuple[Bag, ...] = tuple(tuple(2 * n for n in bag) for bag in ONE_OF)


class Phase(Enum):
    """What the seat in turn has to decide; the phases of a turn follow each other in this order."""

    ACT = "act"
    NOBLE = "noble"
    GIVE_BACK = "give_back"
    OVER = "over"


class IllegalActionError(ValueError):
    """Somebody tried what is not in the legal list."""


@dataclass(frozen=True, slots=True)
class Orders:
    """The shuffles of a game: the decks of level 1, 2, 3, top card first, and all nobles, those laid out first."""

    decks: tuple[tuple[str, ...], ...]
    nobles: tuple[str, ...]


def file_order() -> Orders:
    """No shuffle: cards and nobles as their rows stand in the tables."""
    return Orders(
        decks=tuple(tuple(card.id for card in CARDS.values() if card.level == level) for level in LEVELS),
        nobles=tuple(NOBLES),
    )


def shuffled(rng: Random) -> Orders:
    plain = file_order()
    return Orders(
        decks=tuple(tuple(rng.sample(deck, len(deck))) for deck in plain.decks),
        nobles=tuple(rng.sample(plain.nobles, len(plain.nobles))),
    )


class Action(NamedTuple):
    """One decision: its name, the card, noble, level or kind it is about, and the tokens that move."""

    name: str
    subject: str | int | None = None
    tokens: Bag = NO_TOKENS

    def __str__(self) -> str:
        match self.name:
            case "take_different":
                return f"take_different(colours={' + '.join(compress(TOKENS, self.tokens))})"
            case "take_pair":
                return f"take_pair(colour={self.subject})"
            case "reserve_face_up":
                return f"reserve_face_up(card={self.subject})"
            case "reserve_from_deck":
                return f"reserve_from_deck(level={self.subject})"
            case "buy":
                return f"buy(card={self.subject}, payment={write_bag(self.tokens)})"
            case "receive_noble":
                return f"receive_noble(noble={self.subject})"
            case "give_back" if self.subject is None:
                return f"give_back(tokens={write_bag(self.tokens)})"
            case "give_back":
                return f"give_back(tokens=+{self.subject})"
        return self.name


def write_bag(bag: Bag) -> str:
    return " + ".join(f"{n} {token}" for n, token in zip(bag, TOKENS, strict=True) if n) or "nothing"


def sub_bags(bag: Sequence[int], total: int) -> Iterator[Bag]:
    """Every way to choose exactly `total` tokens out of the bag; equal tokens are not told apart."""
    if len(bag) == 1:
        if total <= bag[0]:
            yield (total,)
        return
    for n in range(min(bag[0], total), -1, -1):
        for rest in sub_bags(bag[1:], total - n):
            yield (n, *rest)


class Game:
    """A game in progress. Read its attributes freely; change it only with `apply` or `play`.

    `tokenwise`: excess tokens go back one at a time, a decision each. `colours_first`: gold pays only for what one
    lacks.
    """

    def __init__(
        self,
        players: int,
        orders: Orders | None = None,
        *,
        first_seat: int = 0,
        tokenwise: bool = False,
        colours_first: bool = False,
    ) -> None:
        if players not in GEMS_EACH or first_seat not in range(players):
            raise ValueError(f"{players} players, first seat {first_seat}")
        orders = orders or file_order()
        self.players = players
        self.first_seat = first_seat
        self.tokenwise = tokenwise
        self.colours_first = colours_first

        self.supply = [GEMS_EACH[players]] * 5 + [GOLD_TOTAL]
        self.decks = [[CARDS[card] for card in reversed(deck)] for deck in orders.decks]  # the top card is the last
        self.market: list[list[Card | None]] = [[deck.pop() for _ in range(MARKET_WIDTH)] for deck in self.decks]
        self.nobles: list[Noble] = [NOBLES[noble] for noble in orders.nobles[: players + 1]]

        self.purse = [[0] * 6 for _ in range(players)]
        self.hand: list[list[Card]] = [[] for _ in range(players)]
        self.tableau: list[list[Card]] = [[] for _ in range(players)]
        self.visited: list[list[Noble]] = [[] for _ in range(players)]
        self.bonuses = [[0] * 5 for _ in range(players)]
        self.prestige = [0] * players

        self.seat = first_seat
        self.phase = Phase.ACT
        self.passes = 0  # forced passes in this round
        self.last_round = False
        self.seen_by_all: set[str] = set()  # cards in hands that everybody has seen
        self._legal: dict[str, Action] | None = None

    # ---- what may be done --------------------------------------------------------------------------------------------

    def legal(self) -> list[str]:
        """What the seat in turn may do, each way once, in the notation of records; empty when the game is over."""
        if self._legal is None:
            self._legal = {str(action): action for action in self.actions()}
        return list(self._legal)

    def actions(self) -> list[Action]:
        match self.phase:
            case Phase.ACT:
                # A pass has to be forced: not one of the four actions is possible (reference manual, FAQ).
                return [*self._takes(), *self._reservations(), *self._purchases()] or [Action("pass")]
            case Phase.NOBLE:
                return [Action("receive_noble", noble.id) for noble in self._earned()]
            case Phase.GIVE_BACK:
                return list(self._give_backs())
            case Phase.OVER:
                return []

    def _takes(self) -> Iterator[Action]:
        left = [gem for gem in range(5) if self.supply[gem]]
        if left:
            # Exactly three colours; when fewer are left, one of each (reference manual, Gameplay Flow).
            for colours in combinations(left, min(3, len(left))):
                yield Action("take_different", tokens=tuple(int(i in colours) for i in range(6)))
        for gem in left:
            if self.supply[gem] >= PAIR_MINIMUM:
                yield Action("take_pair", GEMS[gem], TWO_OF[gem])

    def _reservations(self) -> Iterator[Action]:
        if len(self.hand[self.seat]) >= HAND_LIMIT:
            return
        for row in self.market:
            for card in row:
                if card:
                    yield Action("reserve_face_up", card.id)
        for level in LEVELS:
            if self.decks[level - 1]:
                yield Action("reserve_from_deck", level)

    def _purchases(self) -> Iterator[Action]:
        for card in [card for row in self.market for card in row if card] + self.hand[self.seat]:
            for payment in self.payments(card):
                yield Action("buy", card.id, payment)

    def price(self, card: Card) -> list[int]:
        """The cost less the bonuses of the seat in turn, colour by colour, never below nothing."""
        return [max(0, cost - bonus) for cost, bonus in zip(card.cost, self.bonuses[self.seat], strict=True)]

    def payments(self, card: Card) -> Iterator[Bag]:
        """Every exact payment. Gold stands for any colour, by choice, also for one the buyer holds."""
        price, purse = self.price(card), self.purse[self.seat]
        most = [min(asked, held) for asked, held in zip(price, purse, strict=False)]  # in tokens of the colour itself
        total = sum(price)
        if total - sum(most) > purse[GOLD]:
            return
        least = most if self.colours_first else [0] * 5
        for colours in product(*(range(high, low - 1, -1) for high, low in zip(most, least, strict=True))):
            gold = total - sum(colours)
            if gold <= purse[GOLD]:
                yield (*colours, gold)

    def _give_backs(self) -> Iterator[Action]:
        purse = self.purse[self.seat]
        if self.tokenwise:
            for kind, held in enumerate(purse):
                if held:
                    yield Action("give_back", TOKENS[kind], ONE_OF[kind])
        else:
            for tokens in sub_bags(purse, sum(purse) - TOKEN_LIMIT):
                yield Action("give_back", tokens=tokens)

    def _earned(self) -> list[Noble]:
        """The nobles on the table whose wishes the bonuses of the seat in turn meet."""
        bonuses = self.bonuses[self.seat]
        return [
            noble for noble in self.nobles if all(n >= asked for n, asked in zip(bonuses, noble.requires, strict=True))
        ]

    # ---- doing it ----------------------------------------------------------------------------------------------------

    def apply(self, text: str) -> None:
        """Carry out one of the legal actions, given in the notation of records."""
        self.legal()
        assert self._legal is not None
        if text not in self._legal:
            raise IllegalActionError(f"seat {self.seat} in phase {self.phase.value}: {text}")
        self.play(self._legal[text])

    def play(self, action: Action) -> None:
        """Carry out an action of `actions()`; whether it is one is not asked."""
        self._legal = None
        match action.name:
            case "take_different" | "take_pair":
                self._pay_out(action.tokens)
            case "reserve_face_up":
                self._reserve(self._leave_market(str(action.subject)), seen=True)
            case "reserve_from_deck":
                assert isinstance(action.subject, int)
                self._reserve(self.decks[action.subject - 1].pop(), seen=False)
            case "buy":
                self._buy(str(action.subject), action.tokens)
            case "pass":
                self.seen_by_all.update(card.id for card in self.hand[self.seat])
                self.passes += 1
            case "receive_noble":
                self._receive(NOBLES[str(action.subject)])
                self._after_noble()
                return
            case "give_back":
                self._pay_in(action.tokens)
                self._after_noble()
                return
        self._after_action()

    def _pay_out(self, tokens: Bag) -> None:
        purse = self.purse[self.seat]
        for kind, n in enumerate(tokens):
            self.supply[kind] -= n
            purse[kind] += n

    def _pay_in(self, tokens: Bag) -> None:
        self._pay_out(tuple(-n for n in tokens))

    def _leave_market(self, card_id: str) -> Card:
        """Take a face-up card away; the top card of its deck takes its place at once, if there is one."""
        card = CARDS[card_id]
        row, deck = self.market[card.level - 1], self.decks[card.level - 1]
        row[row.index(card)] = deck.pop() if deck else None
        return card

    def _reserve(self, card: Card, *, seen: bool) -> None:
        self.hand[self.seat].append(card)
        if seen:
            self.seen_by_all.add(card.id)
        if self.supply[GOLD]:
            self._pay_out(ONE_OF[GOLD])

    def _buy(self, card_id: str, payment: Bag) -> None:
        card, hand = CARDS[card_id], self.hand[self.seat]
        self._pay_in(payment)
        if card in hand:
            hand.remove(card)
            self.seen_by_all.discard(card_id)  # it lies in the open now
        else:
            self._leave_market(card_id)
        self.tableau[self.seat].append(card)
        self.bonuses[self.seat][card.bonus] += 1
        self.prestige[self.seat] += card.prestige

    def _receive(self, noble: Noble) -> None:
        self.nobles.remove(noble)  # nobody takes its place
        self.visited[self.seat].append(noble)
        self.prestige[self.seat] += noble.prestige

    # ---- the end of a turn, of a round, of the game ------------------------------------------------------------------

    def _after_action(self) -> None:
        """One noble comes, before tokens are given back; only among several is there something to decide."""
        earned = self._earned()
        if len(earned) > 1:
            self.phase = Phase.NOBLE
            return
        if earned:
            self._receive(earned[0])
        self._after_noble()

    def _after_noble(self) -> None:
        if sum(self.purse[self.seat]) > TOKEN_LIMIT:
            self.phase = Phase.GIVE_BACK
            return
        self._end_turn()

    def _end_turn(self) -> None:
        if self.prestige[self.seat] >= TARGET_PRESTIGE:
            self.last_round = True
        self.seat = (self.seat + 1) % self.players
        self.phase = Phase.ACT
        if self.seat == self.first_seat:
            # When all seats were forced to pass in one round, nothing can change any more (our reading).
            if self.last_round or self.passes == self.players:
                self.phase = Phase.OVER
            self.passes = 0

    @property
    def over(self) -> bool:
        return self.phase is Phase.OVER

    def decides(self) -> int | None:
        """The seat that has to decide, nobody when the game is over."""
        return None if self.over else self.seat

    def places(self) -> list[int]:
        """The place of each seat as the game stands: most prestige, then fewest cards bought; the rest is shared."""
        scores = [(self.prestige[seat], -len(self.tableau[seat])) for seat in range(self.players)]
        return [1 + sum(other > score for other in scores) for score in scores]

    def winners(self) -> list[int]:
        return [seat for seat, place in enumerate(self.places()) if place == 1]

    # ---- what a seat knows -------------------------------------------------------------------------------------------

    def hand_seen_by(self, viewer: int, holder: int) -> list[str]:
        """A hand as another seat knows it, in the order of reserving; what the viewer has not seen is `hidden`."""
        return [card.id if viewer == holder or card.id in self.seen_by_all else "hidden" for card in self.hand[holder]]

    # ---- the game as a value -----------------------------------------------------------------------------------------

    def copy(self) -> Game:
        twin = object.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin.supply = self.supply[:]
        twin.nobles = self.nobles[:]
        twin.prestige = self.prestige[:]
        twin.seen_by_all = self.seen_by_all.copy()
        for name in ("decks", "market", "purse", "hand", "tableau", "visited", "bonuses"):
            setattr(twin, name, [part[:] for part in getattr(self, name)])
        return twin

    def position(self) -> tuple[object, ...]:
        """All that matters for the rest of the game and for what is known of it, as one hashable value.

        Hands and tableaus are sets. A deck is its cards in order.
        """
        return (
            self.seat,
            self.phase,
            self.passes,
            self.last_round,
            tuple(self.supply),
            tuple(map(tuple, self.purse)),
            tuple(tuple(card.id for card in deck) for deck in self.decks),
            tuple(tuple(card and card.id for card in row) for row in self.market),
            tuple(frozenset(card.id for card in hand) for hand in self.hand),
            tuple(frozenset(card.id for card in tableau) for tableau in self.tableau),
            tuple(frozenset(noble.id for noble in nobles) for nobles in self.visited),
            frozenset(noble.id for noble in self.nobles),
            frozenset(self.seen_by_all),
        )
