"""Writes the blocks of a rulebook one after another.

In: labels and sentences of a game. Out: blocks with keys, anchors, and the addresses that they cover and mention.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import assert_never

from rulewright.document.text_addresses import title_address
from rulewright.expr.tree import Expr
from rulewright.frozen import replace
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, Move, Reveal, Roll, RunSteps, SetState, Step
from rulewright.model.rules import Passage, Rules
from rulewright.model.traversal import choice_exprs, only_step, step_exprs
from rulewright.rulebook.blocks import (
    BookBlock,
    Heading,
    RichText,
    TableBlock,
    TableRow,
    TextBlock,
    TextKind,
    TextRun,
    sentence_text,
    text_runs,
)
from rulewright.wording.labels import Labels, all_named_addresses, named_addresses
from rulewright.wording.text_case import upper_first


class RulebookWriter:
    """The book so far. `before`: the rules without variants, to compare the picture of a turn with; `work_numbers`: by
    which numbers works are cited, else all are numbered.

    Chapters write to it in their order, and some read what others left: `action_anchors` says which actions have a
    section already, `cited_works` which works an index of sources has to list.
    """

    def __init__(
        self, labels: Labels, before: Rules | None = None, work_numbers: Mapping[str, int] | None = None
    ) -> None:
        self.labels = labels
        self.before = before
        works = labels.rules.explanations.works()
        self.work_numbers = number_works(works, works) if work_numbers is None else work_numbers
        self.blocks: list[BookBlock] = []
        self.action_anchors: dict[int, str] = {}  # of actions that have a section, by index
        self.bot_only_values = _bot_only_values(labels.rules)
        self.described_procedures = set[str]()  # their addresses
        self.cited_works = set[str]()
        self._open_chapter = ""
        self._key_counts: dict[str, int] = {}  # how often a key was asked for

    def add_chapter(self, name: str, *, is_cited: bool = False) -> None:
        """The heading of a chapter and the passages at its beginning. `is_cited`: with their sources.

        A game may give a chapter a title of its own.
        """
        labels = self.labels
        own_title = title_address(name)
        if labels.has_sentence(own_title):
            title, covers = self.plain_sentence(own_title), {own_title}
        else:
            title, covers = labels.message(f"chapter_{name}"), set[str]()
        self.close_chapter()
        self._drop_empty_chapter()
        self.add_heading(2, f"chapter.{name}", title, name, covers=covers)
        self.add_passages(name, roles=("",), is_cited=is_cited)
        self._open_chapter = name

    def _drop_empty_chapter(self) -> None:
        """Takes back the heading of a chapter in which nothing is said."""
        last = self.blocks[-1] if self.blocks else None
        if isinstance(last, Heading) and last.level == 2 and not last.covers:
            self.blocks.pop()

    def close_chapter(self) -> None:
        """The examples and notes of the open chapter, which come last in it."""
        self.add_passages(self._open_chapter, roles=("example", "note"))
        self._open_chapter = ""

    def add_heading(
        self, level: int, key: str, text: str, anchor: str, *, covers: Iterable[str] = (), mentions: Iterable[str] = ()
    ) -> None:
        """A heading."""
        title = (TextRun(upper_first(text)),)
        self.blocks.append(Heading(self._unique_key(key), level, title, anchor, frozenset(covers), frozenset(mentions)))

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
        """A paragraph, item or label. `exprs`: expressions whose names it mentions."""
        runs = (TextRun(text),) if isinstance(text, str) else text
        named = frozenset(mentions) | all_named_addresses(exprs, self.labels.rules)
        self.blocks.append(
            TextBlock(self._unique_key(key), kind, runs, depth, anchor, effect_text, frozenset(covers), named)
        )

    def _unique_key(self, key: str) -> str:
        """The key, with a number behind it where a block has it already."""
        number = self._key_counts[key] = self._key_counts.get(key, 0) + 1
        return key if number == 1 else f"{key} ~{number}"

    def add_sentence(
        self,
        kind: TextKind,
        address: str,
        *,
        lead: RichText = (),
        trail: RichText = (),
        exprs: Iterable[Expr] = (),
        depth: int = 0,
        covers: Iterable[str] = (),
        anchor: str = "",
        effect_text: str = "",
    ) -> bool:
        """The sentence at an address, between `lead` and `trail`; False when there is none."""
        sentence = self.labels.find_sentence(address)
        if sentence is not None:
            self.add_text(
                kind,
                address,
                (*lead, *text_runs(sentence), *trail),
                covers={address, *covers},
                mentions=sentence.mentions,
                exprs=exprs,
                depth=depth,
                anchor=anchor,
                effect_text=effect_text,
            )
        return sentence is not None

    def plain_sentence(self, address: str) -> str:
        """The sentence at an address without styles; empty when there is none."""
        sentence = self.labels.find_sentence(address)
        return "" if sentence is None else sentence_text(sentence)

    # ---- tables -------------------------------------------------------------------------------------------

    def table_row(
        self, key: str, cells: Sequence[str | RichText], covers: Iterable[str] = (), exprs: Iterable[Expr] = ()
    ) -> TableRow:
        """A row for `add_table`. `exprs`: expressions whose names it mentions."""
        texts = tuple((TextRun(cell),) if isinstance(cell, str) else cell for cell in cells)
        return TableRow(key, texts, key, frozenset(covers), all_named_addresses(exprs, self.labels.rules))

    def add_table(self, key: str, header: Iterable[str], rows: Iterable[TableRow]) -> None:
        """A table with such a header."""
        self.blocks.append(TableBlock(key, tuple((TextRun(title),) for title in header), tuple(rows)))

    def count_headers(self) -> list[str]:
        """The headers of columns with a value for each number of players."""
        labels = self.labels
        if len(labels.counts) == 1:
            return [labels.message("number")]
        return [labels.message("column_one" if count == 1 else "column", players=count) for count in labels.counts]

    # ---- passages and sources -----------------------------------------------------------------------------

    def add_passages(
        self,
        topic: str,
        *,
        roles: Collection[str] = ("", "example", "note"),
        depth: int = 0,
        is_cited: bool = False,
    ) -> None:
        """What the game's book says in a chapter or on a rule."""
        for passage in self.labels.passages.get(topic, ()):
            if passage.role in roles and self.labels.has_sentence(passage.address):
                self._add_passage(passage, depth, self.citation(passage.address) if is_cited else ())

    def _add_passage(self, passage: Passage, depth: int, citation: RichText) -> None:
        """One passage, behind its title unless that is the label of a rule."""
        title = f"{passage.address}.title"
        has_title = self.labels.has_sentence(title)
        lead: RichText = ()
        if passage.role == "example":
            lead = (TextRun(self.labels.message("example"), "strong"), TextRun(" "))
        elif has_title and "." not in passage.topic:
            lead = (TextRun(self.plain_sentence(title), "strong"), TextRun(" "))
        if passage.variant:  # another variant in use says otherwise
            lead = (TextRun(passage.variant, "strong"), TextRun(self.labels.message("colon") + " "), *lead)
        is_added = self.add_sentence(
            passage.role or "paragraph",
            passage.address,
            lead=lead,
            trail=citation,
            depth=depth,
            covers={title} if has_title else (),
            exprs=() if passage.when is None else (passage.when,),
        )
        block = self.blocks[-1]
        if is_added and isinstance(block, TextBlock):
            self.blocks[-1] = replace(block, about=frozenset(passage.about))

    def format_sources(self, sources: Iterable[tuple[str, str]]) -> str:
        """Where something is printed: numbers of works with their sections. `sources`: works and sections."""
        sections_by_work: dict[str, list[str]] = {}
        for work, section in sources:
            sections_by_work.setdefault(work, []).append(section)
        self.cited_works.update(sections_by_work)
        colon = self.labels.message("colon")
        return f"{self.labels.message('semicolon')} ".join(
            f"{self.work_numbers.get(work, work)}{colon} {', '.join(sections)}"
            for work, sections in sections_by_work.items()
        )

    def citation(self, address: str) -> RichText:
        """The sources of a rule in brackets, to come behind it; nothing when it has none."""
        note = self.labels.note(address)
        sources = self.format_sources(note.source if note is not None else ())
        return (TextRun(f" [{sources}]", "em"),) if sources else ()

    def add_works(self, chapter: str = "questions") -> None:
        """The works cited so far, by their numbers."""
        if not self.cited_works:
            return
        self.add_text("label", f"works.{chapter}", self.labels.message("works"))
        for work, about in self.labels.rules.explanations.works().items():
            if work in self.cited_works:
                details = [str(about[key]) for key in ("publisher", "year") if key in about]
                languages: object = about.get("languages", [])
                details += [str(language) for language in languages] if isinstance(languages, list) else []
                text = f"{self.work_numbers.get(work, work)}. {about.get('title', work)}" + (
                    f" ({', '.join(details)})" if details else ""
                )
                self.add_text("item", f"works.{chapter}.{work}", text)

    # ---- steps --------------------------------------------------------------------------------------------

    def add_steps(self, block: int, kind: TextKind, depth: int = 0) -> None:
        """The steps of a block as a list; the steps inside a step without a sentence follow it."""
        for step in self.labels.rules.blocks[block].steps:
            self.add_step(step, kind, depth)

    def add_step(self, step: Step, kind: TextKind, depth: int = 0, lead: RichText = ()) -> None:
        """A step that can happen: its own sentence, else its effect as a phrase."""
        labels = self.labels
        if not labels.can_happen(step):
            return
        inner = step.effect if isinstance(step.effect, RunSteps) else None
        exprs = step_exprs(step)
        if labels.has_sentence(step.address):
            covers = step_addresses(step)
            nested = set(self._nested_addresses(step))
            if inner is not None:
                covers |= {address for address in nested if not labels.has_sentence(address)}
            self.add_sentence(
                kind, step.address, lead=lead, trail=self._decision_link(step), exprs=exprs, depth=depth, covers=covers,
                effect_text=self._effect_text(step),
            )  # fmt: skip
            has_inner_list = any(labels.has_sentence(address) for address in nested)
        else:
            text: RichText = (*lead, TextRun(labels.phrases.step(step)))
            covers = step_addresses(step)
            only = only_step(labels.rules, step)
            if only is not None and (sentence := labels.find_sentence(only.address)) is not None:
                text = (*lead, *text_runs(sentence))  # a section of its own for one line would say nothing more
                covers |= step_addresses(only)
                self.described_procedures.add(only.address.rpartition(".do.")[0])
            elif inner is not None and inner.is_procedure:
                procedure = labels.rules.blocks[inner.block].address
                text = (*text, TextRun(" "), TextRun(labels.message("see"), link=procedure))
            text = (*text, *self._decision_link(step))
            self.add_text(kind, step.address, text, covers=covers, exprs=exprs, depth=depth)
            has_inner_list = True
        self.add_passages(step.address, depth=depth)
        if has_inner_list and inner is not None and not inner.is_procedure:
            self.add_steps(inner.block, "item", depth + 1)

    def _decision_link(self, step: Step) -> RichText:
        """A link to the section of a decision in the middle of an action or procedure; nothing for other steps."""
        is_within = step.address.startswith(("actions.", "procedures."))
        if not isinstance(step.effect, Choose) or not is_within:
            return ()
        return (TextRun(" "), TextRun(self.labels.message("see"), link=f"at.{step.address}"))

    def _effect_text(self, step: Step) -> str:
        """What a step that has a sentence does, as phrases, with the steps inside it that have no sentence."""
        if isinstance(step.effect, Choose):
            return ""  # its actions are listed in a section of their own
        phrase = self.labels.phrases.step(step)
        if isinstance(step.effect, RunSteps) and not step.effect.is_procedure:
            steps = self.labels.rules.blocks[step.effect.block].steps
            inner = [self._effect_text(step) for step in steps if not self.labels.has_sentence(step.address)]
            phrase = " ".join([phrase, *inner])
        return phrase

    def _nested_addresses(self, step: Step) -> Iterable[str]:
        """The addresses of the steps inside a step, and of their keys; none of a procedure that it runs."""
        if isinstance(step.effect, RunSteps) and not step.effect.is_procedure:
            for inner in self.labels.rules.blocks[step.effect.block].steps:
                yield from step_addresses(inner)
                yield from self._nested_addresses(inner)


def number_works(works: Iterable[str], cited: Collection[str]) -> dict[str, int]:
    """The numbers of the cited works from 1 on, in the order in which the game lists them."""
    return {work: number for number, work in enumerate([work for work in works if work in cited], 1)}


def step_addresses(step: Step) -> set[str]:
    """The addresses of a step and of its keys."""
    keys = {
        "when": step.when,
        "for_each": step.for_each,
        "highest_first" if step.is_descending else "lowest_first": step.order,
        "times": step.times,
        "while": step.while_condition,
        "by": step.by,
    }
    present = [key for key, value in keys.items() if value is not None]
    match step.effect:
        case Move(source=source):
            present += ["move", "to", *(["from"] if source is not None else [])]
        case SetState():
            present += ["set", "to"]
        case Roll():
            present += ["roll", "weights"]
        case Reveal():
            present += ["reveal", "to"]
        case Choose(mode=mode, fallback=fallback, is_automatic=is_automatic):
            present += [
                mode,
                *(["if_unable"] if fallback is not None else []),
                *(["if_only_one"] if is_automatic else []),
            ]
        case GiveTurn(is_extra=is_extra):
            present.append("extra_turn" if is_extra else "turn")
        case Finish(winners=winners):
            present += ["end_game", *(["winners"] if winners is not None else [])]
        case RunSteps(is_procedure=is_procedure):
            present.append("run" if is_procedure else "do")
        case Leave():
            pass
        case _:
            assert_never(step.effect)
    return {step.address, *(f"{step.address}.{key}" for key in present)}


def _bot_only_values(rules: Rules) -> frozenset[str]:
    """The addresses of derived values that only bots and figures read."""
    steps = [step for block in rules.blocks for step in block.steps]
    exprs: list[Expr] = [expr for step in steps for expr in step_exprs(step)]
    offers = [offer for step in steps if isinstance(step.effect, Choose) for offer in step.effect.offers]
    for action in rules.actions:
        exprs += [expr for choice in action.choices for expr in choice_exprs(choice)]
        exprs += [clause.condition for clause in action.clauses]
    exprs += [clause.condition for offer in offers for clause in offer.clauses]
    exprs += [criterion.of for criterion in rules.ranking]
    reached = {name for expr in exprs for name in named_addresses(expr, rules) if name.startswith("values.")}
    pending = list(reached)
    while pending:
        definition = rules.values[pending.pop().partition(".")[2]]
        for _, expr in (*definition.terms, *definition.deductions):
            for name in named_addresses(expr, rules):
                if name.startswith("values.") and name not in reached:
                    reached.add(name)
                    pending.append(name)
    return frozenset(f"values.{name}" for name in rules.values) - reached


__all__ = ["RulebookWriter", "number_works", "step_addresses"]
