"""Whether two expressions say the same: a key that is equal for expressions of equal structure.

In: a typed expression. Out: its key, to compare with others. Variables count by their slots, so keys of two expressions
are comparable if both were read in one scope.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulewright import limits
from rulewright.expr.tree import Expr, Local
from rulewright.expr.types import UnknownType
from rulewright.frozen import field_names, is_data
from rulewright.source.node_memo import NodeMemo

StructuralKey = tuple[object, ...]


def _key(part: object) -> StructuralKey | None:
    if isinstance(getattr(part, "type", None), UnknownType):
        return None
    if isinstance(part, Local):
        return "Local", part.slot  # whatever its name
    if isinstance(part, tuple):
        name, children = "", list(part)
    elif is_data(part):
        name = type(part).__name__
        children = [getattr(part, name) for name in field_names(part) if name not in ("type", "offsets")]
    else:
        return type(part).__name__, part  # with its type: `true` is not 1
    keys = [_key(child) for child in children]
    return None if None in keys else (name, *keys)


# The key of an expression; None if some part of it is wrong, and so could mean anything. Most expressions are the same
# objects in the next build of rules.
structural_key: Final = NodeMemo[Expr, StructuralKey | None](_key, limits.MAX_REMEMBERED_NODES)


def are_same(these: Sequence[Expr], those: Sequence[Expr]) -> bool:
    """Whether expressions surely say the same as others, each as the one in its place."""
    keys = [structural_key(each) for each in these]
    return None not in keys and keys == [structural_key(each) for each in those]
