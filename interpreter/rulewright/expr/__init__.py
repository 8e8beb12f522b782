"""The expression language: what is written behind `is:`, `move:` or `to:`, and inside the braces of a sentence.

In: scalars with their source positions, and a `Scope` (what each name refers to, as plain data; nothing here knows the
rules of a game). Out: frozen typed trees (`tree`), and diagnostics.

Text → `parse` → syntax tree → `typecheck` → typed tree. `templates` does both for sentences with holes.

- syntax: `grammar.lark`, `keywords`, `parse`, `table_parser` (what is right), `lark_parser` (what is not),
  `syntax_cache` (what earlier processes have read), `parse_errors` and `foreign_habits` (what a syntax
  error says), `parser_tables`
- types: `types`, `type_relations` (what fits where), `scope` (what names refer to)
- `remembered`: what was read before with the same names
- typed trees: `tree`, `fold` (constant folding), `cost` and `cost_bounds` (upper bound of steps),
  `loop_invariants` (what a loop computes once), `structural_key` (equal expressions)
"""
