"""`rulewright rulebook`: the rules of a game written out for people, so that somebody who has never played can play.

In: parsed arguments. Out: Markdown, HTML or PDF on stdout or in a new file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal

from rulewright.cli.open_game import require_locale
from rulewright.cli.options import GameOptions
from rulewright.cli.output import format_by_suffix, write_output
from rulewright.cli.pdf import html_to_pdf, require_print_library
from rulewright.diagnostics import Diagnostics
from rulewright.document.document_reader import load_document
from rulewright.document.statements import group_by_publication, load_statements
from rulewright.model.locate import default_game, find_game
from rulewright.rulebook.assemble import build_rulebook
from rulewright.rulebook.blocks import Rulebook
from rulewright.rulebook.chapters.appendix import SectionWriter
from rulewright.rulebook.chapters.printed_rules import printed_rules_section
from rulewright.rulebook.html import to_html
from rulewright.rulebook.markdown import to_markdown
from rulewright.rulebook.rules_by_count import load_rules_by_count, load_rules_without_variants
from rulewright.rulebook.tracked_changes import mark_changes
from rulewright.wording.messages import Messages

BOOK_RENDERERS: Final[Mapping[str, Callable[[Rulebook, Messages], str | bytes]]] = {
    "md": to_markdown,
    "html": to_html,
    "pdf": lambda book, messages: html_to_pdf(to_html(book, messages)),
}
BOOK_FORMATS: Final = {".md": "md", ".txt": "md", ".html": "html", ".htm": "html", ".pdf": "pdf"}


class Options(GameOptions):
    """The options of `rulebook`."""

    lang: str
    format: Literal["md", "html", "pdf"] | None
    changes: bool
    appendix: bool
    output: str | None
    force: bool


def _appendix_writers(game: str | None) -> tuple[SectionWriter, ...]:
    """The writers of the appendix: of what the printed rules say, where a game lists that."""
    document = load_document(find_game(game or default_game()), Diagnostics())
    works = group_by_publication(document, load_statements(document)) if document is not None else ()
    return (printed_rules_section(works),) if works else ()


def run(args: Options) -> int:
    """Writes the rulebook."""
    format = args.format or format_by_suffix(args.output, BOOK_FORMATS, "md")
    require_print_library(format)
    rules, changes = load_rules_by_count(args.game, args.players, args.variant)
    leading = rules[max(rules)]
    locale = require_locale(leading, args.lang)
    messages = Messages(leading, locale)
    appendix = _appendix_writers(args.game) if args.appendix else None
    if args.changes:
        base = load_rules_without_variants(args.game, rules)
        book = mark_changes(
            build_rulebook(base, locale, extra_sections=appendix),
            build_rulebook(rules, locale, base, extra_sections=appendix),
            changes,
            messages,
        )
    else:
        book = build_rulebook(rules, locale, extra_sections=appendix)
    write_output(args.output, BOOK_RENDERERS[format](book, messages), replace=args.force)
    return 0
