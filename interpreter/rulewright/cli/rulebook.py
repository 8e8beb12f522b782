"""`rulewright rulebook`: the rules of a game written out for people, from which somebody who never has can play.

In: parsed arguments. Out: Markdown or HTML on stdout or in a file.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import Final

from rulewright.cli.open_game import require_language
from rulewright.diagnostics import Diagnostics
from rulewright.document.document import load_document
from rulewright.document.statements import group_by_publication, load_statements
from rulewright.errors import UsageError
from rulewright.model.loader import default_game, find_game
from rulewright.rulebook.assemble import build_rulebook
from rulewright.rulebook.chapters.appendix import SectionWriter
from rulewright.rulebook.chapters.printed_rules import printed_rules_section
from rulewright.rulebook.html import to_html
from rulewright.rulebook.markdown import to_markdown
from rulewright.rulebook.rules_by_count import load_rules_by_count, load_rules_without_variants
from rulewright.rulebook.tracked_changes import mark_changes
from rulewright.terminal.atomic_write import atomic_write
from rulewright.wording.messages import Messages, available_locales

BOOK_RENDERERS: Final = {"md": to_markdown, "html": to_html}
BOOK_FORMATS: Final = {".html": "html", ".htm": "html"}


def _appended(game: str | None) -> tuple[SectionWriter, ...]:
    """What the printed rules say, where a game lists that."""
    document = load_document(find_game(game or default_game()), Diagnostics())
    works = group_by_publication(document, load_statements(document)) if document is not None else ()
    return (printed_rules_section(works),) if works else ()


def run(wish: Namespace) -> int:
    """Writes the rulebook."""
    rules, changes = load_rules_by_count(wish.game, wish.players, wish.variant)
    leading = rules[max(rules)]
    code = wish.lang if wish.lang in available_locales("terminal") else require_language(leading, wish.lang)
    words = Messages(leading, code)
    more = _appended(wish.game) if wish.appendix else None
    if wish.changes:
        base = load_rules_without_variants(wish.game, rules)
        found = mark_changes(
            build_rulebook(base, code, extra_sections=more),
            build_rulebook(rules, code, base, extra_sections=more),
            changes,
            words,
        )
    else:
        found = build_rulebook(rules, code, extra_sections=more)
    form = wish.format or BOOK_FORMATS.get(Path(wish.output or "").suffix.lower(), "md")
    text = BOOK_RENDERERS[form](found, words)
    if wish.output is None:
        sys.stdout.write(text)
        return 0
    try:
        atomic_write(wish.output, text, replace=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"{wish.output} cannot be written: {reason.lower()}") from None
    return 0
