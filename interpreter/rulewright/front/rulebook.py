"""`rulewright rulebook`: the rules of a game written out for people, from which somebody who never has can play.

In: parsed arguments. Out: Markdown or HTML on stdout or in a file.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import Final

from rulewright.front.keeping import keep
from rulewright.front.opening import language
from rulewright.front.words import Words
from rulewright.front.wrong import Wrong
from rulewright.report.book import book
from rulewright.report.book_changes import marked
from rulewright.report.book_html import html
from rulewright.report.book_md import markdown
from rulewright.report.book_rules import for_all_counts

PRINTED: Final = {"md": markdown, "html": html}
ENDINGS: Final = {".html": "html", ".htm": "html"}


def run(wish: Namespace) -> int:
    """Writes the rulebook."""
    rules, changes = for_all_counts(wish.game, wish.players, wish.variant)
    leading = rules[max(rules)]
    code = language(leading, wish.lang)
    words = Words(leading, code)
    found = book(rules, code, words)
    if wish.changes:
        before, _ = for_all_counts(wish.game, wish.players, ())
        alike = {count: one for count, one in before.items() if count in rules} or before
        found = marked(book(alike, code, words), found, changes, words)
    form = wish.format or ENDINGS.get(Path(wish.output or "").suffix.lower(), "md")
    text = PRINTED[form](found, words)
    if wish.output is None:
        sys.stdout.write(text)
        return 0
    try:
        keep(wish.output, text, replace=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Wrong(f"{wish.output} cannot be written: {reason.lower()}") from None
    return 0
