"""The rules of one game for one number of players: every name resolved, every expression typed, all of it frozen.

In: nothing. Out: the classes of the rule model. Every engine, checker and renderer reads these and never the files.
Places are numbered: those of a zone one after another in key order, zones in the order of the files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal

from rulewright.diagnostics import Span
from rulewright.expr.sentence_template import SentenceTemplate
from rulewright.expr.tree import Expr, Place
from rulewright.expr.types import ConstantValue, KindInfo, Member, Thing, Type
from rulewright.frozen import field, frozen
from rulewright.model.actions import ActionDef
from rulewright.model.effects import Block

DECLINE_TEXT: Final = "decline"  # what declines, in notation; no action has this name
ELIMINATION_STATE: Final = "left"  # the state that says who has left the game, where seats can
SeenBy = Literal["all", "nobody", "owner", "others"]  # who sees what is in a zone
ResetScope = Literal["", "turn", "round", "block"]  # with what a state begins anew; "": never
InvariantScope = Literal["step", "turn", "round"]  # after what an invariant is checked
PassageRole = Literal["", "example", "note"]


@frozen
class Provenance:
    """What a rule node says about itself: its source (work id, section), its status, where it is and what it
    replaced.
    """

    address: str
    span: Span
    source: tuple[tuple[str, str], ...] = ()
    status: str = ""
    history: tuple[Span, ...] = ()
    variant: str = ""  # the chosen variant that wrote it, if one did


@frozen
class ParameterDef:
    """A named constant: one run-time value, or one for each member of `per`."""

    name: str
    type: Type
    key_types: tuple[Type, ...]
    value: ConstantValue
    values_by_key: Mapping[int, ConstantValue] | None = None


@frozen
class ComponentDef:
    """Things with identity: for each field the value of every row. The row is in slot 0 of `initial_place`."""

    name: str
    ids: tuple[str, ...]
    field_types: Mapping[str, Type]
    columns: Mapping[str, tuple[ConstantValue, ...]]
    initial_place: Place | None  # None: a table for reference
    first_index: int  # number of its first thing among all things in places
    address: str
    span: Span


@frozen
class ZoneDef:
    """A family of places. `first_index` is the number of its first place; keys in order, the last running fastest.
    `capacity`, `refill` and `initial_content` are evaluated for each place with its keys in the first slots; they read
    no position.
    """

    name: str
    content_type: Member | Thing
    key_types: tuple[Type, ...]
    key_names: tuple[str, ...]
    key_values: tuple[tuple[int, ...], ...]  # run-time values each key runs over
    first_index: int
    size: int  # how many places
    capacity: Expr | None
    is_shuffled: bool
    is_arrival_ordered: bool
    refill: Place | None
    initial_content: Expr | None  # of a pool: what each place holds at first
    seen_by: SeenBy
    owner_key: int | None  # which key is the seat
    is_forgetful: bool
    address: str
    span: Span

    @property
    def is_pool(self) -> bool:
        """Whether its places hold a bag rather than things."""
        return isinstance(self.content_type, Member)

    @property
    def piece_kind(self) -> str:
        """The kind of the pieces of a pool."""
        assert isinstance(self.content_type, Member)
        return self.content_type.kind


@frozen
class ValueDef:
    """A derived quantity; a sum of named terms less other named terms, or one expression (a single term)."""

    name: str
    type: Type
    key_types: tuple[Type, ...]
    terms: tuple[tuple[str, Expr], ...]
    deductions: tuple[tuple[str, Expr], ...]
    source_texts: tuple[str, ...] = ()  # the terms and the deductions as written


@frozen
class StateDef:
    """A number, flag or member that steps set; one for each combination of keys, numbered from `first_index`.

    `block_address`: the steps that it belongs to; it begins anew with them, and only they and what they run use it.
    """

    name: str
    type: Type
    key_types: tuple[Type, ...]
    key_values: tuple[tuple[int, ...], ...]
    first_index: int
    size: int
    initial_value: Expr  # with the keys in the first slots
    reset_scope: ResetScope
    address: str
    block_address: str = ""

    @property
    def is_shown(self) -> bool:
        """Whether people see it: on the board, in the log, in views."""
        return not self.block_address


@frozen
class Criterion:
    """One line of the ranking, over a seat."""

    address: str
    is_maximized: bool
    of: Expr
    source_text: str = ""  # the expression as written


@frozen
class Invariant:
    """What must hold after every step, turn or round."""

    address: str
    after: InvariantScope
    condition: Expr
    source_text: str  # of what must hold
    span: Span
    cost: int  # a bound on the steps of checking it once


@frozen
class Measure:
    """What simulations report, for the whole game or for each seat."""

    name: str
    is_per_seat: bool
    of: Expr


@frozen
class WeightedTerm:
    """One weighted expression with which bots evaluate a position for a seat.

    `when`: it counts only for a seat that decides where this holds.
    """

    name: str
    weight: int
    of: Expr
    when: Expr | None = None


@frozen
class Strategy:
    """A way to play: weighted expressions with which a bot of this name evaluates positions."""

    name: str
    terms: tuple[WeightedTerm, ...]


@frozen
class Passage:
    """What the rulebook says besides the rules, in a chapter or at the address of a rule.

    Its sentences are at `address` and at `address.title`. `about`: the addresses besides its topic of which it speaks.
    `variant`: whose words these are, where several variants write it differently.
    """

    name: str
    topic: str
    role: PassageRole
    address: str
    when: Expr | None  # known before play: it is printed only where this holds
    about: tuple[str, ...] = ()
    variant: str = ""


@frozen
class Language:
    """Sentences by address, names of members with their plural forms, and the program's messages."""

    code: str
    sentences: Mapping[str, SentenceTemplate]
    member_names: Mapping[str, tuple[str, ...]]
    messages: Mapping[str, str]
    plural_rules: tuple[Expr, ...]  # over `n`: the first that holds picks the form; none: the last form


@frozen
class ThingLine:
    """A line that a thing shows, by language; `when`: only where this holds of the thing, variable 0."""

    texts: Mapping[str, SentenceTemplate]
    when: Expr | None = None


@frozen
class ThingDisplay:
    """What things of a component show: a heading and lines, by language; the thing is variable 0 of their holes."""

    titles: Mapping[str, SentenceTemplate]
    lines: tuple[ThingLine, ...]


@frozen
class Book:
    """What only the rulebook says. `languages` and `provenance`: those of the rules, with what the passages have."""

    passages: tuple[Passage, ...]
    languages: Mapping[str, Language]
    provenance: Mapping[str, Provenance]


@frozen
class Explanations:
    """What is said about rules, and is not needed to play by them. Each part is read when it is first asked for, and
    raises `RulesError` when its file has errors.
    """

    provenance: Callable[[], Mapping[str, Provenance]]  # by address
    works: Callable[[], Mapping[str, Mapping[str, str]]]  # the sources, by id
    book: Callable[[], Book]
    digest: Callable[[], str]
    text_digest: Callable[[], str]


@frozen
class Rules:
    """A game for a number of players with variants."""

    game: str
    version: str
    players: int
    variants: tuple[str, ...]
    implied_variants: tuple[str, ...]  # variants that apply by themselves where the chosen ones meet
    kinds: Mapping[str, KindInfo]
    family_members: Mapping[str, tuple[str, ...]]
    parameters: Mapping[str, ParameterDef]
    components: Mapping[str, ComponentDef]
    zones: Mapping[str, ZoneDef]
    values: Mapping[str, ValueDef]
    states: Mapping[str, StateDef]
    actions: tuple[ActionDef, ...]
    blocks: tuple[Block, ...]
    setup: int
    turn: int
    round: int
    finale: int
    ranking: tuple[Criterion, ...]
    invariants: tuple[Invariant, ...]
    measures: tuple[Measure, ...]
    evaluation: tuple[WeightedTerm, ...]
    strategies: tuple[Strategy, ...]
    languages: Mapping[str, Language]
    display: Mapping[str, object]
    thing_displays: Mapping[str, ThingDisplay]  # what is shown of things
    explanations: Explanations = field(repr=False, compare=False)
    has_elimination: bool = False  # whether some step makes a seat leave: then the state `left` says who is gone

    @property
    def provenance(self) -> Mapping[str, Provenance]:
        """Where each rule comes from, by address."""
        return self.explanations.provenance()

    @property
    def digest(self) -> str:
        """The digest of what the rules mean, in the game that was composed, without their sentences."""
        return self.explanations.digest()

    @property
    def text_digest(self) -> str:
        """The digest of all that the files say, sentences and their translations too."""
        return self.explanations.text_digest()

    def find_action(self, name: str) -> ActionDef | None:
        """The action of that name."""
        return next((action for action in self.actions if action.name == name), None)
