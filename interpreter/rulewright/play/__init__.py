"""Games as they are played: matches with a record, bots, scenarios and simulations; engines in, games out."""
