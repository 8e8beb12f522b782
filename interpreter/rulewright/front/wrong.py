"""What a user can be told in one sentence.

In: a sentence. Out: an exception that ends the command with it.
"""

from __future__ import annotations


class Wrong(Exception):
    """Wrong use, or something that cannot be read; the command ends with status 2."""
