"""Which rule sets were found without a problem before, in any process: they are not judged again.

In: rule sets. Out: those of which it is not known. What is kept are digests of all that was read, under the signature
of the program that judged; so a changed file, another file that joins variants or another program is another question.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from rulewright.checker.rule_sets import RuleSet, rule_set_key
from rulewright.private_cache import cache_folder, cache_key, keep, read_cached
from rulewright.program_signature import program_signature
from rulewright.source.unsaved import held_text

MAX_KEPT: Final = 4_096  # digests; the oldest go first
CLOCK_STEP: Final = 20_000_000  # nanoseconds by which the times of files may lag behind


class CleanRuleSets:
    """What is known in the folder of results. Made before any file is read. `is_kept`: whether anything is known."""

    def __init__(self, *, is_kept: bool = True) -> None:
        self._started = time.time_ns() - CLOCK_STEP
        self._is_kept = is_kept and cache_folder() is not None
        self._known: dict[str, None] = {}  # in the order in which they were found
        self._digests: dict[Path, str] = {}
        self._name = ""
        if self._is_kept:
            self._name = cache_key("clean rule sets", program_signature())
            self._known = dict.fromkeys((read_cached(self._name) or b"").decode().split())

    def key(self, rules: RuleSet) -> str:
        """Of all that these rules are read from; empty where it is not certain that they were read so."""
        try:
            return rule_set_key(rules, self._digest) if self._is_kept else ""
        except OSError:
            return ""

    def is_known(self, key: str) -> bool:
        """Whether the rules with this key were found without a problem."""
        return key in self._known

    def add(self, found: Iterable[tuple[RuleSet, str]]) -> None:
        """Keeps which were found without a problem, with the keys that they had before they were judged."""
        if not self._is_kept or any(map(self._has_changed, self._digests)):
            return
        new = [key for rules, key in found if key and key == self.key(rules)]
        if new:
            self._known |= dict.fromkeys(new)
            keep(self._name, "\n".join([*self._known][-MAX_KEPT:]).encode())

    def _digest(self, path: Path) -> str:
        """The digest of a file's bytes; raises `OSError` for one that is not saved or was changed meanwhile."""
        if path not in self._digests:
            if held_text(path) is not None or self._has_changed(path):
                raise OSError
            self._digests[path] = cache_key(path.read_bytes())
        return self._digests[path]

    def _has_changed(self, path: Path) -> bool:
        """Whether a file was changed since the beginning, so that nobody knows what was read of it."""
        try:
            status = path.stat()
        except OSError:
            return True
        return max(status.st_mtime_ns, status.st_ctime_ns) >= self._started


__all__ = ["CleanRuleSets"]
