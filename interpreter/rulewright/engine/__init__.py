"""Rules → play: positions, what is legal in them, what follows, and why something is not legal.

In: `Rules`. Out: `Engine` (in `reference`), whose positions are frozen data: `state` says what they are, `views` what a
seat sees of them, `worlds` what it may imagine, `explain` why not, `notation` and `saved` how they are written. This
engine is clear before it is fast: it defines what rules mean.
"""
