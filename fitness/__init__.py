"""Scores of a plant's picture, their table, and how they become fitness."""

from fitness.base import NEEDS, PlantScore, Score
from fitness.combining import FLOOR, combine, frame_factor, separate
from fitness.evaluator import Evaluator, ScoreError
from fitness.own import OwnScore
from fitness.parameters import Parameter, parameters
from fitness.scene import Scene
from fitness.seeds import STREAMS, growth_seeds
from fitness.table import SCORES, make_score

__all__ = [
    "FLOOR",
    "NEEDS",
    "SCORES",
    "STREAMS",
    "Evaluator",
    "OwnScore",
    "Parameter",
    "PlantScore",
    "Scene",
    "Score",
    "ScoreError",
    "combine",
    "frame_factor",
    "growth_seeds",
    "make_score",
    "parameters",
    "separate",
]
