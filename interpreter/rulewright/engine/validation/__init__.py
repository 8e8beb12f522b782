"""Positions that come from elsewhere: can the rules have brought them about?

In: rules, and a position out of a file or a message. Out: `InvalidPosition`, which says in a
sentence what cannot be so. `validate_position` is where a reader can begin.
"""
