"""What scores ask of a plant besides its pixels, as whole numbers; and the path scores take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evo.checks import must, whole
from evo.genome import Genome, as_genes
from render.bits import Words
from render.circles import Circles
from render.growth import MAX_CIRCLES, MAX_SEED
from render.kernels import get_kernel
from render.raster import frame_of
from render.window import Window, check_samples

__all__ = ["Summary", "silhouette", "silhouettes", "silhouettes_and_words", "summarize"]

_FAR = 2**40  # beyond any int32 coordinate


class Summary(NamedTuple):
    """Whole numbers about the circles of a plant, equal for all kernels.

    Parameters
    ----------
    n_circles : int
    off : int
        Sum of diameter² over the circles that are centered outside the window.
    total : int
        Sum of diameter² over all circles.
    forks : int
        Agents with two or three drawn children whose fork point lies in the window.
    truncated : bool
        Whether `max_circles` ended the growth.
    """

    n_circles: int
    off: int
    total: int
    forks: int
    truncated: bool


def _inside(x: NDArray[np.int32], y: NDArray[np.int32], window: Window) -> NDArray[np.bool_]:
    """Return which world points lie in a window; its left and upper edges belong to it."""
    column, row = (max(-_FAR, min(_FAR, at)) for at in window.root)
    left, top = -column * window.unit, -row * window.unit
    across = x.astype(np.int64) - left
    down = y.astype(np.int64) - top
    return np.asarray(
        (across >= 0)
        & (across < window.width * window.unit)
        & (down >= 0)
        & (down < window.height * window.unit)
    )


def _sum_of_squares(values: NDArray[np.int32]) -> int:
    square = values.astype(np.int64) ** 2  # below 2^62: summed in two parts, without overflow
    return (int((square >> 31).sum()) << 31) + int((square & (2**31 - 1)).sum())


def summarize(circles: Circles, window: Window) -> Summary:
    """Return the summary of some circles seen through a window.

    Parameters
    ----------
    circles : Circles
        With the key of each circle's agent.
    window : Window

    Raises
    ------
    ValueError
        If the circles name no agents.
    """
    if circles.agent is None:
        raise must("circles.agent", "be there to count forks", None)
    outside = ~_inside(circles.x, circles.y, window)
    keys, first = np.unique(circles.agent, return_index=True)
    keys, first = keys[keys > 0], first[keys > 0]
    _, begin, n_children = np.unique((keys - 1) // 3, return_index=True, return_counts=True)
    at = first[begin[n_children >= 2]]
    return Summary(
        n_circles=len(circles),
        off=_sum_of_squares(circles.diameter[outside]),
        total=_sum_of_squares(circles.diameter),
        forks=int(np.count_nonzero(_inside(circles.x[at], circles.y[at], window))),
        truncated=circles.truncated,
    )


def silhouettes(
    genome: Genome,
    seeds: Sequence[int],
    window: Window,
    max_circles: int = MAX_CIRCLES,
    kernel: str | None = None,
) -> tuple[NDArray[np.bool_], list[Summary]]:
    """Return the silhouettes of a genome's plants, and their summaries: the path of the scores.

    The numba kernel grows and draws in one pass that stores no circles.

    Parameters
    ----------
    genome, max_circles, kernel
        As in `grow`.
    seeds : sequence of int
        Growth seeds, one a plant.
    window : Window

    Returns
    -------
    masks : bool array of shape (n seeds, height, width), read-only
        Each as `rasterize` gives it in the style "mask".
    summaries : list of Summary

    Raises
    ------
    ValueError
        If an argument is not of the kind or range above.
    """
    masks, _, summaries = silhouettes_and_words(genome, seeds, window, max_circles, kernel)
    return masks, summaries


def silhouettes_and_words(
    genome: Genome,
    seeds: Sequence[int],
    window: Window,
    max_circles: int = MAX_CIRCLES,
    kernel: str | None = None,
) -> tuple[NDArray[np.bool_], Words, list[Summary]]:
    """Return what `silhouettes` returns, and between them the masks as rows of bits.

    Returns
    -------
    masks : bool array of shape (n seeds, height, width), read-only
    words : uint64 array of shape (n seeds, height, words a row), read-only
        Each mask as `render.bits.pack` gives it: kernels draw it so, and need not be asked twice.
    summaries : list of Summary
    """
    genes = as_genes(genome)
    numbers = np.array([whole("seed", seed, 0, MAX_SEED) for seed in seeds], np.uint64)
    numbers.flags.writeable = False
    max_circles = whole("max_circles", max_circles, 0)
    if not isinstance(window, Window):
        raise must("window", "be a Window", window)
    check_samples(window.width, window.height * max(1, len(numbers)))
    masks, words, rows = get_kernel(kernel).silhouettes(
        genes, numbers, max_circles, frame_of(window)
    )
    masks.flags.writeable = words.flags.writeable = False
    summaries = [
        Summary(n, off, total, forks, bool(truncated))
        for n, off, total, forks, truncated in rows.tolist()
    ]
    return masks, words, summaries


def silhouette(
    genome: Genome,
    seed: int,
    window: Window,
    max_circles: int = MAX_CIRCLES,
    kernel: str | None = None,
) -> tuple[NDArray[np.bool_], Summary]:
    """Return the silhouette of one plant, and its summary; see `silhouettes`."""
    masks, summaries = silhouettes(genome, [seed], window, max_circles, kernel)
    return masks[0], summaries[0]
