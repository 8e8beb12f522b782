"""Rules and bots → many games: played, shared among processes, summed up in tables, rows and plots."""
