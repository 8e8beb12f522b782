"""Does a sentence say how much somebody may hold, whichever way it comes there?

In: the name of a parameter, or a number, and a composition. Out: yes or no, by a few words, English and French, in the
text of the parameter or of a variant.
"""

from __future__ import annotations

import re
from typing import Final

from rulewright.checker.texts.numbers_in_sentences import number_span, numbers_in_text, sentence_texts
from rulewright.checker.texts.sentence_languages import sentences_of
from rulewright.document.sentence_places import sentence_address
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.loader import Composition

MAY_HOLD: Final = lazy_pattern(  # of a parameter
    r"(?i)\b(?:may|can|peut|peuvent) (?:be )?(?:hold|held|carry|carried|have|keep|kept|own|owned|store|stored|contain"
    r"|porter|tenir|garder|avoir|posséder|conserver|contenir)\b"
)
SAYS_LIMIT: Final = {  # of a variant, by language; `{0}`: the number, or the parameter in braces
    "en": (
        r"(?i)\b(?:nobody|no ?one|no player|never)\b[^.;,]*\bmore than {0}",
        r"(?i)(?:^|[.;,] )(?:everybody|everyone|each|every|an?|one|the|players?)\b[^.;,]*"
        r"\b(?:holds?|carry|carries|keeps?|owns?|has|have|room for)\b[^.;,]*\b(?:at most|no more than|up to|only) {0}",
    ),
    "fr": (
        r"(?i)\b(?:personne|nul|aucun joueur|jamais)\b[^.;,]*\bplus de {0}",
        r"(?i)(?:^|[.;,] )(?:chacun|chaque|tous|on|une?|les?|la)\b[^.;,]*"
        r"\b(?:portent?|tiennent|tient|gardent?|ont|a|possèdent?|contien\w+)\b[^.;,]*\b(?:au plus|que|jusqu'à) {0}",
    ),
}


def says_limit(parameter: str, most: int, composition: Composition) -> bool:
    """Whether a sentence says of a place or state, not of one way to it, how much it may hold: a parameter, or (`""`)
    just so much.
    """
    if parameter:
        address = f"parameters.{parameter}"
        for sentence in sentences_of("parameters", composition):
            is_its = sentence_address(sentence.parts) == address
            if is_its and any(MAY_HOLD.search(text.text) for _, text in sentence.texts):
                return True
    for variant in composition.chosen_variants:
        for language, text in sentence_texts(variant.text) if variant.text is not None else ():
            number = re.escape(f"{{{parameter}}}")
            if not parameter:
                if most not in numbers_in_text(language, text):
                    continue
                number = re.escape(number_span(language, text, most).text)
            if any(re.search(words.replace("{0}", number), text.text) for words in SAYS_LIMIT.get(language, ())):
                return True
    return False


__all__ = ["says_limit"]
