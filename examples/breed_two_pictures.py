"""Breed two pictures: their children, with a few mutations, on one sheet.

Run it with `python examples/breed_two_pictures.py A.png B.png [FOLDER]`; the pictures are
evogarden's own, such as two of a run's hall_of_fame/.
"""

import sys
from pathlib import Path

from evo import Individual, mutate, uniform_crossover
from evo.chance import as_rng
from experiments.sheet import contact_sheet
from render import grow, rasterize, read_genome


def main(first: Path, second: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    a, b = (Individual(read_genome(path).genome) for path in (first, second))
    rng = as_rng(7)
    family = {"mother": a, "father": b}
    for _ in range(5):
        for child in uniform_crossover(a, b, rng):
            family[f"child {len(family) - 1}"] = mutate(child, rng, rate=0.01)
    pictures = [
        rasterize(grow(plant, seed=1), 320, 320, 768, style="volume", oversample=2)
        for plant in family.values()
    ]
    contact_sheet(folder / "family.png", pictures, list(family))
    print(f"wrote {folder / 'family.png'}")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: python examples/breed_two_pictures.py A.png B.png [FOLDER]")
    main(*map(Path, sys.argv[1:3]), Path(sys.argv[3] if len(sys.argv) > 3 else "out"))
