"""`rulewright schema`: a JSON Schema of the variants of one game, with its addresses.

In: parsed arguments. Out: JSON on stdout or in a new file.
"""

from __future__ import annotations

import json

from rulewright.cli.options import CommandOptions
from rulewright.cli.output import write_output
from rulewright.diagnostics import Diagnostics, RulesError
from rulewright.document.document_reader import load_document
from rulewright.editor.variant_schemas import variant_schema
from rulewright.model.locate import default_game, find_game


class Options(CommandOptions):
    """The options of `schema`."""

    game: str | None
    output: str | None
    force: bool


def run(args: Options) -> int:
    """Writes the schema."""
    diagnostics = Diagnostics()
    document = load_document(find_game(args.game or default_game()), diagnostics)
    if document is None:
        raise RulesError(diagnostics)
    text = json.dumps(variant_schema(document), indent=2, ensure_ascii=False)
    write_output(args.output, f"{text}\n", replace=args.force)
    return 0
