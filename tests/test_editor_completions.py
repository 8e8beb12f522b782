"""What an editor offers to write: in keys and values, at every position of an expression, in holes of sentences."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(find_spec("pygls") is None, reason="pygls is not installed")
if find_spec("pygls") is not None:
    from lsprotocol import types

    from editor_client import Editor, edited, with_editor

GAME = """\
game: jam
version: 1.0.0
language: 2
text: Jam
players: 2 to 4
parameters: {most: {value: 3, type: 1 to 9}}
kinds:
  fruit: [apple, plum, cherry]
  food: [every fruit, bread]
components:
  jar: {fields: {size: 1 to 3, label: fruit}, start: shelf, rows: [{id: small, size: 1, label: apple}]}
zones:
  tree:   {holds: fruit, seen_by: all, start: 4 of fruit}
  basket: {holds: fruit, per: player, seen_by: all}
  shelf:  {holds: jar, seen_by: all}
state:
  favourite: {type: fruit, start: apple}
  rich: {type: flag, per: player}
  eldest: {type: player, start: first_player}
  sugar: {type: 0 to 9}
values:
  points: {per: {who: player}, is: count(basket(who))}
actions:
  pick:
    text: Pick a fruit.
    choose:
      picked: {one_of: tree}
      jar: {one_of: shelf}
    do: [pick: {move: picked, from: tree, to: basket(me)}]
procedures:
  fall: [fall: {move: up to 1 of plum, from: tree, to: basket(me)}]
  give: {with: {who: player, what: fruit}, do: [give: {move: 1 of what, from: tree, to: basket(who)}]}
turn:
  - pick: {must: [pick], if_unable: nothing}
  - fall: {run: fall}
  - give: {run: "give(me, plum)"}
  - bare: {when: tree is empty, end_game: now, winners: me}
round:
  - turns: {for_each: player, turn: player}
"""

# a line of the game, what it begins with instead, words that are offered there, and words that are not
IN_THE_GAME = [
    (
        "  points:",
        "  points: {per: {who: player}, is: count(",
        {"basket", "tree", "each"},
        {"pick", "is", "fall", "who", "points", "true"},
    ),
    ("  points:", "  points: {per: {who: player}, is: tree(apple) ", {"is", "and", "less"}, {"tree", "has", "basket"}),
    ("  points:", "  points: {per: {who: player}, is: every jar in shelf ", {"has"}, {"is", "tree"}),
    ("  points:", "  points: {per: {who: player}, is: sum of jar.", {"jar.size", "jar.label"}, {"tree", "jar.who"}),
    (
        "  points:",
        "  points: {per: {who: player}, is: favourite is ",
        {"plum", "not"},
        {"has", "pick", "empty", "true"},
    ),
    ("  points:", "  points: {per: {who: player}, is: no jar has jar.label is ", {"plum", "not"}, {"has", "pick"}),
    ("  points:", "  points: {per: {who: player}, is: possible(", {"pick"}, {"tree", "who"}),
    ("    do:", "    do: [pick: {move: pic", {"picked"}, {"pick", "who"}),
    ("    do:", "    do: [pick: {move: up ", {"to"}, {"tree"}),
    ("    do:", "    do: [pick: {move: picked, from: tree, to: bot", {"bottom"}, {"tree"}),
    ("    do:", "    do: [pick: {move: jar.", {"jar.size"}, {"tree"}),
    ("    do:", "    do: [pick: {move: picked, f", {"from", "for_each"}, {"to"}),
    ("    text:", "    text: Pick a fruit, you have {count(bas", {"basket"}, {"picked"}),
    ("    text:", "    text: Pick a fruit, you have ", set(), {"basket"}),
    ("  shelf:", "  shelf:  {holds: ", {"jar", "fruit", "player"}, {"tree"}),
    ("  shelf:", "  shelf:  {seen_by: ", {"all", "owner"}, {"tree"}),
    ("  favourite:", "  favourite: {type: ", {"fruit", "flag", "bag"}, {"tree"}),
    ("  - pick:", "  - pick: {must: [", {"pick"}, {"tree", "fall"}),
    ("  - pick:", "  - pick: {must: [pick], if_unable: ", {"pick", "nothing"}, {"tree"}),
    ("  - fall:", "  - fall: {run: ", {"fall"}, {"pick"}),
    ("  - bare:", "  - bare: {end_game: ", {"now", "after_round"}, {"tree"}),
    ("  - turns:", "  - turns: {for_each: jar in ", {"shelf", "player"}, {"pick"}),
    ("  - turns:", "  - turns: {for_each: jar ", {"in", "where"}, {"shelf"}),
    ("  - turns:", "  - turns: {for_each: ", {"player", "jar", "fruit"}, {"apple", "players", "shelf", "count"}),
    ("    do:", "    do: [pick: {move: picked, from: ", {"tree", "basket"}, {"apple", "true", "count", "points"}),
    ("game:", "me", {"measures"}, {"kinds"}),
    # what the mapping has already, before the cursor and behind it
    ("    do:", "    ", {"do", "when"}, {"text", "choose"}),
    ("    text:", "    ", {"text", "when"}, {"do", "choose"}),
    ("    do:", "    do: [pick: {move: picked, ", {"from", "when"}, {"move", "set", "if_unable"}),
    ("  shelf:", "  shelf: {holds: jar, ", {"seen_by", "at_most"}, {"holds"}),
    # braces, brackets and quotes that were opened on a line before
    ("  shelf:", "  shelf: {\n    holds: jar,\n    seen_by: ", {"all", "owner"}, {"tree", "holds"}),
    ("  shelf:", "  shelf: {\n    holds: jar,\n    see", {"seen_by"}, {"all", "tree"}),
    ("    do:", "    do: [\n      pick: {\n        move: pic", {"picked"}, {"pick", "who"}),
    ("    do:", "    do: [\n      pick: {move: picked, # {a comment\n        f", {"from", "for_each"}, {"to"}),
    ("    text:", '    text: "Pick a fruit,\n      you have {count(bas', {"basket"}, {"picked"}),
    ("  - pick:", "  - pick: {must: [\n      ", {"pick"}, {"tree", "fall"}),
]
# a line of the game, what it begins with instead, the words that are offered first, and words that are not
BY_THEIR_TYPES = [
    (
        "  points:",
        "  points: {is: favourite is ",
        "apple plum cherry favourite",
        {"true", "me", "tree", "count", "sugar"},
    ),
    ("  points:", "  points: {is: favourite is not ", "apple plum cherry favourite", {"true", "empty", "nothing"}),
    ("  points:", "  points: {is: tree is ", "tree basket", {"true", "apple", "me", "shelf", "nothing", "favourite"}),
    ("  points:", "  points: {is: shelf is ", "jar shelf", {"tree", "apple", "basket", "true"}),
    ("  points:", "  points: {is: favourite in ", "fruit food tree basket", {"shelf", "apple", "true", "everyone"}),
    ("  points:", "  points: {is: some j in shelf has j in ", "jar shelf", {"tree", "apple", "fruit"}),
    ("  points:", "  points: {is: some j in shelf has j.label is ", "apple plum cherry favourite j", {"true", "me"}),
    ("  points:", "  points: {is: favourite is jar.", "jar.label jar.size", {"jar.row"}),
    ("  points:", "  points: {is: 2 < jar.", "jar.size jar.label", set()),
    ("  points:", "  points: {is: no j in shelf has j.size > ", "most sugar", {"apple", "true", "me", "favourite"}),
    ("  points:", "  points: {is: eldest is ", "who eldest first_player me", {"apple", "true", "everyone", "tree"}),
    ("  points:", "  points: {is: rich(me) is ", "rich false true", {"apple", "tree", "if", "empty"}),
    ("  points:", "  points: {is: rich(me) and ", "rich false true", set()),
    ("  points:", "  points: {is: if rich(me) then apple else ", "apple plum cherry", {"true", "me", "tree"}),
    ("  points:", "  points: {per: {who: player}, is: count(basket(", "who eldest", {"apple", "true", "tree", "count"}),
    ("  points:", "  points: {is: tree(", "apple plum cherry", {"me", "true", "tree"}),
    ("  points:", "  points: {is: 'basket(me, ", "apple plum cherry", {"me", "true", "tree"}),
    ("  points:", "  points: {is: each ", "fruit food jar player", {"tree", "apple", "count"}),
    ("    do:", "    do: [pick: {set: ", "rich eldest sugar favourite", {"apple", "tree", "points", "count", "if"}),
    (
        "    do:",
        "    do: [pick: {set: favourite, to: ",
        "apple plum cherry picked favourite jar",
        {"true", "tree", "me"},
    ),
    ("    do:", "    do: [pick: {set: rich(", "eldest first_player me", {"apple", "true", "everyone"}),
    ("    do:", "    do: [pick: {set: eldest, to: ", "eldest first_player me", {"apple", "tree", "true"}),
    ("    do:", "    do: [pick: {set: sugar, to: ", "most sugar", {"apple", "true", "me", "favourite", "bottom"}),
    ("    do:", "    do: [pick: {to: jar.label, set: ", "rich eldest sugar favourite", {"apple", "tree"}),
    (
        "    do:",
        "    do:\n      - pick:\n          set: favourite\n          to: ",
        "apple plum cherry",
        {"true", "tree"},
    ),
    ("    do:", "    do: [pick: {move: ", "picked jar", {"true", "rich", "count(", "sugar(", "pick"}),
    ("    do:", "    do: [pick: {from: tree, move: 2 of ", "apple plum cherry picked fruit", {"true", "shelf", "me"}),
    ("    do:", "    do: [pick: {from: shelf, move: ", "jar shelf", {"picked", "apple", "tree", "me"}),
    ("    do:", "    do: [pick: {move: jar, from: ", "shelf", {"tree", "basket", "if", "bottom"}),
    ("    do:", "    do: [pick: {move: picked, from: tree, to: ", "tree basket", {"shelf", "apple", "me"}),
    ("    do:", "    do: [pick: {move: picked, from: tree, to: bottom of ", "tree basket", {"shelf", "apple", "me"}),
    ("      jar:", "      jar: {pay: 2 of apple, from: ", "tree basket", {"shelf", "apple"}),
    ("      jar:", "      jar: {one_of: ", "fruit food", {"apple", "true", "rich", "sugar"}),
    ("  favourite:", "  favourite: {type: fruit, start: ", "apple plum cherry", {"true", "tree", "me"}),
    (
        "  tree:",
        "  tree:   {holds: fruit, seen_by: all, start: 4 of ",
        "apple plum cherry fruit",
        {"true", "shelf", "me"},
    ),
    ("  - give:", "  - give: {run: give(", "eldest first_player me", {"apple", "true", "tree"}),
    ("  - give:", "  - give: {run: 'give(me, ", "apple plum cherry favourite", {"me", "true"}),
    ("  - bare:", "  - bare: {when: ", "rich", {"pick", "fall"}),
    ("  - bare:", "  - bare: {turn: ", "eldest first_player me", {"apple", "everyone", "tree"}),
    ("  - bare:", "  - bare: {end_game: now, winners: ", "eldest everyone first_player me", {"apple", "tree"}),
    ("  - bare:", "  - bare: {reveal: ", "jar shelf", {"apple", "tree", "me"}),
]
# the last line of a variant
IN_A_VARIANT = [
    ("", {"set", "players", "conflicts"}, {"text", "kinds"}),
    ("for: ", {"jam"}, {"pick"}),
    ("set:\n  zones.", {"zones.tree", "zones.basket"}, {"tree"}),
    ("set:\n  zones.tree.", {"zones.tree.start", "zones.tree.holds"}, {"tree", "zones.tree.at_most"}),
    ("set:\n  zones.tree.start: 5 of fruit\n  zones.tree.", {"zones.tree.holds"}, {"zones.tree.start"}),
    ("add:\n  zones.tree.", {"zones.tree.at_most"}, {"tree"}),
    ("add:\n  ", {"zones", "kinds"}, {"version", "game"}),
    ("set:\n  actions.pick.choose.", {"actions.pick.choose.picked"}, {"picked"}),
    ("set:\n  actions.pick.choose.jar.one_of: t", {"tree"}, {"turn", "true"}),
    ("add:\n  actions.pick.when.more:\n    is: pic", {"picked"}, {"pick"}),
    ("add:\n  actions.pick.when.more:\n    ", {"is", "why"}, {"picked"}),
    ("add:\n  actions.pick.when.more: {is: picked is ", {"plum", "favourite"}, {"true", "tree", "me"}),
    ("set:\n  parameters.most: ", {"most", "players", "max"}, {"points", "sugar", "tree", "true", "apple", "me"}),
    ("set:\n  actions.pick.do.pick.from: ", {"tree", "basket"}, {"apple", "true"}),
    ('add:\n  actions.pick.when.more: {is: a, why: "No {pic', {"picked"}, {"pick"}),
    ("remove: [turn.", {"turn.fall"}, {"fall"}),
    ("remove:\n  - turn.", {"turn.fall"}, {"fall"}),
    ("remove: [actions.pick.", {"actions.pick.do"}, {"actions.pick.when"}),  # which is not there
    ("insert:\n  turn.rest: {", {"before", "after", "at", "must"}, {"turn.fall"}),
    ("insert:\n  turn.rest: {after: pick, ", {"must"}, {"before", "after", "at"}),
    ("insert:\n  turn.rest: {after: ", {"pick", "fall"}, {"rest", "start", "turn"}),
    ("insert:\n  actions.pick.do.rest: {before: ", {"pick"}, {"fall", "start"}),
    ("insert:\n  turn.rest: {at: ", {"start", "end"}, {"pick", "turn"}),
    ("requires: ", {"more"}, {"big", "jam"}),
    ("status: ", {"own", "official"}, {"true"}),
    ("display:\n  ", {"members", "board"}, {"tree", "zones"}),
    ("display:\n  members:\n    fruit.plum: {shape: ", {"circle"}, {"plum", "true"}),
    ("sentences:\n  actions.pick: Now {tr", {"tree"}, {"turn"}),
]
MORE = """\
variant: more
for: jam
text: More
add:
  kinds.square: {grid: 2 by 2}
  kinds.rung: {lines_of: square, length: 2, along: [rows], both_ways: true}
  zones.ladder: {holds: tile, per: rung, seen_by: all}
  components.tile:
    fields: {fruit: fruit}
    start: shed
    rows: [{id: "tile_{fruit}_{at}", for_each: {fruit: fruit, at: square}}]
  zones.shed: {holds: tile, seen_by: all}
  zones.pantry: {holds: jar, per: square, seen_by: all}
  actions.pick.choose.paid: {pay: 1 of apple, from: basket(me)}
"""
CASE = "cases:\n  one:\n    "
# the end of a file of scenarios for three, words that are offered there, and words that are not
IN_SCENARIOS = [
    ("", {"cases", "variants", "first_player"}, {"given", "tree"}),
    ("variants: [", {"big", "more"}, {"jam", "1"}),
    ("first_player: ", {"1", "3"}, {"0", "4"}),
    (CASE, {"given", "when", "then", "text", "variants"}, {"zones", "tree", "cases"}),
    (f"{CASE}given:\n      ", {"tree", "basket", "state", "player"}, {"favourite", "points", "zones", "pantry"}),
    (f"{CASE}variants: [more]\n    given:\n      ", {"tree", "pantry"}, {"points"}),
    (f"{CASE}variants: [more]\n    given: {{pan", {"pantry"}, {"tree"}),
    (f"{CASE}variants: [more]\n    given: {{pantry: {{", {"a1", "b2"}, {"a3", "c1", "small"}),
    (f"{CASE}variants: [more]\n    given: {{ladder: {{", {"a1_b1", "b2_a2"}, {"a1", "a1_a2", "small"}),
    (f"{CASE}variants: [more]\n    given: {{shed: [", {"tile_apple_a1", "tile_cherry_b2"}, {"tile_{fruit}_{at}"}),
    (f"{CASE}variants: [more]\n    when: pick(paid=", {"apple", "nothing"}, {"small", "jar="}),
    (f"{CASE}variants: [more]\n    when: pick(jar=", {"small"}, {"nothing", "apple"}),
    (f"{CASE}variants: [mo", {"more"}, {"big"}),
    (f"{CASE}given: {{state: {{", {"favourite"}, {"tree", "player"}),
    (f"{CASE}given: {{state: {{favourite: ", {"apple", "plum"}, {"tree", "small", "1"}),
    (f"{CASE}given:\n      basket: {{", {"1", "2", "3"}, {"0", "4", "apple"}),
    (f"{CASE}given:\n      basket: {{1: {{", {"apple", "cherry"}, {"1", "small"}),
    (f"{CASE}given:\n      basket:\n        2:\n          pl", {"plum"}, {"1"}),
    (f"{CASE}given: {{tree: {{", {"apple", "plum"}, {"1", "small"}),
    (f"{CASE}given: {{shelf: [", {"small"}, {"apple", "1", "hidden"}),
    (f"{CASE}players: 2\n    given: {{player: ", {"1", "2"}, {"3", "apple"}),
    (f"{CASE}given: {{step: ", {"turn", "actions"}, {"tree", "turn.pick"}),
    (f"{CASE}given: {{step: turn.", {"turn.pick", "turn.fall"}, {"turn"}),
    (f"{CASE}when: ", {"pick", "chance"}, {"fall", "tree", "picked="}),
    (f"{CASE}when: pick(", {"picked=", "jar="}, {"pick", "apple"}),
    (f"{CASE}when: pick(picked=", {"apple", "plum"}, {"small", "jar="}),
    (f"{CASE}when: pick(picked=plum, ", {"jar="}, {"picked=", "apple"}),
    (f"{CASE}when: pick(picked=plum, jar=sm", {"small"}, {"plum"}),
    (f'{CASE}when: [pick(jar=small), "pick(jar=small, pic', {"picked="}, {"jar=", "pick"}),
    (f"{CASE}when:\n      - pi", {"pick"}, {"picked="}),
    (f"{CASE}then: {{", {"zones", "illegal", "over", "sees"}, {"given", "tree"}),
    (f"{CASE}then: {{not_legal: [pick(", {"picked="}, {"true"}),
    (f"{CASE}then: {{legal: ", {"true", "false", "pick"}, {"tree"}),
    (f"{CASE}then: {{illegal: actions.pick.", {"actions.pick.choose"}, {"actions.pick"}),
    (f"{CASE}then: {{zones: {{", {"tree", "shelf"}, {"points", "favourite"}),
    (f"{CASE}then: {{values: {{", {"points"}, {"tree"}),
    (f"{CASE}then: {{values: {{points: {{", {"1", "3"}, {"apple", "4"}),
    (f"{CASE}then: {{over: ", {"true", "false"}, {"1"}),
    (f"{CASE}then: {{winners: [", {"1", "2", "3"}, {"true"}),
    (f"{CASE}then: {{sees: {{", {"1", "2"}, {"basket"}),
    (f"{CASE}then: {{sees: {{2: {{", {"basket", "shelf"}, {"1", "points"}),
    (f"{CASE}then: {{sees: {{2: {{shelf: [", {"small", "hidden"}, {"basket"}),
]


def test_what_can_follow_in_scenarios_is_offered_and_nothing_else(tmp_path: Path) -> None:
    """The names of the game, those of a case's own variants, players from 1, actions as they are written down."""
    (tmp_path / "jam.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "more.yaml").write_text(MORE, encoding="utf-8")
    (tmp_path / "big.yaml").write_text(MORE.replace("more", "big").replace("pantry", "cellar"), encoding="utf-8")
    head = "scenarios: picking\nfor: jam\nlanguage: 2\nplayers: 3\n"
    (tmp_path / "picking.yaml").write_text(f"{head}{CASE}then: {{count: 1}}\n", encoding="utf-8")

    async def use(editor: Editor) -> None:
        await editor.open("picking.yaml")
        for end, words, others in IN_SCENARIOS:
            text = head + end
            await editor.type("picking.yaml", text)
            place = types.Position(text.count("\n"), len(text.split("\n")[-1]))
            found = {*await editor.words("picking.yaml", place)}
            assert words <= found, end
            assert not others & found, end

    with_editor(tmp_path, use)


# a text with the cursor, the word that is chosen there, and the text afterwards
WHOLE_WORDS = [
    ("{CASE}given: {tr^ea: {apple: 1}}", "tree", "{CASE}given: {tree: {apple: 1}}"),
    ("{CASE}when: pick(pick^d=plum)", "picked=", "{CASE}when: pick(picked=plum)"),
    ("{CASE}when: pick(jar=s^mal)", "small", "{CASE}when: pick(jar=small)"),
    ("{CASE}when: pick(^jar=small)", "picked=", "{CASE}when: pick(picked=jar=small)"),
    ("{CASE}then: {illegal: actions.p^icc.choose}", "actions.pick", "{CASE}then: {illegal: actions.pick.choose}"),
    ("variants: [mo^re-or-less]\n", "more", "variants: [more]\n"),
]


def test_the_whole_word_at_the_cursor_is_replaced(tmp_path: Path) -> None:
    """Not only what is before the cursor: nothing of it stands there twice."""
    (tmp_path / "jam.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "more.yaml").write_text(MORE, encoding="utf-8")
    head = "scenarios: picking\nfor: jam\nlanguage: 2\nplayers: 3\n"
    (tmp_path / "picking.yaml").write_text(f"{head}{CASE}then: {{count: 1}}\n", encoding="utf-8")

    async def use(editor: Editor) -> None:
        await editor.open("picking.yaml")
        for written, word, expected in WHOLE_WORDS:
            before, after = (head + written.replace("{CASE}", CASE)).split("^")
            await editor.type("picking.yaml", before + after)
            place = types.Position(before.count("\n"), len(before.rpartition("\n")[2]))
            params = types.CompletionParams(editor.document("picking.yaml"), place)
            found = await editor.client.text_document_completion_async(params)
            assert isinstance(found, list)
            edit = next(each.text_edit for each in found if each.label == word)
            assert isinstance(edit, types.TextEdit)
            assert edited(before + after, [edit]) == head + expected.replace("{CASE}", CASE), written

    with_editor(tmp_path, use)


def test_what_fits_by_its_type_is_offered_first(tmp_path: Path) -> None:
    """And what never fits is not offered at all."""
    (tmp_path / "jam.yaml").write_text(GAME, encoding="utf-8")
    lines = GAME.split("\n")

    async def use(editor: Editor) -> None:
        await editor.open("jam.yaml")
        for start, line, first, others in BY_THEIR_TYPES:
            index = next(index for index, each in enumerate(lines) if each.startswith(start))
            await editor.type("jam.yaml", "\n".join([*lines[:index], line, *lines[index + 1 :]]))
            place = types.Position(index + line.count("\n"), len(line.rpartition("\n")[2]))
            found = await editor.words("jam.yaml", place)
            assert {*found[: len(first.split())]} == {*first.split()}, (line, found)
            assert not others & {*found}, (line, found)

    with_editor(tmp_path, use)


def test_what_can_follow_is_offered_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "jam.yaml").write_text(GAME, encoding="utf-8")
    head = "variant: big\ntext: Big\n"
    (tmp_path / "big.yaml").write_text(f"{head}for: jam\nset: {{zones.tree.start: 5 of fruit}}\n", encoding="utf-8")
    (tmp_path / "more.yaml").write_text(MORE, encoding="utf-8")
    (tmp_path / "new.yaml").write_text("", encoding="utf-8")
    lines = GAME.split("\n")

    async def use(editor: Editor) -> None:
        async def offered(name: str, text: str, line: int, column: int) -> set[str]:
            await editor.type(name, text)
            return {*await editor.words(name, types.Position(line, column))}

        await editor.open("jam.yaml")
        for start, line, words, others in IN_THE_GAME:
            index = next(index for index, each in enumerate(lines) if each.startswith(start))
            changed = [*lines[:index], line, *lines[index + 1 :]] if start != "game:" else [*lines, line]
            index = (index if start != "game:" else len(lines)) + line.count("\n")
            found = await offered("jam.yaml", "\n".join(changed), index, len(line.rpartition("\n")[2]))
            assert words <= found, line
            assert not others & found, line
        await editor.change("jam.yaml", GAME)
        await editor.open("big.yaml")
        for line, words, others in IN_A_VARIANT:
            text = f"{head}{line}" if line.startswith("for") else f"{head}for: jam\n{line}"
            last = text.split("\n")[-1]
            found = await offered("big.yaml", text, text.count("\n"), len(last))
            assert words <= found, line
            assert not others & found, line
        await editor.open("new.yaml")
        assert {"game", "variant", "scenarios"} <= {*await editor.words("new.yaml", types.Position(0, 0))}

    with_editor(tmp_path, use)
