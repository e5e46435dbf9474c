"""The circles of one plant, in drawing order: what growth makes and every drawing reads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evo.checks import must

__all__ = ["Circles"]


@dataclass(frozen=True, eq=False)
class Circles:
    """Circles in drawing order; a later one covers an earlier one.

    Lengths are whole 1/256 px of the world, x to the right, y down, the root at (0, 0). The arrays
    are kept as read-only views, never copied.

    Parameters
    ----------
    x, y : int32 arrays of shape (n,)
        Centers.
    diameter : int32 array of shape (n,)
        At least 0.
    color : uint8 array of shape (n, 3)
        Red, green, blue.
    tick : int32 array of shape (n,)
        When each was drawn.
    level : uint8 array of shape (n,)
        Level (0 to 9) of the agent that drew it.
    truncated : bool
        Whether `max_circles` ended the growth.
    agent : int64 array of shape (n,), optional
        Key of that agent: the root is 0, child j (0, 1, 2) of agent k is 3 k + 1 + j.

    Raises
    ------
    ValueError
        If an array has another dtype or shape, or a diameter is below 0.
    """

    x: NDArray[np.int32]
    y: NDArray[np.int32]
    diameter: NDArray[np.int32]
    color: NDArray[np.uint8]
    tick: NDArray[np.int32]
    level: NDArray[np.uint8]
    truncated: bool
    agent: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        n = self.x.shape[0] if isinstance(self.x, np.ndarray) and self.x.ndim == 1 else 0
        self._keep("x", np.int32, (n,))
        self._keep("y", np.int32, (n,))
        self._keep("diameter", np.int32, (n,))
        self._keep("color", np.uint8, (n, 3))
        self._keep("tick", np.int32, (n,))
        self._keep("level", np.uint8, (n,))
        if self.agent is not None:
            self._keep("agent", np.int64, (n,))
        if not isinstance(self.truncated, bool):
            raise must("truncated", "be True or False", self.truncated)
        if n and int(self.diameter.min()) < 0:
            raise must("diameter", "hold whole numbers of at least 0", int(self.diameter.min()))

    def _keep(self, name: str, dtype: type[np.generic], shape: tuple[int, ...]) -> None:
        array = getattr(self, name)
        if not isinstance(array, np.ndarray) or array.dtype != dtype or array.shape != shape:
            raise must(name, f"be an array of {np.dtype(dtype)} {shape}", array)
        view = np.ascontiguousarray(array).view()
        view.flags.writeable = False
        object.__setattr__(self, name, view)

    def __len__(self) -> int:
        return int(self.x.shape[0])

    def _repr_png_(self) -> bytes:
        """Return the picture that a notebook shows: a PNG file, filled by the plant."""
        from render.drawing import picture_of  # it imports this module

        return picture_of(self)
