"""What things are called that have no sentence of their own: the sentence `names` of their component, for each thing.

In: the sentences of a language, the names of members, components with their rows. Out: a sentence without holes for
each such thing, under the address of its row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeGuard

from rulewright.document.text_addresses import names_address
from rulewright.expr.sentence_template import Hole, PluralHole, SentenceTemplate
from rulewright.expr.tree import FieldAccess, Local
from rulewright.expr.types import ConstantValue, KindInfo, Member, Number, Type
from rulewright.model.rules import ComponentDef

MemberNames = Mapping[str, tuple[str, ...]]  # key of the member → its forms


def is_field_hole(part: str | Hole | PluralHole) -> TypeGuard[Hole]:
    """Whether it prints a field of the thing that has one plain name: a member, or a number."""
    if not isinstance(part, Hole) or not isinstance(part.expr, FieldAccess):
        return False
    return isinstance(part.expr.of, Local) and isinstance(part.expr.type, Member | Number)


def name_things(
    sentences: Mapping[str, SentenceTemplate],
    names: Sequence[MemberNames],
    components: Iterable[ComponentDef],
    kinds: Mapping[str, KindInfo],
) -> dict[str, SentenceTemplate]:
    """The sentences of one language, with those of things that their component names.

    `names`: of members, first in this language, then in those that stand in for it.
    """
    named: dict[str, SentenceTemplate] = {}
    for component in components:
        template = sentences.get(names_address(component.address))
        if template is None or not all(isinstance(part, str) or is_field_hole(part) for part in template.parts):
            continue
        for index, thing in enumerate(component.ids):
            text = "".join(_parts(template, component, index, names, kinds))
            named[f"{component.address}.rows.{thing}"] = SentenceTemplate((text,))
    return {**named, **sentences}


def _parts(
    template: SentenceTemplate,
    component: ComponentDef,
    index: int,
    names: Sequence[MemberNames],
    kinds: Mapping[str, KindInfo],
) -> Iterator[str]:
    for part in template.parts:
        if isinstance(part, str):
            yield part
        elif is_field_hole(part) and isinstance(part.expr, FieldAccess):
            field = part.expr.name
            yield _value_name(component.columns[field][index], component.field_types[field], names, kinds)


def _value_name(value: ConstantValue, type_: Type, names: Sequence[MemberNames], kinds: Mapping[str, KindInfo]) -> str:
    """What a field holds, in words: of a member its name for one, else its id."""
    if not isinstance(type_, Member):
        return str(value)
    info = kinds[type_.kind]
    member = info.members[info.member_values.index(value)] if isinstance(value, int) else ""
    found = next((known[info.name_key(member)] for known in names if known.get(info.name_key(member))), None)
    return found[0] if found else member.replace("_", " ")


__all__ = ["is_field_hole", "name_things"]
