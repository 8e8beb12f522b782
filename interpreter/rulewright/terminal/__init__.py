"""A game on the terminal: board, menu, prompt, transcript. All interaction with a player is here.

In: a session, a reader (a seat, or a spectator), the size of the terminal, typed lines. Out: lines that show no more
than the reader may know; legal actions. Each part can be shown alone and kept as text.

- `game_loop`: people and bots play; `watch`: bots alone; `play_context`: what the loop and the commands share
- `board`, `seat_table`, `boxes`: a position → lines, in four densities
- `zone_contents`, `display_items`: the data that these read
- `menu`, `menu_pieces`, `action_labels`: legal actions → numbered options; `legend`: what their letters mean
- `commands`, `aliases`: a typed line → a command, or the actions that it can mean
- `transcript`, `state_changes`: an action → what happened
- `reasons`: why an action is not legal, with sources, in lines that fit
- `theme`: letters, shapes and colours; `screen`, `width`: what the terminal can show; `archive`: where records are kept
- `locale/`: what the program says, a file for each language
"""
