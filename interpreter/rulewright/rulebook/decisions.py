"""A step in which somebody chooses, as a section of the book: who chooses, what if nothing is possible, and all of the
actions that it offers.

In: a writer, a step. Out: sections with headings of level 3 (the decision) and 4 (its actions). What is decided in the
middle of an action has a section of its own behind that decision; procedures are described like that too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal

from rulewright.document.text_addresses import reason_address
from rulewright.expr.tree import Local
from rulewright.model.actions import ActionDef, Choice, Clause, OneOf, Pay, SomeOf
from rulewright.model.effects import Choose, Finish, RunSteps, Step
from rulewright.model.rules import Rules
from rulewright.model.traversal import choice_exprs, offered_actions
from rulewright.rulebook.blocks import RichText, TextRun, text_runs
from rulewright.rulebook.writer import RulebookWriter, step_addresses
from rulewright.wording.text_case import upper_first


def add_listed_step(writer: RulebookWriter, step: Step, kind: Literal["item", "number"]) -> None:
    """A step in the list of a turn or round, behind its label; the end of the game only as a link."""
    labels = writer.labels
    if not labels.can_happen(step):
        return
    title = labels.label(step.address) if labels.has_label(step.address) else ""
    stop = " " if title.endswith(("?", "!", ".")) else ". "
    lead: RichText = (TextRun(upper_first(title), "strong"), TextRun(stop)) if title else ()
    if isinstance(step.effect, Finish) and title:
        text = (*lead, TextRun(labels.message("see_end"), link="end"))
        writer.add_text(kind, f"see.{step.address}", text, mentions={step.address})
        return
    writer.add_step(step, kind, lead=lead)


def iter_decisions(writer: RulebookWriter, block: int, outer: frozenset[int] = frozenset()) -> Iterator[Step]:
    """The steps of a block in which somebody chooses, also inside others; not those of procedures that it runs."""
    if block in outer:
        return
    for step in writer.labels.rules.blocks[block].steps:
        if not writer.labels.can_happen(step):
            continue
        if isinstance(step.effect, Choose):
            yield step
        elif isinstance(step.effect, RunSteps) and not step.effect.is_procedure:
            yield from iter_decisions(writer, step.effect.block, outer | {block})


def add_decision(writer: RulebookWriter, step: Step) -> None:
    """A decision, and the actions that no section before it has described."""
    labels, choose = writer.labels, step.effect
    assert isinstance(choose, Choose)
    anchor = f"at.{step.address}"
    label = labels.label(step.address)
    title = label if labels.has_label(step.address) else labels.message("step", name=label)
    new_actions = [offer.action for offer in choose.offers if offer.action not in writer.action_anchors]
    is_only = len(choose.offers) == 1 and choose.fallback in (None, "nothing")
    writer.add_heading(3, anchor, title, anchor, mentions=step_addresses(step))
    each = step.for_each
    is_each = isinstance(step.by, Local) and each is not None and step.by.slot == each.slot
    is_other = step.by is not None and not is_each
    if not is_only or choose.mode != "must" or is_other:
        key = f"how_{labels.phrases.mode_key(step, choose)}" + ("_one" if len(choose.offers) == 1 else "")
        who = labels.phrases.who_decides(step) if is_other else labels.message("name_me")
        sentence = upper_first(labels.message(key, who=who))
        writer.add_text("paragraph", f"{anchor}.how", sentence, mentions={step.address})
    for offer in choose.offers:
        action = labels.rules.actions[offer.action]
        has_link = not is_only or offer.action not in new_actions
        if has_link:
            writer.add_text("item", f"{step.address}.{choose.mode}.{action.name}", _link(writer, action))
        elif offer.clauses:
            writer.add_text("label", f"{anchor}.when", labels.message("only_if"))
        for clause in offer.clauses:
            text, covers = _clause_text(writer, clause), _clause_addresses(writer, clause)
            writer.add_text("item", clause.address, text, covers=covers, depth=1 if has_link else 0)
    fallback = _add_fallback(writer, step, choose, f"{anchor}.else")
    if fallback is not None and fallback not in (*writer.action_anchors, *new_actions):
        new_actions.append(fallback)
    for index in new_actions:
        is_named_here = is_only and labels.has_label(step.address) and _number_of_offers(labels.rules, index) == 1
        add_action(writer, labels.rules.actions[index], has_heading=not is_named_here)
    for index in new_actions:  # in sections behind all actions: inside one they would take in what follows them
        add_decisions(writer, labels.rules.actions[index].block)


def add_decisions(writer: RulebookWriter, block: int) -> None:
    """A section for each decision of a block."""
    for step in iter_decisions(writer, block):
        add_decision(writer, step)


def add_procedures(writer: RulebookWriter, wanted: Collection[int] | None = None) -> None:
    """The procedures that no section before has described, each once. `wanted`: only those with one of these blocks."""
    labels = writer.labels
    for index, block in enumerate(labels.rules.blocks):
        address = block.address
        is_procedure = address.startswith("procedures.") and address.count(".") == 1
        if not is_procedure or address in writer.described_procedures or not (wanted is None or index in wanted):
            continue
        writer.described_procedures.add(address)
        writer.add_heading(3, f"{address}.heading", labels.label(address), address, mentions={address})
        writer.add_passages(address)
        writer.add_steps(index, "number")
        add_decisions(writer, index)


def blocks_used_only_by(rules: Rules, block: int) -> frozenset[int]:
    """The blocks that one part of a game leads to (set-up, round, turn or finale), and no other part."""
    parts = {rules.setup, rules.round, rules.turn, rules.finale} - {block}
    return reached_blocks(rules, {block}) - reached_blocks(rules, parts)


def reached_blocks(rules: Rules, blocks: Collection[int]) -> frozenset[int]:
    """These blocks and those of the steps, procedures and actions that they lead to."""
    reached, pending = set(blocks), list(blocks)
    while pending:
        for step in rules.blocks[pending.pop()].steps:
            match step.effect:
                case RunSteps(block=inner):
                    found = [inner]
                case Choose(offers=offers, fallback=fallback):
                    actions = [offer.action for offer in offers] + ([fallback] if isinstance(fallback, int) else [])
                    found = [rules.actions[action].block for action in actions]
                case _:
                    found = []
            pending += [inner for inner in found if inner not in reached]
            reached.update(found)
    return frozenset(reached)


def _number_of_offers(rules: Rules, action: int) -> int:
    """At how many steps an action is offered; other sections than that of the first one name it, then."""
    steps = [step.effect for block in rules.blocks for step in block.steps]
    return sum(isinstance(effect, Choose) and action in offered_actions(effect) for effect in steps)


def _add_fallback(writer: RulebookWriter, step: Step, choose: Choose, key: str) -> int | None:
    """What happens without a decision: the only possibility, or else something else. Returns the action of the latter,
    by its index.
    """
    labels = writer.labels
    texts: list[RichText] = []
    covers = set[str]()
    if choose.is_automatic:
        texts.append((TextRun(labels.message("alone")),))
        covers.add(f"{step.address}.if_only_one")
    if choose.fallback is not None:
        covers.add(f"{step.address}.if_unable")
    if choose.fallback == "nothing":
        texts.append((TextRun(labels.message("or_nothing")),))
    elif isinstance(choose.fallback, int):
        link = _link(writer, labels.rules.actions[choose.fallback])
        lead = labels.message("or_else" if len(choose.offers) > 1 else "or_else_one")
        texts.append((TextRun(lead + " "), *link, TextRun(".")))
    if texts:
        text = (*texts[0], *(run for more in texts[1:] for run in (TextRun(" "), *more)))
        writer.add_text("paragraph", key, text, covers=covers)
    return choose.fallback if isinstance(choose.fallback, int) else None


def _link(writer: RulebookWriter, action: ActionDef) -> RichText:
    return (TextRun(upper_first(writer.labels.label(action.address)), link=action.address),)


def add_action(writer: RulebookWriter, action: ActionDef, *, has_heading: bool = True) -> None:
    """All of an action: what it is, what the player chooses, when it is allowed, what happens."""
    labels, address = writer.labels, action.address
    writer.action_anchors[action.index] = address
    if has_heading:
        writer.add_heading(4, f"{address}.heading", labels.label(address), address, mentions={address})
    if not writer.add_sentence("lead", address, anchor="" if has_heading else address):
        writer.add_text("lead", address, upper_first(labels.label(address)) + ".", covers={address})
    writer.add_passages(address, roles=("",))
    choice_labels = {
        choice.name: labels.label(choice.address) for choice in action.choices if labels.has_label(choice.address)
    }
    with labels.phrases.choices_called(choice_labels):
        if action.choices:
            writer.add_text("label", f"{address}.choose", labels.message("you_choose"))
            for choice in action.choices:
                _add_choice(writer, choice)
        if action.clauses:
            writer.add_text("label", f"{address}.when", labels.message("only_if"))
            for clause in action.clauses:
                _add_clause(writer, clause)
        if labels.rules.blocks[action.block].steps:
            writer.add_text("label", f"{address}.do", labels.message("what_happens"))
            writer.add_steps(action.block, "number")
    writer.add_passages(address, roles=("note", "example"))


def _add_choice(writer: RulebookWriter, choice: Choice) -> None:
    """What the player chooses: its own sentence, else its domain as a phrase."""
    labels, address = writer.labels, choice.address
    sentence = labels.find_sentence(address)
    phrase = labels.phrases.choice(choice)
    covers = {address, *(f"{address}.{key}" for key in _choice_keys(choice))}
    label = labels.label(address) if labels.has_label(address) else labels.phrases.choice_name(choice)
    name: RichText = (TextRun(label, "strong"), TextRun(labels.message("colon") + " "))
    if sentence is None:
        text, effect_text = (*name, TextRun(phrase)), ""
    else:
        runs = text_runs(sentence)
        text, effect_text = (*name, *runs) if labels.has_label(address) else runs, phrase
        covers.add(f"{address}.text")
    exprs = choice_exprs(choice)
    writer.add_text("item", address, text, covers=covers, exprs=exprs, effect_text=effect_text)
    writer.add_passages(address, depth=1)


def _add_clause(writer: RulebookWriter, clause: Clause) -> None:
    """A condition of an action."""
    labels, address = writer.labels, clause.address
    has_sentence = labels.has_sentence(address)
    writer.add_text(
        "item",
        address,
        _clause_text(writer, clause),
        covers=_clause_addresses(writer, clause),
        exprs=[clause.condition],
        effect_text=labels.phrases.condition(clause.condition) if has_sentence else "",
    )
    writer.add_passages(address, depth=1)


def _choice_keys(choice: Choice) -> Iterator[str]:
    """The keys with which the rules write a choice."""
    if choice.condition is not None:
        yield "when"
    match choice.domain:
        case OneOf():
            yield "one_of"
        case SomeOf(total=total):
            yield from ("some_of", *(["total"] if total is not None else []))
        case Pay(wild=wild, rebate=rebate):
            yield from ("pay", "from", *(["wild", "worth", "stands_for"] if wild else []))
            yield from ["rebate"] if rebate is not None else []


def _clause_text(writer: RulebookWriter, clause: Clause) -> RichText:
    """What a clause demands: its own sentence, else the condition as a phrase, and the reason if it needs no game."""
    labels = writer.labels
    sentence = labels.find_sentence(clause.address)
    if sentence is not None:
        return text_runs(sentence)
    text: RichText = (TextRun(upper_first(labels.phrases.condition(clause.condition)) + "."),)
    if labels.has_static_sentence(why := reason_address(clause.address)):
        reason = labels.message("else_said", why=writer.plain_sentence(why))
        text = (*text, TextRun(f" {reason}", "em"))
    return text


def _clause_addresses(writer: RulebookWriter, clause: Clause) -> set[str]:
    text = f"{clause.address}.text"
    return {clause.address, f"{clause.address}.is", *([text] if writer.labels.has_sentence(clause.address) else [])}


__all__ = [
    "add_action",
    "add_decision",
    "add_decisions",
    "add_listed_step",
    "add_procedures",
    "blocks_used_only_by",
    "iter_decisions",
    "reached_blocks",
]
