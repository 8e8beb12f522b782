"""The codes of mistakes in the text of a file: its bytes, its YAML, and the traps of YAML.

In: nothing. Out: the `Code`s of family Y. Numbers: 1 the file itself, 2 YAML syntax, 3 YAML that is not supported.
"""

from __future__ import annotations

from typing import Final

from rulewright import diagnostics
from rulewright.diagnostics import Code

# the file
UNREADABLE_FILE: Final = Code("Y101", "unreadable-file", "the file cannot be opened")
NOT_UTF8: Final = Code("Y102", "not-utf8", "the bytes are not UTF-8 text")
FILE_TOO_LARGE: Final = Code("Y103", "file-too-large", "the file is over the size limit")
CONTROL_CHARACTER: Final = Code("Y104", "control-character", "an invisible character in the text")
EMPTY_FILE: Final = Code("Y105", "empty-file", "the file is empty")
TOO_DEEP: Final = Code("Y106", "too-deep", "brackets or indentation are nested too deeply")
TOO_MANY_NODES: Final = Code("Y107", "too-many-nodes", "the file is over the limit of entries")
MORE_DIAGNOSTICS: Final = diagnostics.MORE_DIAGNOSTICS

# its grammar
TAB_INDENTATION: Final = Code("Y201", "tab-indentation", "a line indented with a tab")
MISSING_COLON: Final = Code("Y202", "missing-colon", "a key without a colon after it")
MISSING_SPACE_AFTER_COLON: Final = Code("Y203", "missing-space-after-colon", "a colon without a space after it")
UNBALANCED_BRACKET: Final = Code("Y204", "unbalanced-bracket", "a bracket or brace is not closed, or does not match")
UNCLOSED_QUOTE: Final = Code("Y205", "unclosed-quote", "a quote is not closed")
TEXT_AFTER_QUOTE: Final = Code("Y206", "text-after-quote", "something follows a closing quote")
BAD_INDENTATION: Final = Code("Y207", "bad-indentation", "the indentation of a line matches no line above")
UNQUOTED_SPECIAL: Final = Code("Y208", "unquoted-special", "unquoted text begins with a YAML character")
COLON_IN_TEXT: Final = Code("Y209", "colon-in-text", "unquoted text contains a colon and a space")
MISPLACED_DASH: Final = Code("Y210", "misplaced-dash", "the dash of a list item is misplaced")
BAD_ESCAPE: Final = Code("Y211", "bad-escape", "a backslash in double quotes does not begin an escape")
MISSING_COMMA: Final = Code("Y212", "missing-comma", "two entries inside brackets without a comma between them")
YAML_SYNTAX: Final = Code("Y213", "yaml-syntax", "the text is not YAML, for a reason that has no code of its own")
FOREIGN_COMMENT: Final = Code("Y214", "foreign-comment", "a comment as other languages write it")

# YAML that is not supported
DUPLICATE_KEY: Final = Code("Y301", "duplicate-key", "a key appears twice in one mapping")
COMPLEX_KEY: Final = Code("Y302", "complex-key", "a key is a list or a mapping")
EMPTY_KEY: Final = Code("Y303", "empty-key", "a colon without a key before it")
EMPTY_VALUE: Final = Code("Y304", "empty-value", "a key or a list item without a value")
COMMA_ENDS_VALUE: Final = Code("Y305", "comma-ends-value", "a comma inside braces cuts an unquoted value in two")
CUT_BY_COMMENT: Final = Code("Y306", "cut-by-comment", "a space and a # seem to cut a value", "warning")
YAML_SURPRISE: Final = Code("Y307", "yaml-surprise", "an unquoted word that other YAML readers read differently")
NUMBER_TOO_LARGE: Final = Code("Y308", "number-too-large", "a whole number has too many digits")
YAML_ANCHOR: Final = Code("Y309", "yaml-anchor", "a YAML anchor or alias")
YAML_TAG: Final = Code("Y310", "yaml-tag", "a YAML tag")
MERGE_KEY: Final = Code("Y311", "merge-key", "a YAML merge key")
YAML_DIRECTIVE: Final = Code("Y312", "yaml-directive", "a YAML directive")
SEVERAL_DOCUMENTS: Final = Code("Y313", "several-documents", "the file contains more than one document")
