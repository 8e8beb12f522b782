"""A seat's view of a game → the action that a bot chooses; no bot knows a game, and none sees what its seat may not."""
