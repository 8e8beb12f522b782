"""A zone or state of a wrong type, which all its uses contradict: reported there, not at each of them.

In: a game with variants at a number of players, and what is wrong with its rules. Out: `Diagnostics` in which errors
that go when one declaration has another type, and none comes instead, are one diagnostic at that declaration. Found by
building the rules with the other type, which takes as long as they are large: only some declarations are tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from rulewright import limits
from rulewright.checker.common.names_in_text import find_names
from rulewright.diagnostics import Diagnostic, Diagnostics, Fix, Related, start_key
from rulewright.document.editing import edit_node
from rulewright.document.size_check import document_size
from rulewright.expr.codes import TYPE_MISMATCH
from rulewright.frozen import replace
from rulewright.model.build import build_rules
from rulewright.model.loader import Composition
from rulewright.source.nodes import MappingNode, ScalarNode, as_mapping

TYPE_KEYS: Final = {"zones": "holds", "state": "type"}  # what a declaration of each section is the type of
SIMPLE_TYPES: Final = ("flag", "0 to 99")  # of states; other types are called like what they are
TYPES: Final = "T"  # the family of their codes
MIN_USES: Final = 2  # that contradict the type: a single one may as well be what is wrong
MAX_TRIALS: Final = 12
MAX_SHOWN_USES: Final = 3


def merge_mistyped_declarations(composition: Composition, built: Diagnostics, diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics, where those that one wrong type causes are one. `built`: all that the rules have, of which
    some may be explained otherwise.
    """
    before = {start_key(one) for one in built if one.severity == "error"}
    errors = [one for one in diagnostics if start_key(one) in before]
    is_of_types = any(one.code.number.startswith(TYPES) for one in errors)
    if not is_of_types or not MIN_USES <= len(errors) <= limits.MAX_CAUSES:
        return diagnostics
    root = composition.document.root
    trials = min(MAX_TRIALS, limits.MAX_BLAME_NODES // max(1, document_size(root)))
    best: tuple[int, str, str, ScalarNode, list[Diagnostic]] | None = None
    for section, name, declared, meant in [*_candidates(root, errors)][:trials]:
        tried = _errors_with(composition, (section, name, TYPE_KEYS[section]), declared, meant)
        after = {start_key(one) for one in tried if one.address.rpartition(".start")[0] != f"{section}.{name}"}
        gone = [one for one in errors if start_key(one) not in after]
        is_better = after <= before and len({one.span for one in gone}) >= MIN_USES
        if is_better and (best is None or len(gone) > best[0]):
            best = len(gone), f"{section}.{name}", meant, declared, gone
    return diagnostics if best is None else _merged(diagnostics, *best[1:])


def _candidates(root: MappingNode, errors: Sequence[Diagnostic]) -> Iterator[tuple[str, str, ScalarNode, str]]:
    """Declarations that are named in several of the lines that are wrong, each with the types that are tried: those
    that the errors or their lines speak of.
    """
    lines = [one.span.source.line_text(one.span.line) for one in errors]
    named = Counter(word for line in lines for word in {*find_names(line)})
    spoken = {word for one in errors for word in find_names(one.message)} | named.keys()
    kinds = [entry.key.text for section in ("kinds", "components") for entry in as_mapping(root.get(section))]
    things = [name for name in (*kinds, "player") if name in spoken]
    wrong = {".".join(one.address.split(".")[:2]) for one in errors}  # what is told of itself is no cause
    for section, key in TYPE_KEYS.items():
        others = things if section == "zones" else [*SIMPLE_TYPES, *things]
        for entry in as_mapping(root.get(section)):
            declared = as_mapping(entry.value).get(key)
            is_wrong = f"{section}.{entry.key.text}" in wrong
            if isinstance(declared, ScalarNode) and not is_wrong and named[entry.key.text] >= MIN_USES:
                for meant in others:
                    if meant != declared.text:
                        yield section, entry.key.text, declared, meant


def _errors_with(
    composition: Composition, parts: tuple[str, ...], declared: ScalarNode, meant: str
) -> list[Diagnostic]:
    """What is wrong with the rules when a declaration has another type."""
    root = edit_node(composition.document.root, parts, lambda _: ScalarNode(meant, meant, declared.span))
    assert isinstance(root, MappingNode)
    tried = Diagnostics()
    document = replace(composition.document, root=root)
    applied = composition.applied_variants
    build_rules(document, composition.players, tried, variants=composition.variant_names, applied=applied)
    return [one for one in tried if one.severity == "error"]


def _merged(
    diagnostics: Diagnostics, address: str, meant: str, declared: ScalarNode, gone: Sequence[Diagnostic]
) -> Diagnostics:
    name = address.rpartition(".")[2]
    verb = "holds" if address.startswith("zones.") else "is of type"
    places = tuple(Related(one.span, f"here: {one.message}") for one in gone[:MAX_SHOWN_USES])
    is_number = meant == SIMPLE_TYPES[1]
    cause = Diagnostic(
        TYPE_MISMATCH,
        declared.span,
        f"`{name}` {verb} `{declared.text}`, and its uses contradict that",
        label=f"{len(gone)} uses need another type",
        help="did you mean a number, like `0 to 9`?" if is_number else f"did you mean `{meant}`?",
        address=address,
        related=places,
        fix=None if is_number else Fix(declared.span, meant, is_certain=False),
    )
    dropped = {id(one) for one in gone}
    merged = Diagnostics()
    merged.extend([cause, *(one for one in diagnostics if id(one) not in dropped)])
    return merged


__all__ = ["merge_mistyped_declarations"]
