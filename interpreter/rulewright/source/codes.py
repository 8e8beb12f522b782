"""The mistakes that a file can have before its rules are even looked at: bytes, YAML and the traps of YAML.

In: nothing. Out: the `Code`s of the family Y. Numbers: 1 the file itself, 2 its YAML grammar, 3 YAML that is not taken.
"""

from __future__ import annotations

from typing import Final

from rulewright import diagnostics
from rulewright.diagnostics import Code

# the file
UNREADABLE_FILE: Final = Code("Y101", "unreadable-file", "the file cannot be opened")
NOT_UTF8: Final = Code("Y102", "not-utf8", "the bytes are not UTF-8 text")
FILE_TOO_LARGE: Final = Code("Y103", "file-too-large", "the file is larger than any rule file may be")
CONTROL_CHARACTER: Final = Code("Y104", "control-character", "an unseen character stands in the text")
EMPTY_FILE: Final = Code("Y105", "empty-file", "the file says nothing")
TOO_DEEP: Final = Code("Y106", "too-deep", "brackets or indentation are nested too deeply")
TOO_MANY_NODES: Final = Code("Y107", "too-many-nodes", "the file has more entries than any rule file may have")
MORE_DIAGNOSTICS: Final = diagnostics.MORE_DIAGNOSTICS

# its grammar
TAB_INDENTATION: Final = Code("Y201", "tab-indentation", "a line is indented with a tab")
MISSING_COLON: Final = Code("Y202", "missing-colon", "a key has no colon behind it")
MISSING_SPACE_AFTER_COLON: Final = Code("Y203", "missing-space-after-colon", "a key's colon has no blank behind it")
UNBALANCED_BRACKET: Final = Code("Y204", "unbalanced-bracket", "a bracket or brace is not closed, or closes nothing")
UNCLOSED_QUOTE: Final = Code("Y205", "unclosed-quote", "a quote is not closed")
TEXT_AFTER_QUOTE: Final = Code("Y206", "text-after-quote", "something follows a closing quote")
BAD_INDENTATION: Final = Code("Y207", "bad-indentation", "a line lines up with nothing above it")
UNQUOTED_SPECIAL: Final = Code("Y208", "unquoted-special", "a character with a meaning in YAML stands unquoted")
COLON_IN_TEXT: Final = Code("Y209", "colon-in-text", "unquoted text holds a colon and a blank")
MISPLACED_DASH: Final = Code("Y210", "misplaced-dash", "the dash of a list item stands wrong")
BAD_ESCAPE: Final = Code("Y211", "bad-escape", "a backslash in double quotes is followed by what is no escape")
MISSING_COMMA: Final = Code("Y212", "missing-comma", "two entries inside brackets have no comma between them")
YAML_SYNTAX: Final = Code("Y213", "yaml-syntax", "the text is no YAML, for a reason without a name of its own")

# YAML that is not taken
DUPLICATE_KEY: Final = Code("Y301", "duplicate-key", "a key stands twice in one mapping")
COMPLEX_KEY: Final = Code("Y302", "complex-key", "a key is a list or a mapping")
EMPTY_KEY: Final = Code("Y303", "empty-key", "a colon has no key before it")
EMPTY_VALUE: Final = Code("Y304", "empty-value", "a key or a list item has no value")
COMMA_ENDS_VALUE: Final = Code("Y305", "comma-ends-value", "a comma inside braces cuts an unquoted value in two")
CUT_BY_COMMENT: Final = Code("Y306", "cut-by-comment", "a blank and a # seem to cut a value", "warning")
YAML_SURPRISE: Final = Code("Y307", "yaml-surprise", "an unquoted word that YAML readers take for something else")
NUMBER_TOO_LARGE: Final = Code("Y308", "number-too-large", "a whole number has more digits than can be counted with")
YAML_ANCHOR: Final = Code("Y309", "yaml-anchor", "an anchor or an alias stands in the file")
YAML_TAG: Final = Code("Y310", "yaml-tag", "a tag stands in the file")
MERGE_KEY: Final = Code("Y311", "merge-key", "a merge key stands in the file")
YAML_DIRECTIVE: Final = Code("Y312", "yaml-directive", "a line of orders to the YAML reader stands in the file")
SEVERAL_DOCUMENTS: Final = Code("Y313", "several-documents", "the file holds more than one document")
