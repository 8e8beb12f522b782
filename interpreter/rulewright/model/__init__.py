"""Document → rules: what the files say, understood for one number of players, frozen.

In: an assembled document with its overlays laid on. Out: `Rules`, in which every name is resolved, every expression
typed and every place, action and block of steps has its number; complaints go to the report. `load` is the way in;
`rules` is what comes out. Nothing behind this stage reads a file of rules.
"""
