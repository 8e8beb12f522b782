"""What the passes from a document to rules hand to one another, and how one of them is declared.

In: a document, a number of players, the variants applied. Out: a state with a field for each thing that some pass adds;
each field is set once. A pass names the fields it reads (`needs`) and sets (`adds`), and `check_pass_order` holds a
pipeline to that. Two inputs are logs that passes only write: the diagnostics and the usage of names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from rulewright.diagnostics import Diagnostics
from rulewright.document.document import Document
from rulewright.expr.types import Type
from rulewright.frozen import argument_names, field, field_names, frozen, mutable
from rulewright.model import codes
from rulewright.model.actions import ActionDef
from rulewright.model.assessments import Assessments
from rulewright.model.effects import Block
from rulewright.model.expr_reader import ExprReader, Usage
from rulewright.model.judged_rules import JudgedRules
from rulewright.model.rules import (
    ComponentDef,
    Language,
    ParameterDef,
    Passage,
    StateDef,
    ThingDisplay,
    ValueDef,
    ZoneDef,
)
from rulewright.model.sentences import ExprSource, SentenceReader, Sentences
from rulewright.model.steps import SectionBlocks
from rulewright.model.symbol_table import SymbolTable
from rulewright.source.nodes import MappingNode
from rulewright.variants.variant import Variant


@mutable
class BuildState:
    """The inputs of the passes and all that they add. A field that no pass has set yet raises `AttributeError`."""

    document: Document
    players: int
    variants: tuple[str, ...]  # names of the chosen ones
    applied: tuple[Variant, ...]  # all of them, with the overlay for the number of players
    diagnostics: Diagnostics
    usage: Usage = field(default_factory=Usage)
    variant_files: frozenset[str] = field(init=False)  # the paths of the files of what was applied

    # symbols, each table with all that the one before has
    kind_symbols: SymbolTable = field(init=False)
    component_symbols: SymbolTable = field(init=False)
    zone_symbols: SymbolTable = field(init=False)
    state_symbols: SymbolTable = field(init=False)
    action_symbols: SymbolTable = field(init=False)
    symbols: SymbolTable = field(init=False)

    # definitions
    parameters: Mapping[str, ParameterDef] = field(init=False)
    component_rows: Mapping[str, ComponentDef] = field(init=False)  # before it is known where their things start
    components: Mapping[str, ComponentDef] = field(init=False)
    zone_keys: Mapping[str, tuple[tuple[str, Type], ...]] = field(init=False)
    zones: Mapping[str, ZoneDef] = field(init=False)
    values: Mapping[str, ValueDef] = field(init=False)
    states: Mapping[str, StateDef] = field(init=False)
    has_elimination: bool = field(init=False)
    actions: tuple[ActionDef, ...] = field(init=False)
    blocks: tuple[Block, ...] = field(init=False)
    section_blocks: SectionBlocks = field(init=False)
    expr_sources: Mapping[str, tuple[ExprSource, ...]] = field(init=False)  # of choices and clauses, by address
    assessments: Assessments = field(init=False)
    display: MappingNode | None = field(init=False)
    thing_displays: Mapping[str, ThingDisplay] = field(init=False)

    # sentences, as found by each pass that reads some, and all of them
    member_sentences: Sentences = field(init=False)
    step_sentences: Sentences = field(init=False)
    assessment_sentences: Sentences = field(init=False)
    section_sentences: Sentences = field(init=False)
    variant_sentences: Sentences = field(init=False)
    titles: Sentences = field(init=False)
    sentences: Sentences = field(init=False)
    languages: Mapping[str, Language] = field(init=False)

    # the rulebook: what the document says besides the rules, and the same with those sentences
    passages: tuple[Passage, ...] = field(init=False)
    passage_sentences: Sentences = field(init=False)
    book_sentences: Sentences = field(init=False)
    book_languages: Mapping[str, Language] = field(init=False)

    # what checks that go from rule to rule look at
    judged: JudgedRules = field(init=False)

    def __post_init__(self) -> None:
        self.variant_files = frozenset(variant.root.span.source.path for variant in self.applied)

    def reader(self, table: SymbolTable) -> ExprReader:
        """A reader with a table of its own, so that what a pass declares is seen where it is handed on only."""
        return ExprReader(self.document.root, table.copy(), self.diagnostics, self.usage)

    def sentence_reader(self, reader: ExprReader) -> SentenceReader:
        """A reader of sentences with none in it."""
        return SentenceReader(reader, self.document.texts, self.variant_files)


INPUTS: Final = frozenset(argument_names(BuildState))


def skip_never(_: Diagnostics) -> bool:
    """A pass that always runs."""
    return False


def after_errors(diagnostics: Diagnostics) -> bool:
    """A pass that would report what only follows from errors found before."""
    return diagnostics.error_count > 0


def after_reserved_names(diagnostics: Diagnostics) -> bool:
    """A pass that tells rules from what they say of themselves, which a rule named like such a key makes impossible."""
    return any(diagnostic.code is codes.RESERVED_NAME for diagnostic in diagnostics)


@frozen
class Pass:
    """One step of the way to rules: it reads the fields `needs` of a state and sets the fields `adds`.

    `skip`: whether it is left out, in view of what was reported before; what it adds is then not there.
    """

    run: Callable[[BuildState], None]
    needs: frozenset[str]
    adds: frozenset[str]
    skip: Callable[[Diagnostics], bool]

    @property
    def name(self) -> str:
        """The name of its function."""
        return self.run.__name__


def build_pass(
    *, needs: Iterable[str] = (), adds: Iterable[str] = (), skip: Callable[[Diagnostics], bool] = skip_never
) -> Callable[[Callable[[BuildState], None]], Pass]:
    """Declares a function to be a pass."""
    return lambda run: Pass(run, frozenset(needs), frozenset(adds), skip)


def check_pass_order(passes: Iterable[Pass]) -> None:
    """Raises `AssertionError` for a pass that needs what none before it adds, or adds what is there already."""
    available: set[str] = set()
    names = set(field_names(BuildState)) - INPUTS
    for each in passes:
        assert each.needs <= available, f"{each.name} needs {sorted(each.needs - available)}, which no pass has added"
        assert not each.adds & available, f"{each.name} adds {sorted(each.adds & available)} again"
        assert each.adds <= names, f"{each.name} adds {sorted(each.adds - names)}, which is no field of the state"
        available |= each.adds


def run_passes(passes: Iterable[Pass], state: BuildState) -> None:
    """Runs passes one after another."""
    for each in passes:
        if not each.skip(state.diagnostics):
            each.run(state)


__all__ = [
    "BuildState",
    "Pass",
    "after_errors",
    "after_reserved_names",
    "build_pass",
    "check_pass_order",
    "run_passes",
    "skip_never",
]
