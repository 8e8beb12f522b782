"""Rules → play: positions, what is legal in them, what follows, and why something is not legal.

In: `Rules`. Out: positions as frozen data. This package holds what all engines share, `reference/` the engine that
defines what rules mean; imports go in one direction only, from an engine to what is shared. Where to look:

- `interface`: what every engine can do. `reference.reference_engine` does it; `default_engine` decides which one plays.
- `state`, `values`, `context`: what a position is, what its values are, what an expression may read.
- `expr_compiler` (with `content_compiler` and `place_compiler`), `evaluation_terms`: expressions → functions; how good
  a position is for a seat.
- `layout`, `elimination`, `chance`, `faults`: the table before play, who has left, the random generator, failing rules.
- `visibility`, `knowledge`, `views`, `determinize`: who sees what, who knows what, a position as one seat sees it,
  positions that agree with what a seat knows.
- `notation`, `sentence_renderer`: values and actions as text, sentences with their holes filled.
- `position_json`, `validation/`, `piece_counts`: positions saved and loaded, and whether what is loaded can be one.
- `playout`, `game_tree`: a game that goes on by itself; counting the games that are possible.
"""
