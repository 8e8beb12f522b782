"""A game on the terminal: board, menu, prompt, transcript. The only place that talks with a player."""
