"""`rulewright engine`: programs play by lines, a JSON object each, an answer for every request.

In: requests on stdin. Out: answers on stdout. The end of input ends the command.
"""

from __future__ import annotations

import sys

from rulewright.cli.exit_status import ExitStatus
from rulewright.cli.options import CommandOptions
from rulewright.protocol.request_handler import RequestHandler
from rulewright.protocol.transport import serve


class Options(CommandOptions):
    """The options of `engine`."""

    lang: str


def run(args: Options) -> int:
    """Serves requests until the input ends."""
    had_internal_error = serve(sys.stdin.buffer, sys.stdout.buffer, RequestHandler(args.lang))
    return ExitStatus.INTERNAL_ERROR if had_internal_error else ExitStatus.OK


__all__ = ["Options", "run"]
