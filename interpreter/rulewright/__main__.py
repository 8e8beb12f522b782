"""`python -m rulewright` is the command `rulewright`."""

from rulewright.cli.main import run

if __name__ == "__main__":
    run()
