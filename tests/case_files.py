"""Case files: rule files that state, on the lines themselves, which diagnostics are expected there.

In: a file's text and the diagnostics reported about it. Out: the differences between the two, as sentences.

    is: count(hand) < limt      #! unknown-name: no `limt`
    colour: yes                 #! yaml-surprise: flag #! bad-id
    {a: b
    #!^ unbalanced-bracket: unclosed

A `#!` at the end of a line expects one diagnostic on that line: the name of its code and, after a colon, a part of its
message, and after `= help:` a part of its help; ` #! ` begins another. `#!^` on a line of its own refers to the nearest
line above without `#!^`, for places where a comment at the end would change the YAML. Both stay in the text that is
read: to YAML they are comments. Where no comment is possible (bytes that are not text, an empty file), a file of the
same name ending in `.expect` lists them, one diagnostic a line: `LINE code-name: part of the message`. A missing
diagnostic is a difference, and so is an extra one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

from rulewright.diagnostics import Code, Diagnostic

Expected = tuple[int, str, str]  # line from 1, name of the code, piece of the message

MARK = re.compile(r"(?:^|(?<=\s))#!(\^?)(?=\s)(.*)$")
SIDECAR = ".expect"


def expected(text: str) -> list[Expected]:
    """The diagnostics that a text states, in order."""
    found: list[Expected] = []
    spoken_of = 0
    for number, line in enumerate(text.split("\n"), start=1):
        mark = MARK.search(line.rstrip("\r"))
        above = bool(mark and mark[1])
        if not above:
            spoken_of = number
        if mark:
            for stated in re.split(r"\s#!\s", mark[2]):
                code, _, piece = stated.partition(":")
                found.append((spoken_of, code.strip(), piece.strip()))
    return found


def expected_of(path: Path) -> list[Expected]:
    """The diagnostics that a case file and the file beside it state."""
    found = expected(path.read_bytes().decode("utf-8", "replace"))
    sidecar = path.with_suffix(SIDECAR)
    if sidecar.is_file():
        for line in sidecar.read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                number, _, stated = line.strip().partition(" ")
                code, _, piece = stated.partition(":")
                found.append((int(number), code.strip(), piece.strip()))
    return found


def compare(path: Path, diagnostics: Iterable[Diagnostic]) -> list[str]:
    """The differences between the diagnostics of a case file and the reported ones; empty when there are none."""
    return _differences(path.name, expected_of(path), diagnostics)


def compare_folder(folder: Path, diagnostics: Iterable[Diagnostic]) -> list[str]:
    """The same for a case of several files: each diagnostic belongs to the file that its path ends in."""
    made = list(diagnostics)
    differences: list[str] = []
    # those in folders below first: their paths end in the names of files above, too
    for path in sorted(folder.rglob("*.yaml"), key=lambda path: (-len(path.parts), path)):
        name = path.relative_to(folder).as_posix()
        here = [one for one in made if f"/{Path(one.span.source.path).as_posix()}".endswith(f"/{name}")]
        made = [one for one in made if one not in here]
        differences += _differences(name, expected_of(path), here)
    return differences + [f"{_summary(one)}: about no file of the case" for one in made]


def _differences(name: str, stated: list[Expected], diagnostics: Iterable[Diagnostic]) -> list[str]:
    differences: list[str] = []
    open_ = sorted(stated, key=lambda one: -len(one[2]))  # the most exact first, so that it finds its own
    made = list(diagnostics)
    for line, code, piece in open_:
        message, _, hint = (part.strip() for part in piece.partition("= help:"))
        here = (d for d in made if (d.span.line, d.code.name) == (line, code))
        match = next((d for d in here if message in d.message and hint in d.help), None)
        if match is not None:
            made.remove(match)
            continue
        near = [d for d in made if d.span.line == line]
        instead = f"; there is {', '.join(map(_summary, near))}" if near else ""
        differences.append(f"{name}:{line}: expected {code}{': ' if piece else ''}{piece}{instead}")
    return differences + [f"{_summary(one)}: not expected" for one in made]


def _summary(one: Diagnostic) -> str:
    return f"{one.span} {one.code.name}: {one.message}{' = help: ' if one.help else ''}{one.help}"


def case_files(folder: Path) -> list[Path]:
    """The case files directly in a folder, by name."""
    return sorted(folder.glob("*.yaml"))


def codes_in(*modules: ModuleType) -> Iterator[Code]:
    """Every code that the modules define."""
    for module in modules:
        for value in vars(module).values():
            if isinstance(value, Code):
                yield value


def covered(folder: Path) -> set[str]:
    """Names of the codes that the case files below a folder state."""
    return {code for path in folder.rglob("*.yaml") for _, code, _ in expected_of(path)}
