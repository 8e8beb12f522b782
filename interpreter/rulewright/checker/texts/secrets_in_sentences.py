"""Is a zone secret by its sentence, and seen by everybody, or the reverse?

In: the state of a build. Out: warnings about `seen_by` of zones. Found by a few words, English and French, in the
sentence of the zone, and in what a variant says of itself whose only change this is. What lies face down may still be
known to all, who saw it before: then it comes from where all see it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.sources_of_moves import sources_of_move
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.single_changes import text_of_single_change
from rulewright.expr.tree import Place
from rulewright.expr.types import Member
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Move, Reveal, Step
from rulewright.model.rules import ZoneDef
from rulewright.source.nodes import ScalarNode

_OWNER: Final = {
    "en": r"(?:its|their|the|his|her) (?:owners?|players?|holders?)|whoever (?:has|holds|owns) (?:it|them)"
    r"|(?:the|a) player(?: who (?:has|holds|owns) (?:it|them))?",
    "fr": r"(?:son|leur|le|la) (?:propriétaire|joueur|joueuse|détenteur)",
}
_NOBODY_ELSE: Final = {
    "en": r"(?:nobody|no one|no-one) else|no other(?: player)?|none of the others",
    "fr": r"(?:nul|aucun) autre(?: joueur)?|personne d'autre|aucun adversaire",
}
_SEES: Final = {
    "en": r"(?:(?:can |may )?(?:sees?|knows?|looks? at)|is allowed to (?:see|know|look at))",
    "fr": r"(?:ne )?(?:la |le |les |l')?(?:voi[ts]|voient|connaît|connaissent|peut voir|regarde)",
}
HIDDEN: Final = {
    "en": lazy_pattern(
        r"\bhidden from (?:the )?(?:others?|other players|opponents?|all|everybody)\b|\bkept secret\b"
        r"|\bnot (?:seen by|known to|shown to|visible to) (?:the )?(?:others?|other players|opponents?)\b"
        r"|\b(?:the others|(?:the )?other players|opponents) (?:do not|don't|cannot|may not|never) (?:see|know)\b"
        r"|\bunknown to (?:the )?(?:others?|other players|opponents?)\b|\bbehind (?:[\w']+ ){1,2}screens?\b"
        rf"|\b(?:{_NOBODY_ELSE['en']}) {_SEES['en']}\b"
        rf"|\bonly (?:{_OWNER['en']}|the one who has it) {_SEES['en']}\b|\b(?:{_OWNER['en']}) alone {_SEES['en']}\b"
        rf"|\b(?:seen|known) (?:by|to) (?:{_OWNER['en']}) (?:alone|only)\b"
        rf"|\b(?:seen|known) only (?:by|to) (?:{_OWNER['en']})|\bonly (?:seen|known) (?:by|to) (?:{_OWNER['en']})\b"
    ),
    "fr": lazy_pattern(
        r"\bcachée?s? (?:aux|des) (?:autres|adversaires)\b|\b(?:tenue?s?|gardée?s?) secr[eè]te?s?\b"
        r"|\bque les (?:autres|adversaires) ne (?:voient|connaissent) pas\b|\b(?:lui|elle) seule? (?:voit|connaît)\b"
        rf"|\b(?:vue?s?|connue?s?) (?:par|de) (?:son|leur) seul propriétaire\b|\bderrière (?:\w+ )?paravents?\b"
        rf"|\b(?:{_NOBODY_ELSE['fr']}) {_SEES['fr']}\b|\bseule? {_OWNER['fr']} {_SEES['fr']}\b"
        rf"|\b(?:vue?s?|connue?s?) (?:par|de) (?:{_OWNER['fr']}) seule?\b"
        rf"|\b(?:vue?s?|connue?s?) (?:seulement|uniquement) (?:par|de) {_OWNER['fr']}\b"
    ),
}
OWN_SECRET: Final = {  # of what a player has: a door may be called secret, too
    "en": lazy_pattern(r"\b(?:secret(?:ly)?|hidden)\b"),
    "fr": lazy_pattern(r"(?<!les )(?<!des )(?<!ses )(?<!\w')\b(?:secr[eè]te?s?|secrètement)\b"),
}
OPEN: Final = {
    "en": lazy_pattern(
        r"\b(?:seen by|visible to|open to|known to|shown to) (?:all|everybody|everyone)\b|\bface[- ]up\b"
        r"|\b(?:everybody|everyone|all(?: players)?) (?:can |may )?(?:sees?|knows?|look at)\b"
    ),
    "fr": lazy_pattern(
        r"\b(?:vue?s?|connue?s?|visibles?) (?:de|par|pour|à) tous\b|\bface visible\b"
        r"|\bque (?:tous|chacun|tout le monde) (?:voi(?:t|ent)|peu\w+ voir)\b"
    ),
}
FACE_DOWN: Final = {
    "en": lazy_pattern(r"\bface[- ]down\b"),
    "fr": lazy_pattern(r"\bfaces? (?:cachée?s?|en bas|contre (?:la )?table)\b"),
}
NO_LONGER: Final = lazy_pattern(  # what was a secret, or becomes one
    r"(?<!not )(?<!never )\b(?:reveal\w*|shown|open(?:ed|ly)?|public\w*|found|discovered|uncovered|turned"
    r"|solved|guess\w*|face[- ]up|longer"
    r"|once|until|till|before|after|when|were|was|never|révél\w+|montr\w+|découvert\w*|trouv\w+|devin\w+|plus|avant|après"
    r"|visibles?|étai\w+|jusqu\w*|quand|lorsque)\b"
)
DENIED: Final = lazy_pattern(
    r"\b(?:not|no|nobody|none|before|until|once|never|pas|ne|personne|avant|jusqu\w*|quand)\b|n'"
)


@build_pass(
    needs=["actions", "blocks", "zones", "components", "symbols", "book_sentences", "judged"], skip=after_errors
)
def check_secrets_in_sentences(state: BuildState) -> None:
    """Reports them."""
    for zone in state.judged.zones if state.players > 1 else ():
        if zone.seen_by == "others":
            continue
        span = key_span(state.document.root, zone.address, "seen_by", zone.span)
        for texts in (sentence_by_language(state, zone.address), text_of_single_change(state, span)):
            says = _secret_word(texts, zone, state) if zone.seen_by == "all" else _open_word(texts)
            if says:
                _report(state, zone, says)
                break


def _report(state: BuildState, zone: ZoneDef, says: str) -> None:
    span = key_span(state.document.root, zone.address, "seen_by", zone.span)
    if zone.seen_by == "all":
        who, label, hint = "everybody sees", "seen by all", "write `seen_by: owner` or `nobody`"
    else:
        who = "only its owner sees" if zone.seen_by == "owner" else "nobody sees"
        label, hint = f"seen by {zone.seen_by}", "write `seen_by: all`, or change the sentence"
    message = f"its sentence says `{says}`, and {who} `{zone.name}`"
    warn(state, span, OTHER_WAY, message, label, hint, zone.address)


def _secret_word(texts: Mapping[str, ScalarNode], zone: ZoneDef, state: BuildState) -> str:
    for language, node in texts.items():
        text = node.text.lower()
        if language not in HIDDEN or NO_LONGER.search(text) or "not secret" in text:
            continue
        match = HIDDEN[language].search(text)
        if match is None and zone.owner_key is not None:
            match = OWN_SECRET[language].search(text)
        if match is None and FACE_DOWN[language].search(text) and _is_from_hidden(zone, state):
            match = FACE_DOWN[language].search(text)
        if match is not None:
            return match[0]
    return ""


def _is_from_hidden(zone: ZoneDef, state: BuildState) -> bool:
    """Whether things come to a zone from others, none of which all see, and differ."""
    content = zone.content_type
    kind = state.symbols.kinds.get(content.kind) if isinstance(content, Member) else None
    starts = (component.initial_place for component in state.components.values())
    if isinstance(content, Member) and (kind is None or len(kind.members) < 2):
        return False
    if zone.initial_content is not None or zone.refill is not None or any(_is_to(start, zone) for start in starts):
        return False
    blocks = [block.steps for block in state.blocks if any(_goes_to(step, zone) for step in block.steps)]
    if any(isinstance(step.effect, Reveal) and step.effect.to is None for steps in blocks for step in steps):
        return False  # all have seen it before
    sources = [sources_of_move(step, state.actions) for steps in blocks for step in steps if _goes_to(step, zone)]
    return bool(sources) and all(each and all(state.zones[one].seen_by != "all" for one in each) for each in sources)


def _goes_to(step: Step, zone: ZoneDef) -> bool:
    return isinstance(step.effect, Move) and _is_to(step.effect.to, zone)


def _is_to(place: Place | None, zone: ZoneDef) -> bool:
    return place is not None and place.zone == zone.name


def _open_word(texts: Mapping[str, ScalarNode]) -> str:
    for language, node in texts.items():
        text = node.text.lower()
        match = OPEN[language].search(text) if language in OPEN and not DENIED.search(text) else None
        if match is not None:
            return match[0]
    return ""


__all__ = ["check_secrets_in_sentences"]
