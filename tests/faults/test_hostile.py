"""What the readers make of files that mean harm; `tests.faults.fuzz` goes on for longer."""

import tracemalloc

import pytest

from render import read_genome
from tests.faults.fuzz import SIGNATURE, chunk, fuzz, picture


@pytest.mark.parametrize("number", [1, 2])
def test_a_round_of_fuzzing(tmp_path, number):
    fuzz(tmp_path, 150, number)


HEADER = chunk(b"IHDR", (8).to_bytes(4, "big") * 2 + b"\x08\x06\x00\x00\x00")
HOSTILE = {
    "a text of 2 MB": SIGNATURE + HEADER + chunk(b"tEXt", b"evogarden\0" + b"a" * 2_000_000),
    "a chunk said to be 2 GB": SIGNATURE + HEADER + b"\x7f\xff\xff\xfftEXtevogarden\0{}",
    "no end": SIGNATURE + HEADER,
    "no picture": b"evogarden",
    "nothing": b"",
    "nested text": SIGNATURE + HEADER + chunk(b"tEXt", b"evogarden\0" + b"[" * 50_000),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_pictures(tmp_path, kind):
    path = tmp_path / "a.png"
    path.write_bytes(HOSTILE[kind])
    tracemalloc.start()
    with pytest.raises(ValueError) as caught:
        read_genome(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert str(path) in str(caught.value)
    assert peak < 8_000_000


def test_one_digit_changed(tmp_path):
    data = picture(tmp_path)
    at = data.index(b'"genome"') + 20
    path = tmp_path / "b.png"
    path.write_bytes(data[:at] + b"1" + data[at + 1 :])
    with pytest.raises(ValueError, match=r"b\.png"):
        read_genome(path)
