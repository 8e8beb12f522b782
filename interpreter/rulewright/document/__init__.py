"""The files of a game → one document, checked against the schemas, in which every rule has its address.

In: a path. Out: `document.Document`, nodes under addresses, or diagnostics. Nothing here knows what a rule means: names
and expressions are resolved by `model`.

- `document` reads and merges the files, `joined_sections` what several have of a section
- `statements` the file of printed rules, `citations` what it cites for each rule
- `migration/` files in the words of the version before, rewritten
- `address` names on the path to a rule, lists as mappings; `editing` lookup by address, edited copies
- `language` the shape of the rule language, derived from the annotations of the schemas
- `schemas` the JSON Schemas; `schema_check` validates a file, `violation_messages` says what is wrong with it
- `size_check` limits, `codes` the diagnostics of families S, O and part of N
"""
