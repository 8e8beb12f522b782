"""The command `rulewright`: the first word says what to do, and what goes wrong ends in a sentence, not a traceback.

In: arguments. Out: the exit status, an `ExitStatus`.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import suppress

from rulewright import __version__
from rulewright.cli.exit_status import ExitStatus

TYPE_CHECKING = False  # without `typing`, see `rulewright`
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final, NoReturn, TextIO

    from rulewright.diagnostics import Diagnostics

GC_THRESHOLD: Final = 200_000  # new objects before unused cycles are looked for: rules are many objects that all stay
WITH_LAST_WORDS: Final = ("threading", "multiprocessing", "tempfile")  # modules that may still have to clear up
MONITORING_TOOLS: Final = 6  # that Python has room for
TRACEBACK_VARIABLE: Final = "RULEWRIGHT_TRACEBACK"  # set it to see where an internal error comes from


def run() -> NoReturn:
    """Carries out the command line of this process and ends it."""
    status = main()
    if _is_watched() or not sys.modules.keys().isdisjoint(WITH_LAST_WORDS):
        gc.freeze()  # what is left need not be searched for cycles
        sys.exit(status)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # nobody reads it any more, or it was never open
            stream.flush()
    os._exit(status)  # what rules are made of need not be taken apart


def _is_watched() -> bool:
    """Whether somebody measures this process, or asked to be told when it ends."""
    monitoring = getattr(sys, "monitoring", None)  # from Python 3.12 on
    tools = () if monitoring is None else map(monitoring.get_tool, range(MONITORING_TOOLS))
    is_measured = sys.getprofile() is not None or sys.gettrace() is not None or any(tools)
    return is_measured or atexit._ncallbacks() > 0


def main(argv: Sequence[str] | None = None) -> int:
    """Carries out a command line (default: that of the process) and returns the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    gc.set_threshold(GC_THRESHOLD)
    if not _prepare_streams():
        _print_error("rulewright: the output is closed")
        return ExitStatus.USAGE_ERROR
    status: int = ExitStatus.OK
    try:
        status = _run_command(words)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # whoever read our output has seen enough
        _silence(sys.stdout)
        return status
    except KeyboardInterrupt:
        _print_error("\nStopped.")
        return ExitStatus.INTERRUPTED
    except OSError as error:  # the output takes no more
        _silence(sys.stdout)
        if status != ExitStatus.USAGE_ERROR:  # else it was reported already
            _print_error(f"rulewright: cannot write the output: {(error.strerror or str(error)).lower()}")
        return ExitStatus.USAGE_ERROR


def _prepare_streams() -> bool:
    """Replaces what cannot be encoded or decoded, and treats a closed input as one that has ended.

    Returns False when the output is closed.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115  # open until the process ends
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # open until the process ends
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    return sys.stdout is not None


def _silence(stream: TextIO) -> None:
    """What is still buffered must not fail again when the process ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):  # a stream without a file, in a test
        return


def _run_command(words: list[str]) -> int:
    if words == ["--version"]:  # before anything is imported
        print(f"rulewright {__version__}")
        return ExitStatus.OK
    from rulewright.cli.subcommands import build_parser

    try:
        args = build_parser(words).parse_args(words)
    except SystemExit as end:  # after --help, or a wrong argument that argparse has reported
        return end.code if isinstance(end.code, int) else ExitStatus.USAGE_ERROR
    if args.command is None:
        _print_error(build_parser().format_help().rstrip())
        return ExitStatus.USAGE_ERROR
    from importlib import import_module

    try:
        _note_own_variants(getattr(args, "game", None))
        command = import_module(f"rulewright.cli.{args.module}")
        status = command.run(command.Options(vars(args)))
        _keep_what_was_parsed()
        assert isinstance(status, int)
        return status
    except BrokenPipeError:
        raise
    except Exception as error:  # the last resort: a user gets one sentence, also of a bug
        try:
            return _report_error(error)
        except ImportError as import_error:  # a broken installation
            return _report_internal_error(import_error)


def _keep_what_was_parsed() -> None:
    """Keeps the syntax trees of new expressions for the next command."""
    syntax_cache = sys.modules.get("rulewright.expr.syntax_cache")
    if syntax_cache is not None:
        syntax_cache.keep_trees()


def _note_own_variants(game: object) -> None:
    """Says on stderr where the variants of a game come from that was given by path."""
    if not isinstance(game, str):
        return
    from rulewright.model.locate import is_path, own_variants_note

    if is_path(game) and (note := own_variants_note(game)):
        _print_error(f"rulewright: {note}")


def _report_error(error: Exception) -> int:
    """Says what went wrong on stderr and returns the exit status."""
    from rulewright.diagnostics import RulesError
    from rulewright.engine.faults import RuleFault
    from rulewright.engine.position_data import InvalidPosition
    from rulewright.errors import UsageError
    from rulewright.model.locate import NotFound

    match error:
        case UsageError() | NotFound():
            _print_error(f"rulewright: {error}")
            return ExitStatus.USAGE_ERROR
        case InvalidPosition():
            _print_error(f"rulewright: the position cannot be resumed: {error}")
            return ExitStatus.USAGE_ERROR
        case RulesError(diagnostics=diagnostics):
            return _report_unusable_rules(diagnostics)
        case RuleFault():
            _print_error(f"rulewright: the rules fail here: {error}")
            return ExitStatus.FINDINGS
        case OSError():
            path = f"{error.filename}: " if error.filename else ""
            _print_error(f"rulewright: {path}{(error.strerror or str(error)).lower()}")
            return ExitStatus.USAGE_ERROR
        case _:
            return _report_internal_error(error)


def _report_unusable_rules(diagnostics: Diagnostics) -> int:
    from rulewright.diagnostics import order_for_printing, render_full
    from rulewright.model.codes import PLAYERS
    from rulewright.source.codes import UNREADABLE_FILE

    if all(diagnostic.code is PLAYERS for diagnostic in diagnostics):  # the rules are right, the arguments are not
        _print_error("\n".join(f"rulewright: {diagnostic.message}" for diagnostic in diagnostics))
        return ExitStatus.USAGE_ERROR
    _print_error("\n\n".join(map(render_full, order_for_printing(diagnostics))))
    others = len(diagnostics) - diagnostics.error_count
    count = f"{diagnostics.error_count} {'error' if diagnostics.error_count == 1 else 'errors'}"
    warnings = f" and {others} {'warning' if others == 1 else 'warnings'}" if others else ""
    _print_error(f"rulewright: these rules cannot be used: {count}{warnings}")
    return (
        ExitStatus.USAGE_ERROR
        if any(diagnostic.code is UNREADABLE_FILE for diagnostic in diagnostics)
        else ExitStatus.FINDINGS
    )


def _report_internal_error(error: Exception) -> int:
    missing = (error.name or "") if isinstance(error, ModuleNotFoundError) else ""
    if missing and not missing.startswith("rulewright"):  # a broken installation, or another Python than that of it
        _print_error(
            f"rulewright: {sys.executable} has no `{missing}`, which rulewright needs: "
            "install rulewright with pip for that Python, or start it by the one that it is installed for"
        )
        return ExitStatus.USAGE_ERROR
    import traceback

    if os.environ.get(TRACEBACK_VARIABLE):
        traceback.print_exception(error)
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""
    summary = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    _print_error(f"rulewright: internal error, not your fault: {summary}{place}")
    _print_error(
        f"Please report it with this line, the command and the rules: rulewright {__version__}, "
        f"Python {sys.version.split()[0]}, {sys.platform}; {TRACEBACK_VARIABLE}=1 shows where it comes from."
    )
    return ExitStatus.INTERNAL_ERROR


def _print_error(text: str) -> None:
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:  # nobody is left to read it
        _silence(sys.stderr)


if __name__ == "__main__":
    run()
