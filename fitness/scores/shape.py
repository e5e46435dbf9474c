"""Topiary: how well a plant fits the shape in a target image."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from evo.checks import must
from fitness.base import PlantScore
from fitness.images import Picture, read_image, resized, shape_of
from fitness.measures import Mask, reduce_mask
from fitness.parameters import flag, image, option, real
from fitness.portable import exp
from fitness.scene import Scene
from render.bits import Words, count, pack
from render.kernels import compiled_measures

__all__ = ["Silhouette", "edge"]

_TAU = 0.015  # of the window's diagonal
_CELLS = 64  # across the longer side of a window, for a reach
_FAR = 700.0  # of a whole reach: as good as never


def edge(mask: Mask) -> Mask:
    """Return the pixels of a mask with one of 4 neighbors outside it or outside the window."""
    inner: Mask = ndimage.binary_erosion(mask)
    return mask & ~inner


class _Outline(NamedTuple):
    """A target's outline in a window."""

    near: NDArray[np.uint32]  # (H, W): squared distance of each pixel to the outline, capped
    rows: NDArray[np.int64]  # the outline's own pixels
    columns: NDArray[np.int64]
    closeness: list[float]  # 1 - d / tau by squared distance; the last is 0, for tau and beyond
    reach: int  # whole px in tau


def _outline(shape: Mask) -> _Outline:
    tau = _TAU * math.hypot(*shape.shape)
    last = math.ceil(tau * tau)
    closeness = [max(0.0, 1.0 - math.sqrt(square) / tau) for square in range(last + 1)]
    line = edge(shape)
    squared = np.rint(ndimage.distance_transform_edt(~line) ** 2)
    near = np.minimum(squared, last).astype(np.uint32)
    rows, columns = (indices.astype(np.int64) for indices in np.nonzero(line))
    for array in (near, rows, columns):
        array.flags.writeable = False
    return _Outline(near, rows, columns, closeness, math.floor(tau))


class _Coarse(NamedTuple):
    """A target in cells of a window."""

    cell: int  # px of a side
    shape: Mask
    away: NDArray[np.int32]  # chessboard distance of each cell to the shape
    closeness: list[float]  # exp(-d / reach) by distance


def _coarse(shape: Mask, reach: float) -> _Coarse:
    cell = max(1, max(shape.shape) // _CELLS)
    cells = reduce_mask(shape, cell)
    if not cells.any():
        raise must("silhouette.reach", f"be 0 for a shape without a cell of {cell} px", reach)
    cells.flags.writeable = False
    step = min(cell / (reach * math.hypot(*shape.shape)), _FAR)
    closeness = [exp(-min(d * step, _FAR)) for d in range(sum(cells.shape))]
    away = _cells_away(cells)
    away.flags.writeable = False
    return _Coarse(cell, cells, away, closeness)


def _cells_away(mask: Mask) -> NDArray[np.int32]:
    away: NDArray[np.int32] = ndimage.distance_transform_cdt(~mask, metric="chessboard")
    return away


def _near_dice(mask: Mask, target: _Coarse) -> float:
    """Return what each cell of both is worth that is near the other, as a share of both."""
    if not mask.any():
        return 0.0
    return _mean_closeness(_meeting_counts(mask, target), target.closeness)


def _meeting_counts(mask: Mask, target: _Coarse) -> NDArray[np.int64]:
    """Return how many cells of both there are at each distance from the other."""
    compiled = compiled_measures()
    if compiled is not None:
        counts: NDArray[np.int64] = compiled.meeting_counts(mask, target.shape, target.away)
        return counts
    away = np.concatenate([_cells_away(mask)[target.shape], target.away[mask]])
    return np.bincount(away, minlength=len(target.closeness))


def _mean_closeness(counts: NDArray[np.int64], closeness: list[float]) -> float:
    """Return the mean closeness of pixels, from how many there are at each squared distance."""
    pixels: list[int] = counts.tolist()
    return math.fsum(map(operator.mul, pixels, closeness)) / sum(pixels)


def _ink_counts(scene: Scene, outline: _Outline) -> NDArray[np.int64]:
    """Return how much ink there is at each squared distance from the outline."""
    n = len(outline.closeness)
    compiled = compiled_measures()
    if compiled is not None:
        counts: NDArray[np.int64] = compiled.value_counts(scene.words, outline.near, n)
        return counts
    return np.bincount(outline.near[scene.mask], minlength=n)


def _outline_counts(scene: Scene, outline: _Outline) -> NDArray[np.int64]:
    """Return how many of the outline's pixels have ink at each squared distance."""
    last = len(outline.closeness) - 1
    compiled = compiled_measures()
    if compiled is not None and outline.reach <= compiled.MAX_REACH:
        places = outline.rows, outline.columns
        counts: NDArray[np.int64] = compiled.near_counts(scene.words, *places, outline.reach, last)
        return counts
    return np.bincount(_squared_distances(scene.mask, outline), minlength=last + 1)


def _squared_distances(mask: Mask, outline: _Outline) -> NDArray[np.uint32]:
    """Return the squared distance of each outline pixel to the nearest ink, capped.

    First along rows, for all pixels, then along the column of each outline pixel.
    """
    last, reach = len(outline.closeness) - 1, outline.reach
    along = np.full((mask.shape[0] + 2 * reach, mask.shape[1]), last, np.uint32)
    inner = along[reach : reach + mask.shape[0]]
    for step in range(reach, 0, -1):
        np.copyto(inner[:, step:], step * step, where=mask[:, :-step])
        np.copyto(inner[:, :-step], step * step, where=mask[:, step:])
    np.copyto(inner, 0, where=mask)
    best = np.full(len(outline.rows), last, np.uint32)
    for step in range(-reach, reach + 1):
        squared = along[outline.rows + (reach + step), outline.columns]
        squared += np.uint32(step * step)
        np.minimum(best, squared, out=best)
    return best


@dataclass(frozen=True, eq=False)
class Silhouette(PlantScore):
    """The plant fills, or draws the outline of, the shape in an image.

    solid: 2 |M and T| / (|M| + |T|) (Dice 1945, doi:10.2307/1932409).
    outline: 2 P R / (P + R) * (1 - blob) * piece, P = mean over the ink of 1 - min(d, tau) / tau
    with d the distance to the shape's outline, R = the same over the outline's pixels with d the
    distance to the plant, tau = 1.5 % of the window's diagonal. All ink counts and not its edge
    alone, for the edge of a solid shape is its outline.
    solid with a reach: (sum over T of exp(-d/reach) with d the distance to M + sum over M of
    exp(-d/reach) with d the distance to T) / (|M| + |T|), in cells of about 1/64 of the window that
    are at least half ink, d by the longer of both ways (chessboard). What lies beside the shape
    counts in part, and so does a part of the shape that the plant is near: a guide to the shape
    (`[[guide]]`), the farther the larger the reach, for it pulls at a branch that is not there
    yet. It can be cheated alone: a box around the shape is near all of it.

    The image is stretched to the window by the nearest pixel.
    """

    name: ClassVar[str] = "silhouette"
    needs: ClassVar[frozenset[str]] = frozenset({"mask"})

    image: Picture = field(
        metadata=image(
            "file of the shape: what is opaque where alpha varies, else darker than mid-grey"
        )
    )
    kind: str = field(
        default="solid", metadata=option("fill the shape or draw its outline", "solid", "outline")
    )
    reach: float = field(
        default=0.0,
        metadata=real(
            "solid: share of the window's diagonal at which what lies beside counts for 1/e; 0: it "
            "does not count",
            0.0,
            1.0,
        ),
    )
    invert: bool = field(default=False, metadata=flag("swap shape and background"))

    def __post_init__(self) -> None:
        super().__post_init__()
        label = "silhouette.image"
        if self.reach and self.kind != "solid":
            raise must("silhouette.reach", "be 0 unless the shape is filled", self.reach)
        object.__setattr__(
            self, "alone", not self.reach
        )  # a box around the shape is near all of it
        shape = shape_of(read_image(label, self.image))
        object.__setattr__(self, "_shape", self._oriented(shape))
        _check_shape(label, self._source)

    @property
    def _source(self) -> Mask:
        shape: Mask = vars(self)["_shape"]
        return shape

    def _oriented(self, shape: Mask) -> Mask:
        return ~shape if self.invert else shape

    def target(self, height: int, width: int) -> Mask:
        """Return the shape in a window, bool (height, width)."""
        shape: Mask = resized(self._source, height, width)
        if not shape.any():
            raise must("silhouette.image", "show a shape", f"an empty one at {width} x {height}")
        return shape

    def prepare(self, blank: Scene) -> tuple[str, ...]:
        """Cut the shape to the window; say when it was resized."""
        self._prepared(blank)
        source, window = self._source.shape, blank.mask.shape
        if source == window:
            return ()
        return (
            f"silhouette: the image of {source[1]} x {source[0]} is resized to "
            f"{window[1]} x {window[0]} by the nearest pixel",
        )

    def _prepared(self, scene: Scene) -> tuple[Words, int, _Outline | _Coarse | None]:
        height, width = scene.mask.shape

        def make() -> tuple[Words, int, _Outline | _Coarse | None]:
            shape = self.target(height, width)
            wanted: _Outline | _Coarse | None = None
            if self.kind == "outline":
                wanted = _outline(shape)
            elif self.reach:
                wanted = _coarse(shape, self.reach)
            return pack(shape), int(np.count_nonzero(shape)), wanted

        return self._once((height, width), make)

    def value(self, scene: Scene) -> float:
        """Return Dice, at a reach or not, or 2 P R / (P + R) * (1 - blob) * piece."""
        shape, n_shape, wanted = self._prepared(scene)
        if wanted is None:
            both = count(scene.words & shape)
            return 2 * both / (scene.area + n_shape)
        if isinstance(wanted, _Coarse):
            return _near_dice(reduce_mask(scene.mask, wanted.cell, scene.words), wanted)
        precision = _mean_closeness(_ink_counts(scene, wanted), wanted.closeness)
        recall = _mean_closeness(_outline_counts(scene, wanted), wanted.closeness)
        if precision + recall == 0.0:
            return 0.0
        return 2.0 * precision * recall / (precision + recall) * (1.0 - scene.blob) * scene.piece


def _check_shape(label: str, shape: Mask) -> None:
    height, width = shape.shape
    if min(height, width) < 2:
        raise must(label, "have at least 2 x 2 pixels", f"{width} x {height}")
    if not shape.any():
        raise must(label, "show a shape", "an empty one: nothing is dark or opaque")
    if shape.all():
        raise must(label, "show a shape on a background", "a full one")
