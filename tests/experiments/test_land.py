"""Terrain under an experiment: ground, roots, places, pictures, and mistakes."""

import json
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from evo import founders
from evo.genome import locus
from experiments import dump_config, parse_config, run
from experiments.config import ConfigError
from experiments.land import make_land
from experiments.problem import Problem
from render import diamond_square, ground_rows, midpoint_curve, over, read_genome, write_heights
from tests.experiments.conftest import TINY

HILL = """
[terrain]
kind = "curve"
iterations = 6
roughness = 0.9
seed = 4
"""
MAP = """
[terrain]
kind = "map"
iterations = 6
seed = 4
"""


def terrain(text, *overrides, scores=("coverage",)):
    head = TINY.split("[[fitness]]", maxsplit=1)[0]
    fitness = "".join(f'[[fitness]]\nname = "{name}"\n' for name in scores)
    return parse_config(f"{head}{text}{fitness}[parallel]\njobs = 1\n", "f.toml", overrides)


GENOMES = [bytes(genome) for genome in founders("seedling", 6, 8)]


def test_a_root_stands_on_the_ground_at_its_column():
    curve = midpoint_curve(6, 0.9, rng=4)
    rows = ground_rows(curve, 64, 64)
    problem = Problem(terrain(HILL))
    assert [window.root for window in problem.windows] == [(32, rows[32])]
    problem = Problem(terrain(HILL, "picture.root=[5, 60]"))
    assert [window.root for window in problem.windows] == [(5, rows[5])]
    problem = Problem(terrain(HILL, "picture.root=[-9, 60]"))
    assert [window.root for window in problem.windows] == [(-9, rows[0])]
    problem = Problem(terrain(HILL, "terrain.places=[0, 0.5, 1]"))
    assert [window.root for window in problem.windows] == [(c, rows[c]) for c in (0, 32, 63)]


def test_base_and_amplitude_reach_the_ground():
    problem = Problem(terrain(HILL, "terrain.base=0.5", "terrain.amplitude=0.25"))
    ground = problem.land.ground(problem.windows[0])
    assert np.array_equal(ground, ground_rows(midpoint_curve(6, 0.9, rng=4), 64, 64, 0.5, 0.25))
    assert not ground.flags.writeable


def test_a_map_is_rooted_at_its_middle_or_where_told():
    assert Problem(terrain(MAP)).windows[0].root == (32, 32)
    assert Problem(terrain(MAP, "picture.root=[3, 4]")).windows[0].root == (3, 4)
    seen = Problem(terrain(MAP)).land.seen_from_above(Problem(terrain(MAP)).windows[0])
    assert seen.shape == (64, 64)
    assert 0 <= seen.min() < 0.1
    assert 0.9 < seen.max() <= 1


def test_a_row_of_a_map_is_a_ground_line():
    heights = diamond_square(6, 1.0, rng=4, normalize="minmax")
    land = make_land(terrain(MAP, "terrain.row=7").terrain)
    assert np.array_equal(land.heights, heights[7])


def test_a_file_gives_a_map_or_a_line(tmp_path, monkeypatch):
    heights = diamond_square(5, 1.0, rng=1) * 800 + 1000
    write_heights(tmp_path / "dem.npz", heights, name="alps")
    monkeypatch.chdir(tmp_path)
    text = '[terrain]\nkind = "file"\nfile = "dem.npz"\n'
    assert np.array_equal(make_land(terrain(text).terrain).heights, heights)
    land = make_land(terrain(text, "terrain.row=3", "terrain.array=alps").terrain)
    assert np.array_equal(land.heights, heights[3])
    gap = heights.copy()
    gap[2, 2] = np.nan
    np.save(tmp_path / "gap.npy", gap)
    filled = make_land(terrain(text, "terrain.file=gap.npy", "terrain.fill=7").terrain)
    assert filled.heights[2, 2] == 7


def test_a_plant_is_scored_at_each_place():
    """Places are further samples, in the order of the places, each as if it were alone."""
    scores = ("terrain_rooted", "coverage")
    together = Problem(terrain(HILL, "terrain.places=[0.2, 0.7]", scores=scores))
    table = together.evaluator(GENOMES)
    assert table.shape == (6, 4, 3)
    for index, place in enumerate((0.2, 0.7)):
        alone = Problem(terrain(HILL, f"terrain.places=[{place}]", scores=scores))
        assert np.array_equal(table[:, 2 * index : 2 * index + 2], alone.evaluator(GENOMES))
    assert not np.array_equal(table[:, :2], table[:, 2:])
    assert table[..., 0].max() > 0


def test_the_garden_takes_the_best_plant_for_each_place():
    problem = Problem(terrain(HILL, "terrain.places=[0.2, 0.5, 0.8]"))
    values = np.array([[0.9, 0.8, 0.1], [0.7, 0.2, 0.3], [0.1, 0.1, 0.2]])  # genome, place
    tables = [np.stack([np.repeat(row, 2), np.ones(6)], axis=1) for row in values]
    assert problem.best_places(tables) == [0, 2, 1]
    assert problem.best_places(tables[:1]) == [0, 0, 0]
    assert problem.best_places(tables[:2]) == [0, 0, 1]


def test_a_scene_has_all_its_plants_on_the_land():
    problem = Problem(terrain(HILL, "terrain.places=[0.2, 0.8]", "picture.zoom=2"))
    scene = problem.scene(GENOMES[:2])
    assert scene.shape == (128, 128, 3)
    changed = (scene != problem.backdrop).any(axis=2)
    for place, genome in enumerate(GENOMES[:2]):
        plant = problem.draw(problem.recipe(genome, place))
        assert changed[plant[..., 3] == 255].mean() > 0.9
        column, row = problem.windows[place].root
        assert problem.recipe(genome, place).root == (2 * column, 2 * row)
    assert not changed[:4].any()
    assert changed.mean() < 0.5


@pytest.mark.parametrize(("px", "least"), [(4, 1024), (2, 726), (1, 363)])
def test_twigs_in_a_scene_are_lines_where_the_scores_see_them_so(px, least):
    """4 px of the world, or what a pixel of the scores' window widens discs to."""
    problem = Problem(terrain(HILL, f"picture.px_per_pixel={px}", "picture.zoom=2"))
    genes = founders("seedling", 6, 8)[0].genes.copy()
    genes[:, [locus("size"), locus("size_var")]] = 0
    genes[:, locus("size_step")] = 128
    recipe = problem.recipe(genes.tobytes())
    assert recipe.least_diameter == 0
    pictures = {
        wide: over(problem.backdrop, problem.draw(replace(recipe, least_diameter=wide)))
        for wide in (0, least // 2, least, 2 * least)
    }
    scene = problem.scene([recipe.genome])
    assert [wide for wide in pictures if np.array_equal(scene, pictures[wide])] == [least]


def test_a_run_on_a_hill_shows_it(tmp_path):
    config = terrain(HILL, "terrain.places=[0.25, 0.75]", scores=("terrain_fit", "coverage"))
    result = run(config, tmp_path / "run")
    names = {p.relative_to(result.path).as_posix() for p in result.path.rglob("*.png")}
    n = len(result.hall_of_fame)
    assert {f"{folder}/{k:03d}.png" for folder in ("hall_of_fame", "scenes")
            for k in range(1, n + 1)} | {"garden.png", "contact_sheet.png"} == names  # fmt: skip
    with Image.open(result.path / "scenes/001.png") as scene:
        assert scene.mode == "RGB"
        assert np.asarray(scene).std() > 20
    assert read_genome(result.path / "scenes/001.png").genome == result.hall_of_fame[0].genome
    fame = json.loads((result.path / "hall_of_fame.json").read_text())
    assert len(fame["garden"]) == 2
    assert all(1 <= rank <= n for rank in fame["garden"])


def test_a_run_without_terrain_has_no_scenes(finished):
    assert not (finished / "scenes").exists()
    assert not (finished / "garden.png").exists()


@pytest.mark.parametrize(
    ("text", "override", "message"),
    [
        (HILL, "terrain.kind=curv", "terrain.kind must be 'curve', 'map' or 'file', got 'curv'"),
        (HILL, "terrain.roughnes=1", "terrain.roughnes must be a known key (nearest: 'roughness')"),
        (HILL, "terrain.roughness=-1", "terrain.roughness must be at least 0.0, got -1"),
        (HILL, "terrain.roughness=nan", "terrain.roughness must be at least 0.0, got nan"),
        (HILL, "terrain.iterations=0", "terrain.iterations must be at least 1, got 0"),
        (HILL, "terrain.iterations=40", "terrain.iterations must be at most 12, got 40"),
        (HILL, "terrain.kind=file", "terrain: file must be given for the kind file"),
        (HILL, "terrain.file=a.npy", "terrain: file must be given for the kind file, and for it"),
        (HILL, "terrain.fill=1", "terrain: array and fill must be left out but for the kind file"),
        (HILL, "terrain.fill=far", "terrain.fill must be one of 'nearest', got 'far'"),
        (HILL, "terrain.row=1", "terrain: row must be left out for the kind curve, got 1"),
        (HILL, "terrain.amplitude=0.95", "terrain: amplitude must be at most base, 0.92, got 0.95"),
        (HILL, "terrain.places=[]", "terrain.places must have at least one place, got []"),
        (HILL, "terrain.places=[2]", "terrain.places.0 must be at most 1.0, got 2"),
        (MAP, "terrain.places=[0.5]", "terrain: places must be left out where a map is seen from"),
    ],
)
def test_mistakes_are_said_when_the_config_is_read(text, override, message):
    with pytest.raises(ConfigError) as error:
        terrain(text, override)
    assert str(error.value).startswith(f"f.toml: {message}")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "overrides", "scores", "message"),
    [
        (MAP, ["terrain.row=65"], ["coverage"], "terrain.row must be a row of the map, 0 to 64"),
        (
            MAP,
            [],
            ["terrain_fit"],
            "fitness terrain_fit must have ground to look at (a config's [terrain]), got None",
        ),
        (HILL, [], ["terrain_density"], "fitness terrain_density must have heights to look at"),
        (
            "",
            [],
            ["terrain_fit"],
            "fitness terrain_fit must have ground to look at (a config's [terrain]), got None",
        ),
        (
            MAP,
            ["fitness.0.low=5", "fitness.0.high=6"],
            ["terrain_density"],
            "terrain_density must be met by a cell: 5 to 6",
        ),
        (
            '[terrain]\nkind = "file"\nfile = "none.npy"\n',
            [],
            ["coverage"],
            "terrain.file must be a readable file, got '",
        ),
        (
            '[terrain]\nkind = "file"\nfile = "bad.npy"\n',
            [],
            ["coverage"],
            "file 'bad.npy': ",
        ),
    ],
)
def test_what_no_plant_could_meet_is_said_before_anything_is_made(
    text, overrides, scores, message, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.npy").write_bytes(b"not an array")
    with pytest.raises(ConfigError) as error:
        run(terrain(text, *overrides, scores=scores))
    assert str(error.value).startswith(message)
    assert [p.name for p in tmp_path.iterdir()] == ["bad.npy"]


def test_roughness_may_be_infinite(tmp_path):
    config = terrain(HILL, "terrain.roughness=inf")
    assert config.terrain.roughness == float("inf")
    assert parse_config(dump_config(config)) == config
    curve = midpoint_curve(6, float("inf"), rng=4)
    assert np.array_equal(make_land(config.terrain).heights, curve)


def test_a_file_of_heights_that_no_sum_could_hold_is_refused_before_the_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("dem.npy", np.array([[1.7e308, -1.7e308]] * 2))
    text = '[terrain]\nkind = "file"\nfile = "dem.npy"\n'
    for row in ("", "row = 0\n"):
        with pytest.raises(ValueError, match="heights must lie from -1e.100 to 1e.100"):
            _ = Problem(terrain(text + row)).land
