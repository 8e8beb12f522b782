"""How what somebody wrote is written in this language: `[2, 3, 4]` for players is `2 to 4`.

In: a value of another form than is expected. Out: a hint that shows the right form; empty where none is near.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from rulewright import limits
from rulewright.json_values import is_integer
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode
from rulewright.source.plain_scalars import ErrorNode
from rulewright.suggestions import NUMBER_WORDS, WordHint, describe_foreign_letter, number_word, snake_case

ID_PATTERN: Final = lazy_pattern("[a-z][a-z0-9_-]*")
NUMBER_SPAN: Final = lazy_pattern(r"([0-9]+)\s*(?:-|–|—|\.\.+|…)\s*([0-9]+)")  # a range in another notation
PLAIN_RANGE: Final = lazy_pattern("[0-9]+ to [0-9]+")
WORDS_AS_RANGE: Final = lazy_pattern(
    rf"({'|'.join(NUMBER_WORDS)}|[0-9]+)[^a-z0-9]+(?:to|and|or)[^a-z0-9]+({'|'.join(NUMBER_WORDS)}|[0-9]+)"
)
BOUNDS: Final = (("min", "max"), ("minimum", "maximum"), ("from", "to"), ("low", "high"), ("lower", "upper"))
WORD_SEPARATOR: Final = lazy_pattern(r" *[,;|/&+] *| +(?:and|or) +")
AMOUNT: Final = lazy_pattern(r"(?:([0-9]{1,6})\s*(?:x|of)?\s*)?([a-z][a-z0-9_]*)")
LISTED_WORD: Final = lazy_pattern(r"[a-z0-9][a-z0-9_.-]*(?:/[a-z0-9_.-]+)*")
ADDRESS_SEPARATOR: Final = lazy_pattern(r"\s*(?:[./:>\[\]]|->)+\s*")
ADDRESSES_SEPARATOR: Final = r"\s*[.,;|]?\s+|\s*[;|]\s*"
LANGUAGE_CODES: Final = {
    "english": "en", "anglais": "en", "french": "fr", "français": "fr", "francais": "fr", "german": "de",
    "deutsch": "de", "spanish": "es", "español": "es", "italian": "it", "italiano": "it", "dutch": "nl",
    "polish": "pl", "portuguese": "pt", "japanese": "ja", "chinese": "zh",
}  # fmt: skip
WRONG_PREFIXES: Final = ("all ", "each ")  # of a kind, for `every`
BRACKETED_NAME: Final = lazy_pattern(r"\(([a-z][a-z0-9_]*)\)")
CALLED_NAME: Final = lazy_pattern(r"([a-z][a-z0-9_]*)\([^()]*\)")
CONDITION: Final = r"[<>=]|\b(?:is|has|in|not)\b"
LOOSE: Final = r"\b(?:or|if|some|every|no|each)\b"  # what `and` would bind otherwise
QUANTIFIERS: Final = ("every", "each", "all")
EVERY_PREFIX: Final = "every "  # of a kind, among the members of another


def values_as_list(node: MappingNode, *, is_of_addresses: bool = False) -> str:
    """How the values of a mapping are written as a list; nothing when they are more than words and numbers."""
    if any("." in entry.key.text for entry in node):  # addresses, with whatever behind them
        return f"write the addresses alone: `[{', '.join(node.keys())}]`"
    values = [entry.value for entry in node]
    if is_of_addresses and all(isinstance(value, ScalarNode) for value in values):
        below = ", ".join(
            f"{entry.key.text}.{entry.value.text}" for entry in node if isinstance(entry.value, ScalarNode)
        )
        return f"write whole addresses: `[{below}]`" if len(below) <= limits.MAX_QUOTED_IN_HINT else ""
    text = f"[{', '.join(value.text for value in values if isinstance(value, ScalarNode))}]"
    is_plain = bool(values) and all(isinstance(value, ScalarNode) for value in values)
    return f"write the values alone, in order: `{text}`" if is_plain and len(text) <= limits.MAX_QUOTED_IN_HINT else ""


def kind_among_members(node: MappingNode) -> str:
    """For `every: colour` among members: how all members of a kind are written."""
    entry = node.entries[0] if len(node.entries) == 1 else None
    if entry is None or entry.key.text not in QUANTIFIERS or not isinstance(entry.value, ScalarNode):
        return ""
    return f"write `{EVERY_PREFIX}{entry.value.text}`, without a colon"


def fields_of_list(node: SequenceNode) -> str:
    """How names of fields in a list are written: each with its type."""
    names = [item.text for item in node if isinstance(item, ScalarNode)]
    if len(names) < len(node.items) or not names:
        return ""
    text = ", ".join(f"{name}: …" for name in names)
    return f"write each with its type: `{{{text}}}`" if len(text) <= limits.MAX_QUOTED_IN_HINT else ""


def items_by_name(node: SequenceNode) -> str:
    """How the items of a list are written where each stands under its name."""
    first = node.items[0] if node.items else None
    if isinstance(first, ScalarNode) and is_integer(first.value):
        return f"write each number under the value that it is for: `{{a_value: {first.text}, …}}`"
    if not isinstance(first, MappingNode) or not first.entries:
        return ""
    name = first.entries[0]
    if isinstance(name.value, ErrorNode) and name.key.span.line < first.entries[-1].key.span.line:
        return f"leave out the dashes, and indent what is below each name: `{name.key.text}:`"
    if len(first.entries) == 1:
        source, start = node.span.source, node.span.start
        if source.text[start : start + 1] == "[":
            return f"write braces for the brackets: `{{{first.entries[0].key.text}: …}}`"
        return f"leave out the dashes: `{first.entries[0].key.text}: …`"
    return "write each under a name, without a dash: `some_name: …`"


def mapping_as_action(node: MappingNode) -> str:
    """How an action is written that stands as a mapping: its choices by name, `{take: {colour: red}}`, or the answer to
    one that has no name, `{take: red}`; or as programs have it, `{action: take, choose: {colour: red}}`.
    """
    name, choices = node.get("action"), node.get("choose")
    if not isinstance(name, ScalarNode) and len(node.entries) == 1:
        name, choices = node.entries[0].key, node.entries[0].value
    if not isinstance(name, ScalarNode):
        return ""
    answers = [(entry.key.text, entry.value) for entry in choices] if isinstance(choices, MappingNode) else []
    if isinstance(choices, ScalarNode) and choices.text:
        return f"write `{name.text}(…={choices.text})`, with the name of the choice"
    if not all(isinstance(answer, ScalarNode) for _, answer in answers):
        return ""
    written = ", ".join(f"{choice}={answer.text}" for choice, answer in answers if isinstance(answer, ScalarNode))
    text = f"{name.text}({written})" if written else name.text
    return f"write `{text}`" if len(text) <= limits.MAX_QUOTED_IN_HINT else "write `action(choice=answer, …)`"


def list_as_type(node: SequenceNode) -> str:
    """How the words or numbers of a list are written as a type: words are a kind of their own."""
    values = [item.value for item in node if isinstance(item, ScalarNode)]
    if len(values) < len(node.items) or not values:
        return ""
    if all(is_integer(value) for value in values):
        return f"for the numbers between two, write `{values[0]} to {values[-1]}`"
    text = f"some_name: [{', '.join(map(str, values))}]"
    if len(text) > limits.MAX_QUOTED_IN_HINT:
        text = "some_name: […]"
    return f"make a kind of these words, in `kinds`: `{text}`; the type is then `some_name`"


def numbers_as_range(node: SequenceNode) -> str:
    """How the numbers of a list are written as a range: from the first to the last."""
    values = [item.value for item in node if isinstance(item, ScalarNode) and is_integer(item.value)]
    return f"write `{values[0]} to {values[-1]}`" if len(values) > 1 else ""


def conditions_as_one(node: SequenceNode) -> str:
    """How conditions in a list are written as one."""
    texts = [item.text for item in node if isinstance(item, ScalarNode)]
    if len(texts) < len(node.items) or not any(re.search(CONDITION, text) for text in texts):
        return ""
    joined = " and ".join(f"({text})" if re.search(LOOSE, text) else text for text in texts)
    return f"write `{joined}`" if len(joined) <= limits.MAX_QUOTED_IN_HINT else "join them with `and`"


def node_as_expression(node: Node) -> str:
    """How a mapping of numbers, `{red: 2, blue: 1}`, or a list, `[red, blue]`, is written as an expression."""
    match node:
        case MappingNode() if node.entries and all(
            isinstance(entry.value, ScalarNode) and is_integer(entry.value.value) for entry in node
        ):
            counts = [
                f"{entry.value.text} of {entry.key.text}" for entry in node if isinstance(entry.value, ScalarNode)
            ]
            text = " + ".join(counts)
            return f"write `{text}`" if len(text) <= limits.MAX_QUOTED_IN_HINT else ""
        case SequenceNode() if all(isinstance(item, ScalarNode) and " of " in item.text for item in node):
            text = " + ".join(item.text for item in node if isinstance(item, ScalarNode))
            return f"write `{text}`" if len(text) <= limits.MAX_QUOTED_IN_HINT else "join them with `+`"
        case SequenceNode():
            return "a set is written as an expression: the name of a kind or zone, or `each … in … where …`"
    return ""


def adjustment_hint(node: Node) -> str:
    """For `times 2` and the like: how a number is added and how it multiplies."""
    number = re.search("[1-9][0-9]{0,6}", node.text) if isinstance(node, ScalarNode) else None
    n = number[0] if number is not None else "2"
    return f"`{n}` adds {n}, `{{times: {n}}}` multiplies by {n}"


def text_as_range(text: str, *, in_words: bool) -> str:
    """How `2-4` and, `in_words`, `two or three` are written as a range."""
    if PLAIN_RANGE.fullmatch(text):  # as it is written, with wrong numbers
        return ""
    span = NUMBER_SPAN.fullmatch(text)
    if span is not None:
        return WordHint(f"write `{span[1]} to {span[2]}`", text, f"{span[1]} to {span[2]}")
    words = WORDS_AS_RANGE.fullmatch(text.lower()) if in_words else None
    if words is None:
        return ""
    first, last = map(number_word, words.groups())
    is_certain = " to " in text.lower() or (first is not None and last == first + 1)  # `two or four` has no three
    return WordHint(f"write `{first} to {last}`", text, f"{first} to {last}", is_certain=is_certain)


def bounds_as_range(node: MappingNode) -> str:
    """How `{min: 2, max: 4}` is written: `2 to 4`; empty where a mapping is no bounds."""
    for names in BOUNDS:
        low, high = map(node.get, names)
        if isinstance(low, ScalarNode) and isinstance(high, ScalarNode):
            return f"{low.text} to {high.text}"
    return ""


def members_as_counts(node: Node) -> str:
    """How members one by one, `[red, red]`, or amounts, `2 red + blue`, are written as counts: `{red: 2, blue: 1}`."""
    counts = Counter[str]()
    match node:
        case SequenceNode():
            counts.update(item.text for item in node if isinstance(item, ScalarNode) and not is_integer(item.value))
        case ScalarNode() if all(amounts := [AMOUNT.fullmatch(part) for part in WORD_SEPARATOR.split(node.text)]):
            for amount in filter(None, amounts):
                counts[amount[2]] += int(amount[1] or 1)
    text = ", ".join(f"{name}: {count}" for name, count in counts.items())
    return f"{{{text}}}" if text and len(text) <= limits.MAX_QUOTED_IN_HINT else ""


def counts_as_members(node: Node) -> str:
    """How keys or a single word are written as the list of a set."""
    names = [entry.key.text for entry in node] if isinstance(node, MappingNode) else []
    if isinstance(node, ScalarNode) and ID_PATTERN.fullmatch(node.text):
        names = [node.text]
    text = f"[{', '.join(names)}]"
    return text if names and len(text) <= limits.MAX_QUOTED_IN_HINT else ""


def text_as_list(text: str) -> str:
    """How words with commas or `or` between them are written as a list; empty for other text."""
    words = re.split(r" *, *", text) if "/" in text and "," in text else WORD_SEPARATOR.split(text)
    return f"[{', '.join(words)}]" if all(LISTED_WORD.fullmatch(word) for word in words) else ""


def id_hint(actual: str, pattern: str, *, is_item: bool = False) -> str:
    """How a text is written as an id. `pattern`: what the schema wants, with or without dashes. `is_item`: in a list,
    where a comma may be missing.
    """
    if actual.endswith(".yaml") and ID_PATTERN.fullmatch(stem := actual.removesuffix(".yaml").rpartition("/")[2]):
        return f"write only the name, without folder and `.yaml`: `{stem}`"
    if foreign := describe_foreign_letter(actual):
        return foreign
    if prefix := next((word for word in WRONG_PREFIXES if actual.startswith(word)), ""):
        kind = actual.removeprefix(prefix)
        return WordHint(f"for all members of a kind, write `{EVERY_PREFIX}{kind}`", actual, EVERY_PREFIX + kind)
    if actual.startswith(EVERY_PREFIX):
        return f"`{actual}` stands for several members: name each, or `set` the whole list"
    braced = BRACKETED_NAME.sub(r"{\1}", actual)
    if braced != actual and re.fullmatch(pattern, braced):
        return f"write `{braced}`"
    names = re.split(", *| and ", actual)
    if " and " in actual and all(map(ID_PATTERN.fullmatch, names)):
        return f"separate names with commas: `[{', '.join(names)}]`"
    called = CALLED_NAME.fullmatch(actual)
    if called is not None:
        return f"name the action alone, without its choices: `{called[1]}`"
    if re.fullmatch("[a-z][a-z0-9_]*(?: [a-z][a-z0-9_]*)+", actual):
        joined, several = actual.replace(" ", "_"), re.sub(" (?:and |or )?", ", ", actual)
        if is_item:
            return f"separate names with commas: `{several}`; if it is one name, write `{joined}`"
        return f"write `{joined}`; if these are several names, separate them with commas: `{several}`"
    if re.fullmatch("[a-z][a-z0-9_]*(?: *[;|/] *[a-z][a-z0-9_]*)+", actual):
        return f"separate names with commas: `{', '.join(re.split(' *[;|/] *', actual))}`"
    separators = "_-" if "_-" in pattern else "_"
    suggestion = as_id(actual, separators)
    if not suggestion or not suggestion[0].isalpha() or suggestion == actual:
        return ""
    return WordHint(f"write `{suggestion}`", actual, suggestion, is_certain=suggestion == actual.lower())


def address_hint(actual: str, pattern: str) -> str:
    """How an address is written whose names have other letters, or other signs between them."""
    if foreign := describe_foreign_letter(actual):
        return foreign
    if actual.endswith(".") and re.fullmatch(pattern, actual[:-1]):
        return "write the next name after the dot"
    if actual != actual.lower() and re.fullmatch(pattern, snake_case(actual)):
        return f"names have lowercase letters: write `{snake_case(actual)}`"
    if len(several := re.split(ADDRESSES_SEPARATOR, actual)) > 1 and all(
        "." in each and re.fullmatch(pattern, each) for each in several
    ):
        return f"separate addresses with commas: `{', '.join(several)}`"
    dotted = ".".join(filter(None, (as_id(name) for name in ADDRESS_SEPARATOR.split(actual))))
    return f"names have `_` in them and one dot between them: write `{dotted}`" if re.fullmatch(pattern, dotted) else ""


def language_hint(actual: str) -> str:
    """The code of a language that is called by its name."""
    code = LANGUAGE_CODES.get(actual.lower())
    return WordHint(f"write `{code}`", actual, code) if code else ""


def as_id(text: str, separators: str = "_") -> str:
    """A text in lowercase letters, with a separator for everything between them."""
    return re.sub("[^a-z0-9]+", lambda run: run[0] if run[0] in separators else "_", snake_case(text.strip())).strip(
        "_-"
    )


__all__ = [
    "BOUNDS",
    "ID_PATTERN",
    "LANGUAGE_CODES",
    "address_hint",
    "adjustment_hint",
    "as_id",
    "bounds_as_range",
    "conditions_as_one",
    "counts_as_members",
    "fields_of_list",
    "id_hint",
    "items_by_name",
    "kind_among_members",
    "language_hint",
    "list_as_type",
    "mapping_as_action",
    "members_as_counts",
    "node_as_expression",
    "numbers_as_range",
    "text_as_list",
    "text_as_range",
    "values_as_list",
]
