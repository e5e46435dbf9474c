"""What each score costs beside growing and drawing the plant: the table of docs/fitness.md.

    python -m benchmarks.scores [--plants 40]

One core's processor time, 256 x 256. Of each plant the fastest of five; of the plants the median.
Every score gets a new scene, so that nothing that another score has measured is used again.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.winners import CASES, SIZE, evaluator
from evo import Genetic, evolve, founders
from fitness import Evaluator, Scene, combine, make_score
from render import Window, grow, rasterize, silhouette


def fastest(work: Callable[[], object], repeats: int = 5) -> float:
    """Return milliseconds."""
    best = float("inf")
    for _ in range(repeats):
        start = time.thread_time()
        work()
        best = min(best, time.thread_time() - start)
    return 1000 * best


def fresh(scene: Scene) -> Scene:
    """Return a scene that holds what it was made of, and nothing that was measured."""
    made = ("words", "rgba", "circles", "summary") if scene.rgba is None else ("rgba", "summary")
    return scene.with_plant(scene.mask, **{part: getattr(scene, part) for part in made})


def score_cost(score_of: Evaluator, genomes: Sequence[bytes]) -> float:
    (score,) = score_of.scores
    scenes = [next(score_of.scenes(genome)) for genome in genomes]
    return float(np.median([fastest(lambda s=s: score(fresh(s))) for s in scenes]))


def evolved(n: int) -> list[bytes]:
    """Return a population after 30 generations on coverage and symmetry."""
    scores = (make_score("coverage"), make_score("symmetry"))
    run = evolve(
        Evaluator(scores, Window(SIZE, SIZE)),
        Genetic(population=n),
        seed=1,
        generations=30,
        combine=combine,
    )
    *_, last = run
    return [bytes(one) for one in last.population]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plants", type=int, default=40)
    options = parser.parse_args()
    kinds = {
        "seedlings": [bytes(one) for one in founders("seedling", options.plants, 1)],
        "evolved": evolved(options.plants),
        "uniform founders": [bytes(one) for one in founders("uniform", options.plants, 1)],
    }
    window = evaluator("coverage").window
    rows: dict[str, list[float]] = {
        "growing and drawing the mask": [],
        "growing and drawing the colors": [],
        **{case: [] for case in CASES},
    }
    for genomes in kinds.values():
        silhouette(genomes[0], 0, window)
        times = [fastest(lambda g=g: silhouette(g, 0, window)) for g in genomes]
        rows["growing and drawing the mask"].append(float(np.median(times)))
        times = [fastest(lambda g=g: rasterize(grow(g), SIZE, SIZE)) for g in genomes]
        rows["growing and drawing the colors"].append(float(np.median(times)))
        for case in CASES:
            rows[case].append(score_cost(evaluator(case), genomes))
    heads = [
        f"{kind} ({round(np.median([len(grow(genome)) for genome in genomes]))} circles)"
        for kind, genomes in kinds.items()
    ]
    print(f"| ms | {' | '.join(heads)} |")
    print("| --- |" + " --- |" * len(heads))
    for name, values in rows.items():
        print(f"| {name} | {' | '.join(f'{value:.2f}' for value in values)} |")


if __name__ == "__main__":
    main()
