"""How the game goes: rounds, the turn with its picture, every step with the actions that it offers, and what each of
them asks for, allows and does.

In: a writer. Out: the chapters on the course of the game and on the turn.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagram.flowchart import turn_diagram
from rulewright.diagram.mermaid import mermaid
from rulewright.diagram.svg import svg
from rulewright.model.rules import ActionDef, Choose, Clause, Domain, Finish, OneOf, Pay, SomeOf, Step
from rulewright.model.rules import Run as Steps
from rulewright.model.traversal import domain_parts, step_parts
from rulewright.rulebook.blocks import Diagram, Figure, Run, Text
from rulewright.rulebook.writer import Writer, keys


def course(w: Writer) -> None:
    """What happens in a round."""
    rules = w.telling.rules
    w.chapter("round")
    for step in rules.blocks[rules.round].steps:
        _listed(w, step, "item")
    for step in choosing(w, rules.round):
        _decision(w, step)


def turn(w: Writer) -> None:
    """What happens in a turn: the picture, the list, then step by step what can be chosen."""
    rules = w.telling.rules
    if rules.blocks[rules.turn].steps:
        w.chapter("turn")
        diagram(w)
    for step in rules.blocks[rules.turn].steps:
        _listed(w, step, "number")
    for block in (rules.turn, rules.setup, rules.finale):
        for step in choosing(w, block):
            _decision(w, step)
    _procedures(w)


def diagram(w: Writer) -> None:
    """The turn as a picture."""
    t = w.telling
    alt = t.say("turn_picture")
    drawn = turn_diagram(t.rules, t.code, w.before, t.phrased)
    w.blocks.append(Figure("turn.figure", Diagram(mermaid(drawn), svg(drawn)), (Run(alt),), alt))


def _listed(w: Writer, step: Step, kind: str) -> None:
    """A step in the list of a turn or round. What has a section of its own is only named and led to."""
    t = w.telling
    if not t.done(step):
        return
    title = t.called(step.address) if t.entitled(step.address) else ""
    stop = " " if title.endswith(("?", "!", ".")) else ". "
    before: Text = (Run(title[:1].upper() + title[1:], "strong"), Run(stop)) if title else ()
    if isinstance(step.effect, Finish) and title:
        text = (*before, Run(t.say("see_end"), to="end"))
        w.line("number" if kind == "number" else "item", f"see.{step.address}", text, mentions={step.address})
        return
    w.step(step, "number" if kind == "number" else "item", before=before)


def choosing(w: Writer, block: int, seen: frozenset[int] = frozenset()) -> Iterator[Step]:
    """The steps of a block in which somebody chooses, also inside others."""
    rules = w.telling.rules
    if block in seen:
        return
    for step in rules.blocks[block].steps:
        if not w.telling.done(step):
            continue
        if isinstance(step.effect, Choose):
            yield step
        elif isinstance(step.effect, Steps) and not step.effect.fresh:
            yield from choosing(w, step.effect.block, seen | {block})


def _decision(w: Writer, step: Step) -> None:
    """A step in which somebody chooses: who may, what if nothing can be done, and each action."""
    t, choose = w.telling, step.effect
    assert isinstance(choose, Choose)
    anchor = f"at.{step.address}"
    title = t.called(step.address) if t.entitled(step.address) else t.say("step", name=t.called(step.address))
    fresh = [offer.action for offer in choose.offers if offer.action not in w.described]
    alone = len(choose.offers) == 1 and choose.otherwise in (None, "nothing")
    w.heading(3, anchor, title, anchor, mentions=keys(step))
    if not alone or choose.how != "must":
        key = f"how_{choose.how}" + ("_one" if len(choose.offers) == 1 else "")
        w.line("paragraph", f"{anchor}.how", t.say(key), mentions={step.address})
    for offer in choose.offers:
        action = t.rules.actions[offer.action]
        if not alone or offer.action not in fresh:
            w.line("item", f"{step.address}.{choose.how}.{action.name}", _link(w, action))
        for clause in offer.clauses:
            w.line("item", clause.address, _clause(w, clause), says=_clause_says(w, clause), depth=1)
    otherwise: Text = ()
    said = set[str]()
    if choose.automatic:
        otherwise = (Run(t.say("alone")),)
        said.add(f"{step.address}.single")
    if choose.otherwise is not None:
        said.add(f"{step.address}.otherwise")
    gap: Text = (Run(" "),) if otherwise else ()
    if choose.otherwise == "nothing":
        otherwise = (*otherwise, *gap, Run(t.say("or_nothing")))
    elif isinstance(choose.otherwise, int):
        action = t.rules.actions[choose.otherwise]
        otherwise = (*otherwise, *gap, Run(t.say("or_else") + " "), *_link(w, action), Run("."))
        if choose.otherwise not in w.described:
            fresh.append(choose.otherwise)
    if otherwise:
        w.line("paragraph", f"{anchor}.else", otherwise, says=said)
    for number in fresh:
        action_section(w, t.rules.actions[number], alone=alone and t.entitled(step.address))


def _link(w: Writer, action: ActionDef) -> Text:
    name = w.telling.called(action.address)
    return (Run(name[:1].upper() + name[1:], to=action.address),)


def action_section(w: Writer, action: ActionDef, *, alone: bool = False) -> None:
    """All of an action: what it is, what one chooses, when it is allowed, what happens."""
    t, address = w.telling, action.address
    w.described[action.number] = address
    if not alone:
        w.heading(4, f"{address}.heading", t.called(address), address, mentions={address})
    if not w.said("lead", address, anchor=address if alone else ""):
        w.line("lead", address, t.called(address)[:1].upper() + t.called(address)[1:] + ".", says={address})
    w.passages(address, roles=("",))
    t.wording.chosen = {one.name: t.called(one.address) for one in action.choices if t.entitled(one.address)}
    if action.choices:
        w.line("label", f"{address}.choose", t.say("you_choose"))
        for choice in action.choices:
            demand = t.sentence(f"{choice.address}.text")
            name: Text = (Run(t.called(choice.address), "strong"), Run(t.say("colon") + " "))
            if demand is not None:
                text = (*name, *demand.text) if t.entitled(choice.address) else demand.text
            else:
                text = (*name, Run(t.wording.domain(choice.domain)))
            says = {choice.address, *(f"{choice.address}.{key}" for key in _keys(choice.domain))}
            says |= {f"{choice.address}.text"} if demand is not None else set()
            beneath = t.wording.domain(choice.domain) if demand is not None else ""
            w.line("item", choice.address, text, says=says, reads=domain_parts(choice.domain), beneath=beneath)
            w.passages(choice.address, depth=1)
    if action.clauses:
        w.line("label", f"{address}.when", t.say("only_if"))
        for clause in action.clauses:
            said = t.wording.condition(clause.is_) if t.has(f"{clause.address}.text") else ""
            says = _clause_says(w, clause)
            w.line("item", clause.address, _clause(w, clause), says=says, reads=[clause.is_], beneath=said)
            w.passages(clause.address, depth=1)
    if t.rules.blocks[action.block].steps:
        w.line("label", f"{address}.do", t.say("what_happens"))
        w.steps(action.block, "number")
        for step in choosing(w, action.block):
            _decision(w, step)
    t.wording.chosen = {}
    w.passages(address, roles=("note", "example"))


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


def _clause(w: Writer, clause: Clause) -> Text:
    """What a clause demands: its own sentence, else the condition in words, and the reason where it needs no game."""
    t = w.telling
    demand = t.sentence(f"{clause.address}.text")
    if demand is not None:
        return demand.text
    said = t.wording.condition(clause.is_)
    text: Text = (Run(said[:1].upper() + said[1:] + "."),)
    if t.settled(clause.address):
        text = (*text, Run(" " + t.say("else_said", why=w.plain(clause.address)), "em"))
    return text


def _clause_says(w: Writer, clause: Clause) -> set[str]:
    demand = f"{clause.address}.text"
    return {clause.address, f"{clause.address}.is"} | ({demand} if w.telling.has(demand) else set())


def _procedures(w: Writer) -> None:
    """Lists of steps that others run, each once."""
    t, rules = w.telling, w.telling.rules
    blocks = [(number, block) for number, block in enumerate(rules.blocks) if block.address.startswith("procedures.")]
    shown = set[str]()
    for number, block in blocks:
        if block.address.count(".") != 1 or block.address in shown:
            continue
        shown.add(block.address)
        w.heading(3, f"{block.address}.heading", t.called(block.address), block.address, mentions={block.address})
        w.passages(block.address)
        w.steps(number, "number")
        for step in choosing(w, number):
            _decision(w, step)


def finishing(w: Writer) -> Iterator[Step]:
    """All steps that end the game, each once."""
    seen = set[str]()
    for block in w.telling.rules.blocks:
        for step in block.steps:
            if isinstance(step.effect, Finish) and step.address not in seen:
                seen.add(step.address)
                yield step


__all__ = ["action_section", "choosing", "course", "diagram", "finishing", "step_parts", "turn"]
