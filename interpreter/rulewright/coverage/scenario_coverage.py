"""Which cases have seen a condition true, which false, and which steps they have carried out.

In: traces of cases, and the rules that they were played with. Out: `Coverage`, for each game its sites with the cases
that came by. Rules for other numbers of players and with other variants share the sites that are written alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from rulewright.coverage.case_traces import CaseTrace, case_name
from rulewright.coverage.rule_sites import RuleSite, rule_sites
from rulewright.frozen import frozen
from rulewright.model.rules import Rules
from rulewright.scenarios.scenario_game import GameKey

MAX_SHOWN_TEXT: Final = 60  # characters
SiteKey: TypeAlias = tuple[str, str, str]  # address, origin, what is written there: what makes two sites one


@frozen
class SiteCoverage:
    """A site with the names of the cases that have seen it: hold or happen, and, of a condition, fail."""

    site: RuleSite
    when_true: tuple[str, ...]
    when_false: tuple[str, ...]
    is_one_of_several: bool = False  # that variants have written at the same address

    @property
    def name(self) -> str:
        """Its address; of several at one address with what is written."""
        text = self.site.source_text
        if not self.is_one_of_several or not text:
            return self.site.address
        return f"{self.site.address}: {text if len(text) <= MAX_SHOWN_TEXT else f'{text[: MAX_SHOWN_TEXT - 1]}…'}"

    @property
    def missing(self) -> tuple[str, ...]:
        """What no case has seen of it, in words."""
        if self.site.kind != "condition":
            return () if self.when_true else ("never reached",)
        if not self.when_true and not self.when_false:
            return ("never asked",)
        return tuple(
            words for words, cases in (("never true", self.when_true), ("never false", self.when_false)) if not cases
        )


@frozen
class Coverage:
    """The sites of each game that was played, in the order of its rules."""

    games: Mapping[str, tuple[SiteCoverage, ...]]


def measure_coverage(traces: Iterable[CaseTrace], rules: Mapping[GameKey, Rules], only: str = "") -> Coverage:
    """What the cases have seen. Of a game that no case plays without variants only what variants wrote.

    `only`: a variant or game whose rules are asked for, or how their addresses begin.
    """
    played_alone = {known.game for key, known in rules.items() if not key[2]}
    sites = {
        key: {
            site.address: site
            for site in rule_sites(known)
            if is_asked_for(site.address, site.origin, only)
            and (only or site.origin != known.game or known.game in played_alone)
        }
        for key, known in rules.items()
    }
    found: dict[str, dict[SiteKey, RuleSite]] = {}
    for key, by_address in sites.items():
        known_sites = found.setdefault(rules[key].game, {})
        for site in by_address.values():
            known_sites.setdefault(_site_key(site), site)
    cases: dict[tuple[str, SiteKey, bool], dict[str, None]] = {}
    for trace in traces:
        for address, outcome in trace.events:
            site_here = sites[trace.key].get(address)
            if site_here is not None:
                outcome_key = rules[trace.key].game, _site_key(site_here), outcome
                cases.setdefault(outcome_key, {})[case_name(trace.case)] = None

    often = Counter((game, key[:2]) for game, known_sites in found.items() for key in known_sites)

    def covered(game: str, key: SiteKey, site: RuleSite) -> SiteCoverage:
        when_true, when_false = (tuple(cases.get((game, key, outcome), ())) for outcome in (True, False))
        return SiteCoverage(site, when_true, when_false, often[game, key[:2]] > 1)

    games = {
        game: tuple(covered(game, key, site) for key, site in known_sites.items())
        for game, known_sites in found.items()
    }
    return Coverage({game: in_game for game, in_game in games.items() if in_game})


def _site_key(site: RuleSite) -> SiteKey:
    return site.address, site.origin, site.source_text


def is_asked_for(address: str, origin: str, only: str) -> bool:
    """Whether `only` names the variant or game that wrote a rule, its address, or how that begins; empty: all rules."""
    return not only or only in (origin, address) or address.startswith(f"{only}.")


__all__ = ["Coverage", "SiteCoverage", "is_asked_for", "measure_coverage"]
