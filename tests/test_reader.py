"""The reader: what becomes of words, where each character stands, and what no file can do to it."""

from __future__ import annotations

import re
import string
import tempfile
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from case_files import compare, expected
from rulewright import bundle, limits
from rulewright.diagnostics import Diagnostics, SourceFile, Span, render_full
from rulewright.source import composer, reader
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode, to_builtins
from rulewright.source.plain_scalars import ErrorNode


def tree(text: str) -> Node:
    diagnostics = Diagnostics()
    node = reader.parse_source(SourceFile("a.yaml", text), diagnostics)
    assert [str(one) for one in diagnostics] == []
    assert node is not None
    return node


def scalar(text: str, key: str = "a") -> ScalarNode:
    node = tree(text)
    assert isinstance(node, MappingNode)
    value = node.get(key)
    assert isinstance(value, ScalarNode)
    return value


def spots(value: ScalarNode) -> list[int]:
    """Where each character of a scalar stands, asked through `part`, as a caret does."""
    return [value.subspan(at, at + 1).start for at in range(len(value.text))]


def names_found(text: str) -> set[str]:
    diagnostics = Diagnostics()
    reader.parse_source(SourceFile("a.yaml", text), diagnostics)
    return {one.code.name for one in diagnostics}


def test_a_key_that_is_too_long_is_called_that() -> None:
    for text in ("{0}: b\n", "c:\n  {0}: b\n"):
        diagnostics = Diagnostics()
        reader.parse_source(SourceFile("a.yaml", text.format("a" * 1100)), diagnostics)
        (one,) = diagnostics
        assert (one.code.name, "1,100 characters is over the limit of 1,024" in one.message) == ("yaml-syntax", True)


@pytest.mark.parametrize("escape", ["\\ud800", "\\uDFFF", "\\U00110000"])
def test_an_escape_for_no_character(escape: str) -> None:
    diagnostics = Diagnostics()
    reader.parse_source(SourceFile("a.yaml", f'a: "b {escape} c"\n'), diagnostics)
    assert [one.message for one in diagnostics] == [f"`{escape}` is not a character"]


# values


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("true", True),
        ("false", False),
        ("0", 0),
        ("7", 7),
        ("-12", -12),
        ('"7"', "7"),
        ("'true'", "true"),
        ("7 of red", "7 of red"),
        ("1.0.0", "1.0.0"),
        ("y", "y"),
        ("nothing", "nothing"),
        ('""', ""),
    ],
)
def test_values(written: str, value: object) -> None:
    found = scalar(f"a: {written}\n")
    assert type(found.value) is type(value)
    assert found.value == value


def test_keys_are_text() -> None:
    node = tree("0: a\n12: b\n'c d': e\n")
    assert isinstance(node, MappingNode)
    assert node.keys() == ("0", "12", "c d")
    assert [entry.key.value for entry in node] == ["0", "12", "c d"]


def test_spans() -> None:
    text = 'list:\n  - a\n  - {b: "c d", e: [f, g]}\n'
    node = tree(text)
    assert isinstance(node, MappingNode)
    whole = node.get("list")
    assert isinstance(whole, SequenceNode)
    assert text[whole.span.start : whole.span.end] == '- a\n  - {b: "c d", e: [f, g]}'
    second = whole.items[1]
    assert isinstance(second, MappingNode)
    assert text[second.span.start : second.span.end] == '{b: "c d", e: [f, g]}'
    first, other = (entry.value for entry in second)
    assert text[first.span.start : first.span.end] == "c d"
    assert text[other.span.start : other.span.end] == "[f, g]"
    assert to_builtins(node) == {"list": ["a", {"b": "c d", "e": ["f", "g"]}]}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "text",
    [
        "a: wörd\n",
        "# ünïcødé 😀\na: 'é 😀'\n",
        "a: >\n  count(é) > 3\n  and x\n",
        'a: "one\n  two \\u00e9 three"\n',
        "a: plain\n  on two lines\n",
        "a: |-\n  first\n\n    deeper\n  last\n",
    ],
)
def test_carets_stand_in_the_text(text: str, newline: str) -> None:
    text = text.replace("\n", newline)
    value = scalar(text)
    for character, spot in zip(value.text, spots(value), strict=True):
        assert text[spot] == character or text[spot] in "\\\r\n"


def test_a_caret_inside_a_folded_expression() -> None:
    text = "a:\n  is: >-\n    count(pool) > 3\n    and pool.sice > 2\n"
    node = tree(text)
    assert isinstance(node, MappingNode)
    inner = node.get("a")
    assert isinstance(inner, MappingNode)
    value = inner.get("is")
    assert isinstance(value, ScalarNode)
    at = value.text.index("sice")
    part = value.subspan(at, at + 4)
    assert (part.line, part.column) == (4, 14)
    assert text[part.start : part.end] == "sice"


def test_the_end_of_a_value_has_a_place() -> None:
    for text in ("a: b\n", "a: >\n  b\n", 'a: "b\\\\"\n', "a: b\n  c\n", 'a: ""\n', "a: |\n\nb: 1\n"):
        value = scalar(text)
        end = value.subspan(len(value.text), len(value.text))
        assert 0 <= end.start <= len(text)


LETTERS = st.text(alphabet="abcé😀xyz", min_size=1, max_size=4)
WORDS = st.lists(LETTERS, min_size=1, max_size=3).map(" ".join)
LINES = st.lists(st.one_of(WORDS, WORDS, st.just("")), min_size=1, max_size=6)
NEWLINES = st.sampled_from(["\n", "\r\n"])


def same_places(text: str, value: ScalarNode) -> None:
    """Each character stands where its place says, or its place holds a line's end that was folded into it."""
    found = spots(value)
    assert found == sorted(found)
    for character, spot in zip(value.text, found, strict=True):
        there = text[spot]
        assert there == character or (character in " \n" and there in "\r\n"), (character, there, spot)


@given(LINES, NEWLINES, st.sampled_from(["", "'", '"']))
def test_places_in_flow_scalars(lines: list[str], newline: str, quote: str) -> None:
    lines[0] = lines[0] or "x"
    lines[-1] = lines[-1] or "x"
    text = f"a: {quote}{(newline + '   ').join(lines)}{quote}{newline}b: c{newline}"
    value = scalar(text)
    assert value.value == yaml.load(text, Loader=yaml.BaseLoader)["a"]
    same_places(text, value)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.one_of(WORDS, st.just(""))), min_size=1, max_size=6),
    NEWLINES,
    st.sampled_from("|>"),
    st.sampled_from(["", "-", "+", "2", "2-", "+2", " # note"]),
    st.integers(0, 2),
)
def test_places_in_block_scalars(
    lines: list[tuple[int, str]], newline: str, style: str, header: str, behind: int
) -> None:
    lines[0] = (0, lines[0][1] or "x")
    body = newline.join("  " + " " * deeper + line if line else " " * min(deeper, 2) for deeper, line in lines)
    text = f"a: {style}{header}{newline}{body}{newline * (behind + 1)}b: c{newline}"
    value = scalar(text)
    assert value.value == yaml.load(text, Loader=yaml.BaseLoader)["a"]
    same_places(text, value)


ESCAPES = ["\\n", "\\t", '\\"', "\\\\", "\\/", "\\x41", "\\u00e9", "\\U0001F600", "\\_", "\\ "]


@given(st.lists(st.one_of(LETTERS, st.sampled_from([*ESCAPES, " ", "\n   ", "\\\n   ", "''"])), min_size=1, max_size=8))
def test_places_of_escapes(pieces: list[str]) -> None:
    text = f'a: "x{"".join(pieces)}x"\n'
    value = scalar(text)
    assert value.value == yaml.load(text, Loader=yaml.BaseLoader)["a"]
    for character, spot in zip(value.text, spots(value), strict=True):
        assert text[spot] == character or text[spot] in "\\\n"


@given(st.lists(st.sampled_from(["a", "é", "''", " ", "\n   "]), max_size=8))
def test_places_of_doubled_quotes(pieces: list[str]) -> None:
    text = f"a: 'x{''.join(pieces)}x'\n"
    value = scalar(text)
    assert value.value == yaml.load(text, Loader=yaml.BaseLoader)["a"]
    same_places(text, value)


# what YAML makes of a file of no diagnostic is what the reader makes of it

PLAIN_WORD = st.text(alphabet=string.ascii_lowercase, min_size=3, max_size=6).filter(
    lambda word: word not in {"yes", "off", "null", "true", "false"}
)
# words that end with a bracket are taken for a list that lacks its beginning
TEXT = st.text(alphabet="ab: é#'\"{}[],\n-", max_size=8).filter(lambda text: text[-1:] not in ("]", "}"))
TREES = st.recursive(
    st.one_of(PLAIN_WORD, st.integers(-999, 999), st.booleans(), TEXT),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.one_of(PLAIN_WORD, st.just("a: b")), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.slow
@given(
    st.dictionaries(PLAIN_WORD, TREES, min_size=1, max_size=4), st.booleans(), st.sampled_from([None, "'", '"', "|"])
)
def test_reads_what_was_written(data: dict[str, object], flow: bool, style: str | None) -> None:
    text = yaml.safe_dump(data, default_flow_style=flow, default_style=style, allow_unicode=True, sort_keys=False)
    if style is not None:
        text = yaml.safe_dump(data, default_flow_style=flow, allow_unicode=True, sort_keys=False)
    assert to_builtins(tree(text)) == data


@pytest.mark.slow
@given(st.text(alphabet="ab :-#{}[],'\"|>&*!%@`?\n\t<~.01é", max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    fast = Diagnostics()
    node = reader.parse_source(SourceFile("a.yaml", text), fast)
    assert node is not None or fast.error_count
    for one in fast:
        assert 0 <= one.span.start <= one.span.end <= len(text) + 1
        assert one.span.line >= 1


@given(st.binary(max_size=30))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    diagnostics = Diagnostics()
    with tempfile.NamedTemporaryFile(suffix=".yaml") as file:
        file.write(data)
        file.flush()
        node = reader.parse_file(Path(file.name), diagnostics, source_path="a.yaml")
    assert node is not None or diagnostics.error_count
    for one in diagnostics:
        render_full(one).encode("utf-8")


# limits


def test_unreadable_file(tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    assert reader.parse_file(tmp_path / "missing.yaml", diagnostics, source_path="rules/missing.yaml") is None
    (one,) = diagnostics
    assert (one.code.name, one.span.source.path) == ("unreadable-file", "rules/missing.yaml")
    diagnostics = Diagnostics()
    assert reader.parse_file(tmp_path, diagnostics) is None
    assert [one.code.name for one in diagnostics] == ["unreadable-file"]


@pytest.mark.parametrize("size", [10, limits.MAX_REMEMBERED_CHARACTERS + 1])
def test_a_text_is_read_once(size: int, tmp_path: Path) -> None:
    """Also that of a large file, which each check of its game asks for."""
    path = tmp_path / "file.yaml"
    path.write_text(f"a: {'x' * size}\n", encoding="utf-8")
    first = reader.parse_file(path, Diagnostics())
    assert reader.parse_file(path, Diagnostics()) is first
    path.write_text(f"a: {'y' * size}\n", encoding="utf-8")
    second = reader.parse_file(path, Diagnostics())
    assert isinstance(second, MappingNode)
    assert to_builtins(second) == {"a": "y" * size}


def test_file_too_large(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    path.write_bytes(b"a: " + b"x" * limits.MAX_FILE_BYTES)
    diagnostics = Diagnostics()
    assert reader.parse_file(path, diagnostics) is None
    assert [one.code.name for one in diagnostics] == ["file-too-large"]
    assert names_found("a: " + "x" * limits.MAX_FILE_BYTES) == {"file-too-large"}


@pytest.mark.slow
def test_too_many_nodes() -> None:
    assert names_found(f"- [{'a, ' * 999}b]\n" * (limits.MAX_NODES // 1000)) == {"too-many-nodes"}


@pytest.mark.parametrize(
    "text",
    ["".join(f"k{number}: 1\n" for number in range(limits.MAX_SIBLINGS + 1)), "- a\n" * (limits.MAX_SIBLINGS + 1)],
)
def test_too_many_side_by_side(text: str) -> None:
    """As many as are allowed are read; with one more reading ends there."""
    tree("".join(text.splitlines(keepends=True)[:-1]))
    assert names_found(text) == {"too-many-nodes"}


@pytest.mark.parametrize("line", ["  a: 1\n", "  - !t a\n", "  - &a a\n", "  - yes\n", "  - a]\n", "  -\n"])
def test_of_very_many_mistakes_the_rest_is_not_looked_for(line: str) -> None:
    diagnostics = Diagnostics()
    assert reader.parse_source(SourceFile("many.yaml", "a:\n" + line * limits.MAX_SIBLINGS), diagnostics) is None
    assert limits.MAX_TEXT_ERRORS < diagnostics.error_count < limits.MAX_TEXT_ERRORS + 3


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? ", "[{a: "])
@pytest.mark.parametrize("loader", [yaml.CSafeLoader, yaml.SafeLoader])
def test_deep_nesting_is_a_diagnostic(opening: str, loader: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composer, "YAML_PARSER", loader)
    assert names_found(opening * 40_000) == {"too-deep"}


def test_as_deep_as_allowed() -> None:
    depth = limits.MAX_NESTING - 1
    tree("a: " + "[" * depth + "]" * depth)
    assert names_found("a: " + "[" * (depth + 1) + "]" * (depth + 1)) == {"too-deep"}


def test_byte_order_mark_shifts_nothing(tmp_path: Path) -> None:
    path = tmp_path / "marked.yaml"
    path.write_bytes("\ufeffa: wörd\n".encode())
    diagnostics = Diagnostics()
    node = reader.parse_file(path, diagnostics)
    assert isinstance(node, MappingNode)
    (entry,) = node
    assert not len(diagnostics)
    assert (entry.key.span.start, entry.value.span.start) == (0, 3)


# after a diagnostic


def test_what_is_broken_says_so() -> None:
    diagnostics = Diagnostics()
    text = "a: yes\nb:\nc: !x d\ne: *f\ng: {is: min(h, i), j: k}\nl: m\n"
    node = reader.parse_source(SourceFile("a.yaml", text), diagnostics)
    assert isinstance(node, MappingNode)
    assert [one.code.name for one in diagnostics] == [
        "yaml-surprise", "empty-value", "yaml-tag", "yaml-anchor", "comma-ends-value",
    ]  # fmt: skip
    assert [isinstance(entry.value, ErrorNode) for entry in node] == [True, True, True, True, False, False]
    inner = node.get("g")
    assert isinstance(inner, MappingNode)
    value = inner.get("is")
    assert isinstance(value, ErrorNode)
    assert value.text == "min(h, i)"
    assert inner.keys() == ("is", "j")


def test_the_first_of_two_keys_stays() -> None:
    diagnostics = Diagnostics()
    node = reader.parse_source(SourceFile("a.yaml", "a: 1\nb: 2\na: 3\n"), diagnostics)
    assert node is not None
    assert to_builtins(node) == {"a": 1, "b": 2}
    (one,) = diagnostics
    assert [related.span.start for related in one.related] == [0]


# the shipped files


@pytest.mark.parametrize("kind", ["rules", "variants"])
def test_shipped_files_are_clean(kind: str) -> None:
    for path in sorted(bundle.bundle_folder(kind).rglob("*.yaml")):
        diagnostics = Diagnostics()
        assert reader.parse_file(path, diagnostics) is not None
        assert [str(one) for one in diagnostics] == []


def test_bundle_prefers_what_is_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site" / "rulewright"
    package.mkdir(parents=True)
    monkeypatch.setattr(bundle, "__file__", str(package / "bundle.py"))
    find = bundle.bundle_folder.__wrapped__
    with pytest.raises(FileNotFoundError, match="no folder"):
        find("rules")
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "rules").mkdir()
    assert find("rules") == tmp_path / "rules"
    (package / "_bundle" / "rules").mkdir(parents=True)
    assert find("rules") == package / "_bundle" / "rules"


# the case files' own machinery


def test_expected_diagnostics() -> None:
    text = "a: b   #! one: piece: of it #! two\nc: d # note\n#!^ three: x\n#!^ four\ne: 'a#! no'\n#! five\n"
    assert expected(text) == [
        (1, "one", "piece: of it"),
        (1, "two", ""),
        (2, "three", "x"),
        (2, "four", ""),
        (6, "five", ""),
    ]


def test_differences_both_ways(tmp_path: Path) -> None:
    path = tmp_path / "case.yaml"
    text = "a: yes   #! yaml-surprise: flag\nb: no\nc: d   #! yaml-surprise\ne: on #! yaml-surprise: date\n"
    path.write_text(text, encoding="utf-8")
    diagnostics = Diagnostics()
    reader.parse_file(path, diagnostics)
    differences = compare(path, diagnostics)
    assert [re.sub(r"^.*?case\.yaml:", "", one)[:20] for one in differences] == [
        "4: expected yaml-sur", "3: expected yaml-sur", "2:4 yaml-surprise: a", "4:4 yaml-surprise: a",
    ]  # fmt: skip


def test_source_of_spans_is_shared() -> None:
    source = SourceFile("a.yaml", "a: b\n")
    node = reader.parse_source(source, Diagnostics())
    assert node is not None
    assert node.span == Span(source, 0, 4)
