"""What is kept for the next time: found again by its key, and only if it is whole and nobody else's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulewright import private_cache
from rulewright.private_cache import CACHE_VARIABLE, cache_folder, cache_key, keep, read_cached


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "kept"
    monkeypatch.setenv(CACHE_VARIABLE, str(path))
    return path


def test_what_is_kept_is_found_again(folder: Path) -> None:
    key = cache_key("rules", b"version")
    assert read_cached(key) is None
    keep(key, b"code")
    assert read_cached(key) == b"code"
    keep(key, b"newer code")
    assert read_cached(key) == b"newer code"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [path.name for path in folder.iterdir()] == [key]


def test_nobody_waits_for_the_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: pytest.fail("waits until the disk has it"))
    keep(cache_key("rules"), b"code")
    assert read_cached(cache_key("rules")) == b"code"


def test_keys_differ_wherever_their_parts_do() -> None:
    keys = [cache_key("ab", "c"), cache_key("a", "bc"), cache_key("abc"), cache_key("ab", "c", "")]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "headless"])
def test_what_is_damaged_is_not_believed(folder: Path, damage: str) -> None:
    key = cache_key(damage)
    keep(key, b"code" * 100)
    path = folder / key
    data = path.read_bytes()
    changes = {"cut": data[:-1], "changed": data[:-1] + b"?", "empty": b"", "headless": data[5:]}
    path.write_bytes(changes[damage])
    assert read_cached(key) is None
    keep(key, b"code")
    assert read_cached(key) == b"code"


@pytest.mark.skipif(os.name != "posix", reason="owners and rights of files are those of POSIX")
def test_a_folder_in_which_others_may_write_is_not_believed(folder: Path) -> None:
    keep(cache_key("x"), b"code")
    folder.chmod(0o777)
    assert read_cached(cache_key("x")) is None
    keep(cache_key("y"), b"code")
    assert not (folder / cache_key("y")).exists()


@pytest.mark.skipif(os.name != "posix", reason="owners and rights of files are those of POSIX")
def test_what_belongs_to_somebody_else_is_not_believed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(cache_key("x"), b"code")
    somebody = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: somebody)
    assert read_cached(cache_key("x")) is None


def test_a_link_is_not_followed(folder: Path, tmp_path: Path) -> None:
    keep(cache_key("x"), b"code")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes((folder / cache_key("x")).read_bytes())
    (folder / cache_key("x")).unlink()
    (folder / cache_key("x")).symlink_to(elsewhere)
    assert read_cached(cache_key("x")) is None


def test_nothing_is_kept_where_nobody_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, "")
    assert cache_folder() is None
    keep(cache_key("x"), b"code")
    assert read_cached(cache_key("x")) is None


def test_a_folder_that_cannot_be_made_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file" / "kept"))
    keep(cache_key("x"), b"code")
    assert read_cached(cache_key("x")) is None


def test_the_oldest_go_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = 100 + len(private_cache.MAGIC) + private_cache.CHECKSUM_BYTES
    monkeypatch.setattr(private_cache, "MAX_BYTES", 2 * size)
    for age, name in ((3, "oldest"), (2, "older")):
        keep(cache_key(name), bytes(100))
        os.utime(folder / cache_key(name), (1e9 - age, 1e9 - age))
    keep(cache_key("new"), bytes(100))
    assert [read_cached(cache_key(name)) is not None for name in ("oldest", "older", "new")] == [False, True, True]
