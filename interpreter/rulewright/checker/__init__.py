"""Rule files → everything that is wrong with them, as a library."""
