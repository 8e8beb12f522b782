"""Does a step do nothing, or the same for everybody?

In: the state of a build. Out: warnings about steps that set a state to what it is, that move something to where it is
or show it to who sees it there, about turns without steps, and about loops over all players whose steps are about the
one in turn each time.
