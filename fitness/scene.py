"""What a score sees: one plant's picture, and the ground it stands on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evo.checks import must, real_array, whole
from fitness.earth import Earth, earth
from fitness.measures import column_counts, largest_piece, thick_share
from render import Circles, Summary, Window, summarize
from render.bits import Words, pack

__all__ = ["Scene"]

_FAR = 2**31  # px: roots and ground are no farther off, so that sums of rows stay in 64 bits


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture of one plant with what is known about it. Nothing in it changes.

    Arrays are kept as read-only views. Rows run down, columns to the right; a scene may have a
    single pixel.

    Parameters
    ----------
    mask : bool array of shape (H, W)
        The silhouette.
    root : (column, row)
        Pixel corner where the plant is rooted: whole numbers, off the window too, up to 2^31.
    unit : int
        World size of a pixel in 1/256 px.
    rgba : uint8 array of shape (H, W, 4), optional
        The colors; those outside the mask count for nothing.
    ground : real array of shape (W,), optional
        Row at which the ground begins, for each column; a pixel is ground when its center lies on
        or below that. From -2^31 to 2^31.
    heights : real array of shape (H, W), optional
        A map seen from above, under the same window.
    circles : render.Circles, optional
    summary : render.Summary, optional
        Counted from the circles when only those are given, with the agents' keys.

    Raises
    ------
    ValueError
        If an array has another shape or kind, or a number is not finite.
    """

    mask: NDArray[np.bool_]
    root: tuple[int, int]
    unit: int = 1024
    rgba: NDArray[np.uint8] | None = None
    ground: NDArray[Any] | None = None
    heights: NDArray[Any] | None = None
    circles: Circles | None = None
    summary: Summary | None = None

    def __post_init__(self) -> None:
        mask = self.mask
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.ndim != 2:
            raise must("mask", "be a bool array of shape (height, width)", mask)
        if mask.size == 0:
            raise must("mask", "have at least one pixel", mask)
        height, width = mask.shape
        rgba = self.rgba
        if rgba is not None and (
            not isinstance(rgba, np.ndarray)
            or rgba.dtype != np.uint8
            or rgba.shape != (height, width, 4)
        ):
            raise must("rgba", f"be a uint8 array of shape ({height}, {width}, 4)", rgba)
        for name, shape in (("ground", (width,)), ("heights", (height, width))):
            _check_real(name, getattr(self, name), shape)
        ground = self.ground
        if ground is not None and max(-ground.min(), ground.max()) > _FAR:
            farthest = float(ground[np.abs(ground).argmax()])
            raise must("ground", f"lie from {-_FAR} to {_FAR}", farthest)
        for name in ("mask", "rgba", "ground", "heights"):
            self._set(name, _read_only(getattr(self, name)))
        root = self.root
        if not isinstance(root, tuple | list) or len(root) != 2:
            raise must("root", "be a pair of whole numbers (column, row)", root)
        column = whole("root column", root[0], -_FAR, _FAR)
        self._set("root", (column, whole("root row", root[1], -_FAR, _FAR)))
        self._set("unit", whole("unit", self.unit, 1))
        circles = self.circles
        if self.summary is None and circles is not None and circles.agent is not None:
            window = Window(width, height, self.unit, self.root)
            self._set("summary", summarize(circles, window))

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def with_plant(self, mask: NDArray[np.bool_], **parts: Any) -> Scene:
        """Return the scene of another plant in the same place.

        For plants that `render` has drawn: nothing is checked again. Scenes of one place share its
        ground and heights, by which scores find again what they have prepared.

        Parameters
        ----------
        mask : bool array of this scene's shape, read-only
        **parts
            rgba, circles, summary, as the scene has them, read-only; and words, the mask as
            `render.bits.pack` gives it, where it is there already.
        """
        scene = object.__new__(Scene)
        vars(scene).update(self._place, mask=mask, **parts)
        return scene

    @cached_property
    def _place(self) -> dict[str, Any]:
        """What stays when another plant stands here."""
        names = ["root", "unit", "ground", "heights"]
        if self.ground is not None:
            names += ["ground_rows", "earth"]
        nothing = dict.fromkeys(("rgba", "circles", "summary"))
        return {**nothing, **{name: getattr(self, name) for name in names}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make arrays read-only again, which they are not when they come from another process."""
        vars(self).update(state)
        for value in state.values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @cached_property
    def words(self) -> Words:
        """The mask as rows of bits, read-only; see `render.bits`."""
        return pack(self.mask)

    @cached_property
    def area(self) -> int:
        """Pixels of the plant."""
        return int(np.count_nonzero(self.mask))

    @cached_property
    def piece(self) -> float:
        """Share of the ink in the largest 8-connected piece; 0 for an empty plant."""
        return largest_piece(self.mask, self.words) / self.area if self.area else 0.0

    @cached_property
    def blob(self) -> float:
        """How massive the plant is: max(0, (t - 1/4) / (3/4)), t = `measures.thick_share`.

        A quarter is free, for a thick trunk is no cheat.
        """
        return max(0.0, (thick_share(self.mask, self.words) - 0.25) / 0.75)

    @cached_property
    def column_counts(self) -> NDArray[np.int64]:
        """Ink in each column, int64 (W,), read-only."""
        counts = column_counts(self.mask)
        counts.flags.writeable = False
        return counts

    @cached_property
    def row_counts(self) -> NDArray[np.int64]:
        """Ink in each row, int64 (H,), read-only."""
        counts: NDArray[np.int64] = np.bitwise_count(self.words).sum(axis=1, dtype=np.int64)
        counts.flags.writeable = False
        return counts

    @cached_property
    def ground_rows(self) -> NDArray[np.int64]:
        """First row of ground in each column, int64 (W,), read-only: ceil(ground - 1/2)."""
        if self.ground is None:
            raise must("scene", "have a ground", None)
        rows = np.ceil(self.ground - 0.5).astype(np.int64)
        rows.flags.writeable = False
        return rows

    @cached_property
    def earth(self) -> Earth:
        """What scores ask of the ground, whatever plant stands there."""
        return earth(self.ground_rows, self.mask.shape[0], self.root[0])


def _read_only(array: NDArray[Any] | None) -> NDArray[Any] | None:
    if array is None or (not array.flags.writeable and array.flags.c_contiguous):
        return array  # as it is, so that what was prepared for an array is found again
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def _check_real(name: str, array: object, shape: tuple[int, ...]) -> None:
    if array is None:
        return
    if not isinstance(array, np.ndarray):
        raise must(name, f"be an array of shape {shape}", array)
    real_array(name, array, shape=shape)
