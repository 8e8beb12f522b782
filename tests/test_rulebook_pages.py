"""Rulebooks as Markdown and HTML: pages that work anywhere, the command, words."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from command_line import CommandLine
from rulebooks import CASES, SHIPPED, book_of, rules_of
from rulewright.diagnostics import Diagnostics
from rulewright.document.document_reader import load_document
from rulewright.document.statements import group_by_publication, load_statements
from rulewright.model.locate import find_game
from rulewright.rulebook.assemble import build_rulebook
from rulewright.rulebook.blocks import (
    Heading,
    TableBlock,
)
from rulewright.rulebook.chapters.printed_rules import printed_rules_section
from rulewright.rulebook.html import to_html
from rulewright.rulebook.markdown import to_markdown
from rulewright.rulebook.rules_by_count import load_rules_by_count
from rulewright.rulebook.writer import RulebookWriter
from rulewright.wording.messages import Messages, load_messages

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent


# ---- it can be read anywhere ----------------------------------------------------------------------------------------


class Page(HTMLParser):
    """What a page holds; complains of tags that do not match."""

    VOID = ("meta", "br", "img", "link", "hr", "input")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.loaded: list[str] = []
        self.headings: list[int] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        found = {name: value or "" for name, value in attrs}
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if tag == "a" else []
        self.loaded += [found[name] for name in ("src", "srcset", "data", "action") if name in found]
        self.loaded += [found["href"]] if tag != "a" and "href" in found else []
        assert not any(name.startswith("on") for name in found)
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.ids += [value or "" for name, value in attrs if name == "id"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag


@pytest.mark.parametrize(("game", "variants"), CASES)
def test_html_is_whole(game: str, variants: tuple[str, ...]) -> None:
    rules, _ = rules_of(game, variants)
    for code in rules[max(rules)].languages:
        text = to_html(book_of(game, variants, code), Messages(rules[max(rules)], code))
        page = Page()
        page.feed(text)
        page.close()
        assert page.open == []
        assert len(page.ids) == len(set(page.ids))
        assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
        assert all(one.startswith("#") for one in page.loaded)
        assert not {"script", "link", "img", "iframe", "object", "foreignobject"} & set(page.tags)
        assert "url(http" not in text
        assert "@import" not in text
        assert page.headings[0] == 1
        assert page.headings.count(1) == 1
        assert all(after - before <= 1 for before, after in zip(page.headings, page.headings[1:], strict=False))
        assert f'<html lang="{code}">' in text
        assert "width=device-width" in text
        assert "@media print" in text
        assert "prefers-color-scheme: dark" in text


@pytest.mark.parametrize(("game", "variants"), CASES)
def test_links_in_markdown_lead_to_headings(game: str, variants: tuple[str, ...]) -> None:
    rules, _ = rules_of(game, variants)
    for code in rules[max(rules)].languages:
        text = to_markdown(book_of(game, variants, code), Messages(rules[max(rules)], code))
        slugs: list[str] = []
        for line in re.sub(r"```.*?```", "", text, flags=re.DOTALL).splitlines():
            if heading := re.match(r"#+ (.*)", line):
                slug = re.sub(r"[^\w\- ]", "", heading[1].replace("\\", "").lower()).replace(" ", "-")
                slugs.append(slug if slug not in slugs else f"{slug}-{sum(one == slug for one in slugs)}")
        assert set(re.findall(r"\]\(#([^)]*)\)", text)) <= set(slugs)
        for lines in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE):
            widths = {len(re.findall(r"(?<!\\)\|", line)) for line in lines.splitlines()}
            assert len(widths) == 1


def test_the_appendix_lists_all_things_and_sources() -> None:
    rules = rules_of(SHIPPED, ())[0]
    said: list[str] = []

    def section(w: RulebookWriter) -> None:
        w.add_heading(3, "mine", "Mine", "mine")
        w.add_text("paragraph", "mine.text", "More.")
        said.append(w.labels.locale)

    for code in ("en", "fr"):
        found = build_rulebook(rules, code, extra_sections=[section])
        [*_, cards, nobles, printed] = [block for block in found.blocks if isinstance(block, TableBlock)]
        assert [len(cards.rows), len(nobles.rows)] == [90, 10]
        assert len(printed.rows) > 10
        assert "### Mine\n\nMore.\n" in to_markdown(found, Messages(rules[2], code))
        page = Page()
        page.feed(to_html(found, Messages(rules[2], code)))
        assert all(link[1:] in page.ids for link in page.links)
    assert set(said) == {"en", "fr"}


def test_it_is_the_same_each_time() -> None:
    command = [sys.executable, "-m", "rulewright", "rulebook", "--variant", "gold-alone", "--changes"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter")}
    first, second = (
        subprocess.run(
            command, capture_output=True, check=True, cwd=ROOT, env={**environment, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    )
    assert first == second
    assert len(first) > 10_000


def test_a_picture_shows_the_parts_of_a_card() -> None:
    text = to_markdown(book_of(SHIPPED, ()), Messages(rules_of(SHIPPED, ())[0][2], "en"))
    card = text[text.index("┌") : text.index("┘")]
    assert {len(line) for line in card.splitlines()[1:-1]} == {32}
    assert all(sign in card for sign in "①②③④")
    assert all(f"- {sign} **" in text for sign in "①②③④")


def test_a_plan_shows_the_table() -> None:
    rules = rules_of(SHIPPED, ())[0]
    text = to_markdown(book_of(SHIPPED, ()), Messages(rules[2], "en"))
    assert "   3 [▒] [ ] [ ] [ ] [ ]\n   2 [▒]" in text
    assert "(W) (U) (G) (R) (K) (*)" in text
    wider = to_html(book_of(SHIPPED, ("five-wide",)), Messages(rules[2], "en"))
    assert wider.count('width="40" height="54" rx="5" fill="#fdfcf9"') == 3 + 3 * 5


# ---- the command ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("code", "text"), [("en", "“Share” at most."), ("fr", "au plus.")])
def test_a_picture_in_the_book_has_words_and_no_expressions(
    run_cli: CommandLine, tmp_path: Path, code: str, text: str
) -> None:
    path = tmp_path / "rules.html"
    assert run_cli("rulebook", "wrack-line", "--lang", code, "-o", str(path)) == 0
    pictures = re.findall(r"(?s)<svg.*?</svg>", path.read_text(encoding="utf-8"))
    texts = [text for picture in pictures for text in re.findall(r"<text[^>]*>([^<]*)", picture)]
    assert any(text in line for line in texts)
    assert not [line for line in texts if set("{}") & set(line)]


def test_the_command_writes_files(run_cli: CommandLine, tmp_path: Path) -> None:
    page = tmp_path / "rules.html"
    assert run_cli("rulebook", "--lang", "fr", "-o", str(page)) == 0
    assert not run_cli.out
    assert page.read_text(encoding="utf-8").startswith('<!DOCTYPE html>\n<html lang="fr">')
    assert run_cli("rulebook", "--format", "md", "-o", str(page), "--force") == 0
    assert page.read_text(encoding="utf-8").startswith("# Splendor\n")
    assert [one.name for one in tmp_path.iterdir()] == ["rules.html"]


def test_a_language_that_only_the_program_speaks(run_cli: CommandLine, heaps: str) -> None:
    assert run_cli("rulebook", heaps, "--lang", "fr") == 0
    assert "## La mise en place" in run_cli.out
    assert "Take any number of matches from one heap." in run_cli.out
    assert "Si « heaps » est vide : la partie s'arrête aussitôt." in run_cli.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--lang", "de"), "has no language `de`"),
        (("--players", "7"), "for 2 to 4 players, not for 7"),
        (("--variant", "gold-alon"), "no variant `gold-alon`"),
        (("-o", "no/such/folder.md"), "cannot write"),
        (("--format", "docx"), "found `docx`"),
    ],
)
def test_wrong_use_is_reported(run_cli: CommandLine, words: tuple[str, ...], told: str) -> None:
    assert run_cli("rulebook", *words) == 2
    assert told in run_cli.err
    assert not run_cli.out


# ---- words ----------------------------------------------------------------------------------------------------------


def test_both_languages_have_all_words_and_use_them() -> None:
    english, french = load_messages("en"), load_messages("fr")
    assert list(english) == list(french)
    package = ROOT / "interpreter" / "rulewright"
    modules = [path for name in ("wording", "diagram", "rulebook") for path in (package / name).rglob("*.py")]
    written = "\n".join(path.read_text(encoding="utf-8") for path in modules)
    for key in english:
        holes = re.findall(r"\{[a-z]+\}", english[key])
        assert set(holes) == set(re.findall(r"\{[a-z]+\}", french[key])), key
        if key.startswith("book_"):
            name = key.removeprefix("book_")
            heads = [name[:at] for at, sign in enumerate(name) if sign == "_"]
            used = any(f"{sign}{word}{sign}" in written for word in (name, key) for sign in "\"'")
            made = any(f"f{sign}{head}_{{" in written for head in heads for sign in "\"'")
            assert used or made or any(f'}}{name[len(head) :]}"' in written for head in heads), key


TEXT = (ROOT / "rules" / "MANUAL.md").read_text(encoding="utf-8").partition("## The rulebook")[2].partition("\n## ")[0]


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        one
        for block in re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL)
        for one in re.findall(r"^\$ rulewright (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    ],
)
def test_the_readme_shows_what_is_printed(
    run_cli: CommandLine, command: str, wanted: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_cli(*shlex.split(command)) == 0
    pattern = "".join("(?:.*\\n)*?" if line == "…\n" else re.escape(line) for line in wanted.splitlines(keepends=True))
    assert re.fullmatch(pattern, run_cli.out), run_cli.out


@pytest.mark.parametrize("code", ["en", "fr"])
def test_every_printed_statement_leads_to_where_the_book_says_it(code: str) -> None:
    document = load_document(find_game("splendor"), Diagnostics())
    assert document is not None
    works = group_by_publication(document, load_statements(document))
    found = build_rulebook(
        load_rules_by_count("splendor", None, ())[0], code, extra_sections=[printed_rules_section(works)]
    )
    anchors = {block.anchor for block in found.blocks if isinstance(block, Heading)}
    rows = {row.key: row for block in found.blocks if isinstance(block, TableBlock) for row in block.rows}
    wanted = [(work.id, at, one) for work in works for at, part in enumerate(work.sections) for one in part.statements]
    assert len(wanted) > 300
    for work, at, one in wanted:
        _, said, here = rows[f"appendix.stated.{work}.{at}.{one.number}"].cells
        assert "".join(run.text for run in said) == one.text[code]
        leads = {run.link for run in here if run.link}
        assert leads <= anchors
        assert leads if not one.reason else one.reason[code] in here[0].text
