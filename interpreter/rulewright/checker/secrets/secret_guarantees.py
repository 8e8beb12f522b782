"""Whether options and reasons can tell anything hidden: proved where no rule looks, else tried in pairs of positions.

In: rules, how many decisions are played. Out: a `Guarantee` for all actions, or one for each rule that looks into a
hidden place, and one for each term by which bots value hidden things; none where nothing is hidden.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from rulewright.checker.logic.guarantees import Guarantee
from rulewright.checker.secrets.hidden_looks import find_hidden_looks, hidden_zones
from rulewright.checker.secrets.information_leaks import OWN_SEAT, HiddenReadFinder
from rulewright.checker.secrets.step_leaks import find_step_looks
from rulewright.model.rules import Rules

SECRETS_KEPT: Final = "options and reasons tell nothing hidden"
BOTS_SEE_NOTHING: Final = "bots know nothing hidden"


def prove_secrets(rules: Rules, decisions: int) -> Iterator[Guarantee]:
    """What is proved or was tried, in the order of the rules."""
    if not hidden_zones(rules):
        return
    yield from _imagined_terms(rules)
    looks, step_looks = find_hidden_looks(rules), (*find_step_looks(rules),)
    broken: Collection[str] = ()
    if step_looks and decisions:
        from rulewright.checker.secrets.secrets_search import search_secrets

        broken = search_secrets(rules, (), decisions, [look.address for look in step_looks]).steps
    for step_look in step_looks:
        tried = f"what happens depends on what is in `{step_look.zone}`"
        tried += ", as two positions that look the same show" * (step_look.address in broken)
        yield Guarantee(SECRETS_KEPT, step_look.address, "", tried)
    if not looks and step_looks:
        return
    if not looks:
        proof = "no condition or choice looks where whoever chooses may not see"
        yield Guarantee(SECRETS_KEPT, "actions", proof)
    elif not decisions:
        yield from (Guarantee(SECRETS_KEPT, look.address, "") for look in looks)
    else:
        from rulewright.checker.secrets.secrets_search import search_secrets  # with bots and compiled programs

        search = search_secrets(rules, looks, decisions)
        pairs = f"{search.pairs} pair{'s' * (search.pairs != 1)} of positions that look the same"
        for look in looks:
            found = "found broken" if look.address in search.leaks else "not found broken"
            yield Guarantee(SECRETS_KEPT, look.address, "", f"{found} in {pairs}")


def _imagined_terms(rules: Rules) -> Iterator[Guarantee]:
    """Terms of bots that read what the player may not see."""
    finder = HiddenReadFinder(rules.zones, rules.values, rules.players)
    named = [("evaluation", rules.evaluation)]
    named += [(f"strategies.{strategy.name}.terms", strategy.terms) for strategy in rules.strategies]
    for section, terms in named:
        for term in terms:
            for key, expr in (("when", term.when), ("is", term.of)):
                read = finder.find_first(expr, {0: OWN_SEAT}) if expr is not None else None
                if read is not None:
                    proof = f"`{read.zone.name}` is read in positions that a bot imagines, where what is there is drawn"
                    yield Guarantee(BOTS_SEE_NOTHING, f"{section}.{term.name}.{key}", proof)


__all__ = ["BOTS_SEE_NOTHING", "SECRETS_KEPT", "prove_secrets"]
