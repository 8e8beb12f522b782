"""Writes the blocks of a rulebook one after another.

In: names and sentences of a game. Out: blocks with keys, anchors and the addresses that they speak of.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from rulewright.expr.tree import Expr
from rulewright.model.rules import Choose, Finish, Move, Passage, Reveal, Roll, Rules, Set, Step, Turn
from rulewright.model.rules import Run as Steps
from rulewright.model.traversal import domain_parts, step_parts
from rulewright.rulebook.blocks import Block, Heading, Line, LineKind, Row, Run, Text, plain
from rulewright.wording.labels import Telling, all_reads, reads


class Writer:
    """The book so far, and what it is about."""

    def __init__(self, telling: Telling, before: Rules | None = None) -> None:
        self.telling = telling
        self.before = before
        self.blocks: list[Block] = []
        self.described: dict[int, str] = {}  # actions that have a section, and its anchor
        self.unplayed = _unplayed(telling)
        self.open = ""
        self.cites = set[str]()
        self.times: dict[str, int] = {}  # how often a key was wanted

    def chapter(self, name: str) -> None:
        """The heading of a chapter and what the book says at its beginning. A passage that has a title and no text
        names the chapter.
        """
        t = self.telling
        found = t.passages.get(name, [])
        named = [one for one in found if t.has(f"{one.address}.title") and not t.has(one.address)]
        title = self.plain(f"{named[0].address}.title") if named else t.say(f"chapter_{name}")
        says = {f"{named[0].address}.title", named[0].address} if named else set[str]()
        self.close()
        self.heading(2, f"chapter.{name}", title, name, says=says)
        self.passages(name, roles=("",))
        self.open = name

    def close(self) -> None:
        """The examples and notes of the chapter under way, which stand behind what it says."""
        self.passages(self.open, roles=("example", "note"))
        self.open = ""

    def heading(
        self, level: int, key: str, text: str, anchor: str, *, says: Iterable[str] = (), mentions: Iterable[str] = ()
    ) -> None:
        """A heading."""
        shown = text[:1].upper() + text[1:]
        self.blocks.append(Heading(self._own(key), level, (Run(shown),), anchor, frozenset(says), frozenset(mentions)))

    def line(
        self,
        kind: LineKind,
        key: str,
        text: str | Text,
        *,
        says: Iterable[str] = (),
        mentions: Iterable[str] = (),
        reads: Iterable[Expr] = (),
        depth: int = 0,
        anchor: str = "",
        beneath: str = "",
    ) -> None:
        """A line of text. `reads`: expressions whose names it speaks of."""
        runs = (Run(text),) if isinstance(text, str) else text
        told = frozenset(mentions) | all_reads(reads, self.telling.rules)
        self.blocks.append(Line(self._own(key), kind, runs, depth, anchor, beneath, frozenset(says), told))

    def _own(self, key: str) -> str:
        """A key that no block has yet."""
        number = self.times[key] = self.times.get(key, 0) + 1
        return key if number == 1 else f"{key} ~{number}"

    def said(
        self, kind: LineKind, address: str, *, before: Text = (), reads: Iterable[Expr] = (), depth: int = 0,
        says: Iterable[str] = (), anchor: str = "", beneath: str = "",
    ) -> bool:  # fmt: skip
        """The sentence that stands at an address, as a line; False when there is none."""
        found = self.telling.sentence(address)
        if found is not None:
            told = {address, *says}
            self.line(
                kind,
                address,
                (*before, *found.text),
                says=told,
                mentions=found.mentions,
                reads=reads,
                depth=depth,
                anchor=anchor,
                beneath=beneath,
            )
        return found is not None

    def plain(self, address: str) -> str:
        """The sentence at an address without marks; nothing when there is none."""
        found = self.telling.sentence(address)
        return "" if found is None else plain(found.text)

    def row(self, key: str, cells: Sequence[str | Text], says: Iterable[str] = (), reads: Iterable[Expr] = ()) -> Row:
        """A row of a table."""
        texts = tuple((Run(cell),) if isinstance(cell, str) else cell for cell in cells)
        return Row(key, texts, key, frozenset(says), all_reads(reads, self.telling.rules))

    # ---- what the book says besides -----------------------------------------------------------------------

    def passages(self, at: str, *, roles: Collection[str] = ("", "example", "note"), depth: int = 0) -> None:
        """The passages of a chapter or at a rule."""
        for passage in self.telling.passages.get(at, ()):
            if passage.role in roles and self.telling.has(passage.address):
                self.passage(passage, depth)

    def passage(self, passage: Passage, depth: int = 0) -> None:
        """One passage: its title, if it is no name of a rule, before its text."""
        t = self.telling
        title = f"{passage.address}.title"
        entitled = t.has(title) and "." not in passage.at
        before: Text = (Run(self.plain(title), "strong"), Run(" ")) if entitled else ()
        if passage.role == "example":
            before = (Run(t.say("example"), "strong"), Run(" "))
        kind: LineKind = passage.role or "paragraph"
        reads = (passage.when,) if passage.when is not None else ()
        says = {title} if t.has(title) else set[str]()
        self.said(kind, passage.address, before=before, depth=depth, says=says, reads=reads)

    def sources(self, source: Iterable[tuple[str, str]]) -> str:
        """Where something is printed: numbers of works with their sections."""
        works: dict[str, list[str]] = {}
        for work, section in source:
            works.setdefault(work, []).append(section)
        numbers = {work: number for number, work in enumerate(self.telling.rules.works, 1)}
        self.cites.update(works)
        colon = self.telling.say("colon")
        return "; ".join(f"{numbers.get(work, work)}{colon} {', '.join(sections)}" for work, sections in works.items())

    def cited(self, address: str) -> Text:
        """Who says a rule and where, to stand behind it."""
        note = self.telling.standing(address)
        said = self.sources(note.source if note is not None else ())
        return (Run(f" [{said}]", "em"),) if said else ()

    def works(self, where: str = "questions") -> None:
        """The works that were cited so far, by their numbers."""
        if not self.cites:
            return
        self.line("label", f"works.{where}", self.telling.say("works"))
        for number, (work, about) in enumerate(self.telling.rules.works.items(), 1):
            if work in self.cites:
                known = [str(about[key]) for key in ("publisher", "year") if key in about]
                languages: object = about.get("languages", [])
                known += [str(one) for one in languages] if isinstance(languages, list) else []
                text = f"{number}. {about.get('title', work)}" + (f" ({', '.join(known)})" if known else "")
                self.line("item", f"works.{where}.{work}", text)

    # ---- steps --------------------------------------------------------------------------------------------

    def steps(self, block: int, kind: LineKind, depth: int = 0) -> None:
        """The steps of a block as a list; what runs inside a step without words of its own follows it."""
        for step in self.telling.rules.blocks[block].steps:
            self.step(step, kind, depth)

    def step(self, step: Step, kind: LineKind, depth: int = 0, before: Text = ()) -> None:
        """One step: its own sentence, else what it does in words."""
        t = self.telling
        if not t.done(step):
            return
        inside = step.effect if isinstance(step.effect, Steps) else None
        parts = step_parts(step)
        if t.has(step.address):
            covered = {one for one in self.inner(step) if not t.has(one)} if inside and not inside.fresh else set()
            says, beneath = {*keys(step), *covered}, self.beneath(step)
            self.said(kind, step.address, before=before, reads=parts, depth=depth, says=says, beneath=beneath)
            nested = inside is not None and any(t.has(one) for one in self.inner(step))
        else:
            text: Text = (*before, Run(t.wording.step(step)))
            if inside is not None and inside.fresh:
                name = t.rules.blocks[inside.block].address
                text = (*text, Run(" "), Run(t.say("see"), to=name))
            self.line(kind, step.address, text, says=keys(step), reads=parts, depth=depth)
            nested = inside is not None
        self.passages(step.address, depth=depth)
        if nested and inside is not None and not inside.fresh:
            self.steps(inside.block, "item", depth + 1)

    def beneath(self, step: Step) -> str:
        """What a step that has a sentence does, in the program's words, with those inside it that have none."""
        if isinstance(step.effect, Choose):
            return ""  # its actions stand in a list of their own
        said = self.telling.wording.step(step)
        if isinstance(step.effect, Steps) and not step.effect.fresh:
            steps = self.telling.rules.blocks[step.effect.block].steps
            said = " ".join([said, *(self.beneath(one) for one in steps if not self.telling.has(one.address))])
        return said

    def inner(self, step: Step) -> Iterable[str]:
        """The addresses of the steps inside a step."""
        if isinstance(step.effect, Steps) and not step.effect.fresh:
            for one in self.telling.rules.blocks[step.effect.block].steps:
                yield from keys(one)
                yield from self.inner(one)


def keys(step: Step) -> set[str]:
    """The addresses of a step and of what it says by its keys."""
    found = {step.address}
    present = {
        "when": step.when,
        "for_each": step.each,
        "order": step.order,
        "times": step.times,
        "by": step.by,
    }
    found |= {f"{step.address}.{key}" for key, value in present.items() if value is not None}
    match step.effect:
        case Move(source=source):
            found |= {f"{step.address}.{key}" for key in ("move", "to", *(["from"] if source is not None else []))}
        case Set():
            found |= {f"{step.address}.set", f"{step.address}.to"}
        case Roll():
            found |= {f"{step.address}.roll", f"{step.address}.weights"}
        case Reveal():
            found |= {f"{step.address}.reveal", f"{step.address}.to"}
        case Choose(how=how, otherwise=otherwise, automatic=automatic):
            found.add(f"{step.address}.{how}")
            found |= {f"{step.address}.otherwise"} if otherwise is not None else set()
            found |= {f"{step.address}.single"} if automatic else set()
        case Turn(extra=extra):
            found.add(f"{step.address}.{'extra_turn' if extra else 'turn'}")
        case Finish(winners=winners):
            found |= {f"{step.address}.finish"} | ({f"{step.address}.winners"} if winners is not None else set())
        case Steps(fresh=fresh):
            found.add(f"{step.address}.{'run' if fresh else 'do'}")
    return found


def _unplayed(t: Telling) -> frozenset[str]:
    """Values that only bots and figures go by."""
    rules = t.rules
    played: list[Expr] = [expr for block in rules.blocks for step in block.steps for expr in step_parts(step)]
    offers = [
        offer
        for block in rules.blocks
        for step in block.steps
        for offer in (step.effect.offers if isinstance(step.effect, Choose) else ())
    ]
    for action in rules.actions:
        played += [expr for choice in action.choices for expr in domain_parts(choice.domain)]
        played += [clause.is_ for clause in action.clauses]
    played += [clause.is_ for offer in offers for clause in offer.clauses]
    played += [one.of for one in rules.ranking]
    reached = {name for expr in played for name in reads(expr, rules) if name.startswith("values.")}
    waiting = list(reached)
    while waiting:
        definition = rules.values[waiting.pop().partition(".")[2]]
        for _, expr in (*definition.terms, *definition.less):
            for name in reads(expr, rules):
                if name.startswith("values.") and name not in reached:
                    reached.add(name)
                    waiting.append(name)
    return frozenset(f"values.{name}" for name in rules.values) - reached


__all__ = ["Writer", "keys"]
