"""The languages of a game, and what is said in one of them and not in another.

In: all sentences of a game and its texts files. Out: the languages of the rules; what is not translated, and what
translates nothing, is a diagnostic.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial

from rulewright.diagnostics import Diagnostics, Span, missing_name
from rulewright.document.address import child_entries
from rulewright.document.language import former_word_hint
from rulewright.document.text_addresses import reason_address
from rulewright.expr.types import FLAG, Number
from rulewright.model import codes
from rulewright.model.expr_reader import ExprReader
from rulewright.model.locale import ENGLISH, builtin_messages
from rulewright.model.rules import ComponentDef, Language
from rulewright.model.sentences import Sentences, nodes_by_language
from rulewright.model.text_files import TextFiles, plural_rule_nodes, translations_in
from rulewright.model.thing_names import name_things
from rulewright.source.nodes import Entry, MappingNode, ScalarNode, as_mapping, text_or_default
from rulewright.suggestions import did_you_mean, list_names, meant_hint

TITLE_SUFFIX: str = ".title"
MIN_SENTENCES_BESIDE_SLIP: int = 3  # with fewer, a language of one sentence is as likely meant as not
MAX_COUNTED: int = 10**9  # the number that a plural rule is asked for is at most this


def build_languages(
    reader: ExprReader, sentences: Sentences, files: TextFiles, components: Mapping[str, ComponentDef]
) -> dict[str, Language]:
    """All languages, English first."""
    member_names = sentences.member_names
    scope = reader.scope(variables={"n": Number(0, MAX_COUNTED)})
    languages = {}
    for code, templates in sentences.templates.items():
        words = as_mapping(files[code].get("words")) if code in files else ()
        messages = {**builtin_messages(code), **{entry.key.text: text_or_default(entry.value) for entry in words}}
        plurals = tuple(
            reader.read_expression(node, scope, FLAG, f"texts.{code}.plurals")
            for node in plural_rule_nodes(code, files)
        )
        names = member_names.get(code, {})
        named = name_things(templates, (names, member_names[ENGLISH]), components.values(), reader.kinds)
        languages[code] = Language(code, named, names, messages, plurals)
    return languages


def check_missing_translations(
    reader: ExprReader, sentences: Sentences, files: TextFiles, variant_files: Collection[str]
) -> None:
    """Reports what has words in some languages and lacks them in others: sentences of nodes that carry their
    translations, and names of members.
    """
    inline_languages: dict[str, set[str]] = {}  # in each file, by nodes that carry their translations
    written = {address: nodes_by_language(entry) for address, entry in sentences.entries.items()}
    for address, entry in sentences.entries.items():
        inline_languages.setdefault(entry.key.span.source.path, set()).update(written[address])
    slips = _report_slips(sentences, written, files, reader.diagnostics)
    for code, address, entry in sentences.missing_translations:
        if entry.key not in slips.values():
            _report_missing(code, address, entry, files, reader.diagnostics)
    game_languages = {ENGLISH}.union(
        *(languages for path, languages in inline_languages.items() if path not in variant_files)
    )
    for code in sentences.templates:
        if code in slips:
            continue
        is_of_game = code in files or code in game_languages  # a variant may speak one that its game does not
        _check_member_names(code, reader, sentences, variant_files, is_of_game=is_of_game)
        if code in files:
            continue
        for address, entry in sentences.entries.items():
            path = entry.key.span.source.path
            is_wanted = code in game_languages or (path in variant_files and code in inline_languages[path])
            if is_wanted and code not in written[address] and entry.key not in slips.values():
                _report_missing(code, address, entry, files, reader.diagnostics)


def _report_missing(code: str, address: str, entry: Entry, files: TextFiles, diagnostics: Diagnostics) -> None:
    if code == ENGLISH:  # English has no texts file: it is written where the sentence is
        others = [other for other in nodes_by_language(entry) if other != ENGLISH]
        hint = f"write {{{', '.join(f'{other}: …' for other in (ENGLISH, *others))}}}"
    else:
        inline = f"write {{en: …, {code}: …}}"
        if isinstance(entry.value, MappingNode):
            inline = f"add `{code}: …`" + (" here" if code in files else "")
        hint = f"add it to the `{code}` texts, or {inline}" if code in files else inline
    diagnostics.add(
        entry.key.span,
        codes.MISSING_SENTENCE,
        f"no sentence in `{code}` for `{address}`",
        label="not translated",
        help=hint,
        address=address,
    )


def _report_slips(
    sentences: Sentences, written: Mapping[str, Collection[str]], files: TextFiles, diagnostics: Diagnostics
) -> dict[str, ScalarNode]:
    """Languages of one sentence only, which lacks one that others have: reported once, as a misspelling of that.

    `written`: the languages at the node of each sentence.
    """
    addresses: dict[str, list[str]] = {}
    for address, languages in written.items():
        for code in languages:
            addresses.setdefault(code, []).append(address)
    counts = {
        code: len(addresses.get(code, ())) + len(templates) * (code in files)
        for code, templates in sentences.templates.items()
    }
    common = sorted(((count, code) for code, count in counts.items() if count > 1), reverse=True)
    slips: dict[str, ScalarNode] = {}
    for code, (address, *more) in addresses.items():
        if more or code in files:
            continue
        entry = sentences.entries[address]
        meant = next((other for _, other in common if other not in written[address]), None)
        if meant is None and (code == ENGLISH or _others_beside(entry, sentences) < MIN_SENTENCES_BESIDE_SLIP):
            continue
        slips[code] = entry.key
        message, hint = f"only this sentence is in `{code}`", ""
        if meant is None:
            hint = f"the game's languages: {', '.join(sorted(other for _, other in common))}"
        else:
            message, hint = f"{message}, and it has no `{meant}`", meant_hint(code, meant)
        span = next(text.key.span for text in as_mapping(entry.value) if text.key.text == code)
        diagnostics.add(span, codes.MISSING_SENTENCE, message, label="only here", help=hint)
    return slips


def _others_beside(entry: Entry, sentences: Sentences) -> int:
    """How many other sentences are in the same file."""
    path = entry.key.span.source.path
    return sum(other.key.span.source.path == path for other in sentences.entries.values()) - 1


def _check_member_names(
    code: str, reader: ExprReader, sentences: Sentences, variant_files: Collection[str], *, is_of_game: bool
) -> None:
    """Members without a name in a language that others of their kind are named in; English has their ids.

    What a variant names or brings it names in every language; it need not name what the game has without names.
    """
    reported: set[str] = set()  # a kind may have the members of another
    for entry in reader.section("kinds"):
        info, names = reader.kinds.get(entry.key.text), as_mapping(as_mapping(entry.value).get("names"))
        members = info.members if info is not None else ()
        keys = {member: info.name_key(member) for member in members} if info is not None else {}
        named = {member for member, key in keys.items() for known in sentences.member_names.values() if key in known}
        members = tuple(member for member in members if info is None or not info.is_player(member))
        if info is not None and info.is_numeric:
            members = tuple(member for member in members if member in named)  # the others are numbers in all languages
        by_variant = _members_by_variant(entry, names, variant_files)
        renamed = {name.key.text for name in names if name.history}
        is_new = entry.key.span.source.path in variant_files
        is_named = bool(named if is_new else (named - by_variant.keys()) | renamed)
        for member in members if code != ENGLISH else ():
            own_name = names.entry(member) if member in by_variant else None
            is_translated = keys[member] in sentences.member_names.get(code, {})
            if own_name is not None:  # the translation of another name is not that of this one
                is_translated = is_translated and code in nodes_by_language(own_name)
            is_asked = (is_named and (is_of_game or member in by_variant)) or (member in by_variant and member in named)
            if is_asked and not is_translated and keys[member] not in reported:
                reported.add(keys[member])
                address = f"kinds.{entry.key.text}.{member}"
                reader.diagnostics.add(
                    by_variant.get(member, (names.entry(member) or entry).key.span),
                    codes.MISSING_SENTENCE,
                    f"no name in `{code}` for `{member}`",
                    label="not translated",
                    help=f"add `{address}` to the `{code}` texts, or write {{en: …, {code}: …}}",
                    address=address,
                )


def _members_by_variant(kind: Entry, names: MappingNode, variant_files: Collection[str]) -> dict[str, Span]:
    """The members of a kind that a variant names or brings, and where."""
    node = as_mapping(kind.value).get("members") or kind.value
    return {
        entry.key.text: entry.key.span
        for entry in (*child_entries(node), *names)
        if entry.key.span.source.path in variant_files
    }


def check_unused_translations(sentences: Sentences, files: TextFiles, diagnostics: Diagnostics) -> None:
    """Reports sentences of texts files that belong to no node."""
    addresses = list(sentences.templates[ENGLISH])
    for file in files.values():
        for entry in translations_in(file):
            if entry.key.text not in sentences.used_translations:
                diagnostics.add(
                    entry.key.span,
                    codes.UNUSED_SENTENCE,
                    f"there is no sentence at `{entry.key.text}`",
                    label="translates nothing",
                    help=partial(_address_hint, entry.key.text, addresses),
                    cause=missing_name(entry.key.text, "address"),
                )


def _address_hint(address: str, known: list[str]) -> str:
    current = next((each for each in (reason_address(address), address.removesuffix(".text")) if each in known), "")
    if current:
        return former_word_hint(address, current)
    above = address.rpartition(".")[0]
    below = [each for each in known if above.count(".") > 1 and each.startswith(f"{above}.")]
    if len(below) == 1:
        return meant_hint(address, below[0])
    if address.endswith(TITLE_SUFFIX) and address.removesuffix(TITLE_SUFFIX) in known:
        return f"the game's own language has no title there: add `{address}` to its texts as well"
    section = f"{address.partition('.')[0]}."
    near = [each for each in known if each.startswith(section)] or known
    return did_you_mean(address, known) or list_names("sentences there", near)


__all__ = ["build_languages", "check_missing_translations", "check_unused_translations"]
