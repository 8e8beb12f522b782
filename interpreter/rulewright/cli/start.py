"""The command `rulewright` from its first moment: whoever stops it while it is read sees no traceback.

In: nothing. Out: the end of the process. Python answers a stop from the keyboard with an exception. `main` turns it
into a sentence; before there is a `main` to do so, and after it has ended, the system stops the process without a word.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False  # without `typing`, see `rulewright`
if TYPE_CHECKING:
    from typing import Final, NoReturn

INTERRUPTED: Final = 130  # as in `exit_status`, which is read later


def run() -> NoReturn:
    """Carries out the command line of this process and ends it."""
    try:
        import signal  # an exception can come already while this is read

        # who ignores such a stop, or answers it otherwise, has said so before
        is_ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if is_ours:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        from rulewright.cli import main

        if is_ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            main.run()
        finally:  # what the process still has to clear up when it ends
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                signal.signal(signal.SIGINT, signal.SIG_DFL)
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)
