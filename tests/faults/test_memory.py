"""A long run stays small."""

import gc

import psutil

from experiments import parse_config, run
from experiments.config_file import dump_config
from experiments.progress import Silent


class Measured(Silent):
    """Notes how much memory the process holds, every 50 generations."""

    def __init__(self):
        self.sizes = {}

    def generation(self, generation):
        if generation.number % 50 == 0:
            gc.collect()
            self.sizes[generation.number] = psutil.Process().memory_info().rss


def test_500_generations_of_100(small, tmp_path):
    measured = Measured()
    overrides = ["evolution.population=100", "evolution.generations=500", "plant.samples=1",
                 "plant.max_circles=60", "picture.width=16", "picture.height=16",
                 "plant.unseen_samples=0", "picture.px_per_pixel=16.0",
                 "evolution.checkpoint_every=10"]  # fmt: skip
    run(parse_config(dump_config(small), overrides=overrides), tmp_path / "run", measured)
    first = measured.sizes[50]
    assert len(measured.sizes) == 11
    assert max(measured.sizes.values()) - first < 50 * 2**20
