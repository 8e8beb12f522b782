"""Builds the nodes of one file, and reports the YAML features that rule files do not have.

In: a `SourceFile` without invisible characters, and the `Diagnostics`. Out: the node of its one document, or None when
the YAML could not be parsed to its end.

The nodes are built from the parser's events by a recursion that stops at `limits.MAX_NESTING`: PyYAML's own composer
has no such limit and crashes the whole process.
"""

from __future__ import annotations

import re
from typing import Final, NoReturn, Protocol

from rulewright import limits
from rulewright.diagnostics import Diagnostics, Related, SourceFile, Span
from rulewright.lazy_pattern import lazy_pattern, patterns_compiled_later
from rulewright.source import codes
from rulewright.source.cut_values import CutValues
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode
from rulewright.source.plain_scalars import ErrorNode
from rulewright.source.scalar_reader import ScalarReader, end_offset, start_offset
from rulewright.source.syntax_reporter import SyntaxReporter
from rulewright.source.yaml_failure import (
    NO_BREAK_SPACES,
    YamlFailure,
    foreign_comment_problem,
    missing_colon_problem,
    missing_space_problem,
    no_break_space_problem,
)

with patterns_compiled_later():
    import yaml

TAB_INDENT: Final = lazy_pattern(r"^ *(\t[ \t]*)(?=[^\s#])", re.MULTILINE)
PLAIN_KEY: Final = lazy_pattern(r"[\w.-]+\Z")  # nearly every key: nothing else need be checked
KEY_AND_BRACE: Final = lazy_pattern(r"([\w-]+)(?:\s+|:)[\[{]")
DIRECTIVE: Final = lazy_pattern(r"(?:[ \t]*(?:#[^\n]*)?\n)*+(%[^\r\n]*)")
COLON: Final = lazy_pattern(r"[ \t\r\n]*:")


class _Parser(Protocol):
    def get_event(self) -> yaml.Event: ...  # the end of the stream is an event too, so never None


class _Loader(Protocol):
    def __call__(self, stream: str) -> _Parser: ...


# the C parser is ten times faster; where PyYAML was built without it, its Python parser gives the same events
YAML_PARSER: _Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# what a C parser from 0.2.6 on says of a thousand levels: it reads ahead of its events, so it may come upon them first
PARSER_TOO_DEEP = "exceeded maximum nesting depth"


def compose(source: SourceFile, diagnostics: Diagnostics) -> Node | None:
    """The node of the text, or None when it cannot be parsed to its end."""
    return _Composer(source, diagnostics).document()


class _StopComposingError(Exception):
    """The rest of the file cannot be composed; why has been reported."""


class _Composer:
    """Composes one file from the parser's events."""

    def __init__(self, source: SourceFile, diagnostics: Diagnostics) -> None:
        self.source = source
        self.text = source.text
        self.diagnostics = diagnostics
        self.event = YAML_PARSER(source.text).get_event
        self.depth = 0
        self.node_count = 0
        self.scalars = ScalarReader(source, diagnostics)
        self.open_brackets: list[int] = []  # offsets of the brackets and braces that are open
        self.report = SyntaxReporter(source, diagnostics)
        self.cut_values = CutValues(self.report)

    # the document

    def document(self) -> Node | None:
        try:
            self._report_directive()
            self.event()  # the stream's start
            event = self.event()
            if not isinstance(event, yaml.DocumentStartEvent):
                self._report_empty()
            event = self.event()
            node = self.node(event)
            self._check_bare_text(event, node)
            self.event()  # the document's end
            self._report_second_document(self.event())
        except yaml.YAMLError as error:
            self._report_syntax_error(error)
            return None
        except _StopComposingError:
            return None
        self._report_tabs()
        return node

    def _report_empty(self) -> NoReturn:
        hint = "begin it with the kind of file, such as `game: …`, or `part_of: …` for a part of a game"
        self.report.add(0, 0, codes.EMPTY_FILE, "empty file", help=hint)
        raise _StopComposingError

    def _report_directive(self) -> None:
        match = DIRECTIVE.match(self.text)
        if match:
            start, end = match.span(1)
            message = "YAML directives are not supported"
            self.report.add(start, end, codes.YAML_DIRECTIVE, message, help="remove it")
            self.report.reported_lines.add(self.source.line_and_column(start)[0])

    def _check_bare_text(self, event: yaml.Event, node: Node) -> None:
        """A file that is one plain scalar: `a:b` alone is text to YAML, which is hardly what was meant."""
        if isinstance(event, yaml.ScalarEvent) and not event.style:
            if self._is_missing(event):
                self._report_empty()
            problem = missing_space_problem(self.text, node.span.start)
            if problem:
                self.report.add_problem(problem)

    def _report_second_document(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.DocumentStartEvent):
            start = start_offset(event)
            hint = "a file holds one document: remove this line, or move the rest to another file"
            self.report.add(start, start + 3, codes.SEVERAL_DOCUMENTS, "unexpected second document", help=hint)

    def _report_syntax_error(self, error: yaml.YAMLError) -> None:
        from rulewright.source.syntax_errors import explain_syntax_error  # most files have none

        offset = context_offset = len(self.text)
        description, context = str(error), ""
        if isinstance(error, yaml.MarkedYAMLError):
            description, context = error.problem or "", error.context or ""
            if error.problem_mark is not None:
                offset = error.problem_mark.index
            context_offset = error.context_mark.index if error.context_mark is not None else offset
        if PARSER_TOO_DEEP in description:
            self._report_too_deep(offset)
            return
        opener = self.open_brackets[-1] if self.open_brackets else None
        problem = explain_syntax_error(
            YamlFailure(self.text, offset, description, context, context_offset, self.scalars.last_range, opener)
        )
        line, reported_lines = self.source.line_and_column(problem.start)[0], self.report.reported_lines
        above = self.source.line_text(line - 1).lstrip(" ") if line - 1 in reported_lines else ""
        if line not in reported_lines and not above.startswith(tuple(NO_BREAK_SPACES)):  # its key is misplaced
            self.report.add_problem(problem)

    def _report_tabs(self) -> None:
        if "\t" not in self.text:
            return
        from rulewright.source.tabs import spaces_for_tabs

        hint = "indent with spaces: YAML does not allow tabs"
        tabs = [match.span(1) for match in TAB_INDENT.finditer(self.text)]
        ranges = self.scalars.multiline_ranges
        tabs = [span for span in tabs if not any(start < span[0] < stop for start, stop in ranges)]
        for number, (tab, end) in enumerate(tabs):
            spaces = spaces_for_tabs(self.text, tab, end) if number == 0 else None  # which are those of all of them
            message = "line indented with a tab"
            self.report.add(tab, end, codes.TAB_INDENTATION, message, label="tab", help=hint, replacement=spaces)

    def _report_too_deep(self, start: int) -> None:
        message = f"nested deeper than the limit of {limits.MAX_NESTING} mappings and lists"
        self.report.add(start, start + 1, codes.TOO_DEEP, message, label="over the limit")

    def _has_too_many_errors(self) -> bool:
        """Whether nobody would read what else is wrong; only the first errors are shown."""
        return self.diagnostics.error_count > limits.MAX_TEXT_ERRORS

    def _stop_at(self, offset: int, message: str) -> NoReturn:
        """Reports that there is more than is read."""
        self.report.add(offset, offset + 1, codes.TOO_MANY_NODES, message, label="over the limit")
        raise _StopComposingError

    # mappings and lists

    def node(self, event: yaml.Event) -> Node:
        self.node_count += 1
        if self.node_count > limits.MAX_NODES:
            self._stop_at(start_offset(event), f"the file is over the limit of {limits.MAX_NODES:,} entries")
        if self.diagnostics.report_count > limits.MAX_TEXT_ERRORS and self._has_too_many_errors():
            raise _StopComposingError
        if type(event) is yaml.ScalarEvent:
            return self.scalars.read(event)
        if isinstance(event, yaml.AliasEvent):
            return self.scalars.reject_alias(event)
        start = start_offset(event)
        if self.depth == limits.MAX_NESTING:
            self._report_too_deep(start)
            raise _StopComposingError
        assert isinstance(event, yaml.CollectionStartEvent)
        if event.anchor is not None or event.tag is not None:
            start = self.scalars.skip_properties(start, end_offset(event))
        flow = bool(event.flow_style)
        bracket = flow and self.text[start] in "[{"  # `[a: b]` contains a mapping without braces
        if bracket:
            self.open_brackets.append(start)
        self.depth += 1
        node = self.mapping(start, flow) if isinstance(event, yaml.MappingStartEvent) else self.sequence(start, flow)
        self.depth -= 1
        if bracket:
            self.open_brackets.pop()
        return node

    def sequence(self, start: int, flow: bool) -> Node:
        items: list[Node] = []
        while True:
            event = self.event()
            if type(event) is yaml.SequenceEndEvent:
                break
            item = self.node(event)
            if type(item) is ScalarNode and not item.text and self._is_missing(event):
                hint = "remove the dash, or write a value after it"
                self.report.add(
                    item.span.start - 1, item.span.start, codes.EMPTY_VALUE, "list item without a value", help=hint
                )
                item = ErrorNode("", "", item.span)
            items.append(item)
            if len(items) > limits.MAX_SIBLINGS:
                self._stop_at(item.span.start, f"a list is over the limit of {limits.MAX_SIBLINGS:,} items")
        if flow and len(items) > 1:
            items = self.cut_values.join_items(items)
        end = end_offset(event) if flow else items[-1].span.end
        return SequenceNode(tuple(items), Span(self.source, start, max(end, start + 1)))

    def mapping(self, start: int, flow: bool) -> Node:
        entries: list[Entry] = []
        keys: dict[str, ScalarNode] = {}
        cut_values: dict[int, int] = {}  # index of an entry whose value was cut by commas → real end of the value
        is_text = False
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
            if type(value) is ScalarNode and not value.text and self._is_missing(event):
                key_end = end_offset(key_event)
                if flow and not COLON.match(self.text, key_end):
                    is_text |= self.cut_values.key_without_colon(start, entries, cut_values, key, key_end)
                    continue
                hint = "write a value after the colon, or remove the key"
                if self.text[end : end + 2] == " #":
                    hint = "text after a space and a # is a comment: put the value in quotes, or write one before it"
                message = f"missing value for `{key.text}`"
                self.report.add(key.span.start, key.span.end, codes.EMPTY_VALUE, message, help=hint)
                value = ErrorNode("", "", value.span)
            first = keys.setdefault(key.text, key)
            if first is key:
                entries.append(Entry(key, value))
                if len(entries) > limits.MAX_SIBLINGS:
                    self._stop_at(key.span.start, f"a mapping is over the limit of {limits.MAX_SIBLINGS:,} keys")
            else:
                related = [Related(first.span, "first defined here")]
                message = f"duplicate key `{key.text}`"
                self.diagnostics.add(key.span, codes.DUPLICATE_KEY, message, help="keep one of them", related=related)
        for index, value_end in cut_values.items():
            entry = entries[index]
            entries[index] = Entry(entry.key, self.cut_values.joined_value(entry.value, value_end))
        if flow:
            end = max(end_offset(event), end)
        span = Span(self.source, start, max(end, start + 1))
        if is_text:
            return ErrorNode(self.text[start:end], self.text[start:end], span)
        return MappingNode(tuple(entries), span)

    def key(self, event: yaml.Event) -> ScalarNode | None:
        """The key, its value always text; None when it cannot be used, which has been reported."""
        known_problems = len(self.diagnostics)
        node = self.node(event)
        if type(node) is ScalarNode and type(node.value) is str and PLAIN_KEY.match(node.text):
            return node
        if not isinstance(node, ScalarNode):
            if len(self.diagnostics) > known_problems:
                return None  # braces that were meant as text have been reported
            self.report.add(node.span.start, node.span.end, codes.COMPLEX_KEY, "a key cannot be a list or a mapping",
                     help="if it is text, put it in quotes")  # fmt: skip
            return None
        if not isinstance(event, yaml.ScalarEvent):
            return None  # an alias, or braces that were meant as text
        if not node.text:
            offset = node.span.start
            self.report.add(offset, offset + 1, codes.EMPTY_KEY, "missing key before this colon")
            return None
        if type(node.value) is str:
            if event.style:
                return node
            if node.text == "<<":
                hint = "write the keys out; to change rules, write a variant"
                self.report.add(
                    node.span.start,
                    node.span.end,
                    codes.MERGE_KEY,
                    "YAML merge keys are not supported",
                    help=hint,
                )
                return None
            if node.text[0] == "/" and (problem := foreign_comment_problem(self.text, node.span.start)) is not None:
                self.report.add_problem(problem)
                return None
            brace = KEY_AND_BRACE.match(node.text)
            if brace:
                start = node.span.start
                self.report.add_problem(
                    missing_space_problem(self.text, start)
                    or missing_colon_problem(self.text, start, start + brace.end(1))
                )
                return None
            if node.text[0] in NO_BREAK_SPACES:
                self.report.add_problem(no_break_space_problem(node.span.start))
                return None
            return node
        if isinstance(node.value, bool):
            message = f"YAML reads the key `{node.text}` as a flag"
            hint = f'quote it: `"{node.text}"`'
            self.report.add(node.span.start, node.span.end, codes.YAML_SURPRISE, message, help=hint)
        return ScalarNode(node.text, node.text, node.span, node.offsets)

    def _is_missing(self, event: yaml.Event) -> bool:
        """Whether a value is expected and there is none."""
        if not isinstance(event, yaml.ScalarEvent) or event.value:
            return False
        return not event.style and event.tag is None and event.anchor is None


__all__ = ["YAML_PARSER", "compose"]
