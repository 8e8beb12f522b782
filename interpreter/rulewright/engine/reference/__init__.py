"""The reference engine: it defines what rules mean, and is clear before it is fast.

In: `Rules`. Out: `ReferenceEngine`, an `engine.interface.Engine`. It imports what engines share from `engine/`, and
nothing in `engine/` imports it. What is done in which module:

- `reference_engine`: the methods of an engine; start here.
- `legal_actions`, `choice_domains`, `payments`: which actions are legal, which answers a choice admits.
- `step_interpreter`, `game_flow`, `verbs`: how the game goes on; rounds and turns; what one step does.
- `mutable_state`: the position while it changes.
- `explainer`, `invariant_failure`: why an action is not legal, why an invariant does not hold.
"""
