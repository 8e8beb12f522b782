"""What rules give away of what only some may see: by options, reasons, steps, orders and states.

In: rules. Out: warnings about looks into hidden places, and errors where two positions that look the same to a player
are told apart (`secrets_check`).
"""
