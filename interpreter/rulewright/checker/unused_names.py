"""Is there a kind, parameter, value, state, zone, action or procedure that no rule uses, or a state that none sets?

In: the state of a build in which all rules have been read. Out: warnings at the declarations. Where an expression could
not be read nothing is said, since it may use any name.
"""

from __future__ import annotations

from typing import Final

from rulewright import limits
from rulewright.checker.common import lint_codes
from rulewright.checker.common.warn import warn
from rulewright.checker.secrets.announcing_states import announcing_states
from rulewright.checker.secrets.information_leaks import HiddenReadFinder
from rulewright.expr import codes as expr_codes
from rulewright.expr.scope import KindSymbol, ParameterSymbol, StateSymbol, Symbol, ValueSymbol, ZoneSymbol
from rulewright.expr.tree import ReadState, StateTarget
from rulewright.expr.types import SEAT
from rulewright.expr.walk import iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import SetState
from rulewright.model.symbol_table import symbol_label
from rulewright.source.nodes import MappingNode, ScalarNode, as_mapping
from rulewright.suggestions import closest_name

# mistakes in an expression whose other names are read
READ_ALL_THE_SAME: Final = (expr_codes.UNKNOWN_FUNCTION, expr_codes.ARGUMENT_COUNT, expr_codes.FORMER_SPELLING)
DISPLAY: Final = "display"
HOLE: Final = lazy_pattern(r"\{([^{}]*)\}")
NAME: Final = lazy_pattern(r"[a-z_][a-z0-9_]*")
LINTED_SYMBOLS: Final = (KindSymbol, ParameterSymbol, ValueSymbol, StateSymbol, ZoneSymbol)
SECTIONS: Final = {
    KindSymbol: "kinds",
    ParameterSymbol: "parameters",
    ValueSymbol: "values",
    StateSymbol: "state",
    ZoneSymbol: "zones",
}  # in which they are declared


def has_unread_text(state: BuildState) -> bool:
    """Whether an expression could not be read, which may use any name."""
    errors = (diagnostic.code for diagnostic in state.diagnostics if diagnostic.severity == "error")
    return any(code.number.startswith("E") and code not in READ_ALL_THE_SAME for code in errors)


def _address(symbol: Symbol, name: str) -> str:
    """Where a name is declared."""
    section = next((section for kind, section in SECTIONS.items() if isinstance(symbol, kind)), "")
    return f"{section}.{name}" if section else ""


@build_pass(needs=["symbols"])
def check_unused_names(state: BuildState) -> None:
    """Kinds, parameters, values, states and zones that no expression reads."""
    if has_unread_text(state):
        return
    symbols = state.symbols.symbols
    has_errors = state.diagnostics.error_count > 0
    unknown = [name for name in state.usage.used_names if name not in symbols] if has_errors else []
    if len(unknown) > limits.MAX_CAUSES:
        return
    for name, symbol in symbols.items():
        span = state.symbols.declaration_spans.get(name)
        if span is not None and isinstance(symbol, LINTED_SYMBOLS) and name not in state.usage.used_names:
            if any(closest_name(word, [name]) for word in unknown):
                continue  # a misspelled name may mean it
            is_set = name in state.usage.assigned_states
            if is_set and not has_errors:
                continue  # `check_unread_states`
            verb, label = ("reads", "only set") if is_set else ("uses", "never used")
            message = f"no rule {verb} the {symbol_label(symbol)} `{name}`"
            warn(state, span, lint_codes.UNUSED, message, label, "use it or remove it", _address(symbol, name))


@build_pass(needs=["symbols", "actions", "blocks", "zones", "values", "book_sentences"], skip=after_errors)
def check_unread_states(state: BuildState) -> None:
    """States that steps set and that no rule reads, but those by which players are told something."""
    usage, spans = state.usage, state.symbols.declaration_spans
    actions, blocks = state.actions, state.blocks
    finder = HiddenReadFinder(state.zones, state.values, state.players)
    unread = [name for name in spans if name in usage.assigned_states and name not in usage.used_names]
    unread += _read_by_themselves(state)
    announcing = announcing_states(actions, blocks, finder, state) if unread else ()
    for name in unread:
        if name not in announcing:
            what = ", but to set it anew" if name in usage.used_names else ""
            message = f"no rule reads the state `{name}`{what}"
            address = _address(state.symbols.symbols[name], name)
            warn(state, spans[name], lint_codes.UNUSED, message, "only set", "use it or remove it", address)


def _read_by_themselves(state: BuildState) -> list[str]:
    """The states that only steps read by which the same state is set: which name a player, or which a variant brings;
    what else a game counts may be of interest.
    """
    setting: dict[str, list[str]] = {}
    for step in (step for block in state.blocks for step in block.steps):
        if isinstance(step.effect, SetState) and _is_for_rules(step.effect.target, state):
            setting.setdefault(step.effect.target.name, []).append(f"{step.address}.")
    read = dict.fromkeys((name for name in setting if name in state.usage.used_names), False)
    for one in state.usage.expressions:
        for part in iter_exprs(one.expr):
            if isinstance(part, ReadState) and part.name in read:
                read[part.name] |= not f"{one.address}.".startswith(tuple(setting[part.name]))
    unread = {name for name, is_read in read.items() if not is_read}
    shown = _names_shown(state.document.root) if unread else frozenset()
    return sorted(unread - shown)


def _is_for_rules(target: StateTarget, state: BuildState) -> bool:
    span = state.symbols.declaration_spans.get(target.name)
    return target.type == SEAT or (span is not None and span.source.path in state.variant_files)


def _names_shown(root: MappingNode) -> frozenset[str]:
    """The names that sentences print, and those of which the section `display` says how they are shown."""
    found, pending = set[str](), [(entry.value, entry.key.text == DISPLAY) for entry in root.entries]
    while pending:
        node, is_display = pending.pop()
        if isinstance(node, ScalarNode):
            texts = [node.text] if is_display else HOLE.findall(node.text)
            found.update(name for text in texts for name in NAME.findall(text))
        elif isinstance(node, MappingNode):
            found.update(entry.key.text for entry in node.entries if is_display)
            pending += [(entry.value, is_display) for entry in node.entries]
        else:
            pending += [(item, is_display) for item in node.items]
    return frozenset(found)


@build_pass(needs=["symbols"], skip=after_errors)
def check_unset_states(state: BuildState) -> None:
    """States that some rule reads and no step sets: they stay what they are at the start."""
    usage = state.usage
    for name, symbol in state.symbols.symbols.items():
        span = state.symbols.declaration_spans.get(name)
        is_read_only = name in usage.used_names and name not in usage.assigned_states
        if isinstance(symbol, StateSymbol) and span is not None and is_read_only:
            message = f"no step sets the state `{name}`, so it never changes"
            hint = "set it in a step, or make it a parameter"
            warn(state, span, lint_codes.NEVER_SET, message, "never set", hint, _address(symbol, name))


@build_pass()
def check_unused_steps(state: BuildState) -> None:
    """Actions that no step offers, procedures that none runs."""
    if has_unread_text(state):
        return
    for section, verb, hint in (("actions", "offers", "offer"), ("procedures", "runs", "run")):
        for entry in as_mapping(state.document.root.get(section)):
            name = entry.key.text
            if name not in state.usage.used_names:
                message, help_ = f"no step {verb} `{name}`", f"{hint} it in a step, or remove it"
                warn(state, entry.key.span, lint_codes.UNUSED, message, "never used", help_, f"{section}.{name}")


__all__ = ["check_unread_states", "check_unset_states", "check_unused_names", "check_unused_steps"]
