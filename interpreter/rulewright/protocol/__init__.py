"""A game over lines of JSON: requests in, answers out."""
