"""Many games of the same rules side by side: reset, step, observations, action masks, rewards.

In: for each game an action, by its fixed number or by its index among the legal ones. Out: arrays with an entry for
each game. Who carries it out, machine code or generated Python, changes no number.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, cast

from rulewright.engine import chance
from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.observation_layout import ObservationLayout
from rulewright.engine.compiled.playing.batch_buffers import BatchBuffer, BufferShape, make_buffers, read_actions
from rulewright.engine.compiled.playing.fault_messages import Beginning, find_fault
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.default_engine import make_engine
from rulewright.engine.faults import EndlessSteps, RuleFault, TooMuchWork
from rulewright.engine.interface import Engine
from rulewright.engine.state import Action, State
from rulewright.errors import require_whole
from rulewright.frozen import frozen

MaskKind: TypeAlias = Literal["bits", "bytes"]
ActionKind: TypeAlias = Literal["numbers", "indexes"]
MAX_DECISIONS_OF_GAME: Final = 4096  # after which a game of a batch is cut short, unless its maker says otherwise
MEAN_OPTIONS: Final = 1024  # of all games of a batch together there is room for so many legal actions a game
FEWEST_OPTIONS: Final = 1 << 22  # and for so many however few games there are


@frozen
class BatchSettings:
    """What the maker of a batch decides; see `CompiledRules.batch`."""

    games: int
    first: int
    actions: ActionKind
    masks: MaskKind | None
    observes: bool
    auto_reset: bool
    max_decisions: int


class GameBatch(ABC):
    """Games side by side. Every array has an entry or a row for each game, and is written anew by `reset` and `step`.

    `actions`: int64, what `step` does unless it is given others; `action_counts`, `action_starts`: int32, how many
    actions are legal, and where they begin in `action_numbers`: int32, the fixed numbers of all games' legal actions,
    one game behind another; `seats`: int8, who decides, -1: the game is over; `rewards`: float32, for each seat;
    `terminated`, `truncated`: bool, whether the game has just ended, or was cut short; `seeds`: uint64; and, where they
    were asked for, `observations` (of the seat that decides) and `action_masks`.

    A batch is for one thread at a time; several batches can be stepped by several threads.
    """

    # steps all games; gives -1, the first game whose action is not legal, or the first that failed plus all games
    _carry_out: Callable[[], int]

    def __init__(
        self, program: CompiledProgram, layout: ObservationLayout, settings: BatchSettings, given: Mapping[str, Any]
    ) -> None:
        assert program.numbering is not None
        self.program = program
        self.layout = layout
        self.settings = settings
        games, players = settings.games, program.rules.players
        shapes: dict[str, BufferShape] = {
            "actions": BufferShape("int64", (games,)),
            "action_counts": BufferShape("int32", (games,)),
            "action_starts": BufferShape("int32", (games,)),
            "seats": BufferShape("int8", (games,)),
            "rewards": BufferShape("float32", (games, players)),
            "terminated": BufferShape("bool", (games,)),
            "truncated": BufferShape("bool", (games,)),
            "seeds": BufferShape("uint64", (games,)),
        }
        if settings.observes:
            shapes["observations"] = BufferShape(layout.dtype, (games, layout.size))
        if settings.masks is not None:
            shapes["action_masks"] = BufferShape("uint8", (games, self.mask_bytes))
        self._buffers = make_buffers(shapes, given)
        self.actions = self._buffers["actions"].array
        self.action_counts = self._buffers["action_counts"].array
        self.action_starts = self._buffers["action_starts"].array
        self.seats = self._buffers["seats"].array
        self.rewards = self._buffers["rewards"].array
        self.terminated = self._buffers["terminated"].array
        self.truncated = self._buffers["truncated"].array
        self.seeds = self._buffers["seeds"].array
        self.observations = self._buffers["observations"].array if settings.observes else None
        self.action_masks = self._buffers["action_masks"].array if settings.masks is not None else None
        self._flat_actions = self._buffers["actions"].flat
        self._loaded: dict[int, tuple[State, int]] = {}  # by game the position that was loaded, and the seed it had

    @property
    @abstractmethod
    def action_numbers(self) -> memoryview[Any]:
        """The fixed numbers of all games' legal actions, one game behind another."""

    @property
    def games(self) -> int:
        """How many games there are."""
        return self.settings.games

    @property
    def mask_bytes(self) -> int:
        """How many bytes a mask has: one for each action, or one for eight, the lowest bit first."""
        assert self.program.numbering is not None
        count = self.program.numbering.count
        return -(-count // 8) if self.settings.masks == "bits" else count

    # ---- what people call -----------------------------------------------------------------------------------------

    def reset(self, seed: int | Sequence[int] | None = None, *, games: Sequence[int] | None = None) -> None:
        """New games, all or those with these indexes. `seed`: game i begins with the seed `seed + i`, or with its own
        of a sequence; default: the seeds that stand in `seeds`. A game that follows another has the seed of that one
        and the number of games. Raises `IndexError`, `ValueError` for what is no seed and for too many or too few,
        `TypeError` for what is no whole number, and `RuleFault`; only after a `RuleFault` has any game changed.
        """
        chosen = range(self.games) if games is None else _sequence("games", games)
        for game in chosen:
            self._require_game(game)
        if seed is not None:
            if hasattr(seed, "__len__"):
                seeds = _sequence("seeds", seed)
            else:
                require_whole(seed=seed)
                seeds = [int(seed) + game for game in chosen]
            if len(seeds) != len(chosen):
                raise ValueError(f"{len(seeds)} seeds for {len(chosen)} games")
            for own in seeds:
                require_whole(seed=own)
                chance.require_seed(own)
            for game, own in zip(chosen, seeds, strict=True):
                self._buffers["seeds"].flat[game] = own
        for game in chosen:
            self._loaded.pop(game, None)
        self._require_fine(self._begin(chosen))

    def step(self, actions: Any = None) -> None:
        """Every game that is not over does one action, whichever seat it is that decides there.

        `actions`: an array of int64, or any sequence; default: what stands in `actions`. Of a game that is over the
        action does not count; with `auto_reset` a new one begins as soon as one has ended, and what is seen is its
        first position, beside the rewards of the one before. Raises `ValueError` for an action that is not legal, and
        then no game has changed; and `RuleFault`, after which the game that failed is over.
        """
        if actions is not None and actions is not self.actions:
            self._flat_actions[:] = read_actions(actions, self.games)
        outcome = self._carry_out()
        if outcome >= 0:
            if outcome < self.games:
                number = self._flat_actions[outcome]
                raise ValueError(f"game {outcome}: {number} is not the {self._action_word} of a legal action")
            self._require_fine(outcome - self.games)

    @abstractmethod
    def sample(self) -> Any:
        """Writes a legal action of each game into `actions`, each equally likely, and returns `actions`."""

    @abstractmethod
    def observe(self, seat: int, into: Any) -> None:
        """Writes what a seat sees of each game into an array like `observations`."""

    def legal(self, game: int) -> tuple[Action, ...]:
        """The legal actions of a game, in their order."""
        self._require_game(game)
        return tuple(map(self.program.words.action, self._words(game)))

    def state(self, game: int) -> State:
        """The position of a game as the reference engine has it, with what everybody knows: the same actions are done
        once more. Raises `RuleFault` where the game has failed.
        """
        self._require_game(game)
        engine = self._engine()
        state = self._loaded_state(game)
        if state is None:
            state = engine.start(seed=self._seed(game), first=self.settings.first)
        for index in self._taken(game):
            state = engine.apply_legal(state, engine.legal(state)[index])
        return state

    def load(self, game: int, state: State) -> None:
        """A game goes on from a position of any engine that waits for a decision. Raises `NotCompiled` for what a
        program cannot hold, `ValueError` for a position of a game with other places, states or players.
        """
        self._require_game(game)
        if not isinstance(state, State):
            raise TypeError(f"a position is what `state` gives, not {state!r:.60}")
        self._require_fitting(state)
        self._put(game, state)
        self._loaded[game] = state, self._seed(game)

    # ---- who carries it out -----------------------------------------------------------------------------------------

    @abstractmethod
    def _begin(self, games: Sequence[int]) -> int:
        """Begins some games; returns the first game that failed, else -1."""

    @abstractmethod
    def _words(self, game: int) -> Sequence[int]:
        """The words of a game's legal actions."""

    @abstractmethod
    def _taken(self, game: int) -> Sequence[int]:
        """The indexes of the actions since a game began."""

    @abstractmethod
    def _put(self, game: int, state: State) -> None:
        """Puts a position in the place of a game."""

    @abstractmethod
    def _fault_number(self, game: int) -> int:
        """With which of the program's faults a game has failed."""

    # ---- what is asked for ------------------------------------------------------------------------------------------

    def _seed(self, game: int) -> int:
        return int(self._buffers["seeds"].flat[game])

    def _loaded_state(self, game: int) -> State | None:
        """The position from which a game has gone on; None where a new one has begun since then."""
        state, seed = self._loaded.get(game, (None, -1))
        return state if seed == self._seed(game) else None

    @property
    def _action_word(self) -> str:
        return "index" if self.settings.actions == "indexes" else "number"

    def _row_buffer(self, seat: int, into: Any) -> BatchBuffer:
        """The array for what a seat sees. Raises `ValueError` for one of another shape, and for a seat that is not."""
        players = self.program.rules.players
        if not 0 <= seat < players:
            raise ValueError(f"there is no seat {seat} (0 to {players - 1})")
        shape = BufferShape(self.layout.dtype, (self.games, self.layout.size))
        return make_buffers({"observations": shape}, {"observations": into})["observations"]

    def _require_fitting(self, state: State) -> None:
        layout, players = self._engine().layout, self.program.rules.players
        found = len(state.contents), len(state.variables), len(state.thing_pools)
        if found != (len(layout.contents), len(layout.variables), players + 1):
            raise ValueError(f"the position is not one of {self.program.rules.game} with {players} players")

    def _require_game(self, game: int) -> None:
        require_whole(game=game)
        if not 0 <= game < self.games:
            raise IndexError(f"there is no game {game} (0 to {self.games - 1})")

    def _engine(self) -> Engine:
        tokenwise = [
            action.choices[index].address
            for action in self.program.rules.actions
            for index in self.program.words.token_choices[action.index]
        ]
        return make_engine(self.program.rules, tokenwise=tokenwise)

    def _require_fine(self, failed: int) -> None:
        """Raises the fault of a game that failed, with the values of the moment."""
        if failed < 0:
            return
        program, number = self.program, self._fault_number(failed)
        around = program.rules.blocks[program.rules.round].address
        if number >= len(program.faults):
            raise OTHER_FAULTS.get(number - len(program.faults), _too_deep)(around)
        if self._loaded_state(failed) is None:
            beginning = Beginning(self._seed(failed), self.settings.first)
            exact = find_fault(program, beginning, self._taken(failed), {})
            if exact is not None:
                raise exact
        site = program.faults[number]
        raise RuleFault(site.address, site.span, site.text)


def _sequence(name: str, values: Any) -> Sequence[int]:
    """Numbers that somebody gives, one for each game; raises `TypeError` for what is none."""
    if not all(hasattr(values, name) for name in ("__len__", "__getitem__")) or isinstance(values, str | Mapping):
        raise TypeError(f"{name} are a sequence of whole numbers, not {values!r:.60}")
    return cast("Sequence[int]", values)


def _too_long(address: str) -> Exception:
    return TooMuchWork(address, None, "more legal actions than a batch has room for")


def _too_deep(address: str) -> Exception:
    return NotCompiled(address, "steps within themselves, so deep")


OTHER_FAULTS: Final[Mapping[int, Callable[[str], Exception]]] = {0: EndlessSteps, 1: _too_long, 2: _too_deep}


def reward_table(players: int) -> list[tuple[float, float]]:
    """By how many seats have won the reward of one that has, and of one that has not: the sum over all seats is 0, who
    wins alone gets 1. A seat that plays alone gets 1 or -1.
    """
    if players == 1:
        return [(0.0, -1.0), (1.0, -1.0)]
    rivals = players - 1
    return [
        (0.0, 0.0),
        *((((players - winners) / winners) / rivals, -1 / rivals) for winners in range(1, players)),
        (0.0, 0.0),
    ]


__all__ = [
    "FEWEST_OPTIONS",
    "MAX_DECISIONS_OF_GAME",
    "MEAN_OPTIONS",
    "ActionKind",
    "BatchSettings",
    "GameBatch",
    "MaskKind",
    "reward_table",
]
