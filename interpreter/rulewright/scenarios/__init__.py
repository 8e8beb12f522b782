"""Tests of rules written as data: read, set up, played, compared with what they expect.

In: scenario files. Out: for each case its diagnostics, none when the rules do what it expects. `runner` is the way in;
`scenario_file` says what a case is, `scenario_game` which game it is about, which `nearby_files` finds, `given` and
`starting_position` where it begins, `expectations` (with `expected_options`, `expected_views` and `assertions`) what
must come of it. `export_scenario` goes the other way: from a played game to a scenario. Nothing here prints.
"""
