"""The command `rulewright`: one module for each command, named after it: arguments in, text and an exit status out.

In: the words of a command line. Out: text on stdout, errors on stderr, an `ExitStatus`.

- `start`: the first and the last moment of the process; `main`: runs a command and turns whatever goes wrong into a
  sentence and a status; `exit_status`: the statuses
- `subcommands`: a row for each command, with its help; `arguments`, `argument_types`: what each can be given;
  `options`: the same with types, as each command declares them
- `open_game`: the engine and position that the arguments ask for; `output`: a text to stdout or a new file
- `pdf`: pages as PDF, pictures as PDF or PNG
- `batch`, `progress`: what `simulate`, `tournament` and `combine` share: many games, progress, stopping, resuming
"""
