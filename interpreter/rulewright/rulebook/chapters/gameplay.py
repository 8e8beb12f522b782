"""How the game goes: rounds, the turn with its picture, every step with the actions that it offers, and what each of
them asks for, allows and does.

In: a writer. Out: the chapters on the course of the game and on the turn.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagram.flowchart import turn_diagram
from rulewright.diagram.mermaid import to_mermaid
from rulewright.diagram.svg import to_svg
from rulewright.model.rules import ActionDef, Choose, Clause, Domain, Finish, OneOf, Pay, SomeOf, Step
from rulewright.model.rules import RunSteps as Steps
from rulewright.model.traversal import domain_exprs, step_exprs
from rulewright.rulebook.blocks import FigureBlock, RenderedDiagram, RichText, TextRun
from rulewright.rulebook.writer import RulebookWriter, step_addresses


def add_round(w: RulebookWriter) -> None:
    """What happens in a round."""
    rules = w.labels.rules
    w.add_chapter("round")
    for step in rules.blocks[rules.round].steps:
        _listed(w, step, "item")
    for step in decision_steps(w, rules.round):
        _decision(w, step)


def add_turn(w: RulebookWriter) -> None:
    """What happens in a turn: the picture, the list, then step by step what can be chosen."""
    rules = w.labels.rules
    if rules.blocks[rules.turn].steps:
        w.add_chapter("turn")
        add_turn_diagram(w)
    for step in rules.blocks[rules.turn].steps:
        _listed(w, step, "number")
    for block in (rules.turn, rules.setup, rules.finale):
        for step in decision_steps(w, block):
            _decision(w, step)
    _procedures(w)


def add_turn_diagram(w: RulebookWriter) -> None:
    """The turn as a picture."""
    t = w.labels
    alt = t.message("turn_picture")
    drawn = turn_diagram(t.rules, t.code, w.before, t.phrases_for)
    w.blocks.append(FigureBlock("turn.figure", RenderedDiagram(to_mermaid(drawn), to_svg(drawn)), (TextRun(alt),), alt))


def _listed(w: RulebookWriter, step: Step, kind: str) -> None:
    """A step in the list of a turn or round. What has a section of its own is only named and led to."""
    t = w.labels
    if not t.can_happen(step):
        return
    title = t.label(step.address) if t.has_label(step.address) else ""
    stop = " " if title.endswith(("?", "!", ".")) else ". "
    before: RichText = (TextRun(title[:1].upper() + title[1:], "strong"), TextRun(stop)) if title else ()
    if isinstance(step.effect, Finish) and title:
        text = (*before, TextRun(t.message("see_end"), link="end"))
        w.add_text("number" if kind == "number" else "item", f"see.{step.address}", text, mentions={step.address})
        return
    w.add_step(step, "number" if kind == "number" else "item", before=before)


def decision_steps(w: RulebookWriter, block: int, seen: frozenset[int] = frozenset()) -> Iterator[Step]:
    """The steps of a block in which somebody chooses, also inside others."""
    rules = w.labels.rules
    if block in seen:
        return
    for step in rules.blocks[block].steps:
        if not w.labels.can_happen(step):
            continue
        if isinstance(step.effect, Choose):
            yield step
        elif isinstance(step.effect, Steps) and not step.effect.is_procedure:
            yield from decision_steps(w, step.effect.block, seen | {block})


def _decision(w: RulebookWriter, step: Step) -> None:
    """A step in which somebody chooses: who may, what if nothing can be done, and each action."""
    t, choose = w.labels, step.effect
    assert isinstance(choose, Choose)
    anchor = f"at.{step.address}"
    title = t.label(step.address) if t.has_label(step.address) else t.message("step", name=t.label(step.address))
    fresh = [offer.action for offer in choose.offers if offer.action not in w.action_anchors]
    alone = len(choose.offers) == 1 and choose.fallback in (None, "nothing")
    w.add_heading(3, anchor, title, anchor, mentions=step_addresses(step))
    if not alone or choose.mode != "must":
        key = f"how_{choose.mode}" + ("_one" if len(choose.offers) == 1 else "")
        w.add_text("paragraph", f"{anchor}.how", t.message(key), mentions={step.address})
    for offer in choose.offers:
        action = t.rules.actions[offer.action]
        if not alone or offer.action not in fresh:
            w.add_text("item", f"{step.address}.{choose.mode}.{action.name}", _link(w, action))
        for clause in offer.clauses:
            w.add_text("item", clause.address, _clause(w, clause), covers=_clause_says(w, clause), depth=1)
    otherwise: RichText = ()
    said = set[str]()
    if choose.is_automatic:
        otherwise = (TextRun(t.message("alone")),)
        said.add(f"{step.address}.single")
    if choose.fallback is not None:
        said.add(f"{step.address}.otherwise")
    gap: RichText = (TextRun(" "),) if otherwise else ()
    if choose.fallback == "nothing":
        otherwise = (*otherwise, *gap, TextRun(t.message("or_nothing")))
    elif isinstance(choose.fallback, int):
        action = t.rules.actions[choose.fallback]
        otherwise = (*otherwise, *gap, TextRun(t.message("or_else") + " "), *_link(w, action), TextRun("."))
        if choose.fallback not in w.action_anchors:
            fresh.append(choose.fallback)
    if otherwise:
        w.add_text("paragraph", f"{anchor}.else", otherwise, covers=said)
    for number in fresh:
        add_action(w, t.rules.actions[number], alone=alone and t.has_label(step.address))


def _link(w: RulebookWriter, action: ActionDef) -> RichText:
    name = w.labels.label(action.address)
    return (TextRun(name[:1].upper() + name[1:], link=action.address),)


def add_action(w: RulebookWriter, action: ActionDef, *, alone: bool = False) -> None:
    """All of an action: what it is, what one chooses, when it is allowed, what happens."""
    t, address = w.labels, action.address
    w.action_anchors[action.index] = address
    if not alone:
        w.add_heading(4, f"{address}.heading", t.label(address), address, mentions={address})
    if not w.add_sentence("lead", address, anchor=address if alone else ""):
        w.add_text("lead", address, t.label(address)[:1].upper() + t.label(address)[1:] + ".", covers={address})
    w.add_passages(address, roles=("",))
    t.phrases.choice_labels = {one.name: t.label(one.address) for one in action.choices if t.has_label(one.address)}
    if action.choices:
        w.add_text("label", f"{address}.choose", t.message("you_choose"))
        for choice in action.choices:
            demand = t.find_sentence(f"{choice.address}.text")
            name: RichText = (TextRun(t.label(choice.address), "strong"), TextRun(t.message("colon") + " "))
            if demand is not None:
                text = (*name, *demand.text) if t.has_label(choice.address) else demand.text
            else:
                text = (*name, TextRun(t.phrases.domain(choice.domain)))
            says = {choice.address, *(f"{choice.address}.{key}" for key in _keys(choice.domain))}
            says |= {f"{choice.address}.text"} if demand is not None else set()
            beneath = t.phrases.domain(choice.domain) if demand is not None else ""
            w.add_text(
                "item", choice.address, text, covers=says, exprs=domain_exprs(choice.domain), effect_text=beneath
            )
            w.add_passages(choice.address, depth=1)
    if action.clauses:
        w.add_text("label", f"{address}.when", t.message("only_if"))
        for clause in action.clauses:
            said = t.phrases.condition(clause.condition) if t.has_sentence(f"{clause.address}.text") else ""
            says = _clause_says(w, clause)
            w.add_text(
                "item", clause.address, _clause(w, clause), covers=says, exprs=[clause.condition], effect_text=said
            )
            w.add_passages(clause.address, depth=1)
    if t.rules.blocks[action.block].steps:
        w.add_text("label", f"{address}.do", t.message("what_happens"))
        w.add_steps(action.block, "number")
        for step in decision_steps(w, action.block):
            _decision(w, step)
    t.phrases.choice_labels = {}
    w.add_passages(address, roles=("note", "example"))


def _keys(domain: Domain) -> Iterator[str]:
    """The keys of a domain."""
    match domain:
        case OneOf():
            yield "one_of"
        case SomeOf(total=total):
            yield from ("some_of", *(["total"] if total is not None else []))
        case Pay(wild=wild, rebate=rebate):
            yield from ("pay", "from", *(["wild", "worth"] if wild is not None else []))
            yield from ["rebate"] if rebate is not None else []


def _clause(w: RulebookWriter, clause: Clause) -> RichText:
    """What a clause demands: its own sentence, else the condition in words, and the reason where it needs no game."""
    t = w.labels
    demand = t.find_sentence(f"{clause.address}.text")
    if demand is not None:
        return demand.text
    said = t.phrases.condition(clause.condition)
    text: RichText = (TextRun(said[:1].upper() + said[1:] + "."),)
    if t.has_static_sentence(clause.address):
        text = (*text, TextRun(" " + t.message("else_said", why=w.plain_sentence(clause.address)), "em"))
    return text


def _clause_says(w: RulebookWriter, clause: Clause) -> set[str]:
    demand = f"{clause.address}.text"
    return {clause.address, f"{clause.address}.is"} | ({demand} if w.labels.has_sentence(demand) else set())


def _procedures(w: RulebookWriter) -> None:
    """Lists of steps that others run, each once."""
    t, rules = w.labels, w.labels.rules
    blocks = [(number, block) for number, block in enumerate(rules.blocks) if block.address.startswith("procedures.")]
    shown = set[str]()
    for number, block in blocks:
        if block.address.count(".") != 1 or block.address in shown:
            continue
        shown.add(block.address)
        w.add_heading(3, f"{block.address}.heading", t.label(block.address), block.address, mentions={block.address})
        w.add_passages(block.address)
        w.add_steps(number, "number")
        for step in decision_steps(w, number):
            _decision(w, step)


def finish_steps(w: RulebookWriter) -> Iterator[Step]:
    """All steps that end the game, each once."""
    seen = set[str]()
    for block in w.labels.rules.blocks:
        for step in block.steps:
            if isinstance(step.effect, Finish) and step.address not in seen:
                seen.add(step.address)
                yield step


__all__ = ["add_action", "add_round", "add_turn", "add_turn_diagram", "decision_steps", "finish_steps", "step_exprs"]
