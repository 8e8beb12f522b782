"""Whatever stands in a rule file, the checker ends soon and says something clear: a sample of damaged and odd files.

`python tests/fuzzing.py --count 5000 --jobs 2` checks more, and says which files trouble it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import fuzzing
from hostile_files import files_of

SAMPLE = 150
SEED = 7


def test_the_same_seed_makes_the_same_files() -> None:
    assert files_of(SEED, 3) == files_of(SEED, 3)
    assert len({str(files_of(SEED, number)) for number in range(40)}) > 35


def test_troubles_are_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An exception of the checker, and one that takes too long, are told with the number of the files."""
    (tmp_path / "a.yaml").write_text("game: a\n", encoding="utf-8")
    assert fuzzing.check_folder(str(tmp_path)) == ""

    def fail(paths: object) -> None:
        raise KeyError(str(paths))

    monkeypatch.setattr(fuzzing, "check_paths", fail)
    assert "KeyError" in fuzzing.check_folder(str(tmp_path))
    trouble = fuzzing.check_number(SEED, 5)
    assert trouble is not None
    assert (trouble.number, trouble.files) == (5, files_of(SEED, 5))


@pytest.mark.slow
def test_a_sample_of_hostile_files() -> None:
    """Time is not looked at here: other tests run beside this one."""
    troubles = fuzzing.check_share(SEED, 0, SAMPLE, max_seconds=60)
    assert [(trouble.number, trouble.what) for trouble in troubles] == []
