"""Whoever stops the command while Python still reads it, or when it has ended already, sees no traceback."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from command_line import ENVIRONMENT
from rulewright import __version__

STOPPING = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell switches it off in the background
when = sys.argv.pop(1)

class Stop:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == when:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Stop)
"""
RUNNING = "from rulewright.cli.start import run\nrun()\n"


def stopped(when: str, *words: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """A command that is stopped from the keyboard when a module is about to be read."""
    return subprocess.run(
        [sys.executable, "-c", f"{STOPPING}{before}\n{RUNNING}", when, *words],
        capture_output=True, text=True, timeout=60, env=ENVIRONMENT, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("when", ["rulewright.cli.main", "rulewright.cli.exit_status"])
def test_before_the_command_has_begun(when: str) -> None:
    done = stopped(when, "--version")
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_once_it_has_begun() -> None:
    done = stopped("rulewright.cli.subcommands", "variants")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "\nStopped.\n")


def test_when_it_has_ended() -> None:
    done = stopped("", "--version", before="import atexit; atexit.register(os.kill, os.getpid(), signal.SIGINT)")
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, f"rulewright {__version__}\n", "")


def test_who_ignores_it_goes_on() -> None:
    done = stopped("rulewright.cli.main", "--version", before="signal.signal(signal.SIGINT, signal.SIG_IGN)")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"rulewright {__version__}\n", "")
