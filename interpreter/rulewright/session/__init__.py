"""One game at a table: its moves, its log, undo and redo, what players type."""
