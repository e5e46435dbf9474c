"""Evolution of byte genomes: individuals, operators, the loop, the hall of fame."""

from evo.annealing import Annealing
from evo.archive import Entry, HallOfFame
from evo.baselines import HillClimbing, RandomSearch
from evo.chance import Rng
from evo.checkpoint import Checkpoint, CheckpointError
from evo.genome import GENES, N_GENES, N_LEVELS, Gene, as_genes, from_hex, to_hex
from evo.guided import Guide, Guided
from evo.individual import Fitness, Individual
from evo.loop import Generation, evolve
from evo.operators import mutate, stock, uniform_crossover
from evo.pareto import Pareto
from evo.pool import ClusterError, Pool, WorkerError, n_jobs
from evo.population import FOUNDERS, founders
from evo.race import Race
from evo.relay import Relay
from evo.scoring import EvaluationError, GenomeError, each
from evo.selection import elites, rank, tournament
from evo.separable import Separable
from evo.strategy import Genetic, Strategy, genetic_toolbox

__all__ = [
    "FOUNDERS",
    "GENES",
    "N_GENES",
    "N_LEVELS",
    "Annealing",
    "Checkpoint",
    "CheckpointError",
    "ClusterError",
    "Entry",
    "EvaluationError",
    "Fitness",
    "Gene",
    "Generation",
    "Genetic",
    "GenomeError",
    "Guide",
    "Guided",
    "HallOfFame",
    "HillClimbing",
    "Individual",
    "Pareto",
    "Pool",
    "Race",
    "RandomSearch",
    "Relay",
    "Rng",
    "Separable",
    "Strategy",
    "WorkerError",
    "as_genes",
    "each",
    "elites",
    "evolve",
    "founders",
    "from_hex",
    "genetic_toolbox",
    "mutate",
    "n_jobs",
    "rank",
    "stock",
    "to_hex",
    "tournament",
    "uniform_crossover",
]
