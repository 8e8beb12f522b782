"""One module a chapter: a writer → its blocks."""
