"""What has been reported, looked up by what it leads to: the file, the line, the address or the name that is wrong.

In: diagnostics. Out: `ReportedFaults`, of which each table is made when it is first asked for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.checker.causes.indentation_causes import (
    LineKey,
    is_dedented,
    line_after_unindented,
    line_key,
    unindented_lines,
)
from rulewright.checker.causes.misspelled_changes import MisspelledChanges
from rulewright.checker.causes.section_lines import STEP_SECTIONS
from rulewright.checker.common.codes import FAILS_IN_PLAY
from rulewright.checker.common.lint_codes import MISSPELLED_DECLARATION, NEVER_ENDS, NO_SENTENCE
from rulewright.diagnostics import Code, Diagnostic, Fix, Span
from rulewright.document.codes import (
    BAD_ID,
    MISSING_FILE,
    OTHER_GAME,
    SENTENCE_OF_NOTHING,
    UNKNOWN_FILE_KIND,
    UNKNOWN_KEY,
    UNKNOWN_VERB,
    WRONG_FORM,
    WRONG_TYPE,
)
from rulewright.document.game_files import MANIFEST
from rulewright.document.other_forms import as_id
from rulewright.expr.codes import ALL_OR_ONE
from rulewright.model.codes import (
    DUPLICATE_NAME,
    HOLE_IN_TITLE,
    MISSING_SENTENCE,
    RESERVED_NAME,
    UNKNOWN_REFERENCE,
    UNUSED_SENTENCE,
)
from rulewright.source.codes import (
    BAD_INDENTATION,
    CUT_BY_COMMENT,
    DUPLICATE_KEY,
    EMPTY_VALUE,
    MERGE_KEY,
    UNBALANCED_BRACKET,
    YAML_ANCHOR,
)
from rulewright.variants.codes import (
    ADD_WITHOUT_PLACE,
    INSERT_PLACE,
    NO_SUCH_SIBLING,
    NOT_AN_ORDERED_LIST,
    NOT_STALE,
    STALE_SENTENCE,
    UNKNOWN_GAME,
)

Place = tuple[str, int]  # a file, and an offset in it
Rule = tuple[str, str]  # a file, and an address

SENTENCE_CODES: Final = (UNUSED_SENTENCE, SENTENCE_OF_NOTHING)
WORD_CODES: Final = (STALE_SENTENCE, NO_SENTENCE, MISSING_SENTENCE)
SUFFIXES: Final = ("why", "title")  # of an address, behind the name of the rule
MISPLACED_CODES: Final = (UNKNOWN_KEY, WRONG_TYPE, UNKNOWN_VERB, WRONG_FORM, DUPLICATE_KEY)
FAILED_ADDITION_CODES: Final = (ADD_WITHOUT_PLACE, INSERT_PLACE, NO_SUCH_SIBLING, NOT_AN_ORDERED_LIST)
COMPONENTS: Final = "components."  # whose things are counted


class ReportedFaults:
    """Some diagnostics, by what they are about."""

    def __init__(self, diagnostics: Collection[Diagnostic]) -> None:
        self.diagnostics = [*diagnostics]
        self.errors = [one for one in self.diagnostics if one.severity == "error"]

    def of(self, *codes: Code) -> Iterator[Diagnostic]:
        """Those of some sorts."""
        return (one for one in self.diagnostics if one.code in codes)

    # files and places
    @cached_property
    def wrong_files(self) -> set[str]:
        """Files with errors."""
        return {one.span.source.path for one in self.errors}

    @cached_property
    def wrong_places(self) -> set[Place]:
        """Where errors are."""
        return {place_of(one) for one in self.errors}

    @cached_property
    def unread_places(self) -> set[Place]:
        """Where something is not YAML."""
        return {place_of(one) for one in self.diagnostics if one.code.number[0] == "Y"}

    @cached_property
    def missing_files(self) -> set[str]:
        """Files that a manifest lists and that are not there, as they are listed."""
        return {one.span.text for one in self.of(MISSING_FILE)}

    @cached_property
    def unread_games(self) -> set[str]:
        """The names of games whose file is not read as one."""
        return {game_name(one.span.source.path) for one in self.of(UNKNOWN_FILE_KIND)}

    @cached_property
    def foreign_games(self) -> set[Place]:
        """Where games are named that there are not, or that are others."""
        return {place_of(one) for one in self.of(UNKNOWN_GAME, OTHER_GAME)}

    @cached_property
    def miscounted_games(self) -> set[str]:
        """Games whose things cannot be counted."""
        return {
            game_of(one)
            for one in self.errors
            if one.address.startswith(COMPONENTS) or one.code is MISSPELLED_DECLARATION
        }

    @cached_property
    def endless_files(self) -> set[str]:
        """Variants that take away all ends of a game."""
        return {one.span.source.path for one in self.of(NEVER_ENDS) if one.comes_from("variant")}

    # declarations and addresses
    @cached_property
    def misspelled(self) -> list[str]:
        """The addresses of misspelled declarations."""
        return [one.address for one in self.of(MISSPELLED_DECLARATION)]

    @cached_property
    def meant_names(self) -> set[tuple[str, str]]:
        """By game the names that misspelled declarations should have."""
        return {(game_of(one), fix.text) for one, fix in self.fixes(MISSPELLED_DECLARATION)}

    @cached_property
    def unsaid(self) -> set[str]:
        """The addresses whose sentences are misspelled or missing."""
        return {*self.misspelled, *(fix.text for _, fix in self.fixes(*SENTENCE_CODES, NOT_STALE))}

    @cached_property
    def unsaid_rules(self) -> dict[Rule, Diagnostic]:
        """By game and address: rules that have no sentence in the game's own language."""
        return {(game_of(one), one.address): one for one in self.of(NO_SENTENCE)}

    @cached_property
    def misnamed_rules(self) -> dict[Rule, Diagnostic]:
        """By game, and address in the texts: rules without a sentence whose names are misspelled, since the texts of
        several languages have another one, or the sentence itself says that.
        """
        found = dict[Rule, Diagnostic]()
        translated = {(game_of(one), one.span.text) for one in self.of(UNUSED_SENTENCE)}
        for one, fix in self.fixes(SENTENCE_OF_NOTHING):
            rule = game_of(one), one.span.text
            unsaid = self.unsaid_rules.get((rule[0], fix.text))
            line = one.span.source.line_text(one.span.line).partition(" #")[0].lower()
            has_word = len(re.findall(rf"\b{rule[1].rpartition('.')[2]}\b", line)) > 1
            is_known = (rule[0], fix.text) in translated  # by its own name, in another language
            if unsaid is not None and not is_known and (has_word or rule in translated):
                found[rule] = unsaid
        return found

    def fixes(self, *codes: Code) -> Iterator[tuple[Diagnostic, Fix]]:
        """Those of some sorts that say what is to be written instead."""
        return ((one, one.fix) for one in self.of(*codes) if one.fix is not None)

    @cached_property
    def lost_names(self) -> dict[str, str]:
        """By game the only name that nothing declares, where one declaration cannot have the name that it has."""
        taken = Counter(game_of(one) for one in self.of(DUPLICATE_NAME, RESERVED_NAME))
        missing = dict[str, set[str]]()
        for one in self.diagnostics if taken else ():
            if (name := one.cause_name("no name")) and one.certain_fix is None:
                missing.setdefault(game_of(one), set()).add(name)
        return {game: min(names) for game, names in missing.items() if len(names) == taken[game] == 1}

    @cached_property
    def right_ids(self) -> set[tuple[str, str]]:
        """By game the ids that names which are no ids should have been."""
        return {(game_of(one), as_id(one.span.text)) for one in self.of(BAD_ID)}

    @cached_property
    def reserved_words(self) -> list[re.Pattern[str]]:
        """What finds the words that are reserved and declared all the same."""
        return [re.compile(rf"\b{re.escape(one.span.text)}\b") for one in self.of(RESERVED_NAME)]

    @cached_property
    def missing_keys(self) -> set[str]:
        """The addresses of keys that are missing."""
        return {f"{one.address}.{name}" for one in self.diagnostics if (name := one.cause_name("no key"))}

    @cached_property
    def missing_sections(self) -> dict[str, str]:
        """By game the section that is missing, with a dot."""
        return {game_of(one): f"{name}." for one in self.diagnostics if (name := one.cause_name("no section"))}

    @cached_property
    def moved_steps(self) -> dict[tuple[str, str], Diagnostic]:
        """By game and section: the first step that the texts have in that section and the rules in another."""
        translated = {(game_of(one), one.span.text) for one in self.of(*SENTENCE_CODES, UNKNOWN_REFERENCE)}
        found = dict[tuple[str, str], Diagnostic]()
        for one in sorted(self.of(NO_SENTENCE, MISSING_SENTENCE), key=place_of):
            game, (section, _, name) = game_of(one), one.address.partition(".")
            for other in STEP_SECTIONS:
                if section in STEP_SECTIONS and other != section and (game, f"{other}.{name}") in translated:
                    found.setdefault((game, other), one)
        return found

    @cached_property
    def missing_types(self) -> list[Diagnostic]:
        """Kinds and components that are not declared, where something is declared by them."""
        return [one for one in self.diagnostics if one.cause is not None and one.cause.meant == "type"]

    @cached_property
    def failed_additions(self) -> list[Rule]:
        """What a variant adds, but not where it can be."""
        return [rule_of(one) for one in self.of(*FAILED_ADDITION_CODES)]

    @cached_property
    def misspelled_changes(self) -> MisspelledChanges:
        """Changes with misspelled addresses."""
        return MisspelledChanges(self.diagnostics, self.wrong_files)

    @cached_property
    def changes_to_rules(self) -> list[Diagnostic]:
        """All that is not about sentences."""
        return [one for one in self.diagnostics if one.code not in WORD_CODES]

    @cached_property
    def title_lines(self) -> set[LineKey]:
        """Titles with holes."""
        return {line_key(one.span) for one in self.of(HOLE_IN_TITLE)}

    @cached_property
    def lonely_unnamed(self) -> dict[str, str]:
        """By `siblings_of` it: the only address there without a sentence, which may stand under a wrong address."""
        unnamed = dict[str, set[str]]()
        for one in self.of(MISSING_SENTENCE, NO_SENTENCE):
            if one.address:
                unnamed.setdefault(siblings_of(one.address), set()).add(one.address)
        return {parent: min(addresses) for parent, addresses in unnamed.items() if len(addresses) == 1}

    @cached_property
    def unused_sentences(self) -> Counter[str]:
        """How many sentences stand at wrong addresses, by `siblings_of` them."""
        return Counter(map(siblings_of, {one.span.text for one in self.of(*SENTENCE_CODES, UNKNOWN_REFERENCE)}))

    # all of a kind where one of it is meant
    @cached_property
    def meant_ones(self) -> dict[tuple[str, str | int], Diagnostic]:
        """Names of whole kinds where one member is meant, by where they are and by their rule."""
        found = dict[tuple[str, str | int], Diagnostic]()
        for one in self.of(ALL_OR_ONE):
            found[rule_of(one)] = found[place_of(one)] = one
        return found

    @cached_property
    def failing_changes(self) -> set[str]:
        """The addresses of changes that make rules fail in play."""
        return {one.span.text for one in self.of(FAILS_IN_PLAY)}

    @cached_property
    def failing(self) -> set[Rule]:
        """Rules that fail in play."""
        return {rule_of(one) for one in self.of(FAILS_IN_PLAY)}

    @cached_property
    def asked_of_all(self) -> set[Rule]:
        """Rules in which a whole kind is a mistake of its own."""
        return {rule_of(one) for one in self.errors if one.comes_from("all of them") and one.code is not ALL_OR_ONE}

    # lines of YAML
    @cached_property
    def comments(self) -> dict[LineKey, Diagnostic]:
        """Comments that cut a value, by line."""
        return {line_key(one.span): one for one in self.of(CUT_BY_COMMENT)}

    @cached_property
    def doubled_keys(self) -> set[tuple[str, str, int]]:
        """Keys that are there twice, with the line of the second."""
        return {(one.span.source.path, one.span.text, one.span.line) for one in self.of(DUPLICATE_KEY)}

    @cached_property
    def bracket_ends(self) -> set[Place]:
        """Right behind brackets that do not fit."""
        return {(one.span.source.path, one.span.end) for one in self.of(UNBALANCED_BRACKET)}

    @cached_property
    def ends_of_empty(self) -> set[Place]:
        """Where a value should be and is none."""
        return {(one.span.source.path, one.span.end + 1) for one in self.of(EMPTY_VALUE)}

    @cached_property
    def anchors(self) -> set[tuple[str, str]]:
        """Anchors by file and name, without those that only use one."""
        return {(one.span.source.path, one.span.text.lstrip("&")) for one in self.of(YAML_ANCHOR) if is_anchor(one)}

    @cached_property
    def merge_keys(self) -> list[Span]:
        """YAML's merge keys."""
        return [one.span for one in self.of(MERGE_KEY)]

    @cached_property
    def misindented(self) -> set[LineKey]:
        """Lines whose indentation matches nothing above."""
        return {line_key(one.span) for one in self.of(BAD_INDENTATION)}

    @cached_property
    def emptied(self) -> dict[LineKey, Diagnostic]:
        """Keys without a value, by the line that shows that what is between should have been indented."""
        return {line: one for one in self.of(EMPTY_VALUE) if (line := line_after_unindented(one))}

    @cached_property
    def dedented(self) -> dict[str, Diagnostic]:
        """By file a key without a value whose block begins at its own depth."""
        misread = {path for path, _ in self.misindented}
        empty = (one for one in self.of(EMPTY_VALUE) if one.span.source.path in misread)
        return {one.span.source.path: one for one in empty if is_dedented(one)}

    @cached_property
    def unindented(self) -> dict[LineKey, Diagnostic]:
        """Lines that belong to a key without a value above them, with it."""
        empty = {(one.span.source.path, one.span.text) for one in self.of(EMPTY_VALUE)}
        misplaced = {
            line_key(one.span)
            for one in self.of(*MISPLACED_CODES)
            if one.certain_fix is None and (one.span.source.path, one.span.text) not in empty
        }
        return unindented_lines(self.diagnostics, misplaced)


def siblings_of(address: str) -> str:
    """What the addresses of sentences of all rules beside one have in common."""
    above, _, name = address.rpartition(".")
    if name in SUFFIXES:
        return f"{above.rpartition('.')[0]}.{name}"
    return above


def place_of(one: Diagnostic) -> Place:
    """Where it begins."""
    return one.span.source.path, one.span.start


def rule_of(one: Diagnostic) -> Rule:
    """The rule that it is about, of its file."""
    return one.span.source.path, one.address


def is_anchor(one: Diagnostic) -> bool:
    """Whether it is about an anchor, and not about an alias, which uses one."""
    return one.code is YAML_ANCHOR and one.span.text.startswith("&")


def is_below(one: Diagnostic, address: str) -> bool:
    """Whether it is about the rule at an address, or a part of that."""
    return f"{one.address}.".startswith(f"{address}.")


def is_kind_as_member(one: Diagnostic) -> bool:
    """Whether a doubled name is that of a kind, in a list of members: `every` may be missing before it."""
    before = one.span.source.line_text(one.span.line)[: one.span.column - 1].rstrip()
    return one.message.endswith("the name of a kind") and before.endswith(("[", ","))


def game_of(one: Diagnostic) -> str:
    """The folder of the game to which a file belongs, if that has several files, else the file."""
    return _game_of_file(one.span.source.path)


@lru_cache(maxsize=limits.MAX_REMEMBERED_HEADS)
def _game_of_file(name: str) -> str:
    path = Path(name)
    return next((str(folder) for folder in path.parents[:2] if (folder / MANIFEST).is_file()), str(path))


def look_at_files_anew() -> None:
    """Games may have come and gone since the last check."""
    _game_of_file.cache_clear()


def game_name(path: str) -> str:
    """What a game is called by the path of its file."""
    file = Path(path)
    return file.parent.name if file.name == MANIFEST else file.stem


__all__ = [
    "COMPONENTS",
    "MISPLACED_CODES",
    "SENTENCE_CODES",
    "WORD_CODES",
    "ReportedFaults",
    "game_of",
    "is_anchor",
    "is_below",
    "is_kind_as_member",
    "look_at_files_anew",
    "place_of",
    "rule_of",
    "siblings_of",
]
