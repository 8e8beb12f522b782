"""A game written down while it is played: written, read, replayed, judged under other rules."""
