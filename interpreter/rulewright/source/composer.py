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
from rulewright.diagnostics import Cause, Code, Diagnostics, Related, SourceFile, Span
from rulewright.lazy_pattern import lazy_pattern, patterns_compiled_later
from rulewright.source import codes
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode
from rulewright.source.plain_scalars import ErrorNode
from rulewright.source.scalar_reader import ScalarReader, end_offset, start_offset
from rulewright.source.yaml_failure import (
    NO_BREAK_SPACES,
    SyntaxProblem,
    TextCorrection,
    YamlFailure,
    foreign_comment_problem,
    missing_colon_problem,
    missing_key_problem,
    missing_space_problem,
    no_break_space_problem,
    special_character_problem,
)

with patterns_compiled_later():
    import yaml

TAB_INDENT: Final = lazy_pattern(r"^ *(\t[ \t]*)(?=[^\s#])", re.MULTILINE)
PLAIN_KEY: Final = lazy_pattern(r"[\w.-]+\Z")  # nearly every key: nothing else need be checked
KEY_AND_BRACE: Final = lazy_pattern(r"([\w-]+)(?:\s+|:)[\[{]")
DIRECTIVE: Final = lazy_pattern(r"(?:[ \t]*(?:#[^\n]*)?\n)*+(%[^\r\n]*)")
# `order shuffled` behind a value of one word: a key without its colon
_JOINING: Final = r"(?!(?:is|in|to|of|and|or|but|not)\b)"
KEY_WITHOUT_COLON: Final = lazy_pattern(
    rf"[a-z0-9_.]+(?:\([^()]*\))?,\s*{_JOINING}([a-z_]{{2,}})\s+{_JOINING}([^,]+)\Z"
)
LANGUAGE_BEFORE: Final = r"[{,]\s*[a-z]{2}:\s*\Z"  # like the next, compiled where a value is wrong
LANGUAGE_WITHOUT_COLON: Final = r".*,\s*(de|en|es|fr|nl|pl|pt)\s+([^,]+)\Z"  # those that are no words
# by what stands before a value: what shows that a key of the language follows it, though its colon is missing
KEYS_WITHOUT_COLON: Final = (
    (LANGUAGE_BEFORE, LANGUAGE_WITHOUT_COLON),
    (r"\b(?:set|roll|move|from|reveal):\s*\Z", r"[^,]*,\s*(to|from|weights)\s+(.+)\Z"),
    ("", r"[^,]*,\s*(end_game|winners|if_unable|extra_turn|seen_by|at_most|for_each|one_of|some_of)\s+([^,]+)\Z"),
)
COUNTED_WITHOUT_COLON: Final = r"([a-z][a-z0-9_]*)\s+(-?[0-9]+)"
QUOTED_WITHOUT_COLON: Final = rf"{_JOINING}([a-z_]{{2,}})\s+(.+)"  # behind a value in quotes
KEY_BEHIND_COMMA: Final = lazy_pattern(r"[^{},\n]*\s[^{},\n]*,\s*[a-z_]+:\s")  # behind more than one word
GROUPED_NUMBER: Final = lazy_pattern(r"[0-9]{1,3}(?:,[0-9]{3})+")
IN_PRINT_QUOTES: Final = lazy_pattern(r"[“„«]\s*([^“”„«»\"]*?)\s*[”“»]")
NAMES: Final = lazy_pattern(r"[a-z][a-z0-9_]*(?:, [a-z][a-z0-9_]*)+")
ASSIGNED_WORD: Final = lazy_pattern(r",\s*([a-z_]+) *= *([^\s=,][^=,]*)\Z")
TRAILING_WORD: Final = lazy_pattern(r",\s*([a-z_]+)(?:\s[^,]*)?\Z")
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
        self.reported_lines: set[int] = set()  # a syntax error on these is the same mistake

    def add(
        self,
        start: int,
        end: int,
        code: Code,
        message: str,
        *,
        label: str = "",
        help: str = "",
        replacement: TextCorrection | None = None,
        cause: Cause | None = None,
    ) -> None:
        self._add(SyntaxProblem(code, start, end, message, label, help, replacement=replacement), cause)

    def add_problem(self, problem: SyntaxProblem) -> None:
        """Reports a mistake after which other problems on its line are no news."""
        self._add(problem)
        self.reported_lines.add(self.source.line_and_column(problem.start)[0])

    def _add(self, problem: SyntaxProblem, cause: Cause | None = None) -> None:
        related = [Related(Span(self.source, start, end), note) for start, end, note in problem.related]
        span, fix = Span(self.source, problem.start, problem.end), problem.fix(self.source)
        self.diagnostics.add(
            span,
            problem.code,
            problem.message,
            label=problem.label,
            help=problem.help,
            related=related,
            fix=fix,
            cause=cause,
        )

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
        self.add(0, 0, codes.EMPTY_FILE, "empty file", help=hint)
        raise _StopComposingError

    def _report_directive(self) -> None:
        match = DIRECTIVE.match(self.text)
        if match:
            start, end = match.span(1)
            message = "YAML directives are not supported"
            self.add(start, end, codes.YAML_DIRECTIVE, message, help="remove it")
            self.reported_lines.add(self.source.line_and_column(start)[0])

    def _check_bare_text(self, event: yaml.Event, node: Node) -> None:
        """A file that is one plain scalar: `a:b` alone is text to YAML, which is hardly what was meant."""
        if isinstance(event, yaml.ScalarEvent) and not event.style:
            if self._is_missing(event):
                self._report_empty()
            problem = missing_space_problem(self.text, node.span.start)
            if problem:
                self.add_problem(problem)

    def _report_second_document(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.DocumentStartEvent):
            start = start_offset(event)
            hint = "a file holds one document: remove this line, or move the rest to another file"
            self.add(start, start + 3, codes.SEVERAL_DOCUMENTS, "unexpected second document", help=hint)

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
        line = self.source.line_and_column(problem.start)[0]
        above = self.source.line_text(line - 1).lstrip(" ") if line - 1 in self.reported_lines else ""
        if line not in self.reported_lines and not above.startswith(tuple(NO_BREAK_SPACES)):  # its key is misplaced
            self.add_problem(problem)

    def _report_tabs(self) -> None:
        if "\t" not in self.text:
            return
        from rulewright.source.tabs import spaces_for_tabs

        hint = "indent with spaces: YAML does not allow tabs"
        for match in TAB_INDENT.finditer(self.text):
            tab, end = match.span(1)
            if not any(start < tab < stop for start, stop in self.scalars.multiline_ranges):
                message, spaces = "line indented with a tab", spaces_for_tabs(self.text, tab, end)
                self.add(tab, end, codes.TAB_INDENTATION, message, label="tab", help=hint, replacement=spaces)

    def _report_too_deep(self, start: int) -> None:
        message = f"nested deeper than the limit of {limits.MAX_NESTING} mappings and lists"
        self.add(start, start + 1, codes.TOO_DEEP, message, label="over the limit")

    def _has_too_many_errors(self) -> bool:
        """Whether nobody would read what else is wrong; only the first errors are shown."""
        return self.diagnostics.error_count > limits.MAX_TEXT_ERRORS

    def _stop_at(self, offset: int, message: str) -> NoReturn:
        """Reports that there is more than is read."""
        self.add(offset, offset + 1, codes.TOO_MANY_NODES, message, label="over the limit")
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
                self.add(
                    item.span.start - 1, item.span.start, codes.EMPTY_VALUE, "list item without a value", help=hint
                )
                item = ErrorNode("", "", item.span)
            items.append(item)
            if len(items) > limits.MAX_SIBLINGS:
                self._stop_at(item.span.start, f"a list is over the limit of {limits.MAX_SIBLINGS:,} items")
        if flow and len(items) > 1:
            items = self._join_items(items)
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
                    is_text |= self._key_without_colon(start, entries, cut_values, key, key_end)
                    continue
                hint = "write a value after the colon, or remove the key"
                if self.text[end : end + 2] == " #":
                    hint = "text after a space and a # is a comment: put the value in quotes, or write one before it"
                self.add(key.span.start, key.span.end, codes.EMPTY_VALUE, f"missing value for `{key.text}`", help=hint)
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
            entries[index] = Entry(entry.key, self._joined_value(entry.value, value_end))
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
            self.add(node.span.start, node.span.end, codes.COMPLEX_KEY, "a key cannot be a list or a mapping",
                     help="if it is text, put it in quotes")  # fmt: skip
            return None
        if not isinstance(event, yaml.ScalarEvent):
            return None  # an alias, or braces that were meant as text
        if not node.text:
            offset = node.span.start
            self.add(offset, offset + 1, codes.EMPTY_KEY, "missing key before this colon")
            return None
        if type(node.value) is str:
            if event.style:
                return node
            if node.text == "<<":
                hint = "write the keys out; to change rules, write a variant"
                self.add(
                    node.span.start,
                    node.span.end,
                    codes.MERGE_KEY,
                    "YAML merge keys are not supported",
                    help=hint,
                )
                return None
            if node.text[0] == "/" and (problem := foreign_comment_problem(self.text, node.span.start)) is not None:
                self.add_problem(problem)
                return None
            brace = KEY_AND_BRACE.match(node.text)
            if brace:
                start = node.span.start
                self.add_problem(
                    missing_space_problem(self.text, start)
                    or missing_colon_problem(self.text, start, start + brace.end(1))
                )
                return None
            if node.text[0] in NO_BREAK_SPACES:
                self.add_problem(no_break_space_problem(node.span.start))
                return None
            return node
        if isinstance(node.value, bool):
            message = f"YAML reads the key `{node.text}` as a flag"
            hint = f'quote it: `"{node.text}"`'
            self.add(node.span.start, node.span.end, codes.YAML_SURPRISE, message, help=hint)
        return ScalarNode(node.text, node.text, node.span, node.offsets)

    def _is_missing(self, event: yaml.Event) -> bool:
        """Whether a value is expected and there is none."""
        if not isinstance(event, yaml.ScalarEvent) or event.value:
            return False
        return not event.style and event.tag is None and event.anchor is None

    # commas that cut a value: in `{is: min(a, b)}` YAML sees the value `min(a` and the key `b)` without a value

    def _key_without_colon(
        self, start: int, entries: list[Entry], cut_values: dict[int, int], key: ScalarNode, key_end: int
    ) -> bool:
        """Reports a key inside braces without colon and value; True when the braces were meant as text."""
        problem = missing_space_problem(self.text, key.span.start)
        if problem:
            self.add_problem(problem)
        elif not entries and (counted := re.fullmatch(COUNTED_WITHOUT_COLON, key.text)):
            self._add_missing_colon(key.span.start, counted)
            return True
        elif not entries:
            is_cut = KEY_BEHIND_COMMA.match(self.text, key.span.start) is not None
            self.add_problem(
                missing_key_problem(self.text, key.span.start, key_end)
                if is_cut
                else special_character_problem(self.text, start)
            )
            return True
        elif self._is_plain(entries[-1].value):
            cut_values[len(entries) - 1] = key_end
        elif keyless := re.fullmatch(QUOTED_WITHOUT_COLON, key.text):
            self._add_missing_colon(key.span.start, keyless)
        else:
            hint = "write a colon and a value after it, or put text with commas in quotes"
            self.add(key.span.start, key.span.end, codes.EMPTY_VALUE, f"missing value for `{key.text}`", help=hint)
        return False

    def _add_missing_colon(self, start: int, keyless: re.Match[str], otherwise: str = "") -> None:
        """Reports a key and its value, the groups of a match, without a colon. `start`: where the match begins."""
        key, value = keyless.groups()
        hint = f"write `{key}: {value}`{otherwise}"
        begin, end = start + keyless.start(1), start + keyless.end(1)
        self.add(begin, end, codes.MISSING_COLON, f"missing colon after `{key}`", help=hint)

    def _join_items(self, items: list[Node]) -> list[Node]:
        """Joins items of a list in brackets that were cut by commas inside parentheses."""
        joined: list[Node] = []
        parts: list[Node] = []  # of one value, while its parentheses are open
        depth = 0
        for item in items:
            text = item.text if isinstance(item, ScalarNode) and self._is_plain(item) else ""
            depth += text.count("(") - text.count(")")
            parts.append(item)
            if depth <= 0 or not text:
                joined.append(self._joined_value(parts[0], parts[-1].span.end))
                parts, depth = [], 0
        if parts:
            joined.append(self._joined_value(parts[0], parts[-1].span.end))
        return joined

    def _is_plain(self, node: Node) -> bool:
        return isinstance(node, ScalarNode) and bool(node.text) and self.text[node.span.start - 1] not in "\"'"

    def _joined_value(self, first: Node, end: int) -> Node:
        """A value that continues to `end` after commas; reports the first of them, if there is one."""
        if end <= first.span.end:
            return first
        comma = self.text.index(",", first.span.end)
        whole = self.text[first.span.start : end]
        keyless = KEY_WITHOUT_COLON.fullmatch(whole)
        text_before = self.text[max(0, first.span.start - limits.MAX_QUOTED_EXPRESSION) : first.span.start]
        for before, pattern in KEYS_WITHOUT_COLON if keyless is None else ():
            if re.search(before, text_before):
                keyless = keyless or re.fullmatch(pattern, whole)
        if keyless:
            self._add_missing_colon(first.span.start, keyless, "; if it is part of the value before, quote that")
            return first
        quoted = " ".join(whole.split())
        hint = f'write `"{quoted}"`' if '"' not in quoted and len(quoted) < limits.MAX_QUOTED_EXPRESSION else ""
        message = "a comma ends the value here; quote the expression"
        if GROUPED_NUMBER.fullmatch(quoted):
            hint = f"a number has no commas: write `{quoted.replace(',', '')}`"
            self.add(comma, comma + 1, codes.COMMA_ENDS_VALUE, "a comma ends the number here", help=hint)
            return ErrorNode(whole, whole, Span(self.source, first.span.start, end))
        in_print = IN_PRINT_QUOTES.fullmatch(quoted) if hint else None
        if in_print is not None:
            message = "a comma ends the value here"
            hint = f'these are quotation marks of print; write `"{in_print[1]}"`'
        key = TRAILING_WORD.search(whole) if in_print is None else None
        before = whole[: key.start()] if key else ""
        replacement, cause = None, None
        if hint and NAMES.fullmatch(quoted):
            message, hint = "a comma ends the value here", f"write `[{quoted}]` for a list of names"
        assigned = ASSIGNED_WORD.search(whole) if key else None
        if assigned is not None and before.count("(") == before.count(")"):
            message = "a comma ends the value here"
            hint = f"write `{assigned[1]}: {assigned[2]}`, with a colon"
        elif hint and key and before.count("(") == before.count(")"):
            hint += f"; or `{key[1]}: …`, if that is a key"
            cause = Cause("cut key", key[1])
        elif hint and "\n" not in whole and "\\" not in whole:
            text = whole if in_print is None else in_print[1]
            replacement = TextCorrection(first.span.start, end, f'"{text}"')
        self.add(comma, comma + 1, codes.COMMA_ENDS_VALUE, message, help=hint, replacement=replacement, cause=cause)
        return ErrorNode(whole, whole, Span(self.source, first.span.start, end))


__all__ = ["YAML_PARSER", "compose"]
