"""What all checks ask: codes, places of rules, what steps read and write, which change of a variant is the cause.

In: rules and what is known of them. Out: answers, or a warning (`warn`). Nothing here judges rules.
"""
