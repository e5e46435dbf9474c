import pickle

import numpy as np
import pytest

from evo import Pool
from evo.genome import locus
from evo.scoring import GenomeError
from fitness import SCORES, Evaluator, OwnScore, Scene, ScoreError, frame_factor, growth_seeds
from render import Window, grow, rasterize, silhouette, summarize


def genome(length=20, children=100, vary=0):
    genes = np.full((10, 18), 128, np.uint8)
    genes[:, locus("length")] = length
    genes[:, locus("children")] = children
    genes[:, [locus("heading_var"), locus("length_var")]] = vary
    genes[:, locus("spread")] = 60
    genes[6:, locus("length")] = 0
    return genes.tobytes()


WINDOW = Window(96, 96)
GENOMES = [genome(), genome(30, vary=90), genome(60)]
SEEDS = growth_seeds(3, 2)


def halves(scene):
    return scene.rgba[:, :, 0].mean() / 255


def failing(scene):
    raise RuntimeError("no idea")


def make(*scores, **options):
    scores = scores or (SCORES["coverage"](), SCORES["symmetry"]())
    return Evaluator(**{"scores": scores, "window": WINDOW, "seeds": SEEDS, **options})


def test_the_table_is_what_each_score_says_of_each_plant():
    table = make()(GENOMES)
    assert table.shape == (3, 2, 3)
    assert table.dtype == np.float64
    for i, bytes_ in enumerate(GENOMES):
        for j, seed in enumerate(SEEDS):
            mask, summary = silhouette(bytes_, seed, WINDOW)
            scene = Scene(mask=mask, root=WINDOW.root)
            want = [SCORES["coverage"]()(scene), SCORES["symmetry"]()(scene), frame_factor(summary)]
            assert table[i, j].tolist() == want
    assert not np.array_equal(table[1, 0], table[1, 1])  # growth seeds matter where genes vary


def test_a_batch_is_its_parts():
    evaluator = make()
    whole = evaluator(GENOMES)
    assert np.array_equal(whole, np.concatenate([evaluator(GENOMES[:1]), evaluator(GENOMES[1:])]))
    assert evaluator([]).shape == (0, 2, 3)


def test_kernels_agree_to_the_last_bit():
    assert np.array_equal(make(kernel="numpy")(GENOMES), make()(GENOMES))


def test_colors_and_circles_where_a_score_asks_for_them():
    seen = []
    make(OwnScore(lambda scene: seen.append(scene) or 0.5), seeds=(7,))(GENOMES[:1])
    (scene,) = seen
    circles = grow(GENOMES[0], 7)
    rgba = rasterize(circles, 96, 96, style="flat")
    assert np.array_equal(scene.rgba, rgba)
    assert np.array_equal(scene.mask, rgba[:, :, 3] == 255)
    assert np.array_equal(scene.circles.x, circles.x)
    assert scene.summary == summarize(circles, WINDOW)


def test_only_what_is_needed_is_made():
    seen = []
    watch = OwnScore(lambda scene: seen.append(scene) or 0.5, needs=frozenset({"mask"}))
    make(watch, seeds=(7,))(GENOMES[:1])
    assert seen[0].rgba is None
    assert seen[0].circles is None
    assert seen[0].summary == silhouette(GENOMES[0], 7, WINDOW)[1]


def test_an_empty_plant_has_zeros_alone():
    for frame in (True, False):
        assert not make(frame=frame, max_circles=0)(GENOMES).any()


def test_the_frame_factor_has_a_switch():
    far = Window(96, 96, root=(2, 90))
    assert 0 < make(window=far)(GENOMES[:1])[0, 0, -1] < 1
    assert make(window=far, frame=False)(GENOMES[:1])[0, 0, -1] == 1.0


def test_it_goes_to_workers():
    evaluator = make()
    copy = pickle.loads(pickle.dumps(evaluator))
    assert np.array_equal(copy(GENOMES), evaluator(GENOMES))


def test_what_was_prepared_for_the_ground_is_found_again_in_a_worker(monkeypatch):
    score = SCORES["terrain_band"]()
    evaluator = pickle.loads(pickle.dumps(make(score, ground=np.full(96, 80.0))))
    monkeypatch.setattr(type(score), "wanted", None)  # so that making it again would fail
    assert evaluator(GENOMES).shape == (len(GENOMES), len(SEEDS), 2)


def test_a_score_that_raises_is_named_with_its_genome():
    with pytest.raises(ScoreError) as error:
        make(SCORES["coverage"](), OwnScore(failing))(GENOMES)
    assert error.value.score == "failing"
    assert error.value.index == 0
    assert error.value.genome == GENOMES[0].hex()
    want = "score failing raised RuntimeError: no idea"
    assert str(error.value) == want
    copy = pickle.loads(pickle.dumps(error.value))
    assert str(copy) == want
    assert isinstance(error.value.__cause__, RuntimeError)


def failing_at_last(scene):
    if scene.area == LAST_AREA:
        raise RuntimeError("no idea")
    return 0.5


LAST_AREA = next(make().scenes(GENOMES[-1])).area


def test_a_pool_names_the_genome_that_failed_wherever_it_stands():
    index = len(GENOMES) - 1
    with Pool(make(OwnScore(failing_at_last)), jobs=1) as pool, pytest.raises(GenomeError) as error:
        pool(GENOMES)
    assert error.value.index == index
    assert error.value.genome == GENOMES[index]
    assert str(error.value) == (
        f"index {index}, genome {GENOMES[index].hex()}: "
        "ScoreError: score failing_at_last raised RuntimeError: no idea"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scores": ()}, r"scores must hold at least one, got \(\)"),
        ({"seeds": ()}, r"seeds must hold at least one, got \(\)"),
        ({"seeds": (-1,)}, "seed must be a whole number from 0 to 18446744073709551615, got -1"),
        ({"ground": np.zeros(5)}, r"ground must have shape \(96,\)"),
        (
            {"scores": (OwnScore(halves, needs=frozenset({"ground"})),)},
            "fitness halves must have ground to look at .*terrain.*, got None",
        ),
    ],
)
def test_bad_settings_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        make(**options)


def test_scores_that_can_be_cheated_alone_are_said():
    said = "{} alone can be cheated: add a score such as coverage or symmetry"
    weak = SCORES["balance"](), SCORES["branching"]()
    assert make(weak[0]).notes == (said.format("balance"),)
    assert make(*weak).notes == (said.format("balance and branching"),)
    assert make(*weak, SCORES["coverage"]()).notes == ()
    assert make(OwnScore(halves)).notes == ()
    assert make(weak[0], guides=[SCORES["coverage"]()]).notes == (said.format("balance"),)
    shape = np.zeros((96, 96), bool)
    shape[20:60, 20:40] = True
    silhouette = SCORES["silhouette"]
    assert make(silhouette(image=shape)).notes == ()
    assert make(silhouette(image=shape, reach=0.1)).notes == (said.format("silhouette"),)


def test_guides_stand_behind_the_scores():
    scores = SCORES["coverage"](), SCORES["symmetry"]()
    both = make(*scores)(GENOMES)
    guided = make(scores[0], guides=[scores[1]])
    assert np.array_equal(guided(GENOMES), both)
    assert guided.scores == scores[:1]
    with pytest.raises(ValueError, match="fitness terrain_band must have ground to look at"):
        make(scores[0], guides=[SCORES["terrain_band"]()])


def test_large_windows_are_drawn_a_few_at_a_time(monkeypatch):
    want = make(seeds=range(5))(GENOMES)
    monkeypatch.setattr("fitness.evaluator._PIXELS_AT_ONCE", 2 * 96 * 96)
    assert np.array_equal(make(seeds=range(5))(GENOMES), want)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_not_finite_is_passed_on_and_never_clipped(value, monkeypatch):
    coverage = SCORES["coverage"]()
    monkeypatch.setattr(type(coverage), "value", lambda self, scene: value)
    table = make(coverage)(GENOMES[:1])
    assert repr(table[0, 0, 0]) == repr(np.float64(value))


@pytest.mark.parametrize("failure", [SystemExit(0), GeneratorExit("x")])
def test_a_score_that_exits_is_a_score_that_fails(failure):
    def leaves(scene):
        raise failure

    with pytest.raises(ScoreError, match=f"leaves raised {type(failure).__name__}"):
        make(OwnScore(leaves))(GENOMES)
