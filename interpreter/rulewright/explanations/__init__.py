"""What each diagnostic means: why it matters, a wrong and a right example.

In: the name or number of a code. Out: an `Explanation`, and its text for a terminal or for the reference. The examples
are data beside the modules: a file of YAML for each family of codes, and the game that fragments belong to.
"""
