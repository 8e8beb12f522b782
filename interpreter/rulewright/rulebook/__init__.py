"""Rules → a book from which somebody can learn the game, in Markdown or HTML."""
