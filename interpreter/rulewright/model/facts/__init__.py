"""What rules say of themselves: bounds of every value, what each step reads and writes, what can follow what.

In: the rule model. Out: facts that hold in every position of every game, for checkers, engines and authors. They are
derived, not tried; `rulewright show --facts` prints them.
"""
