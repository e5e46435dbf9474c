"""Pictures that win a naive form of a score, and that each score has to refuse.

Refused means at most .2 and below the median of seedling founders in the same window.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from evo import founders
from evo.genome import locus
from fitness import SCORES, Evaluator, Scene, combine, frame_factor, growth_seeds, make_score
from render import Summary, Window
from tests.fitness import pictures

ROWS = np.arange(256)[:, None]
X = np.linspace(0, 1, 256)
GROUND = np.rint(200 + 25 * np.sin(7 * X) + 12 * np.sin(19 * X)).astype(int)
GROUND.flags.writeable = False
HEIGHTS = np.tile(0.5 + 0.4 * np.sin(9 * X), (256, 1))
HEIGHTS.flags.writeable = False
SHAPE = pictures.disc(70, 120)


def over(low, high):
    """The pixels from `low` to `high` px over the ground."""
    return (GROUND - low > ROWS) & (GROUND - high <= ROWS)


FULL = {"full canvas": pictures.full()}
POINTLIKE = {"single pixel": pictures.single_pixel()}
NOISE = {"noise": pictures.noise(), "mirrored noise": pictures.mirrored_noise()}
SOLID = {
    "disc": pictures.disc(),
    "bar on the ground": pictures.bar(220, 20),
    "floating bar": pictures.bar(100, 40),
    "solid hedge": pictures.hedge(),
    "low hedge": pictures.bar(210, 30),
}
ALOFT = {"floating copy of the ground": over(40, 60), "floating bar": pictures.bar(60, 20)}
CARPETS = {"three-pixel carpet": over(0, 3)}
STEM = (np.abs(np.arange(256) - 128) < 2) & over(0, 40)
STROKES = {
    "stroke along the slope": over(14, 17) | STEM & over(0, 14),
    "stroke high along the slope": over(37, 40) | STEM,
    "strokes along the slope, mostly in the ground": pictures.slope_strokes(int(GROUND[128])),
    "cover of the slope, mostly in the ground": (GROUND - 20 <= ROWS) & (GROUND + 25 > ROWS),
}

CHEATS = {
    "coverage": {**FULL, **SOLID, **NOISE, **POINTLIKE, "pole": pictures.pole()},
    "symmetry": {
        **FULL,
        **SOLID,
        **NOISE,
        **POINTLIKE,
        "pole": pictures.pole(),
        "grid": pictures.grid(),
    },
    "symmetry fitted": {**FULL, **SOLID, **NOISE, **POINTLIKE, "pole": pictures.pole()},
    "light": {**FULL, **SOLID, **NOISE, **POINTLIKE},
    "silhouette outline": {
        **FULL,
        **SOLID,
        **NOISE,
        **POINTLIKE,
        "solid shape": SHAPE,
        "solid shape, smaller": pictures.disc(64, 120),
    },
    "terrain_rooted": {**FULL, **ALOFT, **CARPETS, "all under ground": ROWS >= GROUND},
    "terrain_follow": {
        **FULL,
        **ALOFT,
        **CARPETS,
        **STROKES,
        **POINTLIKE,
        "pole": pictures.pole(),
    },
    "terrain_fit": {**FULL, **ALOFT, **CARPETS, **POINTLIKE, "all under ground": ROWS >= GROUND},
    "terrain_density": POINTLIKE,
}
"""Cheats by score."""

PAIRS = [(case, cheat) for case, cheats in CHEATS.items() for cheat in cheats]

PARAMETERS = {
    "symmetry fitted": ("symmetry", {"axis": "fitted"}),
    "silhouette outline": ("silhouette", {"kind": "outline", "image": SHAPE}),
    "terrain_density": ("terrain_density", {"slope_max": 100.0}),
}


@cache
def make(case):
    return make_score(*PARAMETERS.get(case, (case, {})))


def window_of(case):
    root = (128, int(GROUND[128])) if case.startswith("terrain") else pictures.ROOT
    return Window(256, 256, root=(128, 128) if case == "terrain_density" else root)


def scene_of(case, mask):
    return Scene(mask=mask, root=window_of(case).root, ground=GROUND, heights=HEIGHTS)


@cache
def median_seedling(case):
    """Median score of 40 seedlings."""
    evaluator = Evaluator((make(case),), window_of(case), ground=GROUND, heights=HEIGHTS)
    return float(np.median(evaluator([bytes(one) for one in founders("seedling", 40, 3)])[:, 0, 0]))


@pytest.mark.parametrize(("case", "cheat"), PAIRS, ids=map(" - ".join, PAIRS))
def test_cheats_are_refused(case, cheat):
    value = make(case)(scene_of(case, CHEATS[case][cheat]))
    assert value <= 0.2
    assert value < median_seedling(case)


@pytest.mark.parametrize("cheat", ["full canvas", "noise", "grid"])
def test_an_even_cover_of_a_map_most_of_which_suits_is_refused(cheat):
    """Histograms alone overlap by two thirds; what a search finds instead reaches .6."""
    mask = {**FULL, **NOISE, "grid": pictures.grid()}[cheat]
    y, x = ROWS / 256, np.arange(256) / 256
    heights = 0.5 + 0.3 * np.sin(6 * x) * np.cos(4 * y) + 0.1 * np.sin(14 * x + 9 * y)
    score = SCORES["terrain_density"]()
    even = 1 / 32**2
    assert np.minimum(score.suitability(heights), even).sum() > 0.6
    assert score(Scene(mask=mask, root=(128, 128), heights=heights)) < 0.1


def test_a_half_of_the_plant_outside_is_refused_by_the_frame_factor():
    half = Summary(n_circles=10, off=60, total=100, forks=0, truncated=False)
    assert frame_factor(half) <= 0.2
    assert combine(np.array([[[1.0, frame_factor(half)]]]))[0] <= 0.2


def test_a_lucky_growth_seed_shows_on_unseen_ones_and_costs_by_risk():
    genomes = np.array([one.genes for one in founders("seedling", 30, 8)])
    variation = [locus(name) for name in ("length_var", "heading_var", "size_var")]
    genomes[:, :, variation] = 120
    genomes[15:, :, variation] = 0
    pool = [genome.tobytes() for genome in genomes]

    def table(seeds):
        return Evaluator((make("symmetry"),), window_of("symmetry"), seeds)(pool)

    seen, unseen = table(growth_seeds(5, 4)), table(growth_seeds(5, 4, "unseen"))
    first, mean, cautious = combine(seen[:, :1]), combine(seen), combine(seen, risk=1.0)
    lucky = int(first[:15].argmax())
    assert combine(unseen)[lucky] < first[lucky]
    assert cautious[lucky] < mean[lucky]
    assert cautious[15:] == pytest.approx(mean[15:])  # without variation there is no luck
    assert combine(unseen)[15:] == pytest.approx(first[15:])


@pytest.mark.parametrize("case", ["coverage", "symmetry", "symmetry fitted", "light"])
def test_plants_are_not_refused(case):
    assert make(case)(scene_of(case, pictures.tree())) > 0.5


def test_what_is_accepted_on_purpose():
    grid = pictures.grid()
    assert SCORES["coverage"]()(scene_of("coverage", grid)) > 0.95  # it is even cover
    for mask in (pictures.full(), pictures.pole(), pictures.bar(100, 40)):
        assert SCORES["mirror_iou"]()(scene_of("", mask)) == 1.0  # bare, for comparison
    hedge = over(0, 60)
    assert make("terrain_fit")(scene_of("terrain_fit", hedge)) == 1.0  # that is what was asked
