"""Comparing searches: the same budget for each, on the same problems, with a test of chance."""

from experiments.comparison.compare import Comparison, compare
from experiments.comparison.contenders import Contender, contenders
from experiments.comparison.trial import Trial

__all__ = ["Comparison", "Contender", "Trial", "compare", "contenders"]
