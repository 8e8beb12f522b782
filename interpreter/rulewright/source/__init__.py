"""Bytes of a rule file → YAML nodes that know their positions, and a diagnostic for every mistake in the text.

In: a path or a text, and `Diagnostics` to add to. Out: `nodes.Node`, or None when the YAML cannot be parsed. Nothing
here knows what a rule is.

- `reader` opens a file, checks its bytes and characters; `composer` builds nodes from the YAML parser's events
- `nodes` the nodes; `plain_scalars` what an unquoted word is; `scalar_reader` and `scalar_offsets` values with the
  source offset of every character, so that a caret can point inside an expression
- `yaml_failure` and `syntax_errors` explain where and why the YAML parser gave up
- `codes` the diagnostics of family Y
"""
