"""What the sentences of a game call its things: its zones, values, components, kinds and their members.

In: the state of a build; a sentence. Out: by language the words for each thing; what a sentence mentions. A word can
mean several things, of which any may be meant. Where a longer name stands its words mean nothing by themselves. A
member of a kind that is the key of a zone names a place in it, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, Literal

from rulewright import limits
from rulewright.document.sentence_places import HOLE
from rulewright.document.text_addresses import title_address
from rulewright.expr.sentence_template import SentenceTemplate
from rulewright.expr.types import SEAT, Member, Type
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState
from rulewright.model.locale import ENGLISH
from rulewright.source.node_memo import EqualMemo, NodeMemo, Same

Sort = Literal["action", "component", "kind", "member", "parameter", "place", "state", "value", "zone"]
NAMES_NEEDED: Final = (  # of a state
    "actions",
    "book_sentences",
    "components",
    "member_sentences",
    "parameters",
    "states",
    "symbols",
    "values",
    "zones",
)
WORD: Final = lazy_pattern(r"[^\W\d_]+(?:_[^\W\d_]+)*")
MIN_LETTERS: Final = 3  # of a name by which a thing is looked for
MAX_WORDS: Final = 3  # of a name
MAX_DECLARED: Final = 4  # rules that are checked by turns, whose words are known
PLURALS: Final = (("y", "ies"), ("f", "ves"), ("fe", "ves"))  # in English, beside those with an s


@frozen
class Named:
    """Something that the rules declare; of a place the zone."""

    sort: Sort
    name: str


Meanings = frozenset[Named]
Names = Mapping[str, Mapping[str, Meanings]]  # by language, and by the word or words


@frozen
class _Declared:
    """All that the words depend on; the same from build to build, unless a name or a title changes."""

    names: tuple[tuple[Sort, tuple[str, ...]], ...]
    titles: tuple[tuple[str, str, SentenceTemplate], ...]  # language, zone, what it is called
    keys: tuple[tuple[str, tuple[Type, ...]], ...]  # of zones
    members: tuple[tuple[str, tuple[str, ...]], ...]  # by kind
    member_names: Mapping[str, Mapping[str, tuple[str, ...]]]  # by language


def _declared(state: BuildState) -> _Declared:
    kinds = state.symbols.kinds.values()
    templates = state.book_sentences.templates.items()
    titles = (
        (language, zone, each.get(title_address(f"zones.{zone}")))
        for language, each in templates
        for zone in state.zones
    )
    return _Declared(
        (
            ("zone", tuple(state.zones)),
            ("state", tuple(state.states)),
            ("value", tuple(state.values)),
            ("parameter", tuple(state.parameters)),
            ("component", tuple(state.components)),
            ("kind", tuple(state.symbols.kinds)),
            ("action", tuple(action.name for action in state.actions)),
        ),
        tuple((language, zone, title) for language, zone, title in titles if title is not None),
        tuple((name, zone.key_types) for name, zone in state.zones.items()),
        tuple((kind.name, kind.members) for kind in kinds if not kind.is_numeric and kind.family != SEAT.kind),
        state.member_sentences.member_names,
    )


def _find_names(declared: _Declared) -> Names:
    found = dict[str, dict[str, set[Named]]]()
    for language, form, named in _forms(declared):
        if len(form) >= MIN_LETTERS and form.count(" ") < MAX_WORDS:
            found.setdefault(language, {}).setdefault(form.lower(), set()).add(named)
    return {language: {form: frozenset(each) for form, each in forms.items()} for language, forms in found.items()}


_names_once: Final = EqualMemo(_find_names, MAX_DECLARED)
# of the build under way, of which several checks ask
names_of_things: Final = NodeMemo[BuildState, Names](lambda state: _names_once(_declared(state)), 1)


def _forms(declared: _Declared) -> Iterator[tuple[str, str, Named]]:
    """Each word for something, with its language."""
    for sort, names in declared.names:
        for name in names:
            yield from ((ENGLISH, form, Named(sort, name)) for form in english_forms(name))
    for language, zone, title in declared.titles:
        yield language, "".join(part for part in title.parts if isinstance(part, str)), Named("zone", zone)
    keyed = dict[str, list[str]]()
    for name, key_types in declared.keys:
        for key in key_types:
            if isinstance(key, Member):
                keyed.setdefault(key.kind, []).append(name)
    for language, form, member, kind in _member_forms(declared):
        yield language, form, Named("member", member)
        yield from ((language, form, Named("place", zone)) for zone in keyed.get(kind, ()))


def _member_forms(declared: _Declared) -> Iterator[tuple[str, str, str, str]]:
    """Each word for a member, with its language, and the member and its kind."""
    for kind, members in declared.members:
        for member in members:
            yield from ((ENGLISH, form, member, kind) for form in english_forms(member))
            for language, names in declared.member_names.items():
                yield from ((language, form, member, kind) for form in names.get(member, ()))


def english_forms(name: str) -> Iterator[str]:
    """A name as words, and how several are called."""
    plain = name.replace("_", " ")
    yield from (plain, f"{plain}s", f"{plain}es")
    yield from (f"{plain.removesuffix(end)}{plural}" for end, plural in PLURALS if plain.endswith(end))


@frozen
class Mention:
    """Words of a sentence that name something, what they may mean, and the words before and behind them."""

    before: str
    form: str
    behind: str
    meanings: Meanings

    def is_of(self, *sorts: Sort) -> bool:
        """Whether it can mean nothing of another sort."""
        return all(one.sort in sorts for one in self.meanings)

    def names(self, *sorts: Sort) -> set[str]:
        """What of some sorts it may mean."""
        return {one.name for one in self.meanings if one.sort in sorts}


@lru_cache(maxsize=limits.MAX_REMEMBERED_NODES)
def _words_of(text: str) -> tuple[str, ...]:
    """The words of a sentence, of which several checks ask at each number of players."""
    return tuple(match[0].lower() for match in WORD.finditer(HOLE.sub(" ", text)))


def mentions(language: str, text: str, state: BuildState) -> tuple[Mention, ...]:
    """What a sentence names, one after another."""
    return _mentions_once(Same(names_of_things(state)), language, text)


@lru_cache(maxsize=limits.MAX_REMEMBERED_NODES)
def _mentions_once(same: Same[Names], language: str, text: str) -> tuple[Mention, ...]:
    names, found = same.value.get(language, {}), list[Mention]()
    words = _words_of(text) if names else ()
    index = 0
    while index < len(words):
        forms = (" ".join(words[index : index + length]) for length in range(MAX_WORDS, 0, -1))
        form = next((form for form in forms if form in names), "")
        end = index + form.count(" ") + 1
        if form:
            found.append(Mention(" ".join(words[:index]), form, " ".join(words[end:]), names[form]))
        index = end
    return tuple(found)


__all__ = ["NAMES_NEEDED", "Meanings", "Mention", "Named", "Sort", "english_forms", "mentions", "names_of_things"]
