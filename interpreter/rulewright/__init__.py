"""Board games as data: rule files in, a referee out.

In: rule files. Out: rules, positions, legal actions, reasons. The names below are the public ones; they are loaded when
they are first used, so that a command that needs none of them starts at once.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulewright.diagnostics import RulesError
    from rulewright.engine.explain import Explainer
    from rulewright.engine.notation import Notation
    from rulewright.engine.reference import Engine, IllegalAction
    from rulewright.engine.views import Views
    from rulewright.model.load import NotFound, load_rules
    from rulewright.play.match import Match

__version__ = "0.1.0"

_WHERE = {
    "load_rules": "rulewright.model.load",
    "NotFound": "rulewright.model.load",
    "RulesError": "rulewright.diagnostics",
    "Engine": "rulewright.engine.reference",
    "IllegalAction": "rulewright.engine.reference",
    "Explainer": "rulewright.engine.explain",
    "Notation": "rulewright.engine.notation",
    "Views": "rulewright.engine.views",
    "Match": "rulewright.play.match",
}

__all__ = [  # found by __getattr__
    "Engine",
    "Explainer",
    "IllegalAction",
    "Match",
    "NotFound",
    "Notation",
    "RulesError",
    "Views",
    "__version__",
    "load_rules",
]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_WHERE[name]), name)
