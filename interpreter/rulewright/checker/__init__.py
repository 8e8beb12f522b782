"""Rule files → everything that is wrong with them, as a library.

In: paths of files, folders and games. Out: `Diagnostics`. `rulewright.check` (`checker.check`) is the way in: it prints
nothing and knows no exit status. Which checks there are is written in `passes`, `lint.LINTS` and `local_lints`, tuples
that can be read; a check is a function that adds to `Diagnostics`. Files are read by the stages below (`source`,
`document`, `variants`, `model.loader`), the same that `load_rules` uses, so that nothing loads which the checker has
not seen.

What the checks are about, each room importing only from those before it: `common` (what all of them ask), `texts`,
`causes` (one fault, one diagnostic), `logic`, `played`, `secrets`; here stands what reads files and makes the checks;
`output` has the forms for other programs. Beside it: `logic.guarantees` proves what must hold in every game,
`played.random_games` and `combinations` look for what only shows in play.
"""
