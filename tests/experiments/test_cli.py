"""The command line: what it prints, what it writes, and how mistakes end it."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from evo import founders, to_hex
from evo.files import write_atomic
from experiments.cli import main
from experiments.config_file import dump_config, load_config
from experiments.problem import Problem
from experiments.starters import starters, write_starter
from fitness import SCORES, parameters
from render import read_genome

HEX = to_hex(founders("seedling", 1, 3)[0])


@pytest.fixture
def evogarden(monkeypatch, capsys, tmp_path):
    """Call the command in an empty folder; returns exit status, stdout and stderr lines."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["evogarden", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return ended.value.code or 0, out, err

    return call


def files(folder):
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


@pytest.fixture
def config_file(tiny, tmp_path):
    path = tmp_path / "tiny.toml"
    path.write_text(dump_config(tiny))
    return path


def test_run_says_where_the_pictures_are(evogarden, config_file, tmp_path):
    status, out, err = evogarden("run", config_file)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == f"run directory: {Path('runs/tiny-5')}"
    assert lines[1].startswith("evaluating: in this process, kernel num")
    assert [line.split()[:2] for line in lines[2:7]] == [["generation", f"{n}/4"] for n in range(5)]
    assert lines[7] == "done after generation 4"
    assert lines[-2] == f"plants  {Path('runs/tiny-5/hall_of_fame')}"
    assert lines[-1] == f"sheet   {Path('runs/tiny-5/contact_sheet.png')}"
    with Image.open(tmp_path / "runs/tiny-5/contact_sheet.png") as sheet:
        assert np.asarray(sheet).std() > 5


def test_quiet_says_nothing(evogarden, config_file):
    assert evogarden("run", config_file, "--quiet") == (0, "", "")
    assert evogarden("resume", "runs/tiny-5", "--generations", 5, "--quiet") == (0, "", "")


def test_overrides_and_places(evogarden, config_file, tmp_path):
    status, _, _ = evogarden(
        "run", config_file, "--out", "here", "--set", "evolution.generations=1", "--jobs", 1,
        "--backend", "threading", "--kernel", "numpy", "--quiet",
    )  # fmt: skip
    assert status == 0
    text = (tmp_path / "here/config.toml").read_text()
    assert "generations = 1\n" in text
    assert 'kernel = "numpy"' in text
    manifest = json.loads((tmp_path / "here/manifest.json").read_text())
    assert manifest["parallel"] == {
        "jobs": 1,
        "backend": "threading",
        "scheduler": None,
        "kernel": "numpy",
    }
    assert manifest["growth_model"] == 1
    assert manifest["libraries"]["numpy"] == np.__version__


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "none.toml"], "config must be a readable file, got 'none.toml'"),
        (["run", "tiny.toml", "--set", "evolution.mutaton=1"], "(nearest: 'mutation'), got 1"),
        (["run", "tiny.toml", "--set", "picture.width=1000000000"], "width * height"),
        (["run", "tiny.toml", "--out", "."], "--out must not exist yet, got '.'"),
        (["run", "tiny.toml", "--out", "tiny.toml/x"], "--out must be a folder that can be made"),
        (["run", "tiny.toml", "--jobs", "0"], "parallel.jobs must be at least 1"),
        (["run", "tiny.toml", "--backend", "mpi"], "parallel.backend must be"),
        (["resume", "."], "run must be a folder that a run has made, got '.'"),
        (["resume", "none"], "run must be a folder that a run has made, got 'none'"),
        (["show", "none.png"], "picture must be a file to read"),
        (["show", "plain.png"], "hold one genome"),
        (["show", "tiny.toml"], "must be a PNG file"),
        (["show", "."], "run must be a folder that a run has made, got '.'"),
        (["grow", HEX[:-1], "-o", "a.png"], "genome must have 360 hex digits, got '359 char"),
        (["grow", HEX + "0", "-o", "a.png"], "genome must have 360 hex digits, got '361 char"),
        (["grow", "x" + HEX[1:], "-o", "a.png"], "genome must have hex digits alone, got 'x'"),
        (["grow", HEX, "-o", "a.jpg"], "--out must end in"),
        (["grow", HEX, "-o", "none/a.png"], "--out must be a file that can be written"),
        (["grow", HEX, "-o", "plain.png"], "--out must not exist yet, or --force be given"),
        (["grow", HEX, "-o", "a.png", "--size", "9"], "--size must have the form WxH, got '9'"),
        (["grow", HEX, "-o", "a.png", "--size=-1x9"], "width must be"),
        (["grow", HEX, "-o", "a.png", "--size", "40000x40000"], "width * height"),
        (["grow", HEX, "-o", "a.png", "--seed=-1"], "seed must be a whole number"),
        (["grow", HEX, "-o", "a.png", "--style", "sketch"], "--style must be"),
        (["grow", HEX, "-o", "a.png", "--oversample", "-2"], "oversample must be"),
        (["grow", HEX, "-o", "a.png", "--oversample", "0"], "oversample must be"),
        (["grow", "plain.png", "-o", "a.png"], "hold one genome"),
        (["new", "tiny.toml"], "FILE must not exist yet, got 'tiny.toml'"),
        (["new", "a.toml", "--from", "medow"], "(nearest: 'meadow'), got 'medow'"),
        (["new", "none/a.toml"], "No such file"),
    ],
)
def test_a_mistake_is_one_message_exit_2_and_nothing_written(
    evogarden, config_file, tmp_path, arguments, message
):
    Image.new("RGBA", (4, 4)).save(tmp_path / "plain.png")
    before = files(tmp_path)
    status, out, err = evogarden(*arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.startswith("evogarden: ")
    assert "Traceback" not in err
    assert files(tmp_path) == before


@pytest.mark.parametrize(
    "arguments", [["rum"], ["run"], ["grow", HEX], ["run", "a", "--jobs", "x"]]
)
def test_unknown_words_exit_2(evogarden, arguments):
    status, _, err = evogarden(*arguments)
    assert status == 2
    assert "Traceback" not in err


def test_new_writes_each_starter(evogarden, tmp_path):
    for name, text in starters().items():
        status, out, _ = evogarden("new", f"{name}.toml", "--from", name)
        assert status == 0
        assert f"evogarden run {name}.toml" in out
        assert (tmp_path / f"{name}.toml").read_text() == text
        Problem(load_config(tmp_path / f"{name}.toml")).prepare()


def test_new_writes_the_image_of_a_starter_beside_it(evogarden, tmp_path):
    status, out, _ = evogarden("new", "a.toml", "--from", "topiary")
    assert status == 0
    assert out == "wrote a.toml and horse.png; run it with: evogarden run a.toml\n"
    with Image.open(tmp_path / "horse.png") as image:
        assert image.size == (256, 256)
        assert 0.15 < 1 - np.asarray(image).mean() < 0.35
    status, out, _ = evogarden("new", "b.toml", "--from", "topiary")
    assert (status, out) == (0, "wrote b.toml; run it with: evogarden run b.toml\n")
    (tmp_path / "horse.png").write_bytes(b"a horse of my own")
    status, _, err = evogarden("new", "c.toml", "--from", "topiary")
    assert status == 2
    assert "horse.png must not be another image beside FILE, got 'horse.png'" in err
    assert (tmp_path / "horse.png").read_bytes() == b"a horse of my own"
    assert not (tmp_path / "c.toml").exists()


def test_new_leaves_nothing_when_it_fails(monkeypatch, tmp_path):
    def no_room(path, content):
        if path.suffix == ".toml":
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        write_atomic(path, content)

    monkeypatch.setattr("experiments.starters.write_atomic", no_room)
    with pytest.raises(OSError, match="No space left"):
        write_starter("topiary", tmp_path / "a.toml")
    assert list(tmp_path.iterdir()) == []


def test_show_lists_the_hall_of_fame(evogarden, finished):
    status, out, _ = evogarden("show", finished)
    assert status == 0
    for word in ("tiny, seed 5", "unseen", "coverage", "symmetry", "frame", "generation"):
        assert word in out
    fame = json.loads((finished / "hall_of_fame.json").read_text())
    for entry in fame["entries"]:
        assert f"{entry['score']:.4f}" in out
        assert entry["genome"][:12] in out


def test_show_lists_a_genome_gene_by_gene(evogarden, finished):
    path = finished / "hall_of_fame/001.png"
    status, out, _ = evogarden("show", path)
    recipe = read_genome(path)
    assert status == 0
    assert recipe.genome.hex() in out
    assert str(recipe.seed) in out
    lengths = next(line for line in out.splitlines() if line.strip().startswith("length "))
    assert lengths.split()[1:11] == [str(b) for b in recipe.genome[9::18]]


def test_grow_draws_the_same_view_at_another_size(evogarden, finished, tmp_path):
    source = finished / "hall_of_fame/001.png"
    assert evogarden("grow", source, "-o", "same.png")[0] == 0
    with Image.open(source) as old, Image.open(tmp_path / "same.png") as new:
        assert np.array_equal(np.asarray(old), np.asarray(new))
    assert evogarden("grow", source, "-o", "large.png", "--size", "512x512")[0] == 0
    small, large = read_genome(source), read_genome(tmp_path / "large.png")
    assert (large.unit * large.width, large.genome) == (small.unit * small.width, small.genome)
    assert large.root == (small.root[0] * 4, small.root[1] * 4)


def test_grow_of_hex_digits_and_of_a_wide_picture(evogarden, tmp_path):
    assert evogarden("grow", HEX, "-o", "wide.png", "--size", "900x300", "--style", "flat")[0] == 0
    recipe = read_genome(tmp_path / "wide.png")
    assert (recipe.width, recipe.height, recipe.style) == (900, 300, "flat")
    # Nothing of the default view is left out: its height decides.
    assert recipe.unit * 300 >= 512 * 512
    with Image.open(tmp_path / "wide.png") as picture:
        assert np.asarray(picture)[..., 3].any()
    assert evogarden("grow", HEX, "-o", "wide.png", "--force")[0] == 0


def test_fitness_lists_every_score_and_parameter(evogarden):
    _, out, _ = evogarden("fitness")
    for name, score in SCORES.items():
        assert name in out
        for parameter in parameters(score):
            assert f"{parameter.name}:" in out


def test_schema_is_a_json_schema(evogarden):
    _, out, _ = evogarden("schema")
    schema = json.loads(out)
    assert set(schema["required"]) == {"name", "seed", "fitness"}
    assert "probability that a byte mutates" in out


def test_version(evogarden):
    status, out, _ = evogarden("--version")
    assert status == 0
    assert out.startswith("evogarden")


def test_a_score_that_raises_names_it_and_leaves_a_checkpoint(evogarden, config_file, tmp_path):
    (tmp_path / "broken_score.py").write_text("def half(scene):\n    return 1 / 0\n")
    sys.path.insert(0, str(tmp_path))
    try:
        status, _, err = evogarden("run", config_file, "--set", "fitness.0.name=broken_score:half")
    finally:
        sys.path.remove(str(tmp_path))
    assert status == 1
    assert "generation 0" in err
    assert "broken_score:half" in err
    assert "ZeroDivisionError" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_end_a_run_at_once(config_file, tmp_path, number, status):
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-m", "experiments"]
    long = ["--set", "evolution.generations=5000", "--jobs", "2"]
    process = subprocess.Popen(
        [*command, "run", str(config_file), "--out", "run", *long],
        cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    while process.stdout.readline().split()[:1] != ["generation"]:
        assert process.poll() is None, process.stderr.read()
    began = time.monotonic()
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert process.returncode == status, err
    assert time.monotonic() - began < 5
    assert "evogarden resume" in err
    assert "Traceback" not in err


def test_compare_prints_the_table(evogarden, config_file, tmp_path):
    arguments = ("--searches", "hill, ga", "--repeats", 2, "--evaluations", 15, "--jobs", 1)
    status, out, _ = evogarden("compare", config_file, *arguments)
    assert status == 0
    assert "tiny: 15 evaluations, 2 seeds" in out
    assert "4/4  ga, seed 6: 0." in out
    folder = tmp_path / "runs" / "tiny-compare"
    assert f"curves  {Path('runs/tiny-compare/curves.svg')}" in out
    assert (folder / "table.md").is_file()
    status, out, _ = evogarden("compare", config_file, *arguments, "--out", folder, "--quiet")
    assert (status, out) == (0, "")


def test_compare_refuses_what_it_cannot_do(evogarden, config_file, tmp_path):
    for arguments, words in (
        (("--searches", "gaa"), "evolution.search must be"),
        (("--repeats", 0), "repeats must be a whole number from 1"),
        (("--level", "nan"), "level must be a finite number"),
        (("--out", config_file), "--out must be a folder"),
    ):
        before = files(tmp_path)
        status, _, err = evogarden("compare", config_file, *arguments)
        assert status == 2
        assert words in err
        assert "Traceback" not in err
        assert files(tmp_path) == before
