"""What else is wrong in a file that has a wrong shape somewhere: names that are not there, and broken expressions.

In: the path of a game or variant, and the errors of shape that are reported of it. Out: `Diagnostics` about the rest,
as far as it cannot come from what was left out to read it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.checker.common.names_in_text import find_names
from rulewright.checker.game_checks import build_errors
from rulewright.diagnostics import Diagnostic, Diagnostics
from rulewright.document.document import Document
from rulewright.document.document_reader import load_mended_document
from rulewright.document.mended_nodes import Removed
from rulewright.expr.codes import UNKNOWN_FIELD, UNKNOWN_FUNCTION, UNKNOWN_NAME
from rulewright.model.allowed_players import player_counts
from rulewright.model.codes import RESERVED_NAME, UNKNOWN_REFERENCE
from rulewright.source.codes import COMMA_ENDS_VALUE, NUMBER_TOO_LARGE, YAML_SURPRISE
from rulewright.variants.codes import ALREADY_THERE, INDEX_FOR_ID, NO_SUCH_ADDRESS, NO_SUCH_SIBLING
from rulewright.variants.overlay import apply_variants
from rulewright.variants.variant import mended_variant

NAME_CODES: Final = (UNKNOWN_NAME, UNKNOWN_FUNCTION, UNKNOWN_FIELD, UNKNOWN_REFERENCE, RESERVED_NAME)
ADDRESS_CODES: Final = (NO_SUCH_ADDRESS, NO_SUCH_SIBLING, ALREADY_THERE, INDEX_FOR_ID)
WORD_CODES: Final = (YAML_SURPRISE, NUMBER_TOO_LARGE, COMMA_ENDS_VALUE)  # about one value
YAML: Final = "Y"  # how the numbers of codes begin that are about the text of a file
SYNTAX: Final = "E"  # how the numbers of codes begin that are about expressions alone


def check_game_beyond_shape(path: Path, reported: Diagnostics) -> Diagnostics:
    """What else is wrong in a game."""
    mended = load_mended_document(path) if _is_local(reported) else None
    if mended is None:
        return Diagnostics()
    document, removed = mended
    return _apart_from(Removed.joined(removed), build_errors(document, player_counts(document)[0]))


def check_variant_beyond_shape(path: Path, document: Document, reported: Diagnostics) -> Diagnostics:
    """What else is wrong in the changes of a variant."""
    mended = mended_variant(path) if _is_local(reported) else None
    if mended is None:
        return Diagnostics()
    variant, removed = mended
    found = Diagnostics()
    apply_variants(document, [variant], found, players=(variant.players or player_counts(document))[0])
    return _apart_from(removed, found)


def _is_local(reported: Diagnostics) -> bool:
    """Whether nothing is missing but what is wrong itself: no line above it, no second entry of a key. Of a large file
    it is not asked, nor where nothing else would be shown.
    """
    return len(reported) < limits.MAX_DIAGNOSTICS and not any(
        len(one.span.source.text) > limits.MAX_MENDED_CHARACTERS
        or one.comes_from("entry key")
        or one.comes_from("other section")
        or (one.code.number[0] == YAML and one.severity == "error" and one.code not in WORD_CODES)
        for one in reported
    )


def _apart_from(removed: Removed, found: Diagnostics) -> Diagnostics:
    """Those that are about words and places that are left."""
    kept = Diagnostics()
    kept.extend(one for one in found if _is_of_the_rest(one, removed))
    return kept


def _is_of_the_rest(one: Diagnostic, removed: Removed) -> bool:
    is_known = one.code in (*NAME_CODES, *ADDRESS_CODES) or one.code.number[0] == SYNTAX
    if not is_known or any(span.source is one.span.source and span.contains(one.span) for span in removed.spans):
        return False
    return removed.words.isdisjoint(find_names(one.span.text))


__all__ = ["check_game_beyond_shape", "check_variant_beyond_shape"]
