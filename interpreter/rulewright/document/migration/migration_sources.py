"""Where rules come from, said once: sources that statements give leave the rules, and a file says what all in it share.

In: the nodes of a game's files. Out: edits of each. No citation is lost: what no statement bears out stays where it is
or goes to the head of its file, and a person is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rulewright.document.address import child_entries
from rulewright.document.citations import Citations, read_citations, surest_status
from rulewright.document.language import CHANGE_KEYS, GAME_SECTIONS, AddressParts, current_address, keys_at
from rulewright.document.migration.migration_edits import Edit, is_flow, line_after, node_end, removals
from rulewright.frozen import frozen
from rulewright.source.nodes import Entry, MappingNode, Node, as_mapping, text_or_default

Origin = tuple[frozenset[tuple[str, str]], str]  # what is cited, and the status
HEAD_KEYS = ("game", "part_of", "for", "version", "language", "text", "players", "files", "texts")
OWN = "own"


@frozen
class _Rule:
    """A node of the rules that may say where it comes from."""

    parts: AddressParts
    node: MappingNode

    @property
    def address(self) -> str:
        return ".".join(self.parts)

    @property
    def source(self) -> Entry | None:
        """What it cites, if it cites something by itself."""
        return self.node.entry("source") if "source" in keys_at(self.parts) else None

    @property
    def status(self) -> Entry | None:
        """Its own status, if it gives one."""
        return self.node.entry("status") if "status" in keys_at(self.parts) else None


def _rules(node: Node, parts: AddressParts) -> Iterator[_Rule]:
    """The mappings among the nodes at an address and below it, from the outside inwards."""
    if isinstance(node, MappingNode) and len(parts) > 1:
        yield _Rule(parts, node)
    for entry in child_entries(node):
        if entry.key.text not in ("source", "status", "rows"):
            yield from _rules(entry.value, (*parts, entry.key.text))


def rules_of(root: MappingNode) -> Iterator[_Rule]:
    """The nodes of a game's or part's file that may say where they come from."""
    for entry in root:
        if entry.key.text in GAME_SECTIONS:
            yield from _rules(entry.value, (entry.key.text,))


# ---- the status of works


def missing_statuses(works: Node | None, files: Sequence[MappingNode]) -> Mapping[str, str]:
    """For each work without a status that which rules citing it have most often; empty where none tells."""
    votes: dict[str, Counter[str]] = {}
    for rule in (rule for root in files for rule in rules_of(root)):
        if rule.source is not None and rule.status is not None:
            for work, _ in read_citations(rule.source.value):
                votes.setdefault(work, Counter())[text_or_default(rule.status.value)] += 1
    for root in files:  # the heads of games in one file
        if "source" in root and "status" in root:
            for work, _ in read_citations(root.get("source")):
                votes.setdefault(work, Counter())[text_or_default(root.get("status"))] += 1
    return {
        work.key.text: votes[work.key.text].most_common(1)[0][0] if work.key.text in votes else ""
        for work in as_mapping(works)
        if "status" not in as_mapping(work.value)
    }


def status_edits(works: MappingNode, statuses: Mapping[str, str]) -> Iterator[Edit]:
    """The works with their statuses."""
    for work in works:
        status, about = statuses.get(work.key.text, ""), as_mapping(work.value)
        title = about.entry("title")
        if not status or title is None:
            continue
        if is_flow(about):
            yield Edit(node_end(title.value), node_end(title.value), f", status: {status}")
        else:
            yield line_after(title, f"status: {status}")


# ---- the rules


@frozen
class SourcesMigration:
    """What happens to one file: its edits, and what a person should look at."""

    edits: tuple[Edit, ...]
    notes: tuple[str, ...]


def migrate_sources(
    root: MappingNode, head: MappingNode, stated: Mapping[str, Citations], statuses: Mapping[str, str]
) -> SourcesMigration:
    """Takes from a file of rules what statements, works and its head say already. `head`: of the game.

    `stated`: what statements cite, by address. `statuses`: of the works.
    """
    edits: list[Edit] = []
    notes: list[str] = []
    around = _origin_of(head, statuses)
    if root is head:
        edits += _redundant_status(root, statuses)
    elif "source" in root or "status" in root:
        around = _origin_of(root, statuses)
    else:
        shared = _shared(root, stated, statuses)
        if shared is not None and shared[0] != around:
            around = shared[0]
            edits += _head_edits(root, shared[1], statuses)
    reported: dict[AddressParts, Origin] = {}
    for rule in rules_of(root):
        outer = reported.get(
            rule.parts[:-1], next((reported[up] for up in _above(rule.parts) if up in reported), around)
        )
        cited = stated.get(".".join(current_address(rule.parts)), ())
        expected = (frozenset(cited), surest_status(cited, statuses) or outer[1]) if cited else outer
        gone: list[Entry] = []
        kept = expected
        if rule.source is not None:
            own = frozenset(read_citations(rule.source.value))
            if own <= expected[0]:
                gone.append(rule.source)
            else:
                kept = own, surest_status(tuple(own), statuses) or outer[1]
                if stated:
                    notes.append(f"{rule.address}: no statement names it that cites {_in_words(own - expected[0])}")
        if rule.status is not None:
            if text_or_default(rule.status.value) == kept[1]:
                gone.append(rule.status)
            else:
                kept = kept[0], text_or_default(rule.status.value)
                if cited:
                    notes.append(f"{rule.address}: keeps its status `{kept[1]}`; by its statements it is {expected[1]}")
        reported[rule.parts] = kept
        edits += removals(rule.node, gone)
    return SourcesMigration(tuple(edits), tuple(notes))


def _above(parts: AddressParts) -> Iterator[AddressParts]:
    for length in range(len(parts) - 2, 1, -1):
        yield parts[:length]


def _origin_of(node: MappingNode, statuses: Mapping[str, str]) -> Origin:
    cited = read_citations(node.get("source"))
    return frozenset(cited), text_or_default(node.get("status")) or surest_status(cited, statuses)


def _shared(
    root: MappingNode, stated: Mapping[str, Citations], statuses: Mapping[str, str]
) -> tuple[Origin, _Rule] | None:
    """What most rules of a file say of themselves, and the first of them; None where a rule says nothing."""
    counts: Counter[Origin] = Counter()
    first: dict[Origin, _Rule] = {}
    for rule in (rule for rule in rules_of(root) if len(rule.parts) == 2):
        if stated.get(rule.address):
            continue
        if rule.source is None and rule.status is None:
            return None
        says = _origin_of(rule.node, statuses)
        counts[says] += 1
        first.setdefault(says, rule)
    if not counts or counts.most_common(1)[0][1] == 1:
        return None
    says = counts.most_common(1)[0][0]
    return says, first[says]


def _head_edits(root: MappingNode, rule: _Rule, statuses: Mapping[str, str]) -> Iterator[Edit]:
    """The source and status of a rule at the head of its file."""
    last = [entry for entry in root if entry.key.text in HEAD_KEYS][-1]
    text, lines = root.span.source.text, []
    if rule.source is not None:
        value = rule.source.value
        flow = text[value.span.start : node_end(value)] if is_flow(value) else _flow(value)
        lines.append(f"source: {flow}")
    cited = read_citations(rule.source.value if rule.source is not None else None)
    status = text_or_default(rule.status.value) if rule.status is not None else ""
    if status and status != surest_status(cited, statuses):
        lines.append(f"status: {status}")
    if lines:
        yield line_after(last, "\n".join(lines))


def _flow(value: Node) -> str:
    works = [
        f"{work.key.text}: [{', '.join(section for _, section in read_citations(MappingNode((work,), value.span)))}]"
        for work in as_mapping(value)
    ]
    return f"{{{', '.join(works)}}}"


def _redundant_status(root: MappingNode, statuses: Mapping[str, str]) -> Iterator[Edit]:
    status = root.entry("status")
    cited = read_citations(root.get("source"))
    if status is not None and cited and text_or_default(status.value) == surest_status(cited, statuses):
        yield from removals(root, [status])


def _in_words(cited: frozenset[tuple[str, str]]) -> str:
    return "; ".join(f"{work}: {section}" for work, section in sorted(cited))


# ---- variants


def variant_edits(root: MappingNode, statuses: Mapping[str, str]) -> Iterator[Edit]:
    """A variant without the statuses and sources that it has anyway: `own`, or what its head says."""
    head, cited = root.entry("status"), read_citations(root.get("source"))
    by_source = surest_status(cited, statuses) or OWN
    written = text_or_default(root.get("status"), by_source)
    if head is not None and written == by_source:
        yield from removals(root, [head])
    sections = [section for key in CHANGE_KEYS if (section := root.get(key)) is not None]
    for change in (change for section in sections for change in child_entries(section)):
        parts = current_address(tuple(change.key.text.split(".")))
        for rule in _rules(change.value, parts) if parts[0] in GAME_SECTIONS else ():
            own = _origin_of(rule.node, statuses)
            is_source = rule.source is not None and own[0] == frozenset(cited)
            is_status = rule.status is not None and text_or_default(rule.status.value) == written
            cited_above = (rule.source if is_source else None, rule.status if is_status else None)
            yield from removals(rule.node, [entry for entry in cited_above if entry is not None])


__all__ = ["SourcesMigration", "migrate_sources", "missing_statuses", "rules_of", "status_edits", "variant_edits"]
