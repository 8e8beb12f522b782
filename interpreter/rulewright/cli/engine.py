"""`rulewright engine`: programs play by lines, a JSON object each, an answer for every request.

In: requests on stdin. Out: answers on stdout. The end of input ends the command.
"""

from __future__ import annotations

import sys
from argparse import Namespace

from rulewright.cli.exit_status import ExitStatus
from rulewright.protocol.request_handler import RequestHandler
from rulewright.protocol.transport import serve


def run(args: Namespace) -> int:
    """Serves requests until the input ends."""
    had_internal_error = serve(sys.stdin.buffer, sys.stdout.buffer, RequestHandler(args.lang))
    return ExitStatus.INTERNAL_ERROR if had_internal_error else ExitStatus.OK


__all__ = ["run"]
