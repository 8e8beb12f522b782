"""Rule files of the version of the language before, rewritten in the words of today.

In: rule files. Out: their texts with other words; `migration_files` knows which files belong together, `migration` what
becomes of one.
"""
