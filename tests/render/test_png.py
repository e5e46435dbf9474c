import json
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from evo.individual import Individual
from render import Window, grow, rasterize, read_genome, write_png
from tests.render.plants import uniform

GENOME = uniform(6).tobytes()
SEED = 2**64 - 1


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    window = Window(40, 30, 2048)
    rgba = rasterize(grow(GENOME, SEED, 900), 40, 30, 2048, style="volume", oversample=2)
    path = tmp_path / "plant.png"
    write_png(path, rgba, GENOME, SEED, 900, window=window, style="volume", oversample=2)
    return path


def chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    at, out = 8, []
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        out.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    return out


def joined(parts: list[tuple[bytes, bytes]]) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in parts
    )


def with_text(path: Path, text: bytes) -> Path:
    parts = [
        (kind, b"evogarden\0" + text if kind == b"tEXt" else body)
        for kind, body in chunks(path.read_bytes())
    ]
    path.write_bytes(joined(parts))
    return path


def with_fields(path: Path, **changed: object) -> Path:
    """The picture with other fields, under a crc32 that is right for them."""
    text = dict(chunks(path.read_bytes()))[b"tEXt"].split(b"\0")[1]
    fields = json.loads(text) | changed
    fields = {k: v for k, v in fields.items() if v != "gone" and k != "crc32"}
    canonical = json.dumps(fields, sort_keys=True, separators=(",", ":"))
    return with_text(path, json.dumps(fields | {"crc32": zlib.crc32(canonical.encode())}).encode())


def test_a_picture_can_be_drawn_again(picture):
    recipe = read_genome(picture)
    assert recipe.genome == GENOME
    assert (recipe.seed, recipe.max_circles) == (SEED, 900)
    assert (recipe.width, recipe.height, recipe.unit, recipe.root) == (40, 30, 2048, (20, 28))
    assert (recipe.style, recipe.oversample, recipe.growth_model) == ("volume", 2, 1)
    assert recipe.window == Window(40, 30, 2048)
    circles = grow(recipe.genome, recipe.seed, recipe.max_circles)
    again = rasterize(circles, 40, 30, 2048, recipe.root, recipe.style, recipe.oversample)
    assert np.array_equal(np.asarray(Image.open(picture)), again)


def test_the_chunk_is_plain_json_before_the_pixels(picture):
    kinds = [kind for kind, _ in chunks(picture.read_bytes())]
    assert kinds.index(b"tEXt") < kinds.index(b"IDAT")
    with Image.open(picture) as image:
        fields = json.loads(image.text["evogarden"])
    assert fields["growth_model"] == 1
    assert fields["genome"] == GENOME.hex()
    assert fields["seed"] == str(SEED)
    assert isinstance(fields["crc32"], int)


def test_default_window_read_only_pixels_and_individuals(tmp_path):
    pixels = np.full((20, 30, 3), 7, np.uint8)
    pixels.flags.writeable = False
    write_png(tmp_path / "a.png", pixels, Individual(GENOME))
    assert read_genome(tmp_path / "a.png").window == Window(30, 20)
    assert read_genome(str(tmp_path / "a.png")).seed == 0
    assert [p.name for p in tmp_path.iterdir()] == ["a.png"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rgba": np.zeros((4, 4), np.uint8)}, r"rgba must be a uint8 array .* \(4, 4\)"),
        ({"rgba": np.zeros((4, 4, 4))}, "rgba must be a uint8 array .* float64"),
        ({"rgba": np.zeros((0, 4, 4), np.uint8)}, "rgba must be"),
        ({"rgba": [[0]]}, "rgba must be"),
        ({"genome": b"\0" * 179}, "genome must hold 180 bytes"),
        ({"seed": -1}, "seed must be"),
        ({"max_circles": 1.5}, "max_circles must be"),
        ({"style": "sketch"}, "style must be one of"),
        ({"oversample": 3}, "oversample must divide the unit 1024, got 3"),
    ],
)
def test_wrong_arguments_write_nothing(tmp_path, options, message):
    arguments = {"rgba": np.zeros((4, 4, 4), np.uint8), "genome": GENOME, **options}
    with pytest.raises(ValueError, match=message):
        write_png(tmp_path / "a.png", **arguments)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_an_os_error(tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        write_png(tmp_path / "nowhere" / "a.png", np.zeros((4, 4, 4), np.uint8), GENOME)


def test_no_such_file(tmp_path):
    with pytest.raises(ValueError, match=r"picture must be a file to read .*got '.*none\.png'"):
        read_genome(tmp_path / "none.png")
    with pytest.raises(ValueError, match="picture must be a file to read"):
        read_genome(tmp_path)


def test_not_a_png(tmp_path):
    for data in (b"", b"BM" + bytes(50), b"\x89PNG\r\n"):
        (tmp_path / "a.png").write_bytes(data)
        with pytest.raises(ValueError, match=r"a\.png must be a PNG file"):
            read_genome(tmp_path / "a.png")


def test_no_chunk(tmp_path):
    Image.new("RGBA", (5, 5)).save(tmp_path / "a.png")
    with pytest.raises(ValueError, match=r"a\.png must hold one genome .*got 0"):
        read_genome(tmp_path / "a.png")


def test_cut_short_anywhere(picture):
    data = picture.read_bytes()
    for n in {*range(8, len(data), 97), *range(8, 60), len(data) - 1, len(data) - 12}:
        picture.write_bytes(data[:n])
        with pytest.raises(ValueError, match=r"must be a whole PNG file|must be a PNG"):
            read_genome(picture)


def test_one_byte_changed_anywhere(picture):
    data = picture.read_bytes()
    for at in range(0, len(data), 7):
        wrong = bytearray(data)
        wrong[at] ^= 1
        picture.write_bytes(wrong)
        with pytest.raises(ValueError, match=r"plant\.png must"):
            read_genome(picture)


def test_one_digit_changed_under_a_right_chunk_crc(picture):
    text = dict(chunks(picture.read_bytes()))[b"tEXt"].split(b"\0")[1]
    for at, byte in enumerate(text):
        if chr(byte).isdigit():
            wrong = bytearray(text)
            wrong[at] = ord("1") if byte != ord("1") else ord("2")
            with pytest.raises(ValueError, match=r"plant\.png must have an undamaged chunk"):
                read_genome(with_text(picture, bytes(wrong)))


def test_oversized_chunk(picture):
    with_text(picture, b'{"genome": "' + b"0" * 2_000_000 + b'"}')
    with pytest.raises(ValueError, match=r"must have a chunk 'evogarden' of at most 65536 bytes"):
        read_genome(picture)


def test_another_large_text_is_passed_over(picture):
    parts = chunks(picture.read_bytes())
    parts.insert(1, (b"tEXt", b"Comment\0" + b"x" * 2_000_000))
    picture.write_bytes(joined(parts))
    assert read_genome(picture).genome == GENOME


def test_two_genomes_or_one_after_the_pixels(picture):
    parts = chunks(picture.read_bytes())
    text = next(part for part in parts if part[0] == b"tEXt")
    picture.write_bytes(joined([parts[0], text, *parts[1:]]))
    with pytest.raises(ValueError, match=r"must hold one genome .* got 2"):
        read_genome(picture)
    late = [part for part in parts if part[0] != b"tEXt"]
    late.insert(-1, text)
    picture.write_bytes(joined(late))
    with pytest.raises(ValueError, match=r"before the pixels.* got 0"):
        read_genome(picture)


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b"null", b"{", b"[" * 60_000, b"\xff\xfe", b'{"genome": __import__("os")}', b"{}"],
)
def test_no_json(picture, text):
    with pytest.raises(ValueError, match="must have an undamaged chunk"):
        read_genome(with_text(picture, text))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"growth_model": 2}, r"the growth model of .*plant\.png must be 1, got 2"),
        ({"growth_model": True}, "the growth model of .* must be 1, got True"),
        ({"growth_model": "gone"}, "the growth model of .* must be 1, got None"),
        ({"genome": "0" * 361}, "genome must have 360 hex digits"),
        ({"genome": "g" * 360}, "genome must have hex digits alone, got 'g'"),
        ({"genome": 5}, "genome must be hex digits, got 5"),
        ({"seed": 5}, "seed must be a whole number as a string, got 5"),
        ({"seed": "-5"}, "seed must be a whole number as a string"),
        ({"seed": "9" * 5000}, "seed must be a whole number as a string"),
        ({"seed": str(2**64)}, "seed must be a whole number from 0 to"),
        ({"max_circles": 1.0}, r"max_circles must be .* got 1\.0"),
        ({"max_circles": "9"}, "max_circles must be .* got '9'"),
        ({"width": True}, "width must be .* got True"),
        ({"height": None}, "height must be .* got None"),
        ({"width": 10**9, "height": 10**9}, "must be at most 268435456"),
        ({"unit": 0}, "unit must be"),
        ({"root": 5}, "root must be a pair"),
        ({"root": [1]}, "root must be a pair"),
        ({"root": [1, "2"]}, "root row must be a whole number, got '2'"),
        ({"style": ["flat"]}, "style must be one of"),
        ({"style": "gone"}, "the fields of chunk 'evogarden' must be genome, seed"),
        ({"more": 1}, "the fields of chunk 'evogarden' must be"),
        ({"oversample": 3}, "oversample must divide the unit"),
    ],
)
def test_wrong_fields_under_a_right_crc(picture, changed, message):
    with pytest.raises(ValueError, match=message):
        read_genome(with_fields(picture, **changed))


def test_fields_in_another_order_and_spacing_are_the_same(picture):
    assert read_genome(with_fields(picture)).genome == GENOME
