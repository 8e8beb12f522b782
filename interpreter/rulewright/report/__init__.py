"""What came of games, written down: rows, tables, pictures."""
