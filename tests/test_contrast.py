"""Signs of every colour can be told from what they are drawn on, and their letters read: in WCAG's measure."""

from __future__ import annotations

import re

import pytest
from rich.color import Color, ColorSystem
from rich.style import Style
from rich.terminal_theme import DEFAULT_TERMINAL_THEME

from rulewright.diagram import svg
from rulewright.model.glyphs import COLOUR_CODES, Glyph, colour_code, contrast, contrast_colour
from rulewright.rulebook.board_plan import PLAN_FILL
from rulewright.rulebook.cards import CARD_FILL, CARD_TEXT, GLYPH_OUTLINE, TITLE_OPACITY, glyph_svg, inline_glyph_svg
from rulewright.rulebook.html import STYLESHEET
from rulewright.terminal.theme import ground_style

TEXT, DRAWING = 4.5, 3  # the least contrast
CODES = ("#ffffff", "#000000", "#FEFEFE", "#777777", "#949494", "#ff0000", "#0000ff", "#ffff00", "#fdfcf9", "#6a6f76")
COLOURS = (*COLOUR_CODES, *CODES)
GROUNDS = ("paper", "panel", "new", "gone")  # on which signs stand in the text of a rulebook


def mixed(colour: str, ground: str, opacity: float) -> str:
    """A colour that lets through some of the ground."""
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(ground[1:]), strict=True)
    return "#" + bytes(round(opacity * above + (1 - opacity) * below) for above, below in pairs).hex()


def palettes() -> list[dict[str, str]]:
    """The colours of a rulebook by name: on a light screen, on a dark one, on paper."""
    roots = re.findall(r":root \{(.*?)\}", STYLESHEET.read_text(encoding="utf-8"))
    palettes = [dict(re.findall(r"--(\w+): (#\w+)", root)) for root in roots]
    return [
        {name: code if len(code) == 7 else "#" + "".join(digit * 2 for digit in code[1:]) for name, code in own.items()}
        for own in palettes
    ]


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#ffffff", "#767676") == pytest.approx(4.54, abs=0.01)
    assert contrast("#808080", "#808080") == 1


@pytest.mark.parametrize("colour", COLOURS)
def test_a_letter_can_be_read_on_its_sign(colour: str) -> None:
    code = colour_code(colour)
    assert contrast(contrast_colour(code), code) >= TEXT


@pytest.mark.parametrize("palette", palettes(), ids=["light", "dark", "print"])
@pytest.mark.parametrize("colour", COLOURS)
def test_a_sign_in_the_text_of_a_rulebook_stands_out(colour: str, palette: dict[str, str]) -> None:
    assert "svg.sign g { stroke: var(--soft); }" in STYLESHEET.read_text(encoding="utf-8")
    assert 'class="sign"' in inline_glyph_svg(Glyph("X", "square", colour_code(colour), "#000000"))
    for ground in GROUNDS:
        assert max(contrast(own, palette[ground]) for own in (palette["soft"], colour_code(colour))) >= DRAWING


@pytest.mark.parametrize("colour", COLOURS)
def test_a_sign_on_a_card_or_plan_stands_out(colour: str) -> None:
    code = colour_code(colour)
    title = mixed(code, CARD_FILL, TITLE_OPACITY)
    assert f'fill="{code}" stroke="{GLYPH_OUTLINE}"' in glyph_svg(Glyph("X", "square", code, "#000000"), 0, 0, 1)
    assert all(contrast(GLYPH_OUTLINE, ground) >= DRAWING for ground in (CARD_FILL, PLAN_FILL, title))
    assert contrast(CARD_TEXT, title) >= TEXT


SYSTEMS = (ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT, ColorSystem.STANDARD)


@pytest.mark.parametrize(
    ("colour", "system"),
    [(colour, system) for system in SYSTEMS for colour in (COLOUR_CODES if system is SYSTEMS[-1] else COLOURS)],
)
def test_a_sign_on_the_terminal_brings_its_own_ground(colour: str, system: ColorSystem) -> None:
    def shown(own: Color | None) -> str:
        assert own is not None
        return own.downgrade(system).get_truecolor(DEFAULT_TERMINAL_THEME).hex

    style = Style.parse(ground_style(colour))
    least = TEXT if system is ColorSystem.TRUECOLOR else DRAWING
    assert contrast(shown(style.color), shown(style.bgcolor)) >= least


def test_lines_and_texts_of_diagrams_stand_out() -> None:
    """In light and in dark mode; the colours of the latter are in the style that each picture brings."""
    dark = dict(re.findall(r"#g (?:\.)?(text|paper)\{fill:(#\w+)\}", svg._dark_mode("g")))
    for light_fill, dark_fill in svg.FILLS.values():
        assert contrast(svg.TEXT_COLOUR, light_fill) >= TEXT
        assert contrast(dark["text"], dark_fill) >= TEXT
    for style in svg.LINE_STYLES.values():
        assert contrast(style.light, svg.BACKGROUND_COLOUR) >= DRAWING
        assert contrast(style.dark, dark["paper"]) >= DRAWING
