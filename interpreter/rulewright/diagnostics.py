"""What is wrong with a rule file, and where: each problem is a value, printed with a caret under its place.

In: spans of source texts and what is wrong with them. Out: `Diagnostics`, a collection of `Diagnostic`s, and their text
for people. Nothing here reads rules.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final, Literal

from rulewright import limits
from rulewright.errors import RulewrightError, printable
from rulewright.frozen import field, frozen
from rulewright.suggestions import NamesHint, WordHint

Severity = Literal["error", "warning"]


@frozen
class SourceFile:
    """The text of a file: `path` as the user would write it, `text` without a byte-order mark.

    `is_option`: not a file but an option of the command line, with its value.
    """

    path: str
    text: str
    is_option: bool = False
    line_starts: Sequence[int] = field(init=False, repr=False)  # offset of each line's first character
    __eq__, __hash__ = object.__eq__, object.__hash__  # as long as a file is, only itself

    def __post_init__(self) -> None:
        lengths = (len(line) + 1 for line in self.text.split("\n")[:-1])
        object.__setattr__(self, "line_starts", array("L", accumulate(lengths, initial=0)))

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1; columns count characters."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line_text(self, number: int) -> str:
        """The text of a line (counted from 1) without its end."""
        start = self.line_starts[number - 1]
        end = self.line_starts[number] - 1 if number < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r")


@frozen
class Span:
    """A range of a source: characters `start` up to, not including, `end`."""

    source: SourceFile
    start: int
    end: int

    @property
    def line(self) -> int:
        """Line of the first character, from 1."""
        return self.source.line_and_column(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the first character, from 1."""
        return self.source.line_and_column(self.start)[1]

    @property
    def text(self) -> str:
        """The characters."""
        return self.source.text[self.start : self.end]

    def contains(self, other: Span) -> bool:
        """Whether `other` lies in this range of the same source."""
        return self.source is other.source and self.start <= other.start and other.end <= self.end

    def __str__(self) -> str:
        path = printable(self.source.path)
        return path if self.source.is_option else f"{path}:{self.line}:{self.column}"


@frozen
class Code:
    """A kind of problem: number (family letter and digits) and kebab-case name, neither ever reused for another."""

    number: str
    name: str
    meaning: str
    severity: Severity = "error"


@frozen
class Related:
    """A second place that a diagnostic refers to."""

    span: Span
    note: str


@frozen
class Fix:
    """What is to be written: the characters of `span` become `text`.

    `is_certain`: `check --fix` makes it; others an editor offers, and a person decides. `also`: other places in the
    file that have the same mistake.
    """

    span: Span
    text: str
    is_certain: bool = True
    also: tuple[Span, ...] = ()

    @property
    def spans(self) -> tuple[Span, ...]:
        """All places that become `text`."""
        return (self.span, *self.also)

    @property
    def title(self) -> str:
        """What it does, as an order."""
        old = self.span.text
        if not self.text and not old.strip(" -"):
            return "leave out the dash" if not self.also else "leave out the dashes"
        if not self.text:
            return "remove an invisible character"
        if "\t" in old:
            return "replace tabs by spaces"
        return f"replace `{old}` by `{self.text}`" if old else f"insert `{self.text}`"


CauseSort = Literal[
    "no keys",
    "more keys",
    "nothing there",
    "no order",
    "no key",
    "no cell",
    "entry key",
    "no section",
    "other section",
    "no language",
    "all of them",
    "condition",
    "mapping",
    "list",
    "wrong type",
    "variant",
    "play",
    "no name",
    "no address",
    "no field",
    "no member",
    "used by",
    "declared",
    "unsaid",
    "cut key",
    "wrong cell",
    "players",
]


@frozen
class Cause:
    """What a diagnostic comes from, for the checks that make one of several. It is shown nowhere.

    | sort | `name` | `meant` |
    |---|---|---|
    | `no keys` | what is declared without keys and used with some | its kinds, as `per` would name them |
    | `more keys` | what is used with more keys than it is declared with | the kinds of the keys of that use |
    | `nothing there` | zones in which there is never anything, with spaces between | |
    | `no order` | a zone whose top is taken although it has none | |
    | `no key` | a key that is missing at the address of the diagnostic | |
    | `no cell` | a field that a row lacks | its component |
    | `entry key` | a key of entries where an entry has its name | the section |
    | `no section` | a section that is missing | |
    | `other section` | the section to which an entry belongs by its keys | |
    | `no language` | what stands where a language code should | |
    | `all of them` | a kind or component where one of its members is needed | |
    | `condition` | a condition where those are needed for which it holds | |
    | `mapping` | what should stand where a mapping does | |
    | `list` | what should stand where a list does | |
    | `wrong type` | what should stand where a text, a number or a flag does | |
    | `variant` | the variant without which a game has not got the problem | |
    | `play` | the state, zone or invariant that failed when the rules were played | the key of the step |
    | `no name` | a name that nothing declares | its `UseOfName` |
    | `no address` | an address at which nothing is, as far as it leads to a name that lacks | |
    | `no field` | a field that is not declared | its component |
    | `no member` | a word that is not a member | its kind |
    | `used by` | the only rule that still uses what a variant removes | |
    | `declared` | the declaration that a diagnostic is about | |
    | `unsaid` | the address whose sentence lacks or may be untrue | |
    | `cut key` | a key that a comma has cut off | |
    | `wrong cell` | how a cell of a row is wrong, whatever it is | |
    | `players` | the number of players, of which the message speaks itself | |
    """

    sort: CauseSort
    name: str = ""
    meant: str = ""


UseOfName = Literal["", "type", "address"]


def missing_name(text: str, use: UseOfName = "") -> Cause:
    """The cause where nothing declares a name. `text`: the name, or an address of which it is the second part.
    `use`: what rules need it for; an `address` only names the rule.
    """
    parts = text.split(".")
    return Cause("no name", parts[1] if len(parts) > 1 else text, use)


@frozen
class Diagnostic:
    """One problem: what is wrong, where, and how to fix it."""

    code: Code
    span: Span
    message: str
    label: str = ""  # printed after the caret
    help: str = ""
    address: str = ""  # of the rule, where there is one
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    cause: Cause | None = None
    expected: tuple[str, ...] = ()  # the first names that could be there, of so many:
    expected_count: int = 0
    replay: str = ""  # the command that shows the game in which it was found

    @property
    def severity(self) -> Severity:
        """`error` when the rules cannot be used because of it, else `warning`."""
        return self.code.severity

    def comes_from(self, sort: CauseSort) -> bool:
        """Whether that is its cause."""
        return self.cause is not None and self.cause.sort == sort

    def cause_name(self, sort: CauseSort) -> str:
        """The name of its cause, if that is of this sort; else nothing."""
        return self.cause.name if self.cause is not None and self.cause.sort == sort else ""

    @property
    def certain_fix(self) -> Fix | None:
        """The fix that `check --fix` would make."""
        return self.fix if self.fix is not None and self.fix.is_certain else None


def _shortened(message: str) -> str:
    """A message without the end of a very long name in it."""
    return message if len(message) <= limits.MAX_MESSAGE_LENGTH else f"{message[: limits.MAX_MESSAGE_LENGTH - 1]}…"


DiagnosticKey = tuple[str, int, int, str]  # equal for the same problem: file, start, end, code name
StartKey = tuple[str, int, str]  # file, start, code name


def start_key(diagnostic: Diagnostic) -> StartKey:
    """Equal for the same problem in two builds from the same files."""
    return diagnostic.span.source.path, diagnostic.span.start, diagnostic.code.name


Hint = str | Callable[[], str]  # how to fix it; one that needs a search is a function, called only when it is shown

MORE_DIAGNOSTICS: Final = Code("Y108", "more-complaints", "more problems than are shown", "warning")


class Diagnostics:
    """The diagnostics collected so far.

    One mistake gives one diagnostic: a second with the same span and code is dropped. Beyond
    `limits.MAX_DIAGNOSTICS` only the first are kept, errors before warnings; the rest are counted, and a last
    diagnostic says how many there were. Hints that need a search are computed for the first
    `limits.MAX_SEARCHED_HINTS`.
    """

    def __init__(self) -> None:
        self._searched_hints = 0
        self._kept: dict[DiagnosticKey, Diagnostic] = {}
        self._uncollected: dict[DiagnosticKey, Severity] = {}  # counted only
        self._kept_count: dict[Severity, int] = {"error": 0, "warning": 0}
        self._error_count = 0
        self.report_count = 0  # how often anything was reported, also what is kept already

    def add(
        self,
        span: Span,
        code: Code,
        message: str,
        *,
        label: str = "",
        help: Hint = "",
        address: str = "",
        related: Iterable[Related] = (),
        fix: Fix | None = None,
        cause: Cause | None = None,
        replay: str = "",
    ) -> None:
        """Collects one diagnostic. `fix`: unless the hint replaces a word in the span, which is then the fix."""
        key = (span.source.path, span.start, span.end, code.name)
        if self._is_new(key, code.severity):
            message, hint = _shortened(message), self._hint_text(help)
            fix = None if span.source.is_option else fix or fix_of_hint(span, hint)
            listed = hint if isinstance(hint, NamesHint | WordHint) else NamesHint("", (), 0)
            self._kept[key] = Diagnostic(code, span, message, label, str(hint), address, tuple(related), fix, cause,
                listed.names, listed.name_count, replay)  # fmt: skip

    def has_room(self, severity: Severity) -> bool:
        """Whether one more is kept; what else is reported is only counted, whatever it says."""
        return self._kept_count[severity] < limits.MAX_DIAGNOSTICS

    def _hint_text(self, hint: Hint) -> str:
        if isinstance(hint, str):
            return hint if len(hint) <= limits.MAX_MESSAGE_LENGTH else _shortened(hint)
        self._searched_hints += 1
        return hint() if self._searched_hints <= limits.MAX_SEARCHED_HINTS else ""

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Collects more diagnostics; of another `Diagnostics` also those that were only counted."""
        if isinstance(diagnostics, Diagnostics):
            self.merge(diagnostics, lambda diagnostic: diagnostic)
            return
        for diagnostic in diagnostics:
            if diagnostic.code is not MORE_DIAGNOSTICS:
                self._keep(diagnostic)

    def second_reading(self) -> Diagnostics:
        """An empty collection for what is read once more, to `correct` this one: it searches for no more hints."""
        others = Diagnostics()
        others._searched_hints = max(0, self._searched_hints - 1)  # the last one is searched for once more
        return others

    def correct(self, others: Diagnostics) -> None:
        """Puts others in the place of those that are about the same."""
        self._kept.update({key: one for key, one in others._kept.items() if key in self._kept})

    def merge(self, other: Diagnostics, change: Callable[[Diagnostic], Diagnostic | None]) -> None:
        """Collects all of another collection, each changed (None: left out), and those that were only counted."""
        for diagnostic in other._kept.values():
            changed = change(diagnostic)
            if changed is not None:
                self._keep(changed)
        kept, counted = self._kept, self._uncollected
        more = {key: each for key, each in other._uncollected.items() if key not in kept and key not in counted}
        counted |= more
        self.report_count += len(more)
        self._error_count += sum(severity == "error" for severity in more.values())

    def _keep(self, diagnostic: Diagnostic) -> None:
        span = diagnostic.span
        key = (span.source.path, span.start, span.end, diagnostic.code.name)
        if self._is_new(key, diagnostic.severity):
            self._kept[key] = diagnostic

    def _is_new(self, key: DiagnosticKey, severity: Severity) -> bool:
        """Whether a diagnostic is to be kept; counts it when there is no room."""
        self.report_count += 1
        if key in self._kept or key in self._uncollected:
            return False
        if self._kept_count[severity] >= limits.MAX_DIAGNOSTICS:
            self._count(key, severity)
            return False
        self._kept_count[severity] += 1
        self._error_count += severity == "error"
        return True

    def _count(self, key: DiagnosticKey, severity: Severity) -> None:
        self.report_count += 1
        self._uncollected[key] = severity
        self._error_count += severity == "error"

    def __repr__(self) -> str:
        """Each diagnostic on a line."""
        return "\n".join(map(render_concise, self)) or "no problems found"

    def __iter__(self) -> Iterator[Diagnostic]:
        shown = sorted(self._kept.values(), key=lambda diagnostic: diagnostic.severity)[: limits.MAX_DIAGNOSTICS]
        shown.sort(key=lambda diagnostic: (diagnostic.span.source.path, diagnostic.span.start, diagnostic.code.number))
        yield from shown
        if hidden := len(self) - len(shown):
            message = f"{hidden} more {'problem' if hidden == 1 else 'problems'} not shown"
            yield Diagnostic(MORE_DIAGNOSTICS, shown[-1].span, message, help="fix these first, then check again")

    def __len__(self) -> int:
        return len(self._kept) + len(self._uncollected)

    @property
    def error_count(self) -> int:
        """How many of them keep the rules from being used."""
        return self._error_count


def fix_of_hint(span: Span, hint: str) -> Fix | None:
    """The fix that a hint means which replaces a word in a span."""
    offsets = hint.offsets_in(span.text) if isinstance(hint, WordHint) else None
    if offsets is None or not isinstance(hint, WordHint):
        return None
    start, end = offsets
    return Fix(Span(span.source, span.start + start, span.start + end), hint.meant, hint.is_certain)


class RulesError(RulewrightError):
    """Rules that cannot be used; `diagnostics` says why."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics
        super().__init__("\n".join(map(render_full, diagnostics)))


def order_for_printing(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Diagnostics in file order; of many, errors first, or they would be lost among the warnings."""
    ordered = list(diagnostics)
    if len(ordered) <= limits.MAX_MIXED_NAMES:
        return ordered
    return sorted(ordered, key=lambda diagnostic: diagnostic.severity)


def render_concise(diagnostic: Diagnostic) -> str:
    """One line: `file:line:column: error[name] message`."""
    return f"{diagnostic.span}: {diagnostic.severity}[{diagnostic.code.name}] {diagnostic.message}"


EXCERPT_LEAD: Final = 60  # characters shown before the span when a line is cut


def _excerpt(span: Span, label: str, width: int) -> list[str]:
    line, column = span.source.line_and_column(span.start)
    text = span.source.line_text(line)
    last_line, last_column = span.source.line_and_column(max(span.end, span.start + 1) - 1)
    length = (last_column if last_line == line else len(text)) - column + 1
    if len(text) > limits.MAX_SOURCE_LINE:
        start = max(0, min(column - 1 - EXCERPT_LEAD, len(text) - limits.MAX_SOURCE_LINE))
        shown = text[start : start + limits.MAX_SOURCE_LINE]
        text = ("…" + shown[1:] if start else shown) + ("…" if start + limits.MAX_SOURCE_LINE < len(text) else "")
        column -= start
        length = min(length, limits.MAX_SOURCE_LINE - column + 1)
    # a tab before the caret stays a tab, so that the caret is below its character
    indent = "".join("\t" if character == "\t" else " " for character in text[: column - 1])
    carets = "^" * max(1, length)
    return [f"{' ' * width} |", f"{line:>{width}} | {text}", f"{' ' * width} | {indent}{carets} {label}".rstrip()]


def render_full(diagnostic: Diagnostic) -> str:
    """The full text of a diagnostic, with its source line and a caret under its span."""
    span = diagnostic.span
    width = len(str(span.line))
    address = f"   {diagnostic.address}" if diagnostic.address else ""
    lines = [
        f"{diagnostic.severity}[{diagnostic.code.name}] {diagnostic.code.number}: {diagnostic.message}",
        f"{' ' * width}--> {span}{address}",
        *_excerpt(span, diagnostic.label, width),
    ]
    lines += [f"{' ' * width}::: {related.span}   {related.note}" for related in diagnostic.related]
    if diagnostic.help:
        lines.append(f"{' ' * width} = help: {diagnostic.help}")
    if diagnostic.replay:
        lines.append(f"{' ' * width} = see it: {diagnostic.replay}")
    return "\n".join(lines)


__all__ = [
    "MORE_DIAGNOSTICS",
    "Cause",
    "CauseSort",
    "Code",
    "Diagnostic",
    "Diagnostics",
    "Fix",
    "Hint",
    "Related",
    "RulesError",
    "Severity",
    "SourceFile",
    "Span",
    "StartKey",
    "fix_of_hint",
    "missing_name",
    "order_for_printing",
    "render_concise",
    "render_full",
    "start_key",
]
