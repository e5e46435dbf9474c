"""Evolve plants with a score of one's own: a crown high above a bare stem.

Run it with `python examples/own_score.py [FOLDER]`.
"""

import sys
from pathlib import Path

from evo import Genetic, Pool, evolve
from fitness import SCORES, Evaluator, OwnScore, Scene, combine
from render import Window, grow, rasterize, write_png


def crown(scene: Scene) -> float:
    """Return the share of the plant's ink in the upper half of the window."""
    height = scene.mask.shape[0]
    return scene.mask[: height // 2].sum() / max(1, scene.mask.sum())


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    window = Window(256, 256)
    cover = SCORES["coverage"](low=0.1, high=0.3)
    evaluator = Evaluator([OwnScore(crown), cover], window, seeds=(1, 2))
    with Pool(evaluator, jobs=2, backend="threading") as pool:
        for generation in evolve(
            pool,
            Genetic(population=40),
            seed=3,
            generations=15,
            combine=combine,
            score_names=("crown", "cover"),
        ):
            row = generation.statistics
            print(f"{generation.number:3}  best {row['best']:.3f}  mean {row['mean']:.3f}")
            if row["best"] > 0.95:  # whoever drives the loop decides when it is enough
                break
    best = generation.hall_of_fame[0]
    pixels = rasterize(grow(best.genome, seed=1), 256, 256, style="volume", oversample=2)
    write_png(folder / "crown.png", pixels, best.genome, 1, style="volume", oversample=2)
    print(f"wrote {folder / 'crown.png'}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out"))
