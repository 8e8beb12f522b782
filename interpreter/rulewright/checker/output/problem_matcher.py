"""How GitHub finds diagnostics in the lines that a run prints.

In: nothing. Out: a problem matcher for `check --format short`, as JSON. A workflow registers it with
`echo "::add-matcher::FILE"`; each diagnostic is then shown at its line of the change.
"""

from __future__ import annotations

import json
from typing import Final

LINE: Final = r"^(.+?):(\d+):(\d+): (error|warning)\[([a-z0-9-]+)\] (.+)$"


def problem_matcher() -> str:
    """The problem matcher."""
    pattern = {"regexp": LINE, "file": 1, "line": 2, "column": 3, "severity": 4, "code": 5, "message": 6}
    return json.dumps({"problemMatcher": [{"owner": "rulewright", "pattern": [pattern]}]}, indent=2)


__all__ = ["LINE", "problem_matcher"]
