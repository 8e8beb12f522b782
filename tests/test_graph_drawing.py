"""Pictures can be read: nothing overlaps, texts fit; and the command that writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import CommandLine, process
from graphs import every_table, picture
from rulewright.diagram.diagrams import DIAGRAMS
from rulewright.diagram.mermaid import escape_mermaid, to_mermaid
from rulewright.diagram.page_layout import layout_diagram
from rulewright.diagram.shapes import EDGE_LABEL_SIZE, SLANT, Box, Connector, EdgeLabel, GroupFrame
from rulewright.diagram.svg import BADGE_SIZE, to_svg
from rulewright.diagram.text_metrics import FONT_SIZE, LINE_HEIGHT, break_lines, text_width
from rulewright.model.loader import load_rules
from rulewright.wording import messages

pytestmark = pytest.mark.slow

MANUAL = Path(__file__).parent.parent / "rules" / "MANUAL.md"
TILES = """
game: tiles
version: 1.0.0
language: 2
text: Tiles
players: 2
components:
  tile: {fields: {}, rows: [{id: t1}, {id: t2}], start: left}
zones:
  left: {holds: tile, order: arrival, seen_by: all}
  right: {holds: tile, order: arrival, seen_by: all}
  out: {holds: tile, seen_by: all}
values: {near: each tile in left where tile not in right}
actions:
  take: {choose: {it: CHOSEN}, do: [take: {move: it, to: out}]}
turn:
  - act: {must: [take], if_unable: nothing}
round:
  - turns: {for_each: player, turn: player}
"""


# ---- what can be read -----------------------------------------------------------------------------------------------


def rounded(box: Box | EdgeLabel | GroupFrame) -> tuple[float, float, float, float]:
    return box.x, box.y, box.x + box.width, box.y + box.height


def overlap(one: Box | EdgeLabel | GroupFrame, other: Box | EdgeLabel | GroupFrame, by: float = 0.5) -> bool:
    left, top, right, bottom = rounded(one)
    a, b, c, d = rounded(other)
    return left + by < c and a + by < right and top + by < d and b + by < bottom


def way(line: Connector) -> Iterator[tuple[float, float]]:
    """Points on a line, close to each other; lines between zones are curves that leave and arrive straight."""
    curved = line.kind in ("move", "refill")
    for (x, y), (a, b) in pairwise(line.points):
        steps = max(2, int((abs(a - x) + abs(b - y)) / 3))
        for step in range(steps + 1):
            t = step / steps
            slow = 3 * t * t - 2 * t * t * t
            yield x + (a - x) * (slow if curved else t), y + (b - y) * ((1.5 * t - 1.5 * t * t + t**3) if curved else t)


def between(one: tuple[float, float], other: tuple[float, float]) -> EdgeLabel:
    """The room between two points."""
    (x, y), (a, b) = one, other
    return EdgeLabel(min(x, a), min(y, b), abs(a - x), abs(b - y), ())


def within(point: tuple[float, float], box: Box) -> bool:
    x, y = point
    aside = SLANT if box.node.kind in ("condition", "chance") else 1.0
    return box.x + aside < x < box.x + box.width - aside and box.y + 1 < y < box.y + box.height - 1


@pytest.mark.parametrize("show", DIAGRAMS)
@every_table
def test_nothing_overlaps_and_every_text_fits(game: str, variants: tuple[str, ...], show: str) -> None:
    diagram = picture(show, game, variants)
    drawing = layout_diagram(diagram)
    boxes = [one for one in drawing.shapes if isinstance(one, Box)]
    frames = [one for one in drawing.shapes if isinstance(one, GroupFrame)]
    labels = [one for one in drawing.shapes if isinstance(one, EdgeLabel)]
    texts: Sequence[Box | EdgeLabel] = [*boxes, *labels]
    assert sorted(box.node.id for box in boxes) == sorted(node.id for node in diagram.nodes)
    for one, other in combinations(texts, 2):
        assert not overlap(one, other), (one, other)
    for box in boxes:
        assert len(box.lines) * LINE_HEIGHT + 12 <= box.height
        assert all(text_width(row.text, bold=row.is_bold) <= box.width - 20 for row in box.lines), box
        words = {mark: text_width(word, size=BADGE_SIZE, bold=True) for mark, word in diagram.legend}
        assert words.get(box.node.mark, 0) + 34 <= box.width
        assert "".join(row.text for row in box.lines).replace("\u00a0", "").replace(" ", "") == "".join(
            box.node.text
        ).replace(" ", "").replace("\u00a0", "")
    for label in labels:
        assert all(
            text_width(row.text, size=EDGE_LABEL_SIZE) <= label.width + 0.5 for row in label.rows if not row.is_bold
        ), label
    for shape in (*texts, *frames):
        left, top, right, bottom = rounded(shape)
        assert left >= 0, shape
        assert top >= 0, shape
        assert right <= drawing.width + 0.5, shape
        assert bottom <= drawing.height + 0.5, shape
    for line in (one for one in drawing.shapes if isinstance(one, Connector)):
        if line.kind in ("move", "refill"):  # they bend where there is neither a box nor words
            bends = [(one, other) for one, other in pairwise(line.points) if abs(one[0] - other[0]) > 1]
            assert not [text for text in texts for bend in bends if overlap(between(*bend), text)], line
        assert not [box.node.id for point in way(line) for box in boxes if within(point, box)], line
    inner = {group.id: {*group.nodes} for group in diagram.groups}
    for group in reversed(diagram.groups):
        if group.parent:
            inner[group.parent] |= inner[group.id]
    for frame in frames:
        for box in boxes:
            assert overlap(frame, box) == (box.node.id in inner[frame.group.id]), (frame, box)


@pytest.mark.parametrize("show", DIAGRAMS)
@every_table
def test_it_is_svg_that_fetches_nothing(game: str, variants: tuple[str, ...], show: str) -> None:
    text = to_svg(picture(show, game, variants))
    root = ElementTree.fromstring(text)
    name = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{name}svg"
    assert root.attrib["role"] == "img"
    ids = [one.attrib["id"] for one in root.iter() if "id" in one.attrib]
    assert len(set(ids)) == len(ids)
    assert root.attrib["aria-labelledby"].split() == [root[0].attrib["id"], root[1].attrib["id"]]
    assert (root[0].tag, root[1].tag) == (f"{name}title", f"{name}desc")
    assert not {"script", "image", "foreignObject", "use", "a"} & {one.tag.removeprefix(name) for one in root.iter()}
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "", 1)
    assert re.findall(r"url\((.)", text).count("#") == text.count("url(")
    left, top, wide, high = map(float, root.attrib["viewBox"].split())
    assert (left, top) == (0, 0)
    for one in root.iter(f"{name}text"):
        assert 0 <= float(one.attrib["x"]) <= wide
        assert 0 <= float(one.attrib["y"]) <= high


NODE = re.compile(r'(n\d+)(\(\[|\[\[|\[/|\{\{|\[\(|\[|\()"([^"]*)"(\]\)|\]\]|\\\]|/\]|\}\}|\)\]|\]|\))$')
EDGE = re.compile(r'(n\d+) (-->|==>|-\.->)(?:\|"([^"]*)"\|)? (n\d+)$')
GROUP = re.compile(r'subgraph (g\d+)\["([^"]*)"\]$')
PARTNERS = {"([": "])", "[[": "]]", "{{": "}}", "[(": ")]", "[": "]", "(": ")"}


def read_back(text: str) -> str:
    """What Mermaid shows for a text between quotes."""
    assert not re.search(r'["`{}|<>\[\]]', text.replace("<br>", "")), text
    shown = re.sub(r"#(\d+);", lambda found: chr(int(found[1])), text.replace("<br>", " "))
    return " ".join(shown.split())


@pytest.mark.parametrize("show", DIAGRAMS)
@every_table
def test_it_is_mermaid(game: str, variants: tuple[str, ...], show: str) -> None:
    diagram = picture(show, game, variants)
    fence, title, again, head, *rest = to_mermaid(diagram).splitlines()
    assert (fence, again, head) == ("---", "---", "flowchart TB")
    assert title == f'title: "{diagram.title}"'
    nodes: dict[str, str] = {}
    edges: list[tuple[str, str]] = []
    depth = 0
    groups, classes, named = set[str](), set[str](), set[str]()
    for line in map(str.strip, rest):
        if found := NODE.match(line):
            name, opens, text, closes = found.groups()
            assert PARTNERS.get(opens, closes) == closes
            assert name not in nodes
            nodes[name] = read_back(text)
        elif found := EDGE.match(line):
            assert {found[1], found[4]} <= set(nodes)
            edges.append((found[1], found[4]))
            read_back(found[3] or "")
        elif found := GROUP.match(line):
            depth += 1
            groups.add(found[1])
            read_back(found[2])
        elif line == "end":
            depth -= 1
        elif found := re.match(r"classDef (\w+) [\w:#,.\- ]+$", line):
            classes.add(found[1])
        elif found := re.match(r"linkStyle (\d+(?:,\d+)*) [\w:#,.\- ]+$", line):
            assert {int(at) for at in found[1].split(",")} <= set(range(len(edges)))
        else:
            found = re.match(r"class ([gn]\d+(?:,[gn]\d+)*) (\w+)$", line)
            assert found, line
            assert set(found[1].split(",")) <= set(nodes) | groups
            named.add(found[2])
        assert depth >= 0
    assert depth == 0
    assert named == classes
    words = {"": "", **{mark: f"({word})" for mark, word in diagram.legend}}
    said = [" ".join(" ".join((words[one.mark], *one.text)).split()) for one in diagram.nodes]
    numbers = {node.id: f"n{at}" for at, node in enumerate(diagram.nodes)}
    assert nodes == {numbers[node.id]: text for node, text in zip(diagram.nodes, said, strict=True)}
    assert edges == [(numbers[edge.source], numbers[edge.target]) for edge in diagram.edges]


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=40))
def test_no_sign_means_anything_to_mermaid(text: str) -> None:
    assert read_back(escape_mermaid(text)) == " ".join(text.split())
    assert not re.match(r"\s*([-+*]|\d+[.)])", escape_mermaid(text))


@given(st.text("aé1.,(_ -WM中", max_size=60), st.floats(30, 300))
def test_lines_are_no_wider_than_they_may_be(text: str, room: float) -> None:
    found = break_lines(text, room)
    assert "".join(found).replace(" ", "") == text.replace(" ", "")
    assert all(text_width(line) <= room for line in found)


@pytest.mark.parametrize(
    ("text", "plain", "bold"),
    [  # as wide as they are in DejaVu Sans and DejaVu Sans Bold
        ("take different", 6.8, 7.81),
        ("Réserver une carte face visible", 15.54, 17.5),
        ("count(purse(me)) > token_limit", 15.79, 17.73),
        ("Wherever WWW mmm", 11.41, 12.62),
        ("jjj iii lll", 3.14, 3.78),
        ("« à l’œil » — 50 %", 9.14, 9.95),
    ],
)
def test_letters_are_no_wider_than_they_are_taken_for(text: str, plain: float, bold: float) -> None:
    assert plain * FONT_SIZE <= text_width(text) <= 1.08 * plain * FONT_SIZE
    assert bold * FONT_SIZE <= text_width(text, bold=True) <= 1.16 * bold * FONT_SIZE


@pytest.mark.parametrize(
    ("chosen", "wanted"),
    [
        ("{one_of: left}", {"left"}),
        ("{one_of: left + right}", {"left", "right"}),
        ("{one_of: left less right}", {"left"}),
        ("{one_of: each tile in right where tile in left}", {"right"}),
        ("{one_of: first 1 of left}", {"left"}),
        ("{one_of: if round_number is 1 then left else right}", {"left", "right"}),
        ("{some_of: near, total: 1}", {"left"}),
        ("{one_of: tile}", {"left", "right"}),  # any of them, wherever it is
    ],
)
def test_a_thing_moves_from_where_it_can_be_chosen(chosen: str, wanted: set[str], tmp_path: Path) -> None:
    path = tmp_path / "tiles.yaml"
    path.write_text(TILES.replace("CHOSEN", chosen), encoding="utf-8")
    edges = DIAGRAMS["moves"](load_rules(str(path)), "en", None).edges
    assert {(edge.source, edge.target) for edge in edges} == {(f"zones.{name}", "zones.out") for name in wanted}


def test_the_same_rules_give_the_same_bytes(run_cli: CommandLine) -> None:
    command = ("graph", "--show", "all", "--variant", "solo", "--lang", "fr", "--format", "svg")
    assert run_cli(*command) == 0
    assert process(*command).stdout == run_cli.out


def test_what_the_readme_shows_is_printed(run_cli: CommandLine) -> None:
    text = MANUAL.read_text(encoding="utf-8").partition("## The rules as a picture")[2]
    ((command, wanted),) = re.findall(r"```console\n\$ rulewright (.*)\n((?:.*\n)*?)```", text.partition("\n## ")[0])
    assert run_cli(*command.split()) == 0
    pattern = "".join("(?:.*\\n)*?" if line == "…\n" else re.escape(line) for line in wanted.splitlines(keepends=True))
    assert re.fullmatch(pattern, run_cli.out), run_cli.out


# ---- the command ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "begins"), [("turn.svg", "<svg "), ("turn.md", "---\n"), ("turn.txt", "---\n")])
def test_a_file_is_what_its_name_says(run_cli: CommandLine, heaps: str, tmp_path: Path, name: str, begins: str) -> None:
    path = tmp_path / name
    assert run_cli("graph", heaps, "-o", str(path)) == 0
    assert run_cli.out == run_cli.err == ""
    text = path.read_text(encoding="utf-8")
    assert text.startswith(begins)
    assert run_cli("graph", heaps, "-o", str(path)) == 2
    assert run_cli.err == f"rulewright: {path} already exists; choose another name, or overwrite it with --force\n"
    assert path.read_text(encoding="utf-8") == text
    assert run_cli("graph", heaps, "--format", "svg" if name.endswith("svg") else "mermaid") == 0
    assert run_cli.out == text
    assert [one.name for one in tmp_path.iterdir() if one.suffix != ".yaml"] == [name]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--lang de", "splendor has no language `de`; it has: en, fr"),
        ("--show rounds", "--show: expected `turn`, `moves` or `all`, found `rounds`"),
        ("--format gif", "--format: expected `mermaid`, `svg`, `pdf` or `png`, found `gif`"),
        ("--variant solos", "splendor has no variant `solos`"),
        ("--players 9", "splendor is for 2 to 4 players, not for 9"),
        ("-o no/such/folder/turn.svg", "cannot write no/such/folder/turn.svg: no such file or directory"),
    ],
)
def test_wrong_use_is_reported(run_cli: CommandLine, words: str, told: str) -> None:
    assert run_cli("graph", *words.split()) == 2
    assert told in run_cli.err
    assert len(run_cli.err.splitlines()) == 1


def test_a_language_that_only_the_program_speaks(run_cli: CommandLine, heaps: str) -> None:
    assert run_cli("graph", heaps, "--lang", "fr") == 0
    assert 'title: "Heaps : le tour"' in run_cli.out
    assert "Take any number of matches" in run_cli.out


def test_a_setting_is_held_against_the_rules_without_it(run_cli: CommandLine) -> None:
    assert run_cli("graph", "--set", "target_prestige=21") == 0
    assert run_cli.out.count("(changed)<br>") == 2  # the condition and the step at which the game ends
    assert "(changed)<br>Has the player 21 prestige points or more?<br>(target_prestige: 15 → 21)" in run_cli.out
    assert run_cli("graph", "--set", "hand_limit=1") == 0
    assert run_cli.out.count("<br>~ allowed if: You hold fewer than 1<br>reserved card. (hand_limit: 3 → 1)") == 2
    assert run_cli("graph", "--set", "gold_total=7", "--show", "moves") == 0
    assert '[("(changed)<br>Supply<br>Tokens in the middle' in run_cli.out
    assert run_cli.out.count("<br>(gold_total: 5 → 7)") == 1


def test_a_variant_for_other_numbers_of_players_is_held_against_the_nearest(run_cli: CommandLine) -> None:
    assert run_cli("graph", "--variant", "solo") == 0
    assert 'title: "Splendor: the turn, with solo (compared with 2 players)"' in run_cli.out


def test_the_words_of_pictures_are_the_same_in_every_language() -> None:
    english, french = messages.load_messages("en"), messages.load_messages("fr")
    assert list(english) == list(french)
    said = "\n".join(
        path.read_text(encoding="utf-8") for path in (Path(messages.__file__).parents[1] / "diagram").glob("*.py")
    )
    for key, text in english.items():
        if key.startswith("book_"):
            continue  # words of the rulebook
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", french[key])), key
        family = key.partition("_")[0] in ("picture", "finish", "seen") or key.endswith("_end")
        plain = key in ("must", "may", "together", "new", "changed", "gone")  # words of the model
        assert re.search(rf"""['"]{key}['"]""", said) or family or plain, key
        assert text != french[key] or key in ("round", "named", "move", "put", "action"), key
