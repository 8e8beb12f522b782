"""What shows when rules are set up and played: a few games of random and odd players, the same on every machine.

In: rules that can be set up. Out: diagnostics at the cause of what fails, each with the command that
shows it (`play_check`).
"""
