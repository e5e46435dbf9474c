"""Terrain beside its limits and its peers, in one run.

The limits are numpy's own draws of as many numbers: 4097 x 4097 float64 gaussian may take 2.0 times
the bare normals, float32 uniform 3.5 times the bare uniforms. Peers (nlmpy, opensimplex) come with
the extra `bench` and are timed at a smaller size, as they take up to minutes.

    python -m benchmarks.terrain
    python -m benchmarks.terrain --iterations 10 --repeats 3
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator

import numpy as np

from render.terrain import VARIANTS, diamond_square, encode_heights, midpoint_curve

PEER_ITERATIONS = 9
BARS = {"normals": 2.0, "uniforms": 3.5}


def medians(tasks: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Return the median milliseconds of each task; rounds go over all, so that noise is shared."""
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(repeats):
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            times[name].append((time.perf_counter() - start) * 1e3)
    return {name: statistics.median(values) for name, values in times.items()}


def peers(size: int) -> Iterator[tuple[str, Callable[[], object]]]:
    try:
        from nlmpy import nlmpy
    except ImportError:
        print("nlmpy is not installed")
    else:
        yield "nlmpy mpd", lambda: nlmpy.mpd(size, size, 0.5)
    try:
        import opensimplex
    except ImportError:
        print("opensimplex is not installed")
    else:
        places = np.arange(size) / size

        def octaves() -> None:
            for octave in range(8):
                opensimplex.noise2array(places * 2**octave, places * 2**octave)

        octaves()  # compile first, where numba is there
        yield "opensimplex, 8 octaves", octaves


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=12)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    size = 2**options.iterations + 1
    rng = np.random.Generator(np.random.PCG64(1))

    found = medians(
        {
            "bare normals, float64": lambda: rng.standard_normal(size * size),
            "diamond_square, float64 gaussian": lambda: diamond_square(
                options.iterations, rng=rng, distribution="gaussian"
            ),
            "bare uniforms, float32": lambda: rng.random(size * size, np.float32),
            "diamond_square, float32 uniform": lambda: diamond_square(
                options.iterations, rng=rng, dtype=np.float32
            ),
        },
        options.repeats,
    )
    print(f"{size} x {size}, median of {options.repeats}")
    for name, taken in found.items():
        print(f"  {name:34} {taken:8.1f} ms")
    normals, gaussian, uniforms, uniform = found.values()
    print(f"  gaussian / normals  {gaussian / normals:.2f} (limit {BARS['normals']})")
    print(f"  uniform / uniforms  {uniform / uniforms:.2f} (limit {BARS['uniforms']})")

    small = 2**PEER_ITERATIONS + 1
    tasks: dict[str, Callable[[], object]] = {
        variant: lambda variant=variant: diamond_square(PEER_ITERATIONS, rng=rng, variant=variant)
        for variant in VARIANTS
    }
    tasks |= dict(peers(small))
    print(f"{small} x {small}")
    for name, taken in medians(tasks, 3).items():
        print(f"  {name:34} {taken:8.1f} ms")

    heights = diamond_square(10, rng=rng)
    others: dict[str, Callable[[], object]] = {
        "1000 curves of 10 iterations": lambda: midpoint_curve(10, rng=rng, n_curves=1000),
    }
    for ending in (".png", ".npy", ".asc", ".tif", ".raw"):
        others[f"1025 x 1025 to {ending}"] = lambda ending=ending: encode_heights(heights, ending)
    for name, taken in medians(others, 3).items():
        print(f"  {name:34} {taken:8.1f} ms")


if __name__ == "__main__":
    main()
