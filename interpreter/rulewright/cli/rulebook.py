"""`rulewright rulebook`: the rules of a game written out for people, from which somebody who never has can play.

In: parsed arguments. Out: Markdown or HTML on stdout or in a file.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import Final

from rulewright.cli.open_game import language
from rulewright.diagnostics import Report
from rulewright.document.document import load_game
from rulewright.document.statements import grouped, statements
from rulewright.errors import UsageError
from rulewright.model.loader import default_game, game_path
from rulewright.rulebook.assemble import book
from rulewright.rulebook.chapters.appendix import Section
from rulewright.rulebook.chapters.printed_rules import stated
from rulewright.rulebook.html import html
from rulewright.rulebook.markdown import markdown
from rulewright.rulebook.rules_by_count import for_all_counts, without
from rulewright.rulebook.tracked_changes import marked
from rulewright.terminal.atomic_write import keep
from rulewright.terminal.terminal_messages import spoken
from rulewright.wording.messages import Wording

PRINTED: Final = {"md": markdown, "html": html}
ENDINGS: Final = {".html": "html", ".htm": "html"}


def _appended(game: str | None) -> tuple[Section, ...]:
    """What the printed rules say, where a game lists that."""
    document = load_game(game_path(game or default_game()), Report())
    works = grouped(document, statements(document)) if document is not None else ()
    return (stated(works),) if works else ()


def run(wish: Namespace) -> int:
    """Writes the rulebook."""
    rules, changes = for_all_counts(wish.game, wish.players, wish.variant)
    leading = rules[max(rules)]
    code = wish.lang if wish.lang in spoken() else language(leading, wish.lang)
    words = Wording(leading, code)
    more = _appended(wish.game) if wish.appendix else None
    if wish.changes:
        base = without(wish.game, rules)
        found = marked(book(base, code, appended=more), book(rules, code, base, appended=more), changes, words)
    else:
        found = book(rules, code, appended=more)
    form = wish.format or ENDINGS.get(Path(wish.output or "").suffix.lower(), "md")
    text = PRINTED[form](found, words)
    if wish.output is None:
        sys.stdout.write(text)
        return 0
    try:
        keep(wish.output, text, replace=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"{wish.output} cannot be written: {reason.lower()}") from None
    return 0
