"""Evaluations that worker processes can import."""

import math
import os
import signal
from pathlib import Path

import numpy as np


def total(genome):
    """A score with an optimum that is not the founders': mean byte in [0, 1]."""
    return sum(genome) / (180 * 255)


def awkward(genome):
    """A float with all of its 53 bits in use."""
    return math.sqrt(sum(byte * byte for byte in genome)) / 7.7 + 1 / 3


def table(genomes):
    """Three samples of two scores and a factor: float64 (n, 3, 3)."""
    rows = []
    for genome in genomes:
        first, second = genome[0] / 255, sum(genome) / (180 * 255)
        rows.append([[first, second, 1.0], [first / 2, second, 0.5], [first / 3, second, 0.25]])
    return np.array(rows)


def combine(rows):
    return rows[..., :2].mean(axis=(1, 2)) * rows[..., 2].mean(axis=1)


def picky(genome):
    """Raises for one genome in eight or so."""
    if genome[3] % 8 == 0:
        raise ValueError(f"no plant of {genome[3]}")
    return total(genome)


class Dies:
    """A score whose worker process dies, as often as there are files in a folder."""

    def __init__(self, folder):
        self.folder = str(folder)

    def __call__(self, genome):
        for fuse in sorted(Path(self.folder).iterdir()):
            try:
                fuse.unlink()
            except FileNotFoundError:
                continue
            os._exit(3)
        return total(genome)


class DiesAt(Dies):
    """The same, at one genome alone."""

    def __init__(self, folder, genome):
        super().__init__(folder)
        self.genome = genome

    def __call__(self, genome):
        return super().__call__(genome) if genome == self.genome else total(genome)


class Killed(Dies):
    """The same by SIGKILL, as the kernel does when memory runs out."""

    def __call__(self, genome):
        if any(Path(self.folder).iterdir()):
            for fuse in Path(self.folder).iterdir():
                fuse.unlink(missing_ok=True)
            os.kill(os.getpid(), signal.SIGKILL)
        return total(genome)
