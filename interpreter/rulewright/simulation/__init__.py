"""Many games by bots: played, shared among processes, summed up, shown as tables, rows of CSV and plots.

In: rules and bots by name, and a seed. Out: one `GameStats` per game, and what they add up to.

- `simulations`: numbered games, each from a seed of its own; `parallel`: ordered map over processes
- `aggregate`: games → a `Simulation`; `tournaments`: bots against one another in every seat order → a `Tournament`
- `statistics`: means, quantiles and intervals, exact; `summary_table`, `standings`, `plot`: results for people
- `game_rows`, `row_file`: one line of CSV per game, written as games end and read back to continue
"""
