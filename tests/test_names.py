"""One word for one thing: no class or module has the name of another, and private metaphors stay out of identifiers."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

Trees = dict[Path, ast.Module]

PACKAGE = Path(__file__).parent.parent / "interpreter" / "rulewright"
MODULES = sorted(PACKAGE.rglob("*.py"))

ONE_IN_EACH_PACKAGE = {"__init__", "codes"}
ENTRY_POINTS = {"run"}  # of the modules of `cli`, which are rows of one table
ENTRY_CLASSES = {"Options"}  # of the commands, each beside its `run`
ROWS = ("rulebook/chapters",)  # modules that are named as the rows of a table

# each has a term of the field that readers search for
METAPHORS = {
    "desk", "stumble", "wish", "laid", "told", "said", "saying", "telling", "departures", "understood",
    "complaint", "complaints", "fallen", "retold", "composed", "culprit", "underway", "soundness", "hygiene", "peeks",
}  # fmt: skip


@pytest.fixture(scope="module")
def trees() -> Trees:
    """Of all modules; not for longer than they are needed, since so many objects slow down whatever runs."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}


def identifiers(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every name that a module gives to something, with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.Name(id=name, ctx=ast.Store()):
                yield node.lineno, name


def definitions(trees: Trees, kind: type[ast.ClassDef] | type[ast.FunctionDef]) -> dict[str, list[str]]:
    """The public classes or functions of all modules, each with the modules that define it."""
    places = defaultdict(list)
    for path, tree in trees.items():
        for node in tree.body:
            if isinstance(node, kind) and not node.name.startswith("_"):
                places[node.name].append(str(path.relative_to(PACKAGE)))
    return places


def test_no_class_has_the_name_of_another(trees: Trees) -> None:
    classes = definitions(trees, ast.ClassDef)
    assert {name: places for name, places in classes.items() if len(places) > 1 and name not in ENTRY_CLASSES} == {}


def test_no_public_function_has_the_name_of_another(trees: Trees) -> None:
    functions = definitions(trees, ast.FunctionDef)
    assert {name: places for name, places in functions.items() if len(places) > 1 and name not in ENTRY_POINTS} == {}


def test_no_module_has_the_name_of_another() -> None:
    places = defaultdict(list)
    for path in MODULES:
        if path.stem not in ONE_IN_EACH_PACKAGE and str(path.parent.relative_to(PACKAGE)) not in ROWS:
            places[path.stem].append(str(path.relative_to(PACKAGE)))
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


def test_nothing_of_a_module_is_without_use(trees: Trees) -> None:
    """Private functions and classes are used where they are, constants there or by those who import them."""
    everywhere = set[str]()
    for node in (node for tree in trees.values() for node in ast.walk(tree)):
        if isinstance(node, ast.ImportFrom):
            everywhere |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Attribute):
            everywhere.add(node.attr)
    unused = []
    for path, tree in trees.items():
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        used |= everywhere | set(re.findall(r"\w+", " ".join(strings(tree))))
        unused += [f"{path.relative_to(PACKAGE)}: {name}" for name in own_names(tree) if name not in used]
    assert unused == []


def own_names(tree: ast.Module) -> Iterator[str]:
    """What a module defines for itself: private functions and classes, constants."""
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if name.startswith("_") and name[1] != "_":
                yield name
            case ast.AnnAssign(target=ast.Name(id=name)) if name.isupper():
                yield name


def strings(tree: ast.Module) -> Iterator[str]:
    """The texts of a module, which may be annotations, or names that it exports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_names_are_the_fields_terms(trees: Trees) -> None:
    found = [
        f"{path}:{line}: {name}"
        for path, tree in trees.items()
        for line, name in identifiers(tree)
        if METAPHORS & set(name.lower().strip("_").split("_"))
    ]
    assert found == []
