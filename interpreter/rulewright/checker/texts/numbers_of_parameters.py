"""Does the sentence of a parameter begin with another number than its value: "Two turns of rest" of `value: 1`?

In: rules, and the composition they were built from. Out: warnings at the sentences of parameters that are one number,
by the game alone at any number of players. A number behind which it is said what it is of ("three of a kind", "two
equal cards") may be that of something else, and so may one beside which stands another.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.lint_codes import OTHER_NUMBER
from rulewright.checker.texts.numbers_in_sentences import (
    PARAMETERS,
    number_in_word,
    number_span,
    numbers_in_text,
    own_numbers,
)
from rulewright.checker.texts.sentence_languages import sentences_of
from rulewright.diagnostics import Diagnostics
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

LEADING: Final = lazy_pattern(
    r"^(?:at (?:most|least) |up to |the |exactly |au (?:plus|moins) |les )?(\w{1,24}) [^\W\d_]{3,}"
)
OF_SOMETHING: Final = lazy_pattern(  # it says what is worth or does something, or counts players
    r"(?i)\b(?:equal|alike|same|row|kind|players?|each|every|pairs?|or more|or fewer|worth|of a|différente?s?"
    r"|different|égale?s?|pareille?s?|même|joueurs?|joueuses?|chaque|par|valent|ou plus|ou moins|suite)\b"
)


def check_numbers_of_parameters(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    if composition.chosen_variants:
        return  # of what they change `outdated_numbers.py` asks
    for sentence in sentences_of(PARAMETERS, composition):
        parameter = rules.parameters.get(sentence.parts[1])
        if parameter is None or type(parameter.value) is not int or len(sentence.parts) != 3:
            continue
        own = own_numbers(composition.base_document, parameter.name) | {parameter.value}
        for language, text in sentence.texts:
            leading = LEADING.match(text.text.lower())
            number = None if leading is None else number_in_word(language, leading[1])
            if number is None or number in own or OF_SOMETHING.search(text.text):
                continue
            if numbers_in_text(language, text) == {number}:
                span = number_span(language, text, number)
                message = f"this says {number}, and `{parameter.name}` is {parameter.value}"
                hint = f"write {parameter.value}, or leave the number out: the value stands beside it"
                label = f"not {parameter.value}"
                address = f"{PARAMETERS}.{parameter.name}"
                diagnostics.add(span, OTHER_NUMBER, message, label=label, help=hint, address=address)
                break


__all__ = ["check_numbers_of_parameters"]
