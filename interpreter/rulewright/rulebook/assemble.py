"""A rulebook from which somebody can play who never has: what the game is about, what lies on the table, what is done
in a turn, how it ends, who sees what, what was asked, what is wise.

In: the rules for each number of players, a locale. Out: a `Rulebook`. Every word of the game comes from its data; what
has no sentence there is put into words from its expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from rulewright.frozen import replace
from rulewright.model.explanations import with_passages
from rulewright.model.rules import Rules
from rulewright.rulebook.blocks import BookBlock, Rulebook
from rulewright.rulebook.chapters.appendix import SectionWriter, add_appendix
from rulewright.rulebook.chapters.components import add_components
from rulewright.rulebook.chapters.end import add_end
from rulewright.rulebook.chapters.index import add_index
from rulewright.rulebook.chapters.numbers import add_numbers
from rulewright.rulebook.chapters.questions import add_questions
from rulewright.rulebook.chapters.round import add_round
from rulewright.rulebook.chapters.secrets import add_secrets
from rulewright.rulebook.chapters.setup import add_setup
from rulewright.rulebook.chapters.terms import add_terms
from rulewright.rulebook.chapters.tips import add_tips
from rulewright.rulebook.chapters.title import add_idea, add_title
from rulewright.rulebook.chapters.turn import add_turn
from rulewright.rulebook.player_counts import merge_books
from rulewright.rulebook.writer import RulebookWriter, number_works
from rulewright.wording.labels import Labels
from rulewright.wording.messages import Messages

LAST_CHAPTER: Final = "idea"  # which can say anything
CHAPTER_OF_SECTION: Final = {
    "kinds": "components",
    "zones": "setup",
    "actions": "turn",
    "procedures": "turn",
    "ranking": "end",
    "finale": "end",
    "state": "secrets",
    "invariants": "secrets",
}  # where a passage on a section is printed, unless the section is a chapter

# The order of the book. It matters: an action is described where it is first offered, and `add_questions` reads the
# chapters before it, as do the appendix and the index, which follow these.
BOOK_CHAPTERS: Final[tuple[Callable[[RulebookWriter], None], ...]] = (
    add_title,
    add_idea,
    add_components,
    add_setup,
    add_terms,
    add_round,
    add_turn,
    add_end,
    add_secrets,
    add_questions,
    add_tips,
    add_numbers,
)


def build_rulebook(
    rules: Mapping[int, Rules],
    locale: str,
    before: Mapping[int, Rules] | None = None,
    *,
    extra_sections: Sequence[SectionWriter] | None = None,
) -> Rulebook:
    """The rulebook of a game for all numbers of players in `rules`.

    `before`: rules to compare the picture of a turn with; `extra_sections`: adds an appendix that ends with these
    (an empty sequence: an appendix without more sections).
    """
    rules = {count: with_passages(rules[count]) for count in rules}
    before = {count: with_passages(before[count]) for count in before} if before is not None else None
    messages = Messages(rules[max(rules)], locale)
    labels = {count: Labels(rules, count, locale, messages) for count in sorted(rules)}

    def write_books(work_numbers: Mapping[str, int] | None = None) -> tuple[dict[int, Rulebook], set[str]]:
        """A book for each number of players, and the works that they cite."""
        books, cited = {}, set[str]()
        for count in labels:
            compared = None if not before else before.get(count, next(iter(before.values())))
            writer = RulebookWriter(labels[count], compared, work_numbers)
            books[count] = _build_for_count(writer, extra_sections)
            while _move_lost_passages(labels[count], books[count].blocks):
                writer = RulebookWriter(labels[count], compared, work_numbers)
                books[count] = _build_for_count(writer, extra_sections)
            cited |= writer.cited_works
        return books, cited

    books, cited = write_books()
    works = rules[max(rules)].explanations.works()
    if cited and cited < set(works):  # only now it is known which have a number
        books, _ = write_books(number_works(works, cited))
    return merge_books(books, messages)


def _move_lost_passages(labels: Labels, blocks: Sequence[BookBlock]) -> bool:
    """Moves each passage that is printed nowhere to what is around its place, at last to a chapter; whether it did.

    A passage may stand at any address, but not every address has a place in the book.
    """
    printed = frozenset[str]().union(*(block.covers for block in blocks))
    moved = False
    for topic, passages in list(labels.passages.items()):
        for passage in list(passages):
            around = topic.rpartition(".")[0] or CHAPTER_OF_SECTION.get(topic, LAST_CHAPTER)
            if topic == LAST_CHAPTER or passage.address in printed or not labels.has_sentence(passage.address):
                continue
            passages.remove(passage)
            labels.passages.setdefault(around, []).append(replace(passage, topic=around))
            moved = True
    return moved


def _build_for_count(writer: RulebookWriter, extra_sections: Sequence[SectionWriter] | None) -> Rulebook:
    """The book whose leading number of players is that of the writer."""
    for add_chapter in BOOK_CHAPTERS:
        add_chapter(writer)
    if extra_sections is not None:
        add_appendix(writer, extra_sections)
    add_index(writer)
    labels = writer.labels
    title = writer.plain_sentence("game") if labels.has_sentence("game") else labels.label("game")
    return Rulebook(labels.locale, title, tuple(writer.blocks))


__all__ = ["BOOK_CHAPTERS", "build_rulebook"]
