"""The command `rulewright`: one module a command, arguments in, text and an exit status out."""
