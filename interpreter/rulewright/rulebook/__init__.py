"""A game's rulebook, for people who want to play: composed from the rules, so that it changes with them.

In: the rules for each number of players, a locale. Out: Markdown or HTML. The pipeline: `rules_by_count` loads the
rules; `assemble` runs the `chapters` (one module each) for every number of players, which append `blocks` to a
`writer`; `player_counts` merges these books into one; `tracked_changes` marks what variants change; `markdown` and
`html` print it. Drawings: `cards`, `board_plan`. `decisions` describes actions, for the chapters on round and turn.
"""
