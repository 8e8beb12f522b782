"""The players that a program can be; no bot knows a game, and none sees what its seat may not.

In: a `PlayerView`, which is all that a seat may ask about the game. Out: one of its legal actions.

- `player_view`: `PlayerView`, and the protocol `Bot`; `bot_specs`: names with settings (`search:200`) → bots
- `greedy`: bots that do not look ahead; `heuristic`: as far as the own next turn; `search`: tree search
- `position_evaluator`: how good a position is for a seat, by the rules' evaluation or a strategy of theirs
- `secret_choices`: choices that others make at the same time, drawn at random
"""
