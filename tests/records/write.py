"""Writes the record that the README replays anew: python tests/records/write.py"""

from __future__ import annotations

# ruff: noqa: E402  (as a command it has to find the package first)
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent.parent / "interpreter"))

from rulewright import new_session

KEPT = FOLDER / "two-colours.jsonl"


def main() -> None:
    KEPT.unlink(missing_ok=True)
    game = new_session(
        "splendor", players=2, variants=["fewer-by-choice"], seed=7, seats=["Ann", "greedy"], record=KEPT
    )
    game.act("pair ruby")
    game.undo()
    for typed in ("diff ruby onyx emerald", "pair sapphire", "diff ruby diamond"):
        game.act(typed)
    game.close()


if __name__ == "__main__":
    main()
