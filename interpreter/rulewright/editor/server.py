"""The language server: requests of an editor in, answers out, over standard input and output.

In: the Language Server Protocol. Out: the same. Needs pygls (the extra `lsp`). Texts that are not saved are held while
they are open; each change is checked when nothing more is typed for a moment.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

from rulewright import __version__
from rulewright.editor.workspace import Workspace
from rulewright.errors import RulewrightError

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer


class NoLanguageServer(RulewrightError):
    """pygls is missing."""


def require_language_server() -> None:
    """Raises `NoLanguageServer` where the extra is not installed."""
    if find_spec("pygls") is None:
        raise NoLanguageServer("the language server needs pygls: pip install 'rulewright[lsp]'")


def make_server() -> LanguageServer:
    """A server that waits for nothing yet. Raises `NoLanguageServer`."""
    require_language_server()
    from lsprotocol.types import TextDocumentSyncKind
    from pygls.lsp.server import LanguageServer

    from rulewright.editor.answering_protocol import AnsweringProtocol
    from rulewright.editor.colour_requests import answer_colours
    from rulewright.editor.file_requests import answer_file_requests
    from rulewright.editor.joint_changes import JointChanges
    from rulewright.editor.protocol_terms import NAME, ProtocolTerms
    from rulewright.editor.refused_requests import keep_refusals_out_of_the_log
    from rulewright.editor.typing_requests import answer_completion, answer_outlines
    from rulewright.editor.word_requests import answer_renaming, answer_word_requests

    keep_refusals_out_of_the_log()
    # whole texts: changes of places go wrong where an editor sends them in another order or ends lines elsewhere
    whole_texts = TextDocumentSyncKind.Full
    server = LanguageServer(NAME, __version__, whole_texts, protocol_cls=AnsweringProtocol)
    workspace = Workspace()
    terms, joint = ProtocolTerms(server, workspace), JointChanges(workspace)
    for answer_with_changes in (answer_file_requests, answer_renaming):
        answer_with_changes(server, workspace, terms, joint)
    for answer in (answer_word_requests, answer_completion, answer_outlines, answer_colours):
        answer(server, workspace, terms)
    return server


def run_server() -> int:
    """Answers until the editor says goodbye. Returns the exit status that the protocol asks for: 1 where the editor
    ends the server without having shut it down. Raises `NoLanguageServer`.
    """
    server = make_server()
    with os.fdopen(
        os.dup(sys.stdout.fileno()), "wb"
    ) as output:  # it is closed at the end, and the command's own is not
        server.start_io(stdout=output)
    return 1 if getattr(server.protocol, "is_left_early", False) else 0


__all__ = ["NoLanguageServer", "make_server", "require_language_server", "run_server"]
