"""What the rules say to people: every sentence, in every language that the game has, under the address of its node.

In: the `text` and `why` keys of nodes and the texts files. Out: the languages of the model. A translation has the same
holes as the sentence it translates; what is missing, unused or different is a complaint.
"""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Mapping as ReadOnly
from dataclasses import replace
from functools import partial
from typing import Any, Final

from rulewright.diagnostics import Diagnostics, Related
from rulewright.expr.codes import UNKNOWN_FUNCTION, UNKNOWN_NAME
from rulewright.expr.scope import Scope
from rulewright.expr.templates import Hole, PluralHole, SentenceTemplate, hole_texts
from rulewright.expr.templates import parse_template as read_sentence
from rulewright.expr.tree import Expr
from rulewright.expr.types import Flag, Number
from rulewright.model import codes
from rulewright.model.locale import ENGLISH, builtin_messages, plural_rules
from rulewright.model.rules import Language
from rulewright.model.symbol_table import SymbolTable, as_mapping, text_or_default
from rulewright.model.traversal import find_position_read, required_slots
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode
from rulewright.suggestions import did_you_mean, list_names

# keys of a choice or clause that say what is asked
DECISION_KEYS: Final = frozenset({"is", "one_of", "some_of", "total", "pay", "from", "wild", "worth", "rebate"})
UNKNOWN_NAME_CODES: Final = (UNKNOWN_NAME, UNKNOWN_FUNCTION)


class SentenceReader:
    """Collects the sentences while the nodes are read, since a sentence's holes are read in the scope of its node."""

    def __init__(self, names: SymbolTable, files: ReadOnly[str, MappingNode], variant_files: Collection[str]) -> None:
        self.names = names
        self.files = files
        self.variant_files = variant_files
        self.templates: dict[str, dict[str, SentenceTemplate]] = {code: {} for code in (ENGLISH, *files)}
        self.member_names: dict[str, dict[str, tuple[str, ...]]] = {code: {} for code in (ENGLISH, *files)}
        self.used_translations: set[str] = set()
        self.entries: dict[str, Entry] = {}
        self.missing_translations: list[
            tuple[str, str, Entry]
        ] = []  # what the texts files do not translate: told at the end

    def _translations(self, code: str) -> MappingNode:
        return as_mapping(self.files[code].get("sentences"))

    def read_text(self, node: Node, address: str, scope: Scope) -> int:
        """Reads a node's sentence in all languages; returns how many variables its holes need."""
        if not isinstance(node, MappingNode):
            return 0
        return self._said(node.entry("text") or node.entry("why"), address, scope)

    def read_reason(self, node: MappingNode, address: str, scope: Scope) -> int:
        """Of a choice or clause: the reason to give, at its address, and what it demands, at `address.text`."""
        if not self._outdated(node):
            self.read_static(node, "text", f"{address}.text")
        return self._said(node.entry("why"), address, scope)

    def _outdated(self, node: MappingNode) -> bool:
        """Whether a variant changed what a rule demands, and left the sentence that said it."""
        written = {one.key.text: one.value.span.source.path in self.variant_files for one in node}
        return not written.get("text", True) and any(written[key] for key in written if key in DECISION_KEYS)

    def read_if_valid(self, node: MappingNode, address: str) -> bool:
        """Reads text and title of a passage; False, and nothing is told, when what they speak of is gone."""
        own, self.names.diagnostics = self.names.diagnostics, Diagnostics()
        for key in ("text", "title"):
            self.read_static(node, key, address if key == "text" else f"{address}.title")
        found, self.names.diagnostics = self.names.diagnostics, own
        if not found.error_count:
            own.extend(found)
            return True
        for one in (address, f"{address}.title"):
            self.entries.pop(one, None)
            for sentences in self.templates.values():
                sentences.pop(one, None)
        return False

    def read_static(self, node: MappingNode, key: str, address: str) -> None:
        """Reads a sentence of the rulebook, where no game is on: what stands in its holes is known before play."""
        entry = node.entry(key)
        self._said(entry, address, self.names.scope())
        for code, scalar in self._written(entry).items() if entry is not None else ():
            sentence = self.templates.get(code, {}).get(address)
            for part in sentence.parts if sentence is not None else ():
                if not isinstance(part, str) and find_position_read(part.expr) is not None:
                    message = "a rulebook is read before the game, when this is not known"
                    hint = "say it in words, or put it into the `why`, which is said in a game"
                    where = scalar.subspan(*part.offsets)
                    self.names.diagnostics.add(
                        where, codes.NOT_CONSTANT, message, label="known in play", help=hint, address=address
                    )

    def _said(self, entry: Entry | None, address: str, scope: Scope) -> int:
        if entry is None:
            return 0
        written = self._written(entry)
        self.entries[address] = entry
        english = written.get(ENGLISH)
        needs = 0
        for code in (ENGLISH, *self.files, *[one for one in written if one != ENGLISH and one not in self.files]):
            scalar = self._scalar(code, written, address, entry)
            if scalar is None:
                if english is not None and code in self.files:
                    self.missing_translations.append((code, address, entry))
                continue
            sentence = self._read(code, scalar, scope, address)
            if sentence is None:
                continue
            self._many_forms(sentence, scalar, code, address)
            self.names.used_names.update(hole_words(sentence))
            self.templates.setdefault(code, {})[address] = sentence
            needs = max([needs, *[required_slots(expr) for expr in template_exprs(sentence)]])
            if code != ENGLISH and ENGLISH in self.templates and address in self.templates[ENGLISH]:
                self._same_holes(code, address, scalar, sentence, english)
        return needs

    def _read(self, code: str, scalar: ScalarNode, scope: Scope, address: str) -> SentenceTemplate | None:
        """A sentence; of a translation with a name that is unknown it is told which holes the English one has."""
        english = self.templates[ENGLISH].get(address)
        if code == ENGLISH or english is None:
            return read_sentence(scalar, scope, self.names.diagnostics, address=address)
        diagnostics = Diagnostics()
        sentence = read_sentence(scalar, scope, diagnostics, address=address)
        there = ", ".join(f"{{{hole}}}" for hole in dict.fromkeys(hole_texts(english))) or "none"
        hint = f"the holes are not translated; those of the English sentence: {there}"
        self.names.diagnostics.merge(
            diagnostics, lambda one: replace(one, help=hint) if one.code in UNKNOWN_NAME_CODES else one
        )
        return sentence

    def _many_forms(self, sentence: SentenceTemplate, scalar: ScalarNode, code: str, address: str) -> None:
        most = len(self._plural_nodes(code)) + 1
        for part in sentence.parts:
            if isinstance(part, PluralHole) and len(part.forms) > most:
                self.names.diagnostics.add(
                    scalar.subspan(*part.offsets),
                    codes.PLURAL_FORMS,
                    f"{len(part.forms)} forms, where this language has {most}",
                    label="the last are never used",
                    help="a language has a form for each of its plural rules, and one for all other numbers",
                    address=address,
                )

    def _written(self, entry: Entry) -> dict[str, ScalarNode]:
        if isinstance(entry.value, ScalarNode):
            return {ENGLISH: entry.value}
        return {one.key.text: one.value for one in as_mapping(entry.value) if isinstance(one.value, ScalarNode)}

    def _scalar(self, code: str, written: dict[str, ScalarNode], address: str, entry: Entry) -> ScalarNode | None:
        inline = written.get(code)
        if code not in self.files:
            return inline
        elsewhere = self._translations(code).entry(address)
        if elsewhere is not None:
            self.used_translations.add(address)
        by_variant = entry.key.span.source.path in self.variant_files or bool(entry.history)
        if inline is not None:
            if elsewhere is not None and not by_variant:
                self.names.diagnostics.add(
                    elsewhere.key.span,
                    codes.TWO_TRANSLATIONS,
                    f"`{address}` is translated at its node already",
                    help="keep one of the two",
                    related=[Related(inline.span, "the other translation")],
                )
            return inline
        # what a variant says anew is not what the base's translation translates
        if elsewhere is None or by_variant:
            return None
        return elsewhere.value if isinstance(elsewhere.value, ScalarNode) else None

    def _missing(self, code: str, address: str, entry: Entry) -> None:
        self.names.diagnostics.add(
            entry.key.span,
            codes.MISSING_SENTENCE,
            f"no sentence in `{code}` for `{address}`",
            label="is not translated",
            help=self._with_all(entry) if code == ENGLISH else self._in_texts(code),
            address=address,
        )

    def _with_all(self, entry: Entry) -> str:
        """English has no file of texts: it stands where the sentence stands."""
        others = [code for code in self._written(entry) if code != ENGLISH]
        return f"write {{{', '.join(f'{code}: …' for code in (ENGLISH, *others))}}}"

    def _in_texts(self, code: str) -> str:
        inline = f"write {{en: …, {code}: …}}"
        return f"add it to the `{code}` texts, or {inline}" if code in self.files else inline

    def _same_holes(
        self, code: str, address: str, scalar: ScalarNode, sentence: SentenceTemplate, english: ScalarNode | None
    ) -> None:
        ours, theirs = set(hole_texts(sentence)), set(hole_texts(self.templates[ENGLISH][address]))
        if ours == theirs:
            return
        lacking = ", ".join(f"{{{hole}}}" for hole in sorted(theirs - ours))
        extra = ", ".join(f"{{{hole}}}" for hole in sorted(ours - theirs))
        parts = [f"lacks {lacking}" if lacking else "", f"has {extra} besides" if extra else ""]
        self.names.diagnostics.add(
            scalar.span,
            codes.HOLES_DIFFER,
            f"the `{code}` sentence {' and '.join(part for part in parts if part)}",
            address=address,
            related=[Related(english.span, "the English sentence")] if english is not None else (),
        )

    def english_hole_sources(self, address: str) -> list[tuple[ScalarNode, int, Expr]]:
        """What a node's English sentence prints, each with the scalar in which it stands, and where in it."""
        sentence = self.templates[ENGLISH].get(address)
        scalar = self._written(self.entries[address]).get(ENGLISH) if sentence is not None else None
        if sentence is None or scalar is None:
            return []
        return [(scalar, part.offsets[0], part.expr) for part in sentence.parts if isinstance(part, Hole)]

    # ---- names of members ---------------------------------------------------------------------------------

    def read_member_names(self) -> None:
        """The names of kinds' members and of rows, with plural forms."""
        for entry in self.names.section("kinds"):
            node = as_mapping(entry.value)
            given = as_mapping(node.get("names"))
            info = self.names.kinds.get(entry.key.text)
            own = [word for word in info.members if not info.is_numeric] if info is not None else []
            for one in given:
                if one.key.text not in own:
                    self.names.emit_unknown(one.key, "member", own, f"kinds.{entry.key.text}.names")
                else:
                    for code, forms in self._written(one).items():
                        self.member_names.setdefault(code, {})[one.key.text] = self._forms(forms, code)
            for code in self.files:
                for word in own:
                    address = f"kinds.{entry.key.text}.{word}"
                    translated = self._translations(code).entry(address)
                    if translated is not None:
                        self.used_translations.add(address)
                        self.member_names[code][word] = self._forms(translated.value, code)
            self.read_text(node, f"kinds.{entry.key.text}", self.names.scope())

    def _forms(self, node: Node, code: str) -> tuple[str, ...]:
        forms = tuple(part.strip() for part in text_or_default(node).split("|"))
        if not all(forms) or "{" in text_or_default(node):
            self.names.diagnostics.add(node.span, codes.PLURAL_FORMS, "a name has words in each form, and no holes")
        most = len(self._plural_nodes(code)) + 1
        if len(forms) not in (1, most):
            self.names.diagnostics.add(
                node.span,
                codes.PLURAL_FORMS,
                f"{len(forms)} forms, where this language has {most}",
                help="give one form, or one for each plural rule",
            )
        return forms

    def _plural_nodes(self, code: str) -> tuple[Any, ...]:
        if code not in self.files or "plurals" not in self.files[code]:
            return plural_rules(code)
        return tuple(entry.value for entry in as_mapping(self.files[code].get("plurals")))

    # ---- the end ------------------------------------------------------------------------------------------

    def check_missing_translations(self) -> None:
        """What has words in some languages and lacks them in others: sentences of nodes that carry their translations,
        and names of members.
        """
        spoken: dict[str, set[str]] = {}  # in each file, by nodes that carry their translations
        for entry in self.entries.values():
            spoken.setdefault(entry.key.span.source.path, set()).update(self._written(entry))
        slips = self._slips()
        for code, address, entry in self.missing_translations:
            if entry.key not in slips.values():
                self._missing(code, address, entry)
        in_game = {ENGLISH}.union(*(codes for path, codes in spoken.items() if path not in self.variant_files))
        for code in self.templates:
            if code in slips:
                continue
            self._nameless(code)
            if code in self.files:
                continue
            for address, entry in self.entries.items():
                path = entry.key.span.source.path  # a variant may speak a language that its game does not
                wanted = code in in_game or (path in self.variant_files and code in spoken[path])
                if wanted and code not in self._written(entry) and entry.key not in slips.values():
                    self._missing(code, address, entry)

    def _slips(self) -> dict[str, ScalarNode]:
        """Languages in which only one sentence is, which lacks one that others have: told once, as a slip."""
        spoken: dict[str, list[Entry]] = {}
        for entry in self.entries.values():
            for code in self._written(entry):
                spoken.setdefault(code, []).append(entry)
        counts = {
            code: len(spoken.get(code, ())) + len(self.templates[code]) * (code in self.files)
            for code in self.templates
        }
        often = sorted(((count, code) for code, count in counts.items() if count > 1), reverse=True)
        slips: dict[str, ScalarNode] = {}
        for code, (entry, *more) in spoken.items():
            meant = next((one for _, one in often if one not in self._written(entry)), None)
            if more or code in self.files or meant is None:
                continue
            slips[code] = entry.key
            self.names.diagnostics.add(
                next(one.key.span for one in as_mapping(entry.value) if one.key.text == code),
                codes.MISSING_SENTENCE,
                f"`{code}` stands in this one sentence only, which has no `{meant}`",
                label="only here",
                help=f"did you mean `{meant}`?",
            )
        return slips

    def _nameless(self, code: str) -> None:
        """Members without a name in a language that others of their kind are named in; English has their ids."""
        told: set[str] = set()  # a kind may have the members of another
        for entry in self.names.section("kinds"):
            info, given = self.names.kinds.get(entry.key.text), as_mapping(as_mapping(entry.value).get("names"))
            own = info.members if info is not None and not info.is_numeric else ()
            named = [word for word in own if any(word in words for words in self.member_names.values())]
            if code == ENGLISH or not named or entry.key.span.source.path in self.variant_files:
                continue
            for word in own:
                if word not in self.member_names.get(code, {}) and word not in told:
                    told.add(word)
                    at, address = given.entry(word) or entry, f"kinds.{entry.key.text}.{word}"
                    self.names.diagnostics.add(
                        at.key.span,
                        codes.MISSING_SENTENCE,
                        f"no name in `{code}` for `{word}`",
                        label="is not translated",
                        help=f"add `{address}` to the `{code}` texts, or write {{en: …, {code}: …}}",
                        address=address,
                    )

    def check_unused_translations(self) -> None:
        """Sentences of texts files that belong to no node."""
        for code in self.files:
            known = list(self.templates[ENGLISH])
            for entry in self._translations(code):
                if entry.key.text not in self.used_translations:
                    self.names.diagnostics.add(
                        entry.key.span,
                        codes.UNUSED_SENTENCE,
                        f"no rule with a sentence stands at `{entry.key.text}`",
                        label="translates nothing",
                        help=partial(self._near, entry.key.text, known),
                    )

    @staticmethod
    def _near(address: str, known: list[str]) -> str:
        return did_you_mean(address, known) or list_names("addresses", known)

    def build_languages(self) -> dict[str, Language]:
        """All languages, English first."""
        scope = self.names.scope(variables={"n": Number(0, 10**9)})
        result = {}
        for code, found in self.templates.items():
            given = as_mapping(self.files[code].get("words")) if code in self.files else ()
            words = {**builtin_messages(code), **{entry.key.text: text_or_default(entry.value) for entry in given}}
            plurals: list[Expr] = []
            for node in self._plural_nodes(code):
                if isinstance(node, str):
                    node = ScalarNode(node, node, self.names.root.span)
                plurals.append(self.names.read_expression(node, scope, Flag(), f"texts.{code}.plurals"))
            result[code] = Language(code, found, self.member_names.get(code, {}), words, tuple(plurals))
        return result


def template_exprs(sentence: SentenceTemplate) -> list[Expr]:
    """The expressions in a sentence's holes."""
    return [part.expr for part in sentence.parts if not isinstance(part, str)]


def hole_words(sentence: SentenceTemplate) -> list[str]:
    """The words in what a sentence prints, which may be names."""
    return [word for hole in hole_texts(sentence) for word in _words(hole)]


def _words(hole: str) -> list[str]:
    return hole.replace("(", " ").replace(")", " ").replace(",", " ").replace(".", " ").split()
