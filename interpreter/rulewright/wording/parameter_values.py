"""The value of a parameter as people read it.

In: an address. Out: the value after everything in it is computed; for each key where it has one.
"""

from __future__ import annotations

from rulewright.engine.notation import Notation
from rulewright.model.rules import Rules


def parameter_value(rules: Rules, address: str) -> str:
    """The value of the parameter at an address; empty for all that is no parameter."""
    section, _, name = address.removesuffix(".value").partition(".")
    parameter = rules.parameters.get(name) if section == "parameters" else None
    if parameter is None:
        return ""
    notation = Notation.for_people(rules)
    if parameter.values_by_key is None:
        return notation.format_value(parameter.value, parameter.type)
    key_type = parameter.key_types[0]
    return ", ".join(
        f"{notation.format_value(key, key_type)}: {notation.format_value(value, parameter.type)}"
        for key, value in parameter.values_by_key.items()
    )


__all__ = ["parameter_value"]
