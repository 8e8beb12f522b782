"""One game at a table: its actions, its log, undo and redo, and the short forms that people type.

In: an engine and a beginning (a seed or a position), then actions, typed or as data. Out: positions, views, a log for
each reader, and calls to a `Recorder` for whoever keeps the game.

- `session`: `Session`, what programs use; `match`: the game under it, and how each reader sees an action
- `shorthand`: typed text → legal actions or attempts; `typed_words`: the words of the text and the names of values;
  `shorthand_matching`: the legal actions that the words mean
- `undo`: undo and redo; `irreversible`: which actions cannot be undone, and why
- `turn_segments`: what happened between two decisions, turn by turn
- `recorder`: what a session reports to whoever writes the game down; nothing of this package writes files
"""
