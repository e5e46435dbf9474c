"""Grow one plant and draw it in both styles.

Run it with `python examples/grow_one_plant.py [FOLDER]`.
"""

import sys
from pathlib import Path

from evo import founders
from render import Window, grow, rasterize, write_png


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    plant = founders("seedling", 1, rng=11)[0]
    circles = grow(plant, seed=1)
    print(f"{len(circles)} circles, grown in {circles.tick.max() + 1} ticks")

    window = Window(512, 512, unit=512)  # 2 px of the plant's world in each pixel
    for style in ("flat", "volume"):
        pixels = rasterize(
            circles, window.width, window.height, window.unit, style=style, oversample=2
        )
        path = folder / f"plant-{style}.png"
        write_png(path, pixels, plant, seed=1, window=window, style=style, oversample=2)
        print(f"wrote {path}, with the genome inside")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out"))
