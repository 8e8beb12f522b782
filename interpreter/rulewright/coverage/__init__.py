"""How well scenarios test rules: what they have seen of them, and which changes of them they would notice.

In: scenario files. Out: for each condition and step the cases that have seen it, `scenario_coverage`, as a table and as
a page; rules with one fault each, `rule_mutants`, and the cases that notice it, `mutation_run`; of the
others, `survivors`, a proof that no game differs, `equivalence`, or a game that does, `survivor_games`.
"""
