"""Does an English sentence say "a" where a name follows that asks for "an", or the other way round?

In: rules, and the composition they were built from. Out: warnings at holes that print one of several members, behind
an article that is wrong for one of them. By the letter that names begin with: what is heard otherwise ("a euro", "an
hour", "a one") is passed over.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from rulewright.checker.common.lint_codes import OTHER_FORM
from rulewright.checker.texts.sentence_languages import judged_texts
from rulewright.diagnostics import Diagnostics
from rulewright.expr.sentence_template import Hole
from rulewright.expr.types import Member
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.loader import Composition
from rulewright.model.locale import ENGLISH
from rulewright.model.rules import Rules

BEHIND_ARTICLE: Final = lazy_pattern(r"(?i)\ban? \{")
ARTICLE: Final = lazy_pattern(r"(?i)(?:^|[\s(])(an?) $")
WITH_AN: Final = lazy_pattern(r"(?i)(?!eu|ew|one?\b|once\b)[aeio]")
WITH_A: Final = lazy_pattern(r"(?i)[bcdgjkpqtvwyz]")  # not letters whose own names begin with a vowel


def check_articles(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first in each sentence."""
    for address, language, text in judged_texts(composition):
        if language != ENGLISH or BEHIND_ARTICLE.search(text.text) is None:
            continue
        template = rules.languages[ENGLISH].sentences.get(address)
        parts = template.parts if template is not None else ()
        for before, part in pairwise(parts):
            article = ARTICLE.search(before) if isinstance(before, str) else None
            if article is None or not isinstance(part, Hole) or not isinstance(part.expr.type, Member):
                continue
            name = _wrong_name(article[1].lower(), part.expr.type, rules)
            if name and composition.is_judged(text.span):
                diagnostics.add(
                    text.subspan(*part.offsets),
                    OTHER_FORM,
                    f"this can say `{article[1].lower()} {name}`",
                    label="a name without its article",
                    help="write the sentence without an article",
                    address=address,
                )
                break


def _wrong_name(article: str, type_: Member, rules: Rules) -> str:
    """The name of a member that asks for the other article."""
    info = rules.kinds[type_.kind]
    known = rules.languages[ENGLISH].member_names
    wrong = WITH_AN if article == "a" else WITH_A
    if info.is_numeric or any(map(info.is_player, info.members)):
        return ""
    names = [known.get(info.name_key(member), (member,))[0] for member in info.members]
    return next((name for name in names if wrong.match(name)), "")


__all__ = ["check_articles"]
