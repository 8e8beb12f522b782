"""Terms to know: the derived values of a game, with what each is.

In: a writer. Out: the chapter on terms.
"""

from __future__ import annotations

from typing import Final

from rulewright import limits
from rulewright.document.text_addresses import title_address
from rulewright.expr.tree import Local
from rulewright.expr.types import SEAT, Flag
from rulewright.expr.walk import iter_exprs
from rulewright.model.rules import ValueDef
from rulewright.rulebook.blocks import RichText, TextRun, plain_text, text_runs
from rulewright.rulebook.writer import RulebookWriter
from rulewright.wording.labels import Labels
from rulewright.wording.text_case import upper_first

SENTENCE_ENDS: Final = (".", "!", "?")


def add_terms(writer: RulebookWriter) -> None:
    """The derived values that play depends on."""
    labels = writer.labels
    names = [name for name in labels.rules.values if f"values.{name}" not in writer.bot_only_values]
    if names or labels.passages.get("values"):
        writer.add_chapter("values")
    for name in names:
        _add_term(writer, name)


def _add_term(writer: RulebookWriter, name: str) -> None:
    """A derived value: what it is called, what it is, and of what terms it is the sum."""
    labels, address = writer.labels, f"values.{name}"
    definition = labels.rules.values[name]
    sentence = labels.find_sentence(address)
    colon = TextRun(labels.message("colon") + " ")
    title: RichText = (TextRun(labels.label(address), "strong"), colon) if labels.has_label(address) else ()
    text = text_runs(sentence) if sentence is not None else (TextRun(labels.label(address)),)
    if sentence is None or (title and plain_text(text) == labels.label(address)):  # no sentence, or only a label
        phrase = _definition_phrase(labels, definition)
        if len(phrase) <= limits.MAX_PHRASE_LENGTH:
            called = upper_first(plain_text(text))
            title = (TextRun(called, "strong"), TextRun(_key_names(labels, definition)), colon)
            text = (TextRun(f"{phrase}."),)
        elif sentence is None:
            return
        else:
            title = ()
    covers, formula = {address}, ""
    for key, sign, terms in (("sum", "+", definition.terms), ("less", "−", definition.deductions)):
        for term, _ in terms:
            term_address = f"{address}.{key}.{term}"
            if labels.has_sentence(term_address):
                term_text = writer.plain_sentence(term_address)
                formula += f" {sign if formula else '='} {term_text[:1].lower()}{term_text[1:]}"
                covers.add(term_address)
    is_named = title and labels.has_sentence(title_address(address))
    if is_named and not formula and not plain_text(text).rstrip().endswith(SENTENCE_ENDS):
        phrase = _definition_phrase(labels, definition)  # a name is no sentence: it need not say all
        formula = f"= {phrase}" if len(phrase) <= limits.MAX_PHRASE_LENGTH else ""
    if formula:
        text = (*text, TextRun(f" ({formula.strip()})", "em"))
    elif not plain_text(text).rstrip().endswith((*SENTENCE_ENDS, ")")):
        text = (*text, TextRun("."))
    exprs = [expr for _, expr in (*definition.terms, *definition.deductions)]
    writer.add_text("item", address, (*title, *text), covers=covers, exprs=exprs, anchor=address)
    writer.add_passages(address)


def _key_names(labels: Labels, definition: ValueDef) -> str:
    """The names by which a definition speaks of what it is asked of, in parentheses; nothing for a single player."""
    if all(type_ == SEAT for type_ in definition.key_types):
        return ""
    exprs = [expr for _, expr in (*definition.terms, *definition.deductions)]
    parts = [part for expr in exprs for part in iter_exprs(expr) if isinstance(part, Local)]
    names = {part.slot: labels.phrases.variable(part.name, part.type) for part in parts}
    keys = [names[slot] for slot in range(len(definition.key_types)) if slot in names]
    return f" ({labels.phrases.join_list(keys)})" if keys else ""


def _definition_phrase(labels: Labels, definition: ValueDef) -> str:
    """The sum of the terms of a derived value as a phrase."""
    terms = [
        (key, labels.phrases.condition(expr) if expr.type == Flag() else labels.phrases.number(expr))
        for key, terms in (("plus", definition.terms), ("minus", definition.deductions))
        for _, expr in terms
    ]
    if len(terms) == 1 and definition.type != Flag():
        return labels.phrases.expr(definition.terms[0][1])
    (_, phrase), *rest = terms
    for key, term in rest:
        phrase = labels.message(key, a=phrase, b=term)
    return phrase


__all__ = ["add_terms"]
