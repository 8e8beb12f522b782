"""How many steps an evaluation takes at most, apart from what it computes only once however often it is asked for.

In: bounds of the parts of an expression. Out: the bound of the whole. A derived value is computed once for each of its
arguments in one position, and what does not depend on a loop's variable once for all turns of that loop: such parts
are kept apart as `SharedSteps`, until a loop is left whose variable they depend on. So a bound never counts a value
more often than there are arguments for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright import limits
from rulewright.expr.structural_key import StructuralKey
from rulewright.frozen import field, frozen


@frozen
class SharedSteps:
    """The steps of a part that is computed once for all equal values of some variables.

    `slots`: the slots of these variables. `is_kept`: it stays known for the whole evaluation, not only in its loop.
    """

    steps: int
    slots: frozenset[int] = frozenset()
    is_kept: bool = True


@frozen
class Cost:
    """An upper bound of the steps of an evaluation.

    `once`: of a single one. `each`: of every one of many, without `shared`: by their keys, the parts that these have
    in common. Parts with one key are the same part.
    """

    once: int
    each: int
    shared: Mapping[StructuralKey, SharedSteps] = field(default_factory=dict)

    def plus(self, other: Cost) -> Cost:
        """Both, one after the other."""
        if not self.shared and not other.shared:
            return Cost(self.once + other.once, self.each + other.each, self.shared)
        return _bounded(self.once + other.once, self.each + other.each, {**self.shared, **other.shared})

    def or_else(self, other: Cost) -> Cost:
        """One of the two."""
        shared = {**self.shared, **other.shared}
        return _bounded(max(self.once, other.once), max(self.each, other.each), shared)

    def repeated(self, times: int, slot: int, over: StructuralKey | None, over_slots: frozenset[int]) -> Cost:
        """The turns of a loop over a set, `over`, which depends on the variables `over_slots`."""
        each, shared = times * self.each, dict[StructuralKey, SharedSteps]()
        for key, part in self.shared.items():
            if slot not in part.slots:
                shared[key] = part
            elif part.is_kept and over is not None:  # once for each element, wherever else this set is gone through
                slots = (part.slots - {slot}) | over_slots
                shared["each", over, slot, key] = SharedSteps(times * part.steps, slots)
            else:
                each += times * part.steps
        return _bounded(times * self.once, each, shared)

    def after_its_loops(self) -> Cost:
        """The cost of a whole expression: only what stays known after it is shared."""
        each = self.each + sum(part.steps for part in self.shared.values() if not part.is_kept)
        return _bounded(self.once, each, {key: part for key, part in self.shared.items() if part.is_kept})

    def with_arguments(self, args: Sequence[StructuralKey | None], slots: Sequence[frozenset[int]]) -> Cost:
        """The cost of a derived value for some arguments; `slots`: the variables that each of them depends on."""
        each, shared = self.each, dict[StructuralKey, SharedSteps]()
        for key, part in self.shared.items():
            instance = _instance(key, part.slots, args)
            if instance is None:
                each += part.steps
            else:
                shared[instance] = SharedSteps(
                    part.steps, frozenset[int]().union(*(slots[slot] for slot in part.slots))
                )
        return _bounded(self.once, each, shared)


def fixed_cost(steps: int) -> Cost:
    """The cost of so many steps each time."""
    return Cost(steps, steps)


def kept_cost(key: StructuralKey, cost: Cost, slots: frozenset[int], *, is_kept: bool = True) -> Cost:
    """The cost of what is computed once for all equal values of some variables, and looked up in a step afterwards."""
    return _bounded(1 + cost.once, 1, {**cost.shared, key: SharedSteps(cost.each, slots, is_kept)})


def _bounded(once: int, each: int, shared: dict[StructuralKey, SharedSteps]) -> Cost:
    if len(shared) > limits.MAX_SHARED_PARTS:  # the smallest ones count each time
        by_size = sorted(shared, key=lambda key: shared[key].steps)
        for key in by_size[: -limits.MAX_SHARED_PARTS]:
            each += shared.pop(key).steps
    return Cost(min(once, each + sum(part.steps for part in shared.values())), each, shared)


def _instance(key: StructuralKey, slots: frozenset[int], args: Sequence[StructuralKey | None]) -> StructuralKey | None:
    """The key of a value's part for some arguments; None where it cannot be compared with others."""
    by_slot = {slot: args[slot] for slot in sorted(slots)}
    if None in by_slot.values():
        return None
    if key[0] == "ReadValue" and all(_is_plain(part) for part in key[1:]):
        instance: StructuralKey = tuple(
            by_slot[part[1]] if isinstance(part, tuple) and part[0] == "Local" else part for part in key
        )
    else:
        instance = ("for", key, *by_slot.items())
    return instance if _size(instance, limits.MAX_KEY_PARTS) >= 0 else None


def _is_plain(part: object) -> bool:
    """Whether a part of a key is a word, a constant, or a variable alone."""
    return not isinstance(part, tuple) or part[0] in ("Local", "Constant", "Builtin")


def _size(key: object, allowed: int) -> int:
    """How many more parts a key may have; below 0 once it has more than allowed."""
    if isinstance(key, tuple):
        for part in key:
            allowed = _size(part, allowed)
            if allowed < 0:
                break
    return allowed - 1


__all__ = ["Cost", "SharedSteps", "fixed_cost", "kept_cost"]
