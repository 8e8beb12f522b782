"""Each stage of the package imports only from stages before it, and nobody imports what only the outermost may do.

The order stands in `STAGES`, lowest first.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "interpreter" / "rulewright"
STAGES = (
    "errors",
    "frozen",
    "lazy_pattern",
    "limits",
    "json_values",
    "frozen_json",
    "atomic_write",
    "private_cache",
    "slips",
    "suggestions",
    "diagnostics",
    "bundle",
    "program_signature",
    "source",
    "document",
    "variants",
    "expr",
    "model",
    "engine",
    "bots",
    "wording",
    "simulation",
    "diagram",
    "session",
    "rulebook",
    "records",
    "scenarios",
    "checker",
    "explanations",
    "lockstep",
    "coverage",
    "terminal",
    "editor",
    "protocol",
    "games",
    "cli",
)
ROOMS = {  # of packages with folders, lowest first; what stands in the package itself has an empty name
    "engine.compiled": ("kernel", "translation", "python", "", "llvm", "playing"),
    "checker": ("common", "texts", "causes", "logic", "played", "secrets", "", "output"),
}
BESIDE = {("diagnostics", "bundle"), ("bundle", "diagnostics")}  # two beginnings, neither before the other
OUTERMOST = {"__main__", "__init__"}  # of the package itself: they show what is public, and may look everywhere

# what a library must not do; only `terminal`, `protocol` and `cli` print, reads arguments, opens sockets
FRONT_ONLY = {"argparse", "socket", "http", "socketserver", "curses", "readline", "webbrowser"}

DECIDES = PACKAGE / "engine" / "default_engine.py"  # which engine plays

MODULES = sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    return ".".join(("rulewright", *path.relative_to(PACKAGE).with_suffix("").parts))


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imported(path: Path) -> tuple[tuple[int, str], ...]:
    """Every module that a file imports, inside functions too, with the line."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    package = (
        name_of(path).rpartition(".")[0] if path.name != "__init__.py" else name_of(path).removesuffix(".__init__")
    )
    for node in ast.walk(tree_of(path)):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                base = ".".join(package.split(".")[: len(package.split(".")) - level + 1]) if level else ""
                whole = ".".join(part for part in (base, module or "") if part)
                yield node.lineno, whole
                if whole.startswith("rulewright"):  # a name may be a module
                    yield from ((node.lineno, f"{whole}.{alias.name}") for alias in names)


def stage(module: str) -> str | None:
    """The stage of a module of the package: its second word."""
    words = module.split(".")
    return words[1] if words[0] == "rulewright" and len(words) > 1 else None


def test_every_module_belongs_to_a_stage():
    assert {stage(name_of(path)) for path in MODULES} <= {*STAGES, *OUTERMOST}
    assert len(MODULES) > 40


def test_modules_import_only_from_stages_before_them():
    wrong = []
    for path in MODULES:
        here = stage(name_of(path))
        if here in OUTERMOST:
            continue
        assert here is not None
        for line, module in imported(path):
            there = stage(module)
            if there is None or there == here or there.startswith("__"):
                continue
            assert there in STAGES, f"{path}:{line}: {module}"
            if STAGES.index(there) > STAGES.index(here) or (here, there) in BESIDE:
                wrong.append(f"{path}:{line}: {here} imports {module}")
    assert wrong == []


@pytest.mark.parametrize("package", ROOMS)
def test_modules_import_only_from_rooms_before_them(package: str):
    rooms, wrong = ROOMS[package], []
    for path in MODULES:
        here = room_of(name_of(path), package)
        if here is None:
            continue
        for line, module in imported(path):
            there = room_of(module, package)
            if there is not None and rooms.index(there) > rooms.index(here):
                wrong.append(f"{path}:{line}: {here} imports {module}")
    assert wrong == []


def room_of(module: str, package: str) -> str | None:
    """The folder of a package in which a module stands; None where it is of another package."""
    words = module.removeprefix(f"rulewright.{package}.").split(".")
    if not module.startswith(f"rulewright.{package}.") or words[-1] == "__init__":
        return None
    return words[0] if words[0] in ROOMS[package] else ""


def test_only_the_outermost_stage_speaks_to_the_world():
    wrong = []
    for path in MODULES:
        if stage(name_of(path)) in ("cli", "terminal", "protocol", "__main__"):
            continue
        worldly = [(line, module) for line, module in imported(path) if module.split(".")[0] in FRONT_ONLY]
        wrong += [f"{path}:{line}: imports {module}" for line, module in worldly]
        if 'if __name__ == "__main__"' not in path.read_text(encoding="utf-8"):  # a command for developers may print
            wrong += [f"{path}:{line}: prints or asks" for line in calls_of(tree_of(path), ("print", "input"))]
    assert wrong == []


def calls_of(tree: ast.Module, names: tuple[str, ...]) -> list[int]:
    """The lines in which one of some functions is called."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [call.lineno for call in calls if isinstance(call.func, ast.Name) and call.func.id in names]


def test_no_modules_import_each_other():
    """Not even inside functions or for types only: a reader can begin with the first module and go on."""
    known = {name_of(path).removesuffix(".__init__"): path for path in MODULES}
    graph = {name: {module for _, module in imported(path)} & set(known) for name, path in known.items()}
    del graph["rulewright"], graph["rulewright.__main__"]
    left = dict(graph)
    while left:
        ready = [name for name, needs in left.items() if not needs & set(left)]
        assert ready, f"these import each other: {sorted(left)}"
        for name in ready:
            del left[name]


def test_engines_do_not_import_each_other():
    """What engines share imports none of them; the compiled engine and the reference engine are compared by tests."""
    engines, wrong = {"reference", "compiled"}, []
    for path in MODULES:
        words = name_of(path).split(".")
        if words[1:2] != ["engine"] or path == DECIDES:
            continue
        used = {module.split(".")[2] for _, module in imported(path) if module.startswith("rulewright.engine.")}
        wrong += [f"{path}: imports {engine}" for engine in used & (engines - set(words[2:3]))]
    assert wrong == []


def test_only_one_module_decides_which_engine_plays():
    """All others take an `Engine`; the package itself shows `ReferenceEngine` to programs."""
    engine = "rulewright.engine.reference.reference_engine"
    others = (path for path in MODULES if path not in (DECIDES, PACKAGE / "__init__.py"))
    using = ((path, module) for path in others for _, module in imported(path))
    assert not [path for path, module in using if module == engine or module.startswith(f"{engine}.")]


@pytest.mark.parametrize(
    ("modules", "too_heavy"),
    [
        (
            "rulewright.model.loader, rulewright.engine.reference.reference_engine",
            {"jsonschema", "argparse", "http.server", "asyncio"},
        ),
        (  # whose answer may be known
            "rulewright.cli.check, rulewright.cli.subcommands",
            {"yaml", "shutil", "rulewright.document.document_reader", "rulewright.checker.checker"},
        ),
        ("rulewright.checker.checker", {"rulewright.model.rules", "rulewright.engine"}),  # which may be asked to judge
    ],
)
def test_importing_the_package_is_light(modules: str, too_heavy: set[str]):
    """What costs a command its start is imported only when it is needed."""
    program = f"import sys; import {modules}; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=PACKAGE.parent, capture_output=True, text=True, check=True
    )
    assert not too_heavy & set(run.stdout.split())
