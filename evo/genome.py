"""The genome: its table of genes, and its forms (array, bytes, hex digits).

What the genes do is `render.growth`'s business; how they breed is `evo.operators`'.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from evo.checks import must

__all__ = [
    "GENES",
    "GENOME_SIZE",
    "N_GENES",
    "N_LEVELS",
    "Gene",
    "Genes",
    "Genome",
    "as_genes",
    "from_hex",
    "locus",
    "to_hex",
]

N_LEVELS = 10
N_GENES = 18
GENOME_SIZE = N_LEVELS * N_GENES

Genes: TypeAlias = NDArray[np.uint8]
"""A genome as a uint8 array of shape (10, 18): levels x genes."""

Genome: TypeAlias = Genes | bytes | bytearray
"""What the library takes for a genome: an array (10, 18) or 180 bytes, level by level.

An `evo.Individual` is a bytearray and so a genome.
"""


@dataclass(frozen=True)
class Gene:
    """One column of the genome.

    Parameters
    ----------
    name : str
    meaning : str
        What it does to the segment of an agent of its level.
    value : str
        How its byte b (0 to 255) is read.
    """

    name: str
    meaning: str
    value: str


GENES: tuple[Gene, ...] = (
    Gene("size", "own diameter of the first circle", "1 + b / 8 px: 1 to 33 px"),
    Gene("red", "own red of the first circle", "b"),
    Gene("green", "own green of the first circle", "b"),
    Gene("blue", "own blue of the first circle", "b"),
    Gene("size_step", "change of diameter a circle", "signed square of b - 128, to ±0.5 px"),
    Gene("red_step", "change of red a circle", "signed square of b - 128, to ±2 of 255"),
    Gene("green_step", "change of green a circle", "signed square of b - 128, to ±2 of 255"),
    Gene("blue_step", "change of blue a circle", "signed square of b - 128, to ±2 of 255"),
    Gene("turn", "change of heading a circle", "signed square of b - 128, to ±2.8 degrees"),
    Gene("length", "circles in the segment", "b, at least 1"),
    Gene("children", "agents that follow", "1 to 85: one, 86 to 170: two, from 171: three"),
    Gene("spread", "angle of the outer children to the parent", "0 to 89.6 degrees"),
    Gene("size_inherit", "weight of the parent's last diameter", "b / 255"),
    Gene("color_inherit", "weight of the parent's last color", "b / 255"),
    Gene("color_var", "chance in the own color, each channel", "± b / 4 of 255"),
    Gene("size_var", "chance in the own diameter", "± b / 32 px: up to ±8 px"),
    Gene("length_var", "chance in the length", "± b // 10 circles"),
    Gene("heading_var", "chance in a child's heading", "up to ±44.8 degrees"),
)
"""The 18 genes of a level, in the order of their bytes."""

_LOCI = {gene.name: index for index, gene in enumerate(GENES)}


def locus(name: str) -> int:
    """Return the column (0 to 17) of a gene by its name; KeyError for an unknown one."""
    return _LOCI[name]


def as_genes(genome: Genome) -> Genes:
    """Return a genome as a read-only uint8 array of shape (10, 18).

    Parameters
    ----------
    genome : uint8 array of shape (10, 18), or 180 bytes
        An `evo.Individual` too. Nothing is cast: another dtype, shape or length is refused.

    Returns
    -------
    uint8 array of shape (10, 18), C order, a view of the genome where it can be one.

    Raises
    ------
    ValueError
        If it is not a genome.
    """
    if isinstance(genome, bytes | bytearray):
        if len(genome) != GENOME_SIZE:
            raise must("genome", f"hold {GENOME_SIZE} bytes", genome)
        genes = np.frombuffer(genome, np.uint8).reshape(N_LEVELS, N_GENES)
    elif isinstance(genome, np.ndarray):
        if genome.dtype != np.uint8 or genome.shape != (N_LEVELS, N_GENES):
            raise must("genome", f"be a uint8 array of shape ({N_LEVELS}, {N_GENES})", genome)
        genes = np.ascontiguousarray(genome).view()
    else:
        raise must("genome", f"be a uint8 array ({N_LEVELS}, {N_GENES}) or 180 bytes", genome)
    genes.flags.writeable = False
    return genes


def to_hex(genome: Genome) -> str:
    """Return a genome as 360 hex digits, level by level."""
    return as_genes(genome).tobytes().hex()


def from_hex(digits: str) -> bytes:
    """Return the 180 bytes that 360 hex digits stand for.

    Raises
    ------
    ValueError
        If there are not 360 of them, or one is no hex digit.
    """
    if not isinstance(digits, str):
        raise must("genome", f"be a text of {2 * GENOME_SIZE} hex digits", digits)
    if len(digits) != 2 * GENOME_SIZE:
        raise must("genome", f"have {2 * GENOME_SIZE} hex digits", f"{len(digits)} characters")
    wrong = sorted(set(digits) - set("0123456789abcdefABCDEF"))
    if wrong:
        raise must("genome", "have hex digits alone", wrong[0])
    return bytes.fromhex(digits)
