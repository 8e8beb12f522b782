"""What the rules say to people: every sentence, in every language of the game, under the address of its node.

In: the `text` and `why` keys of nodes and the texts files. Out: `Sentences`. A sentence is read with its node, since
its holes are expressions in the scope of the node; a translation has the same holes as the sentence it translates.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Diagnostics, Related
from rulewright.document.language import DOMAIN_KEYS, OFFER_VERBS, PROSE_KEYS
from rulewright.document.text_addresses import names_address, reason_address
from rulewright.expr.codes import UNKNOWN_FUNCTION, UNKNOWN_NAME
from rulewright.expr.remembered import recall
from rulewright.expr.scope import Scope
from rulewright.expr.sentence_template import Hole, PluralHole, SentenceTemplate
from rulewright.expr.templates import hole_texts, hole_words, parse_template, template_exprs
from rulewright.expr.tree import Expr
from rulewright.expr.walk import find_position_read, required_slots
from rulewright.frozen import field, frozen, replace
from rulewright.model import codes
from rulewright.model.expr_reader import ExprReader, Usage
from rulewright.model.locale import ENGLISH
from rulewright.model.sentence_sizes import check_sentence_size
from rulewright.model.text_files import TextFiles, count_own_plurals, count_plural_forms, translations_by_address
from rulewright.model.thing_names import is_field_hole
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, as_mapping, text_or_default
from rulewright.suggestions import closest_name

TITLE_SUFFIX: Final = ".title"
# keys of a choice or clause that say what is asked
DECISION_KEYS: Final = DOMAIN_KEYS | {"is"}
UNKNOWN_NAME_CODES: Final = (UNKNOWN_NAME, UNKNOWN_FUNCTION)

ExprSource = tuple[ScalarNode, int, Expr]  # an expression, the scalar it is written in, and at which character


@frozen
class Sentences:
    """Sentences as they were read. Languages are in the order English, texts files, others."""

    templates: dict[str, dict[str, SentenceTemplate]]  # language → address → sentence
    member_names: dict[str, dict[str, tuple[str, ...]]]  # language → key of the member → its forms
    entries: dict[str, Entry] = field(default_factory=dict)  # address → the key with the sentence
    used_translations: set[str] = field(default_factory=set)  # addresses that the texts files translate
    # language, address and entry of what a texts file does not translate, though English has it
    missing_translations: list[tuple[str, str, Entry]] = field(default_factory=list)

    @staticmethod
    def empty(files: TextFiles) -> Sentences:
        """No sentence, in English and the languages of texts files."""
        return Sentences({code: {} for code in (ENGLISH, *files)}, {code: {} for code in (ENGLISH, *files)})

    def add(self, other: Sentences) -> None:
        """Adds all of others, behind these."""
        for code, templates in other.templates.items():
            self.templates.setdefault(code, {}).update(templates)
        for code, names in other.member_names.items():
            self.member_names.setdefault(code, {}).update(names)
        self.entries.update(other.entries)
        self.used_translations.update(other.used_translations)
        self.missing_translations.extend(other.missing_translations)

    def hole_sources(self, address: str) -> list[ExprSource]:
        """What the English sentence at an address prints, with the scalar that says so."""
        template = self.templates[ENGLISH].get(address)
        scalar = nodes_by_language(self.entries[address]).get(ENGLISH) if template is not None else None
        if template is None or scalar is None:
            return []
        return [(scalar, part.offsets[0], part.expr) for part in template.parts if isinstance(part, Hole)]


@frozen
class _SentenceReading:
    """A sentence in all languages: how many variables its holes need, what was read and used. `nodes`: what it was read
    from, kept so that no other node gets their ids.
    """

    slots: int
    templates: tuple[tuple[str, SentenceTemplate], ...]  # by language
    missing: tuple[str, ...]  # languages
    usage: Usage
    nodes: object


def merge_sentences(files: TextFiles, *parts: Sentences) -> Sentences:
    """All sentences of several passes, in their order."""
    merged = Sentences.empty(files)
    for part in parts:
        merged.add(part)
    return merged


class SentenceReader:
    """Reads the sentences of nodes and collects them. `variant_files`: paths of the variants applied."""

    def __init__(self, reader: ExprReader, files: TextFiles, variant_files: Collection[str]) -> None:
        self.reader = reader
        self.files = files
        self.variant_files = variant_files
        self.collected = Sentences.empty(files)
        self.translations = {code: translations_by_address(file) for code, file in files.items()}
        self._translations = tuple(self.translations.values())
        self._languages = tuple((code, count_own_plurals(file)) for code, file in files.items())

    def _beside(self, reader: ExprReader) -> SentenceReader:
        """Another one for the same files, with no sentence in it: each passage of a rulebook is read by its own."""
        other = object.__new__(SentenceReader)
        other.__dict__.update(self.__dict__, reader=reader, collected=Sentences.empty(self.files))
        return other

    def read_text(self, node: Node, address: str, scope: Scope) -> int:
        """Reads a node's sentence in all languages; returns how many variables its holes need."""
        if not isinstance(node, MappingNode):
            return 0
        return self._read_entry(node.entry("text"), address, scope)

    def read_rule_text(self, node: Node, address: str, scope: Scope) -> int:
        """The same for a step or a value: what it says goes when a variant changes what it does and not its words."""
        kept = {*PROSE_KEYS, *OFFER_VERBS, "do"}  # a list that has one item more is still that list
        if isinstance(node, MappingNode) and self._is_outdated(node, {entry.key.text for entry in node} - kept):
            return 0
        return self.read_text(node, address, scope)

    def read_reason(self, node: MappingNode, address: str, scope: Scope) -> int:
        """Of a choice or clause: what it demands, at its address, and the reason to give, at `address.why`."""
        if not self._is_outdated(node):
            self.read_static(node, "text", address)
        return self.read_why(node, address, scope)

    def read_why(self, node: MappingNode, address: str, scope: Scope) -> int:
        """The reason that a rule gives, at `address.why`; how many variables it needs."""
        return self._read_entry(node.entry("why"), reason_address(address), scope)

    def read_thing_names(self, node: MappingNode, address: str, scope: Scope) -> None:
        """What the things of a component are called that have no sentence of their own, at `address.names`."""
        named, entry = names_address(address), node.entry("names")
        self.read_static(node, "names", named, scope)
        for code, scalar in nodes_by_language(entry).items() if entry is not None else ():
            template = self.collected.templates.get(code, {}).get(named)
            for part in template.parts if template is not None else ():
                if not isinstance(part, str) and not is_field_hole(part):
                    message = "a thing is called by its fields: numbers, and members of kinds"
                    hint = f"write a field in braces, like `{{{address.rpartition('.')[2]}.…}}`"
                    span = scalar.subspan(*part.offsets)
                    self.reader.diagnostics.add(span, codes.NOT_CONSTANT, message, help=hint, address=named)

    def _is_outdated(self, node: MappingNode, keys: Collection[str] = DECISION_KEYS) -> bool:
        """Whether a variant changed one of these keys of a rule, and left the sentence that said what it does."""
        by_variant = {entry.key.text: entry.value.span.source.path in self.variant_files for entry in node}
        return not by_variant.get("text", True) and any(by_variant[key] for key in by_variant if key in keys)

    def read_title(self, entry: Entry, address: str) -> None:
        """Reads what a rule is called: words without holes, since they stand in menus and on the board, too."""
        self._read_entry(entry, address, self.reader.scope())
        for code, scalar in nodes_by_language(entry).items():
            template = self.collected.templates.get(code, {}).get(address)
            for part in template.parts if template is not None else ():
                if not isinstance(part, str):
                    self.reader.diagnostics.add(
                        scalar.subspan(*part.offsets),
                        codes.HOLE_IN_TITLE,
                        "a title cannot have holes",
                        label="never filled",
                        help="use fixed words",
                        address=address,
                    )

    def read_passage(self, node: MappingNode, address: str) -> None:
        """Reads text and title of a passage of the rulebook."""
        self.read_static(node, "text", address)
        self.read_static(node, "title", f"{address}.title")

    def read_passage_if_valid(self, node: MappingNode, address: str) -> bool:
        """The same; False, and nothing is read or reported, when it speaks of what is gone."""
        reader = self.reader
        trial = self._beside(ExprReader(reader.root, reader.table, Diagnostics(), reader.usage))
        trial.read_passage(node, address)
        if trial.reader.diagnostics.error_count:
            return False
        self.reader.diagnostics.extend(trial.reader.diagnostics)
        self.collected.add(trial.collected)
        return True

    def read_static(self, node: MappingNode, key: str, address: str, scope: Scope | None = None) -> None:
        """Reads a sentence of the rulebook, where no game is on: what its holes print is known before play."""
        entry = node.entry(key)
        self._read_entry(entry, address, scope or self.reader.scope())
        for code, scalar in nodes_by_language(entry).items() if entry is not None else ():
            template = self.collected.templates.get(code, {}).get(address)
            for part in template.parts if template is not None else ():
                if not isinstance(part, str) and find_position_read(part.expr) is not None:
                    self.reader.diagnostics.add(
                        scalar.subspan(*part.offsets),
                        codes.NOT_CONSTANT,
                        "a rulebook is written before play, when this is not known",
                        label="known only in play",
                        help="describe it in words, or move it to the `why`, which is shown in play",
                        address=address,
                    )

    def _read_entry(self, entry: Entry | None, address: str, scope: Scope) -> int:
        if entry is None:
            return 0
        usage, collected = self.reader.usage, self.collected
        may_be_too_many = len(usage.holes) > limits.MAX_HOLES // 2
        if address in collected.entries or may_be_too_many:
            return self._read_languages(entry, address, scope)
        translations = tuple([known.get(address) for known in self._translations])
        # a variant makes a new entry for its sentence in each game that it is applied to, with the same value
        by_variant = entry.key.span.source.path in self.variant_files or bool(entry.history)
        key = ("sentences", id(entry.value), address, tuple(map(id, translations)), self._languages, by_variant)

        def read(names: Scope) -> _SentenceReading:
            reader = replace(self.reader, usage=Usage())
            trial = self._beside(reader)
            slots = trial._read_languages(entry, address, names)
            made = trial.collected.templates.items()
            by_language = tuple((code, sentences[address]) for code, sentences in made if address in sentences)
            missing = tuple(code for code, _, _ in trial.collected.missing_translations)
            return _SentenceReading(slots, by_language, missing, reader.usage, (entry.value, translations))

        reading = recall(key, scope, self.reader.diagnostics, read)
        collected.entries[address] = entry
        for code, template in reading.templates:
            collected.templates.setdefault(code, {})[address] = template
        if any(translations):
            collected.used_translations.add(address)
        if reading.missing:
            collected.missing_translations.extend([(code, address, entry) for code in reading.missing])
        if reading.usage.used_names:
            usage.used_names.update(reading.usage.used_names)
        if reading.usage.holes:
            usage.holes.extend(reading.usage.holes)
        return reading.slots

    def _read_languages(self, entry: Entry, address: str, scope: Scope) -> int:
        inline = nodes_by_language(entry)
        templates = self.collected.templates
        self.collected.entries[address] = entry
        english = inline.get(ENGLISH)
        slots = 0
        for code in dict.fromkeys((ENGLISH, *self.files, *inline)):
            scalar = self._find_scalar(code, inline, address, entry)
            if scalar is None:
                if english is not None and code in self.files:
                    self.collected.missing_translations.append((code, address, entry))
                continue
            template = self._parse(code, scalar, scope, address)
            if template is None:
                continue
            self._check_plural_forms(template, scalar, code, address)
            self.reader.usage.used_names.update(hole_words(template))
            templates.setdefault(code, {})[address] = template
            slots = max([slots, *[required_slots(expr) for expr in template_exprs(template)]])
            if code != ENGLISH and address in templates[ENGLISH]:
                self._check_same_holes(code, address, scalar, template, english)
        return slots

    def _parse(self, code: str, scalar: ScalarNode, scope: Scope, address: str) -> SentenceTemplate | None:
        """A sentence. A translation with an unknown name gets the holes of the English one as a hint."""
        if not check_sentence_size(self.reader, scalar, address):
            return None
        english = self.collected.templates[ENGLISH].get(address)
        if code == ENGLISH or english is None:
            return parse_template(scalar, scope, self.reader.diagnostics, address=address)
        diagnostics = Diagnostics()
        template = parse_template(scalar, scope, diagnostics, address=address)
        if not diagnostics:
            return template
        english_holes = ", ".join(f"{{{hole}}}" for hole in dict.fromkeys(hole_texts(english))) or "none"
        hint = f"do not translate holes; the English sentence has {english_holes}"
        self.reader.diagnostics.merge(
            diagnostics,
            lambda diagnostic: replace(diagnostic, help=hint) if diagnostic.code in UNKNOWN_NAME_CODES else diagnostic,
        )
        return template

    def _check_plural_forms(self, template: SentenceTemplate, scalar: ScalarNode, code: str, address: str) -> None:
        holes = [part for part in template.parts if isinstance(part, PluralHole)]
        max_forms = count_plural_forms(code, self.files) if holes else 0
        for part in holes:
            if len(part.forms) > max_forms:
                self.reader.diagnostics.add(
                    scalar.subspan(*part.offsets),
                    codes.PLURAL_FORMS,
                    f"{len(part.forms)} forms in a language that has {max_forms}",
                    label="the last are never used",
                    help="a language has a form for each of its plural rules, and one for all other numbers",
                    address=address,
                )

    def _find_scalar(self, code: str, inline: dict[str, ScalarNode], address: str, entry: Entry) -> ScalarNode | None:
        """The sentence in a language: as the node has it, else as the texts file of the language translates it."""
        scalar = inline.get(code)
        if code not in self.files:
            return scalar
        translation = self.translations[code].get(address)
        if translation is not None:
            self.collected.used_translations.add(address)
        by_variant = entry.key.span.source.path in self.variant_files or bool(entry.history)
        if scalar is not None:
            if translation is not None and not by_variant:
                self.reader.diagnostics.add(
                    translation.key.span,
                    codes.TWO_TRANSLATIONS,
                    f"`{address}` is already translated at its node",
                    help="keep one of the two",
                    related=[Related(scalar.span, "the other translation")],
                )
            return scalar
        # what a variant says anew is not what the base's translation translates
        if translation is None or by_variant:
            return None
        return translation.value if isinstance(translation.value, ScalarNode) else None

    def _check_same_holes(
        self, code: str, address: str, scalar: ScalarNode, template: SentenceTemplate, english: ScalarNode | None
    ) -> None:
        holes = set(hole_texts(template))
        english_holes = set(hole_texts(self.collected.templates[ENGLISH][address]))
        if holes == english_holes:
            return
        doubled = ((each, hole) for each in (scalar, english) for hole in holes ^ english_holes if each is not None)
        printed = next(((each, hole) for each, hole in doubled if f"{{{{{hole}}}}}" in each.text), None)
        if printed is not None:
            message, hint = f"`{{{{{printed[1]}}}}}` is printed as it is, with braces", f"write `{{{printed[1]}}}`"
            self.reader.diagnostics.add(printed[0].span, codes.HOLES_DIFFER, message, help=hint, address=address)
            return
        missing, extra = (
            ", ".join(f"{{{hole}}}" for hole in sorted(one)) for one in (english_holes - holes, holes - english_holes)
        )
        hint = f"write {missing} in it" if missing else f"leave out {extra}, or add it in English as well"
        if extra and address.endswith(TITLE_SUFFIX):
            hint = f"leave out {extra}: a title has no holes"
        elif missing and extra:
            hint = f"write {missing} instead of {extra}"
        parts = [f"lacks {missing}" if missing else "", f"has an extra {extra}" if extra else ""]
        self.reader.diagnostics.add(
            scalar.span,
            codes.HOLES_DIFFER,
            f"the `{code}` sentence {' and '.join(part for part in parts if part)}",
            label="other holes than in English",
            help=hint,
            address=address,
            related=[Related(english.span, "the English sentence")] if english is not None else (),
        )

    # ---- names of members ---------------------------------------------------------------------------------

    def read_member_names(self) -> None:
        """The names of kinds' members and of rows, with plural forms."""
        names = self.collected.member_names
        renamed = set[tuple[str, str]]()  # by a variant: language and key of the member
        for entry in self.reader.section("kinds"):
            node = as_mapping(entry.value)
            info = self.reader.kinds.get(entry.key.text)
            members = list(info.members) if info is not None else []
            for named in as_mapping(node.get("names")):
                member = named.key.text
                if member not in members:
                    self.reader.emit_unknown(named.key, "member", members, f"kinds.{entry.key.text}.names")
                    member = closest_name(member, members)  # so that its name is not missed as well
                if info is not None and member:
                    for code, forms in nodes_by_language(named).items():
                        key = info.name_key(member)
                        names.setdefault(code, {})[key] = self._read_forms(forms, code)
                        if forms.span.source.path in self.variant_files:
                            renamed.add((code, key))
            for code in self.files:
                for member in members:
                    address = f"kinds.{entry.key.text}.{member}"
                    translation = self.translations[code].get(address)
                    if translation is not None and info is not None:
                        self.collected.used_translations.add(address)
                        forms_of_file = self._read_forms(translation.value, code)
                        if (code, info.name_key(member)) not in renamed:  # a variant's word stands before the game's
                            names[code][info.name_key(member)] = forms_of_file
            self.read_text(node, f"kinds.{entry.key.text}", self.reader.scope())

    def _read_forms(self, node: Node, code: str) -> tuple[str, ...]:
        forms = tuple(part.strip() for part in text_or_default(node).split("|"))
        if not all(forms) or "{" in text_or_default(node):
            message = "a name needs words in each form, and no holes"
            self.reader.diagnostics.add(node.span, codes.PLURAL_FORMS, message)
        max_forms = count_plural_forms(code, self.files)
        if len(forms) not in (1, max_forms):
            self.reader.diagnostics.add(
                node.span,
                codes.PLURAL_FORMS,
                f"{len(forms)} forms in a language that has {max_forms}",
                help="write one form, or one for each plural rule",
            )
        return forms


def nodes_by_language(entry: Entry) -> dict[str, ScalarNode]:
    """The languages in which a sentence is written at its node."""
    if isinstance(entry.value, ScalarNode):
        return {ENGLISH: entry.value}
    return {text.key.text: text.value for text in as_mapping(entry.value) if isinstance(text.value, ScalarNode)}


__all__ = [
    "ExprSource",
    "SentenceReader",
    "Sentences",
    "merge_sentences",
    "nodes_by_language",
]
