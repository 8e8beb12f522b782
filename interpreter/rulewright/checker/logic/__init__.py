"""What rules can do, found without playing: conditions, steps, ends, states, places.

In: rules, and what is proved of every position. Out: warnings about what never or always is so, or is done for nothing.
"""
