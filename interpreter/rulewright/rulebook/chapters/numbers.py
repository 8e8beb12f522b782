"""All parameters of the rules at a glance, with their value for each number of players.

In: a writer. Out: the chapter with numbers, and the rows of such a table.
"""

from __future__ import annotations

from rulewright.frozen import replace
from rulewright.rulebook.blocks import TableRow
from rulewright.rulebook.chapters.components import add_kinds
from rulewright.rulebook.writer import RulebookWriter
from rulewright.wording.labels import Labels


def add_numbers(writer: RulebookWriter) -> None:
    """The table of parameters, and the kinds of numbers; nothing where there are no parameters."""
    labels = writer.labels
    if not labels.rules.parameters:
        return
    writer.add_chapter("numbers")
    rows = [parameter_row(writer, name, "numbers") for name in labels.rules.parameters]
    columns = writer.count_headers()
    if all(len(set(row.cells[1:])) == 1 for row in rows):  # the same for all numbers of players
        rows = [replace(row, cells=row.cells[:2]) for row in rows]
        columns = [labels.message("number")]
    writer.add_table("numbers.parameters", [labels.message("what"), *columns], rows)
    add_kinds(writer, has_numeric=True)


def parameter_row(writer: RulebookWriter, name: str, table: str) -> TableRow:
    """A parameter with its value for each number of players. `table`: the chapter, `setup` or `numbers`."""
    labels, address = writer.labels, f"parameters.{name}"
    values = [parameter_text(labels, name, count) for count in labels.counts]
    row = writer.table_row(f"{table}.{address}", [labels.label(address), *values], covers={address, f"{address}.value"})
    return replace(row, anchor="" if table == "setup" else address, mentions=frozenset({address}))


def parameter_text(labels: Labels, name: str, count: int) -> str:
    """The value of a parameter for a number of players; a dash where it does not exist."""
    definition = labels.rules_for(count).parameters.get(name)
    if definition is None:
        return "–"
    if definition.values_by_key is None:
        return labels.value_text(definition.value, definition.type, count)
    return ", ".join(
        f"{labels.key_text(key, definition.key_types[0], count)}{labels.message('colon')} "
        f"{labels.value_text(value, definition.type, count)}"
        for key, value in definition.values_by_key.items()
    )


__all__ = ["add_numbers", "parameter_row", "parameter_text"]
