"""`rulewright engine`: programs play by lines, a JSON object each, an answer for every request.

In: requests on stdin. Out: answers on stdout. The end of input ends the command.
"""

from __future__ import annotations

import sys

from rulewright.cli.exit_status import ExitStatus
from rulewright.cli.options import CommandOptions
from rulewright.engine.compiled.playing.machine_support import NoMachineCode, require_machine_code
from rulewright.engine.engine_names import REFERENCE_ENGINE, EngineName
from rulewright.errors import UsageError
from rulewright.protocol.request_handler import RequestHandler
from rulewright.protocol.transport import serve


class Options(CommandOptions):
    """The options of `engine`."""

    lang: str
    engine: EngineName | None


def run(args: Options) -> int:
    """Serves requests until the input ends."""
    try:
        require_machine_code(args.engine or REFERENCE_ENGINE)
    except NoMachineCode as refusal:
        raise UsageError(f"--engine {args.engine}: {refusal}") from None
    handler = RequestHandler(args.lang, engine=args.engine or REFERENCE_ENGINE, tell=_tell)
    had_internal_error = serve(sys.stdin.buffer, sys.stdout.buffer, handler)
    return ExitStatus.INTERNAL_ERROR if had_internal_error else ExitStatus.OK


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


__all__ = ["Options", "run"]
