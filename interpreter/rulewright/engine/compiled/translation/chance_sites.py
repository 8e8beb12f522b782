"""Where chance decides while a program runs: each such place has a number in the program.

In: draws from zones and rolls for states. Out: the number of each, and the list of all, from which the event of a draw
is made where chance comes from outside.
"""

from __future__ import annotations

from typing import Literal

from rulewright.engine.compiled.kernel.kernel import Below, Node
from rulewright.frozen import frozen


@frozen
class ChanceSite:
    """What chance decides: which thing or piece leaves a place of a zone, or what a state variable becomes.

    `owner`: the zone or state. `is_random`: any thing of the place, not the one on top. `outcomes`: of a roll, with
    their weights.
    """

    kind: Literal["draw", "roll"]
    owner: str
    is_random: bool = False
    outcomes: tuple[tuple[int, int], ...] = ()


class ChanceSites:
    """The sites of one program, by number."""

    def __init__(self) -> None:
        self.sites: list[ChanceSite] = []

    def below(self, count: Node, site: ChanceSite, offset: Node) -> Below:
        """A number below `count` by chance. `offset`: which place of the zone, or variable of the state."""
        if site not in self.sites:
            self.sites.append(site)
        return Below(count, self.sites.index(site), offset)


__all__ = ["ChanceSite", "ChanceSites"]
