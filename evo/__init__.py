"""Evolution of byte genomes: individuals, operators, the loop, the hall of fame."""

from evo.genome import GENES, as_genes, from_hex, to_hex

__all__ = ["GENES", "as_genes", "from_hex", "to_hex"]
