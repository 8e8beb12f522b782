"""Bytes of a rule file → positioned YAML nodes, and a diagnostic for every slip in the text."""
