"""A document and variants → the document with their changes, and the history of every value.

In: a `document.Document` and `variant.Variant`s. Out: a new document, as strictly checked as the game itself; what
cannot be applied is a diagnostic at the variant's line. Nothing here knows what a rule does.

- `variant` reads a variant file into `Change`s; `layers` which variants can be combined, and which goes over which
- `cancellations` takes back what joint files cancel
- `overlay` applies them: `conflicts` which changes exclude each other, `layer_edit` lookups while a layer is applied,
  `operations` set, adjust, add, insert, remove; `display_merge` how new things are drawn
- `sentence_conflicts` where only their words differ, `contested_sentences` what is said then
- `hints` and `related_notes` what the game knows about a diagnostic of a variant
"""
