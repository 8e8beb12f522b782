"""Small games that are no product: each uses constructs of the language that the shipped game does not."""
