"""Pages and pictures for printers and word processors: HTML as PDF, SVG as PDF or PNG.

In: the text of a page or of a picture. Out: the bytes of a file. Needs weasyprint and pypdfium2, which the extra
`rulewright[print]` installs; where they are missing that is a `UsageError`.
"""

from __future__ import annotations

import io
import os
from contextlib import redirect_stdout
from importlib import import_module
from typing import Final

from rulewright.errors import UsageError
from rulewright.lazy_pattern import lazy_pattern

PRINT_FORMATS: Final = frozenset({"pdf", "png"})
PNG_SCALE: Final = 2.0  # pixels of the picture for each of its units, so that letters are sharp
PDF_UNITS: Final = 96 / 72  # PDF counts in points, SVG in pixels
SVG_SIZE: Final = lazy_pattern(r'viewBox="0 0 (\d+) (\d+)"')


def require_print_library(format: str) -> None:
    """Raises `UsageError` where a file of this format cannot be made: before any work is done for it."""
    if format not in PRINT_FORMATS:
        return
    try:
        with redirect_stdout(io.StringIO()):  # weasyprint prints there what it misses
            for name in ("weasyprint", "pypdfium2"):
                import_module(name)
    except ImportError:
        raise UsageError(f"{format.upper()} needs weasyprint and pypdfium2: pip install 'rulewright[print]'") from None
    except OSError:  # weasyprint is there, the library that it draws letters with is not
        raise UsageError(
            f"{format.upper()} needs Pango: on Debian, apt-get install libpangoft2-1.0-0 libharfbuzz-subset0"
        ) from None


def html_to_pdf(page: str) -> bytes:
    """A page of HTML that refers to no other file, as it is printed."""
    import weasyprint

    os.environ.setdefault("SOURCE_DATE_EPOCH", "0")  # the time in the fonts within: the same page gives the same bytes
    pdf = weasyprint.HTML(string=page).write_pdf()
    assert isinstance(pdf, bytes)
    return pdf


def svg_to_pdf(svg: str) -> bytes:
    """A picture as a PDF of one page of its size."""
    size = SVG_SIZE.search(svg)
    assert size is not None
    style = f"@page {{ size: {size[1]}px {size[2]}px; margin: 0 }} body {{ margin: 0 }} svg {{ display: block }}"
    return html_to_pdf(f'<!DOCTYPE html><meta charset="utf-8"><style>{style}</style>{svg}')


def svg_to_png(svg: str) -> bytes:
    """A picture as PNG."""
    import pypdfium2

    image = io.BytesIO()
    with pypdfium2.PdfDocument(svg_to_pdf(svg)) as document:
        document[0].render(scale=PNG_SCALE * PDF_UNITS).to_pil().save(image, format="png")
    return image.getvalue()


__all__ = ["html_to_pdf", "require_print_library", "svg_to_pdf", "svg_to_png"]
