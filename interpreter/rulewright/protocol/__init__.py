"""A game over lines of JSON: a request in, an answer out, for programs that play or show it.

In: lines on a stream. Out: a line for each, `{"to": …, "do": …}` with what was asked for, or with an `error`. The whole
language is `schemas/protocol.schema.json`. The requests: new, load, save, state, legal, apply, view, why_not, chance,
result, measures, quit. There is no undo: a client saves the position before an action, and loads it.

- `request_parser`: what a request may say: a table of keys, and a type for each request
- `request_handler`: what each request does to the game: `RequestHandler.apply` answers `{"do": "apply"}`, and so on
- `transport`: lines, their limits, and errors as answers
"""
