"""Writes the blocks of a rulebook one after another.

In: names and sentences of a game. Out: blocks with keys, anchors and the addresses that they speak of.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from rulewright.expr.tree import Expr
from rulewright.model.rules import Choose, Finish, GiveTurn, Move, Passage, Reveal, Roll, Rules, SetState, Step
from rulewright.model.rules import RunSteps as Steps
from rulewright.model.traversal import domain_exprs, step_exprs
from rulewright.rulebook.blocks import BookBlock, Heading, RichText, TableRow, TextBlock, TextKind, TextRun, plain_text
from rulewright.wording.labels import Labels, all_named_addresses, named_addresses


class RulebookWriter:
    """The book so far, and what it is about."""

    def __init__(self, telling: Labels, before: Rules | None = None) -> None:
        self.labels = telling
        self.before = before
        self.blocks: list[BookBlock] = []
        self.action_anchors: dict[int, str] = {}  # actions that have a section, and its anchor
        self.bot_only_values = _unplayed(telling)
        self.open_chapter = ""
        self.cited_works = set[str]()
        self.key_counts: dict[str, int] = {}  # how often a key was wanted

    def add_chapter(self, name: str) -> None:
        """The heading of a chapter and what the book says at its beginning. A passage that has a title and no text
        names the chapter.
        """
        t = self.labels
        found = t.passages.get(name, [])
        named = [one for one in found if t.has_sentence(f"{one.address}.title") and not t.has_sentence(one.address)]
        title = self.plain_sentence(f"{named[0].address}.title") if named else t.message(f"chapter_{name}")
        covers = {f"{named[0].address}.title", named[0].address} if named else set[str]()
        self.close_chapter()
        self.add_heading(2, f"chapter.{name}", title, name, covers=covers)
        self.add_passages(name, roles=("",))
        self.open_chapter = name

    def close_chapter(self) -> None:
        """The examples and notes of the chapter under way, which stand behind what it says."""
        self.add_passages(self.open_chapter, roles=("example", "note"))
        self.open_chapter = ""

    def add_heading(
        self, level: int, key: str, text: str, anchor: str, *, covers: Iterable[str] = (), mentions: Iterable[str] = ()
    ) -> None:
        """A heading."""
        shown = text[:1].upper() + text[1:]
        self.blocks.append(
            Heading(self._own(key), level, (TextRun(shown),), anchor, frozenset(covers), frozenset(mentions))
        )

    def add_text(
        self,
        kind: TextKind,
        key: str,
        text: str | RichText,
        *,
        covers: Iterable[str] = (),
        mentions: Iterable[str] = (),
        exprs: Iterable[Expr] = (),
        depth: int = 0,
        anchor: str = "",
        effect_text: str = "",
    ) -> None:
        """A line of text. `reads`: expressions whose names it speaks of."""
        runs = (TextRun(text),) if isinstance(text, str) else text
        told = frozenset(mentions) | all_named_addresses(exprs, self.labels.rules)
        self.blocks.append(TextBlock(self._own(key), kind, runs, depth, anchor, effect_text, frozenset(covers), told))

    def _own(self, key: str) -> str:
        """A key that no block has yet."""
        number = self.key_counts[key] = self.key_counts.get(key, 0) + 1
        return key if number == 1 else f"{key} ~{number}"

    def add_sentence(
        self, kind: TextKind, address: str, *, lead: RichText = (), reads: Iterable[Expr] = (), depth: int = 0,
        covers: Iterable[str] = (), anchor: str = "", beneath: str = "",
    ) -> bool:  # fmt: skip
        """The sentence that stands at an address, as a line; False when there is none."""
        found = self.labels.find_sentence(address)
        if found is not None:
            told = {address, *covers}
            self.add_text(
                kind,
                address,
                (*lead, *found.text),
                covers=told,
                mentions=found.mentions,
                exprs=reads,
                depth=depth,
                anchor=anchor,
                effect_text=beneath,
            )
        return found is not None

    def plain_sentence(self, address: str) -> str:
        """The sentence at an address without marks; nothing when there is none."""
        found = self.labels.find_sentence(address)
        return "" if found is None else plain_text(found.text)

    def table_row(
        self, key: str, cells: Sequence[str | RichText], covers: Iterable[str] = (), reads: Iterable[Expr] = ()
    ) -> TableRow:
        """A row of a table."""
        texts = tuple((TextRun(cell),) if isinstance(cell, str) else cell for cell in cells)
        return TableRow(key, texts, key, frozenset(covers), all_named_addresses(reads, self.labels.rules))

    # ---- what the book says besides -----------------------------------------------------------------------

    def add_passages(self, at: str, *, roles: Collection[str] = ("", "example", "note"), depth: int = 0) -> None:
        """The passages of a chapter or at a rule."""
        for passage in self.labels.passages.get(at, ()):
            if passage.role in roles and self.labels.has_sentence(passage.address):
                self.add_passage(passage, depth)

    def add_passage(self, passage: Passage, depth: int = 0) -> None:
        """One passage: its title, if it is no name of a rule, before its text."""
        t = self.labels
        title = f"{passage.address}.title"
        entitled = t.has_sentence(title) and "." not in passage.topic
        before: RichText = (TextRun(self.plain_sentence(title), "strong"), TextRun(" ")) if entitled else ()
        if passage.role == "example":
            before = (TextRun(t.message("example"), "strong"), TextRun(" "))
        kind: TextKind = passage.role or "paragraph"
        reads = (passage.when,) if passage.when is not None else ()
        covers = {title} if t.has_sentence(title) else set[str]()
        self.add_sentence(kind, passage.address, lead=before, depth=depth, covers=covers, reads=reads)

    def format_sources(self, source: Iterable[tuple[str, str]]) -> str:
        """Where something is printed: numbers of works with their sections."""
        works: dict[str, list[str]] = {}
        for work, section in source:
            works.setdefault(work, []).append(section)
        numbers = {work: number for number, work in enumerate(self.labels.rules.works, 1)}
        self.cited_works.update(works)
        colon = self.labels.message("colon")
        return "; ".join(f"{numbers.get(work, work)}{colon} {', '.join(sections)}" for work, sections in works.items())

    def citation(self, address: str) -> RichText:
        """Who says a rule and where, to stand behind it."""
        note = self.labels.note(address)
        said = self.format_sources(note.source if note is not None else ())
        return (TextRun(f" [{said}]", "em"),) if said else ()

    def add_works(self, where: str = "questions") -> None:
        """The works that were cited so far, by their numbers."""
        if not self.cited_works:
            return
        self.add_text("label", f"works.{where}", self.labels.message("works"))
        for number, (work, about) in enumerate(self.labels.rules.works.items(), 1):
            if work in self.cited_works:
                known = [str(about[key]) for key in ("publisher", "year") if key in about]
                languages: object = about.get("languages", [])
                known += [str(one) for one in languages] if isinstance(languages, list) else []
                text = f"{number}. {about.get('title', work)}" + (f" ({', '.join(known)})" if known else "")
                self.add_text("item", f"works.{where}.{work}", text)

    # ---- steps --------------------------------------------------------------------------------------------

    def add_steps(self, block: int, kind: TextKind, depth: int = 0) -> None:
        """The steps of a block as a list; what runs inside a step without words of its own follows it."""
        for step in self.labels.rules.blocks[block].steps:
            self.add_step(step, kind, depth)

    def add_step(self, step: Step, kind: TextKind, depth: int = 0, before: RichText = ()) -> None:
        """One step: its own sentence, else what it does in words."""
        t = self.labels
        if not t.can_happen(step):
            return
        inside = step.effect if isinstance(step.effect, Steps) else None
        parts = step_exprs(step)
        if t.has_sentence(step.address):
            covered = (
                {one for one in self.nested_addresses(step) if not t.has_sentence(one)}
                if inside and not inside.is_procedure
                else set()
            )
            covers, beneath = {*step_addresses(step), *covered}, self.effect_text(step)
            self.add_sentence(kind, step.address, lead=before, reads=parts, depth=depth, covers=covers, beneath=beneath)
            nested = inside is not None and any(t.has_sentence(one) for one in self.nested_addresses(step))
        else:
            text: RichText = (*before, TextRun(t.phrases.step(step)))
            if inside is not None and inside.is_procedure:
                name = t.rules.blocks[inside.block].address
                text = (*text, TextRun(" "), TextRun(t.message("see"), link=name))
            self.add_text(kind, step.address, text, covers=step_addresses(step), exprs=parts, depth=depth)
            nested = inside is not None
        self.add_passages(step.address, depth=depth)
        if nested and inside is not None and not inside.is_procedure:
            self.add_steps(inside.block, "item", depth + 1)

    def effect_text(self, step: Step) -> str:
        """What a step that has a sentence does, in the program's words, with those inside it that have none."""
        if isinstance(step.effect, Choose):
            return ""  # its actions stand in a list of their own
        said = self.labels.phrases.step(step)
        if isinstance(step.effect, Steps) and not step.effect.is_procedure:
            steps = self.labels.rules.blocks[step.effect.block].steps
            said = " ".join(
                [said, *(self.effect_text(one) for one in steps if not self.labels.has_sentence(one.address))]
            )
        return said

    def nested_addresses(self, step: Step) -> Iterable[str]:
        """The addresses of the steps inside a step."""
        if isinstance(step.effect, Steps) and not step.effect.is_procedure:
            for one in self.labels.rules.blocks[step.effect.block].steps:
                yield from step_addresses(one)
                yield from self.nested_addresses(one)


def step_addresses(step: Step) -> set[str]:
    """The addresses of a step and of what it says by its keys."""
    found = {step.address}
    present = {
        "when": step.when,
        "for_each": step.for_each,
        "order": step.order,
        "times": step.times,
        "by": step.by,
    }
    found |= {f"{step.address}.{key}" for key, value in present.items() if value is not None}
    match step.effect:
        case Move(source=source):
            found |= {f"{step.address}.{key}" for key in ("move", "to", *(["from"] if source is not None else []))}
        case SetState():
            found |= {f"{step.address}.set", f"{step.address}.to"}
        case Roll():
            found |= {f"{step.address}.roll", f"{step.address}.weights"}
        case Reveal():
            found |= {f"{step.address}.reveal", f"{step.address}.to"}
        case Choose(mode=how, fallback=otherwise, is_automatic=automatic):
            found.add(f"{step.address}.{how}")
            found |= {f"{step.address}.otherwise"} if otherwise is not None else set()
            found |= {f"{step.address}.single"} if automatic else set()
        case GiveTurn(is_extra=extra):
            found.add(f"{step.address}.{'extra_turn' if extra else 'turn'}")
        case Finish(winners=winners):
            found |= {f"{step.address}.finish"} | ({f"{step.address}.winners"} if winners is not None else set())
        case Steps(is_procedure=fresh):
            found.add(f"{step.address}.{'run' if fresh else 'do'}")
    return found


def _unplayed(t: Labels) -> frozenset[str]:
    """Values that only bots and figures go by."""
    rules = t.rules
    played: list[Expr] = [expr for block in rules.blocks for step in block.steps for expr in step_exprs(step)]
    offers = [
        offer
        for block in rules.blocks
        for step in block.steps
        for offer in (step.effect.offers if isinstance(step.effect, Choose) else ())
    ]
    for action in rules.actions:
        played += [expr for choice in action.choices for expr in domain_exprs(choice.domain)]
        played += [clause.condition for clause in action.clauses]
    played += [clause.condition for offer in offers for clause in offer.clauses]
    played += [one.of for one in rules.ranking]
    reached = {name for expr in played for name in named_addresses(expr, rules) if name.startswith("values.")}
    waiting = list(reached)
    while waiting:
        definition = rules.values[waiting.pop().partition(".")[2]]
        for _, expr in (*definition.terms, *definition.deductions):
            for name in named_addresses(expr, rules):
                if name.startswith("values.") and name not in reached:
                    reached.add(name)
                    waiting.append(name)
    return frozenset(f"values.{name}" for name in rules.values) - reached


__all__ = ["RulebookWriter", "step_addresses"]
