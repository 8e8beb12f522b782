"""`python -m rulewright` is the command `rulewright`."""

from rulewright.cli.start import run

if __name__ == "__main__":
    run()
