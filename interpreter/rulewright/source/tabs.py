"""Tabs at the beginning of lines, and the spaces that belong there.

In: a text, and the place of a tab in it. Out: the spaces, for this line and those below it.
"""

from __future__ import annotations

import re
from typing import Final

from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.yaml_failure import TextCorrection

INDENTATION: Final = lazy_pattern(r"^ +(?=[^\s#-])", re.MULTILINE)
TABS: Final = lazy_pattern(r"^\t+", re.MULTILINE)
USUAL_INDENTATION: Final = 2


def spaces_for_tabs(text: str, start: int, end: int) -> TextCorrection:
    """For each tab as many spaces as the file is indented by elsewhere, on all lines from there that begin with tabs;
    one space where the tab does not indent.
    """
    if text[text.rfind("\n", 0, start) + 1 : start].strip():
        return TextCorrection(start, end, " ")
    spaces = " " * min((len(match[0]) for match in INDENTATION.finditer(text)), default=USUAL_INDENTATION)
    last = max([end, *(match.end() for match in TABS.finditer(text, end))])
    after = TABS.sub(lambda tabs: spaces * len(tabs[0]), text[end:last])
    return TextCorrection(start, last, text[start:end].replace("\t", spaces) + after)


__all__ = ["spaces_for_tabs"]
