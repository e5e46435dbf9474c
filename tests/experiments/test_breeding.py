import numpy as np
import pytest
from PIL import Image

from evo import Individual, mutate, uniform_crossover
from evo.chance import as_rng
from render import Recipe, draw, read_genome, write_picture
from tests.experiments.command_line import Command
from tests.render.plants import uniform

A = Recipe(uniform(6).tobytes(), 5, 900, 48, 30, 4096, (20, 28), "volume", 2)
B = Recipe(uniform(7).tobytes(), 9, 500, 20, 20, 2048, (10, 18), "flat", 1)


@pytest.fixture
def evogarden(monkeypatch, capsys, tmp_path) -> Command:
    monkeypatch.chdir(tmp_path)
    write_picture("a.png", A)
    write_picture("b.svg", B)
    return Command(monkeypatch, capsys)


def test_children_take_each_byte_from_a_parent_and_look_as_a_does(evogarden, tmp_path):
    code, said, _ = evogarden("breed", "a.png", "b.svg", "-n", 5, "-o", "deep/new folder")
    assert (code, said) == (0, "wrote 5 children and deep/new folder/sheet.png\n")
    folder = tmp_path / "deep" / "new folder"
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["01.png", "02.png", "03.png", "04.png", "05.png", "sheet.png"]
    first, second = (np.frombuffer(recipe.genome, np.uint8) for recipe in (A, B))
    genomes = []
    for name in names[:5]:
        recipe = read_genome(folder / name)
        child = np.frombuffer(recipe.genome, np.uint8)
        assert ((child == first) | (child == second)).all()
        assert 30 < np.count_nonzero(child == first) < 150
        assert (recipe.seed, recipe.window, recipe.style) == (A.seed, A.window, A.style)
        with Image.open(folder / name) as image:
            assert np.array_equal(np.asarray(image), draw(recipe))
        genomes.append(recipe.genome)
    assert len(set(genomes)) == 5
    # the first two share out the alleles of both parents
    pair = uniform_crossover(Individual(A.genome), Individual(B.genome), as_rng(0))
    assert genomes[:2] == [bytes(child) for child in pair]


def test_the_sheet_begins_with_both_parents(evogarden, tmp_path, monkeypatch):
    seen = {}
    monkeypatch.setattr(
        "experiments.cli.breeding.contact_sheet",
        lambda path, pictures, labels: seen.update(pictures=pictures, labels=labels),
    )
    assert evogarden("breed", "a.png", "b.svg", "-n", 3, "-o", "x")[0] == 0
    assert seen["labels"] == ["parent A", "parent B", "1", "2", "3"]
    assert np.array_equal(seen["pictures"][0], draw(A))


def test_one_seed_one_family(evogarden, tmp_path):
    for out, seed in (("x", 1), ("y", 1), ("z", 2)):
        assert evogarden("mutate", "a.png", "-n", 4, "-o", out, "--seed", seed)[0] == 0
    x, y, z = ([read_genome(tmp_path / f / "03.png").genome] for f in "xyz")
    assert x == y != z
    rng = as_rng(1)
    children = [bytes(mutate(Individual(A.genome), rng, 0.04, 0.5)) for _ in range(4)]
    assert x == children[2:3]


def test_a_rate_of_zero_is_the_parent(evogarden, tmp_path):
    assert evogarden("mutate", "a.png", "-n", 2, "--rate", 0, "-o", "x")[0] == 0
    assert read_genome(tmp_path / "x" / "02.png") == A


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["breed", "a.png", "a.png", "-o", "x"], "A and B must have different genomes"),
        (["breed", "a.png", "c.png", "-o", "x"], "picture must be a file to read"),
        (["breed", "a.png", "b.svg", "-o", "."], "--out must not exist yet, got '.'"),
        (["breed", "a.png", "b.svg", "-n", "0", "-o", "x"], "-n must be a whole number from 1"),
        (["breed", "a.png", "b.svg", "-o", "a.png/x"], "--out must be a file that can be written"),
        (["mutate", "a.png", "-n", "100000", "-o", "x"], "-n must be a whole number from 1"),
        (["mutate", "a.png", "--rate", "1.5", "-o", "x"], "--rate must be a finite number from 0"),
        (["mutate", "a.png", "--creep", "nan", "-o", "x"], "--creep must be"),
        (["mutate", "a.png", "--seed=-1", "-o", "x"], "--seed must be"),
        (["mutate", "a.png", "--size", "99999x99999", "-o", "x"], "width * height"),
    ],
)
def test_mistakes(evogarden, tmp_path, arguments, message):
    assert message in evogarden.refused(*arguments)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.png", "b.svg"]


def test_a_failure_leaves_no_folder(evogarden, tmp_path, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("experiments.cli.breeding.contact_sheet", full)
    message = evogarden.refused("mutate", "a.png", "-n", 2, "-o", "x")
    assert "--out must be a file that can be written (No space left on device)" in message
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.png", "b.svg"]


@pytest.mark.parametrize("command", [("breed", "a.png", "b.svg"), ("mutate", "a.png")])
def test_each_child_may_fill_its_picture(evogarden, tmp_path, command):
    assert evogarden(*command, "-n", 4, "-o", "x", "--fit", "--size", "60x60")[0] == 0
    assert evogarden(*command, "-n", 4, "-o", "y", "--size", "60x60")[0] == 0
    for name in ("01.png", "04.png"):
        filled, plain = read_genome(tmp_path / "x" / name), read_genome(tmp_path / "y" / name)
        assert filled.genome == plain.genome
        shown = draw(filled)[..., 3] > 0
        assert max(np.ptp(np.flatnonzero(shown.any(axis=k))) for k in (0, 1)) >= 56
