"""Count the ways a game can go: the sequences of N decisions from a position.

A forced pass is a decision, a noble that comes by itself is none. A sequence that ends before N decisions because the
game is over is not counted.

    python -m tests.oracle.perft --players 2 --depth 3
    python -m tests.oracle.perft --players 3 --depth 2 --divide --after 60 --seed 7     (from a position in mid-game)
"""

import argparse
import json
import time
from collections import Counter
from random import Random

from .rules import Game, file_order, shuffled


def perft(game: Game, depth: int) -> int:
    """Sequences of `depth` decisions; the last decision is counted without being played."""
    if depth == 0:
        return 1
    actions = game.actions()
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        child = game.copy()
        child.play(action)
        total += perft(child, depth - 1)
    return total


def perft_step_by_step(game: Game, depth: int) -> int:
    """The same number counted without any shortcut, through the written notation."""
    if depth == 0:
        return 1
    total = 0
    for text in game.legal():
        child = game.copy()
        child.apply(text)
        total += perft_step_by_step(child, depth - 1)
    return total


def perft_by_positions(game: Game, depth: int) -> int:
    """The same number counted level by level: equal positions are joined, with the number of ways that lead there."""
    games = {game.position(): game}
    ways = Counter({game.position(): 1})
    for _ in range(depth):
        next_games: dict[tuple[object, ...], Game] = {}
        next_ways: Counter[tuple[object, ...]] = Counter()
        for position, parent in games.items():
            for action in parent.actions():
                child = parent.copy()
                child.play(action)
                reached = child.position()
                next_games.setdefault(reached, child)
                next_ways[reached] += ways[position]
        games, ways = next_games, next_ways
    return ways.total()


def divide(game: Game, depth: int) -> dict[str, int]:
    """The count below each first decision: where two programs differ, this leads to the spot."""
    counts = {}
    for text in game.legal():
        child = game.copy()
        child.apply(text)
        counts[text] = perft(child, depth - 1)
    return counts


def play_at_random(game: Game, decisions: int, rng: Random) -> list[str]:
    """Play up to so many uniformly random decisions; what was played."""
    played = []
    while len(played) < decisions and not game.over:
        played.append(rng.choice(sorted(game.legal())))
        game.apply(played[-1])
    return played


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.perft", description=__doc__.partition("\n")[0])
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--orders", default="file-order", choices=("file-order", "shuffled"))
    parser.add_argument("--seed", type=int, default=1, help="of the shuffle and of --after")
    parser.add_argument("--first-seat", type=int, default=0)
    parser.add_argument("--tokens", action="store_true", help="give tokens back one at a time")
    parser.add_argument("--colours-first", action="store_true", help="gold pays only for what one lacks")
    parser.add_argument("--after", type=int, default=0, metavar="N", help="count after N random moves")
    parser.add_argument("--divide", action="store_true", help="count below each first decision")
    args = parser.parse_args()

    rng = Random(args.seed)
    orders = file_order() if args.orders == "file-order" else shuffled(rng)
    game = Game(
        args.players,
        orders,
        first_seat=args.first_seat,
        tokenwise=args.tokens,
        colours_first=args.colours_first,
    )
    if args.orders == "shuffled":
        print(json.dumps({"decks": orders.decks, "nobles": orders.nobles}))
    for text in play_at_random(game, args.after, rng):
        print("played", text)
    if args.divide:
        for text, count in sorted(divide(game, args.depth).items()):
            print(f"{count:>12,}  {text}")
    for depth in range(1, args.depth + 1):
        began = time.perf_counter()
        print(f"depth {depth}: {perft(game, depth):,}   ({time.perf_counter() - began:.1f} s)")


if __name__ == "__main__":
    main()
