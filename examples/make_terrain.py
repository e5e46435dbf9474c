"""Make terrain: a tile that repeats, its hillshade, a plasma, and a plant on a hill.

Run it with `python examples/make_terrain.py [FOLDER]`.
"""

import sys
from pathlib import Path

from PIL import Image

from evo import founders
from render import (
    diamond_square,
    ground_line,
    grow,
    landscape,
    midpoint_curve,
    over,
    rasterize,
    write_heights,
    write_hillshade,
    write_plasma,
)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)

    # A smooth tile for a game: copies of it join on all sides.
    tile = diamond_square(8, roughness=1.3, rng=3, variant="square_square", wrap=True)
    write_heights(folder / "tile.png", tile)
    write_heights(folder / "tile.raw", tile)
    write_hillshade(folder / "shade.png", tile)

    # Plasma: the colors go once round, and the film has no end.
    cloud = diamond_square(7, roughness=0.8, rng=5, normalize="minmax")
    write_plasma(folder / "plasma.gif", cloud, "dusk", frames=32)

    # A plant whose root is on the ground at its column.
    curve = midpoint_curve(8, roughness=1.1, rng=4)
    line = ground_line(curve, 480, 320)
    column = 200
    circles = grow(founders("seedling", 1, 3)[0], seed=1)
    root = (column, round(line[column]))
    plant = rasterize(circles, 480, 320, 1280, root, style="volume", oversample=2)
    Image.fromarray(over(landscape(480, 320, line), plant)).save(folder / "hill.png")
    print(f"wrote {folder}: tile.png, tile.raw, shade.png, plasma.gif, hill.png")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out"))
