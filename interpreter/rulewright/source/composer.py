"""Builds the nodes of one file, and complains of the YAML that rule files do without.

In: a `Source` of ordinary characters and the `Report`. Out: the node of its one document, or None after a complaint.

The nodes are built from the parser's events by a recursion that stops at `limits.MAX_NESTING`: PyYAML's own composer
has no such limit and takes the whole process down with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NoReturn, Protocol, cast

import yaml

from rulewright import limits
from rulewright.diagnostics import Code, Diagnostics, Related, SourceFile, Span
from rulewright.source import codes
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode
from rulewright.source.plain_scalars import ErrorNode
from rulewright.source.scalar_reader import ScalarReader, end_offset, start_offset
from rulewright.source.syntax_errors import explain_syntax_error
from rulewright.source.yaml_failure import (
    NO_BREAK_SPACES,
    SyntaxProblem,
    YamlFailure,
    missing_colon_problem,
    missing_space_problem,
    no_break_space_problem,
    special_character_problem,
)

TAB_INDENT: Final = re.compile(r"^ *(\t[ \t]*)(?=[^\s#])", re.MULTILINE)
PLAIN_KEY: Final = re.compile(r"[\w.-]+\Z")  # nearly every key: there is nothing wrong with it
KEY_AND_BRACE: Final = re.compile(r"([\w-]+)(?:\s+|:)[\[{]")
DIRECTIVE: Final = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*(%[^\r\n]*)")
TRAILING_WORD: Final = re.compile(r",\s*([a-z_]+)(?:\s[^,]*)?\Z")
COLON: Final = re.compile(r"[ \t\r\n]*:")


class _Parser(Protocol):
    def get_event(self) -> yaml.Event | None: ...


class _Loader(Protocol):
    def __call__(self, stream: str) -> _Parser: ...


# the C parser is ten times as fast; where PyYAML was built without it, its own gives the same events
YAML_PARSER: _Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def compose(source: SourceFile, diagnostics: Diagnostics) -> Node | None:
    """The node of the text, or None when the YAML ends before its end."""
    return _Builder(source, diagnostics).document()


class _StopReadingError(Exception):
    """Reading cannot go on; the complaint is in the report."""


class _Builder:
    """What is known while one file is read."""

    def __init__(self, source: SourceFile, diagnostics: Diagnostics) -> None:
        self.source = source
        self.text = source.text
        self.report = diagnostics
        # the stream's end is an event too, so that None is never seen
        self.event = cast(Callable[[], yaml.Event], YAML_PARSER(source.text).get_event)
        self.depth = 0
        self.nodes = 0
        self.scalars = ScalarReader(source, diagnostics)
        self.openers: list[int] = []  # brackets and braces now open
        self.explained: set[int] = set()  # lines whose fault is told: a syntax error there is the same fault

    def add(self, start: int, end: int, code: Code, message: str, *, label: str = "", help: str = "") -> None:
        self.report.add(Span(self.source, start, end), code, message, label=label, help=help)

    def tell(self, found: SyntaxProblem) -> None:
        related = [Related(Span(self.source, start, end), note) for start, end, note in found.related]
        span = Span(self.source, found.start, found.end)
        self.report.add(span, found.code, found.message, label=found.label, help=found.help, related=related)
        self.explained.add(span.line)

    # the document

    def document(self) -> Node | None:
        try:
            self._directive()
            self.event()  # the stream's start
            event = self.event()
            if not isinstance(event, yaml.DocumentStartEvent):
                self._empty()
            event = self.event()
            node = self.node(event)
            self._alone(event, node)
            self.event()  # the document's end
            self._second_document(self.event())
        except yaml.YAMLError as error:
            self._syntax(error)
            return None
        except _StopReadingError:
            return None
        self._tabs()
        return node

    def _empty(self) -> NoReturn:
        help = "begin it with the kind of file it is, such as `game: …`"
        self.add(0, 0, codes.EMPTY_FILE, "this file says nothing", help=help)
        raise _StopReadingError

    def _directive(self) -> None:
        found = DIRECTIVE.match(self.text)
        if found:
            at, end = found.span(1)
            message = "a line with `%` gives orders to the YAML reader"
            self.add(at, end, codes.YAML_DIRECTIVE, message, help="take it out")
            self.explained.add(self.source.line_and_column(at)[0])

    def _alone(self, event: yaml.Event, node: Node) -> None:
        """A file that is one unquoted word: `a:b` alone is text to YAML, and hardly meant so."""
        if isinstance(event, yaml.ScalarEvent) and not event.style:
            if self._missing(event):
                self._empty()
            found = missing_space_problem(self.text, node.span.start)
            if found:
                self.tell(found)

    def _second_document(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.DocumentStartEvent):
            start = start_offset(event)
            help = "a file holds one document: move the rest to a file of its own"
            self.add(start, start + 3, codes.SEVERAL_DOCUMENTS, "a second document begins here", help=help)

    def _syntax(self, error: yaml.YAMLError) -> None:
        at = began = len(self.text)
        problem, context = str(error), ""
        if isinstance(error, yaml.MarkedYAMLError):
            problem, context = error.problem or "", error.context or ""
            if error.problem_mark is not None:
                at = error.problem_mark.index
            began = error.context_mark.index if error.context_mark is not None else at
        opener = self.openers[-1] if self.openers else None
        found = explain_syntax_error(
            YamlFailure(self.text, at, problem, context, began, self.scalars.last_range, opener)
        )
        if self.source.line_and_column(found.start)[0] not in self.explained:
            self.tell(found)

    def _tabs(self) -> None:
        if "\t" not in self.text:
            return
        help = "indent with blanks: YAML takes no tabs"
        for found in TAB_INDENT.finditer(self.text):
            at, end = found.span(1)
            if not any(start < at < stop for start, stop in self.scalars.multiline_ranges):
                self.add(at, end, codes.TAB_INDENTATION, "a line is indented with a tab", label="tab", help=help)

    # mappings and lists

    def node(self, event: yaml.Event) -> Node:
        self.nodes += 1
        if self.nodes > limits.MAX_NODES:
            at = start_offset(event)
            self.add(at, at + 1, codes.TOO_MANY_NODES, f"this file has more than {limits.MAX_NODES} entries")
            raise _StopReadingError
        if type(event) is yaml.ScalarEvent:
            return self.scalars.read(event)
        if isinstance(event, yaml.AliasEvent):
            return self.scalars.reject_alias(event)
        start = start_offset(event)
        if self.depth == limits.MAX_NESTING:
            message = f"this stands within {limits.MAX_NESTING} mappings and lists"
            self.add(start, start + 1, codes.TOO_DEEP, message, label="one too many")
            raise _StopReadingError
        assert isinstance(event, yaml.CollectionStartEvent)
        if event.anchor is not None or event.tag is not None:
            start = self.scalars.skip_properties(start, end_offset(event))
        flow = bool(event.flow_style)
        bracket = flow and self.text[start] in "[{"  # `[a: b]` holds a mapping without braces
        if bracket:
            self.openers.append(start)
        self.depth += 1
        node = self.mapping(start, flow) if isinstance(event, yaml.MappingStartEvent) else self.sequence(start, flow)
        self.depth -= 1
        if bracket:
            self.openers.pop()
        return node

    def sequence(self, start: int, flow: bool) -> Node:
        items: list[Node] = []
        while True:
            event = self.event()
            if type(event) is yaml.SequenceEndEvent:
                break
            item = self.node(event)
            if type(item) is ScalarNode and not item.text and self._missing(event):
                help = "take the dash out, or write something behind it"
                self.add(
                    item.span.start - 1, item.span.start, codes.EMPTY_VALUE, "this list item has no value", help=help
                )
                item = ErrorNode("", "", item.span)
            items.append(item)
        if flow and len(items) > 1:
            items = self._join_items(items)
        end = end_offset(event) if flow else items[-1].span.end
        return SequenceNode(tuple(items), Span(self.source, start, max(end, start + 1)))

    def mapping(self, start: int, flow: bool) -> Node:
        entries: list[Entry] = []
        first: dict[str, ScalarNode] = {}
        cut: dict[int, int] = {}  # entries by number whose value commas have cut, and where it really ends
        broken = False
        end = start + 1
        while True:
            event = self.event()
            if type(event) is yaml.MappingEndEvent:
                break
            key_event = event
            key = self.key(event)
            event = self.event()
            value = self.node(event)
            end = value.span.end
            if key is None:
                continue
            if type(value) is ScalarNode and not value.text and self._missing(event):
                key_end = end_offset(key_event)
                if flow and not COLON.match(self.text, key_end):
                    broken |= self._key_without_colon(start, entries, cut, key, key_end)
                    continue
                help = "write one behind the colon, or take the key out"
                if self.text[end : end + 2] == " #":
                    help = "what follows a blank and a # is a comment: put the value in quotes, or write one before it"
                self.add(key.span.start, key.span.end, codes.EMPTY_VALUE, f"`{key.text}` has no value", help=help)
                value = ErrorNode("", "", value.span)
            earlier = first.setdefault(key.text, key)
            if earlier is key:
                entries.append(Entry(key, value))
            else:
                related = [Related(earlier.span, "the first stands here")]
                message = f"the key `{key.text}` stands twice in one mapping"
                self.report.add(key.span, codes.DUPLICATE_KEY, message, help="keep one of them", related=related)
        for number, really in cut.items():
            entry = entries[number]
            entries[number] = Entry(entry.key, self._joined(entry.value, really))
        if flow:
            end = max(end_offset(event), end)
        span = Span(self.source, start, max(end, start + 1))
        if broken:
            return ErrorNode(self.text[start:end], self.text[start:end], span)
        return MappingNode(tuple(entries), span)

    def key(self, event: yaml.Event) -> ScalarNode | None:
        """The key, its value always text; None after a complaint that there is no using it."""
        before = len(self.report)
        node = self.node(event)
        if type(node) is ScalarNode and type(node.value) is str and PLAIN_KEY.match(node.text):
            return node
        if not isinstance(node, ScalarNode):
            if len(self.report) > before:
                return None  # braces that were meant as text are no key for another reason
            self.add(node.span.start, node.span.end, codes.COMPLEX_KEY, "a key cannot be a list or a mapping",
                     help="if it is text, put it in quotes")  # fmt: skip
            return None
        if not isinstance(event, yaml.ScalarEvent):
            return None  # an alias, or braces that were meant as text
        if not node.text:
            at = node.span.start
            self.add(at, at + 1, codes.EMPTY_KEY, "no key stands before this colon")
            return None
        if type(node.value) is str:
            if event.style:
                return node
            if node.text == "<<":
                help = "write out what is to be merged; variants are the way to change rules"
                self.add(
                    node.span.start,
                    node.span.end,
                    codes.MERGE_KEY,
                    "`<<` merges another mapping into this one",
                    help=help,
                )
                return None
            brace = KEY_AND_BRACE.match(node.text)
            if brace:
                start = node.span.start
                self.tell(
                    missing_space_problem(self.text, start)
                    or missing_colon_problem(self.text, start, start + brace.end(1))
                )
                return None
            if node.text[0] in NO_BREAK_SPACES:
                self.tell(no_break_space_problem(node.span.start))
                return None
            return node
        if isinstance(node.value, bool):
            message = f"as a key, `{node.text}` is a flag to YAML readers"
            help = f'quote it: `"{node.text}"`'
            self.add(node.span.start, node.span.end, codes.YAML_SURPRISE, message, help=help)
        return ScalarNode(node.text, node.text, node.span, node.offsets)

    def _missing(self, event: yaml.Event) -> bool:
        """Whether nothing stands where a value is expected."""
        if not isinstance(event, yaml.ScalarEvent) or event.value:
            return False
        return not event.style and event.tag is None and event.anchor is None

    # commas that cut a value: `{is: min(a, b)}` is the value `min(a` and a key `b)` without a value

    def _key_without_colon(
        self, start: int, entries: list[Entry], cut: dict[int, int], key: ScalarNode, key_end: int
    ) -> bool:
        """A key inside braces that has neither colon nor value; True if the braces were meant as text."""
        found = missing_space_problem(self.text, key.span.start)
        if found:
            self.tell(found)
        elif not entries:
            self.tell(special_character_problem(self.text, start))
            return True
        elif self._unquoted(entries[-1].value):
            cut[len(entries) - 1] = key_end
        else:
            help = "write a colon and a value behind it, or put text with commas in quotes"
            self.add(key.span.start, key.span.end, codes.EMPTY_VALUE, f"`{key.text}` has no value", help=help)
        return False

    def _join_items(self, items: list[Node]) -> list[Node]:
        """Puts items of a list in brackets together that commas between parentheses have cut."""
        whole: list[Node] = []
        pieces: list[Node] = []  # of one value, as long as its parentheses are open
        depth = 0
        for item in items:
            text = item.text if isinstance(item, ScalarNode) and self._unquoted(item) else ""
            depth += text.count("(") - text.count(")")
            pieces.append(item)
            if depth <= 0 or not text:
                whole.append(self._joined(pieces[0], pieces[-1].span.end))
                pieces, depth = [], 0
        if pieces:
            whole.append(self._joined(pieces[0], pieces[-1].span.end))
        return whole

    def _unquoted(self, node: Node) -> bool:
        return isinstance(node, ScalarNode) and bool(node.text) and self.text[node.span.start - 1] not in "\"'"

    def _joined(self, first: Node, end: int) -> Node:
        """A value that goes on to `end` behind commas; complains of the first comma, if there is one."""
        if end <= first.span.end:
            return first
        comma = self.text.index(",", first.span.end)
        whole = self.text[first.span.start : end]
        shown = " ".join(whole.split())
        help = f'write `"{shown}"`' if '"' not in shown and len(shown) < 80 else ""
        word = TRAILING_WORD.search(whole)
        if help and word:
            help += f"; or `{word[1]}: …`, if that is a key"
        message = "a comma ends the value here; quote the expression"
        self.add(comma, comma + 1, codes.COMMA_ENDS_VALUE, message, help=help)
        return ErrorNode(whole, whole, Span(self.source, first.span.start, end))


__all__ = ["YAML_PARSER", "compose"]
