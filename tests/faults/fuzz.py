"""Feed the readers of files with what they cannot expect.

Run it yourself: `python -m tests.faults.fuzz --seconds 60` tries what was never tried before,
`--rounds 4` the same each time. Whatever comes, a reader gives a value or the one error that it
promises, and never another.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
import zlib
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from PIL import Image

from evo import CheckpointError, Genetic, each, evolve
from evo.checkpoint import load, save
from experiments import Config, ConfigError, dump_config, parse_config
from fitness.images import read_image
from render import (
    FORMATS,
    Timing,
    Window,
    read_genome,
    write_animation,
    write_picture,
    write_png,
)
from render.terrain import HEIGHT_FORMATS, read_heights, write_heights

EXAMPLES = 300
"""Examples of each kind in a round."""

WINDOW = Window(8, 8, 1024)
SIGNATURE = b"\x89PNG\r\n\x1a\n"

TOML = """
name = "n"
seed = 1

[evolution]
population = 5
mutation = 0.5
founders = "uniform"

[picture]
root = [3, 4]

[[fitness]]
name = "coverage"
"""


def picture(folder: Path) -> bytes:
    """Return a good picture."""
    write_png(folder / "good.png", np.zeros((8, 8, 4), np.uint8), bytes(180), 1, 100,
              window=WINDOW, style="flat", oversample=1)  # fmt: skip
    return (folder / "good.png").read_bytes()


def pictures(folder: Path) -> list[bytes]:
    """Return a good picture of each format that holds a genome."""
    recipe = read_genome(folder / "good.png")
    for ending in FORMATS:
        write_picture(folder / f"good{ending}", recipe)
    write_animation(folder / "good.gif", recipe, Timing(duration=0.2, fps=10))
    return [(folder / f"good{ending}").read_bytes() for ending in (*FORMATS, ".gif")]


def targets(folder: Path) -> list[bytes]:
    """Return a good image of each format that people have."""
    made = Image.fromarray(np.eye(8, dtype=np.uint8) * 255)
    found = []
    for kind in ("PNG", "GIF", "WEBP", "TIFF", "JPEG", "BMP", "PPM", "TGA", "ICO", "DDS", "PCX"):
        made.save(folder / "target", kind)
        found.append((folder / "target").read_bytes())
    return found


def heights(folder: Path) -> list[tuple[str, bytes]]:
    """Return the endings of files of heights, each with a good file."""
    grid = np.arange(33.0 * 33).reshape(33, 33)
    found = []
    for ending in HEIGHT_FORMATS:
        path = folder / f"map{ending}"
        write_heights(path, grid)
        found.append((ending, path.read_bytes()))
    return found


def checkpoint(folder: Path) -> bytes:
    """Return a good checkpoint."""
    run = evolve(each(sum), Genetic(3), seed=1, generations=0)
    return save(folder, next(run)).read_bytes()


def harmed(data: bytes) -> st.SearchStrategy[bytes]:
    """Return ways to cut, change, double and insert bytes of a good file."""

    def apply(changes: list[tuple[str, int, int, bytes]]) -> bytes:
        made = bytearray(data)
        for kind, place, length, new in changes:
            at = place % (len(made) + 1)
            if kind == "cut":
                del made[at:]
            elif kind == "drop":
                del made[at : at + length]
            elif kind == "write":
                made[at : at + len(new)] = new
            elif kind == "insert":
                made[at:at] = new
            else:
                made[at:at] = made[at : at + length]
        return bytes(made)

    kinds = st.sampled_from(["cut", "drop", "write", "insert", "double"])
    step = st.tuples(kinds, st.integers(0, 2**20), st.integers(0, 300), st.binary(max_size=40))
    return st.lists(step, min_size=1, max_size=6).map(apply)


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return a PNG chunk with a right CRC, so that what is inside gets read."""
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(max_size=10) | st.sampled_from(
        ["genome", "seed", "width", "height", "unit", "root", "style", "oversample", "crc32",
         "growth_model", "max_circles"]), inner, max_size=12),
    max_leaves=20,
)  # fmt: skip

texts = st.one_of(values.map(lambda v: json.dumps(v).encode()), st.binary(max_size=300))


def built() -> st.SearchStrategy[bytes]:
    """Return pictures whose text is right as a chunk and wrong within."""

    def make(parts: list[tuple[bytes, bytes]]) -> bytes:
        header = (8).to_bytes(4, "big") * 2 + b"\x08\x06\x00\x00\x00"
        inner = b"".join(
            chunk(kind, b"evogarden\0" + (b"\0\0\0\0" if kind == b"iTXt" else b"")
                  + (b"\0" + zlib.compress(text) if kind == b"zTXt" else text))
            for kind, text in parts
        )  # fmt: skip
        body = chunk(b"IDAT", zlib.compress(bytes(8 * 33)))
        return SIGNATURE + chunk(b"IHDR", header) + inner + body + chunk(b"IEND", b"")

    kinds = st.sampled_from([b"tEXt", b"iTXt", b"zTXt"])
    return st.lists(st.tuples(kinds, texts), max_size=3).map(make)


def tables() -> st.SearchStrategy[str]:
    """Return TOML texts near a good one."""
    words = st.sampled_from(
        ["evolution", "population", "fitness", "name", "seed", "root", "picture", "plant", "nan",
         "inf", "true", "=", "[", "]", "[[", "]]", "{", "}", "'", '"', '"""', ".", "\n", " ", "-1",
         "1e999", "0x7f", "1979-05-27", "9" * 5000, ",", "#", "\u0000", "\ud7ff", "é"]
    )  # fmt: skip

    def make(changes: list[tuple[int, int, str]]) -> str:
        made = TOML
        for place, length, new in changes:
            at = place % (len(made) + 1)
            made = made[:at] + new + made[at + length :]
        return made

    step = st.tuples(st.integers(0, 500), st.integers(0, 30), words | st.text(max_size=12))
    return st.lists(step, min_size=1, max_size=8).map(make) | st.text(max_size=200)


def read_picture(path: Path, data: bytes) -> None:
    """A picture gives a recipe of 180 bytes, or ValueError."""
    path.write_bytes(data)
    try:
        recipe = read_genome(path)
    except ValueError:
        return
    assert len(recipe.genome) == 180


def read_target(path: Path, data: bytes) -> None:
    """An image gives pixels, or ValueError by the name of what it is for."""
    path.write_bytes(data)
    try:
        pixels = read_image("target", path)
    except ValueError as error:
        said = str(error)
    else:
        assert (pixels.dtype, pixels.shape[2]) == (np.uint8, 4)
        return
    assert said.startswith("target must ")


def read_ground(folder: Path, ending: str, data: bytes) -> None:
    """A file of heights gives a map that can be used, or ValueError."""
    path = folder / f"a{ending}"
    path.write_bytes(data)
    try:
        found = read_heights(path)
    except ValueError:
        return
    assert np.isfinite(found).all()


def read_config(text: str) -> None:
    """A text gives a config that comes back from its dump, or ConfigError."""
    try:
        config = parse_config(text, "fuzz")
    except ConfigError as error:
        said = str(error)
    else:
        assert isinstance(config, Config)
        assert parse_config(dump_config(config)) == config
        return
    assert said.startswith("fuzz: ")


def read_checkpoint(path: Path, data: bytes) -> None:
    """A file gives a generation, or CheckpointError."""
    path.write_bytes(data)
    try:
        found = load(path)
    except CheckpointError:
        return
    assert all(len(one) == 180 for one in found.generation.population)


def fuzz(folder: Path, examples: int, number: int) -> None:
    """Try so many examples of each kind."""
    with_settings = settings(
        max_examples=examples, deadline=None, database=None, derandomize=False,
        phases=(Phase.generate, Phase.shrink), suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    png, npz = picture(folder), checkpoint(folder)
    maps = [harmed(data).map(lambda d, e=ending: (e, d)) for ending, data in heights(folder)]
    given_all = [
        (harmed(png) | built(), lambda data: read_picture(folder / "a.png", data)),
        (st.one_of(map(harmed, pictures(folder))), lambda d: read_picture(folder / "a.png", d)),
        (st.one_of(map(harmed, targets(folder))), lambda d: read_target(folder / "a", d)),
        (st.one_of(maps), lambda pair: read_ground(folder, *pair)),
        (tables(), read_config),
        (harmed(npz) | st.binary(max_size=200), lambda d: read_checkpoint(folder / "1.npz", d)),
    ]
    for strategy, check in given_all:
        seed(number)(with_settings(given(strategy)(check)))()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    until = parser.add_mutually_exclusive_group()
    until.add_argument("--seconds", type=float, help="go on with seeds of the clock")
    until.add_argument("--rounds", type=int, default=4, help="so many, the same each time")
    asked = parser.parse_args()
    start = 1 if asked.seconds is None else time.time_ns()
    limit = time.monotonic() + (asked.seconds or 0)
    done = 0
    with tempfile.TemporaryDirectory() as place:
        while time.monotonic() < limit if asked.seconds else done < asked.rounds:
            fuzz(Path(place), EXAMPLES, start + done)
            done += 1
    print(f"{done} rounds of {EXAMPLES} files for each reader; first seed {start}")
    sys.exit(0)
