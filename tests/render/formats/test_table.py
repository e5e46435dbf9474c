import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from evo import founders
from render import FORMATS, Recipe, draw, parse_color, read_genome, write_picture
from render.drawing import grow_recipe
from render.formats import onto, reduce_colors
from render.formats.drawing import Drawing
from tests.render.plants import uniform

ENDINGS = tuple(FORMATS)
PIXELS = (".png", ".webp", ".tiff", ".tif")
RECIPE = Recipe(uniform(6).tobytes(), 2**64 - 1, 900, 48, 30, 4096, (20, 28), "volume", 2)


def pixels_of(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image.convert("RGBA"))


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("least", [0, 700])
def test_every_format_gives_back_its_recipe(tmp_path, ending, least):
    recipe = replace(RECIPE, least_diameter=least)
    assert write_picture(tmp_path / f"a{ending}", recipe) == recipe
    assert read_genome(tmp_path / f"a{ending}") == recipe
    # whatever the file is called
    (tmp_path / f"a{ending}").rename(tmp_path / "picture.of.mine")
    assert read_genome(tmp_path / "picture.of.mine") == recipe
    assert [p.name for p in tmp_path.iterdir()] == ["picture.of.mine"]


@pytest.mark.parametrize("ending", PIXELS)
def test_formats_of_pixels_are_exact_and_transparent(tmp_path, ending):
    write_picture(tmp_path / f"a{ending.upper()}", RECIPE)
    with Image.open(tmp_path / f"a{ending.upper()}") as image:
        assert image.mode == "RGBA"
        assert np.array_equal(np.asarray(image), draw(RECIPE))
    assert (draw(RECIPE)[..., 3] == 0).any()


@pytest.mark.parametrize("ending", PIXELS)
def test_a_background_lies_behind(tmp_path, ending):
    write_picture(tmp_path / f"a{ending}", RECIPE, background=(10, 200, 30))
    found = pixels_of(tmp_path / f"a{ending}").astype(float)
    plant = draw(RECIPE).astype(float)
    alpha = plant[..., 3:] / 255
    expected = plant[..., :3] * alpha + np.array([10, 200, 30]) * (1 - alpha)
    assert np.abs(found[..., :3] - expected).max() <= 0.5
    assert (found[..., 3] == 255).all()


@pytest.mark.parametrize("ending", PIXELS)
def test_few_colors_and_the_alpha_as_it_was(tmp_path, ending):
    write_picture(tmp_path / f"a{ending}", RECIPE, colors=5)
    found, plant = pixels_of(tmp_path / f"a{ending}"), draw(RECIPE)
    shown = plant[..., 3] > 0
    assert len(np.unique(plant[shown][:, :3], axis=0)) > 5
    assert len(np.unique(found[shown][:, :3], axis=0)) <= 5
    assert np.array_equal(found[..., 3], plant[..., 3])


def test_few_colors_make_a_png_with_a_palette(tmp_path):
    flat = replace(RECIPE, style="flat", oversample=1)
    write_picture(tmp_path / "a.png", flat, colors=8)
    write_picture(tmp_path / "b.png", flat)
    with Image.open(tmp_path / "a.png") as image:
        assert image.mode == "P"
    found, plant = pixels_of(tmp_path / "a.png"), pixels_of(tmp_path / "b.png")
    assert np.array_equal(found[..., 3], plant[..., 3])
    assert read_genome(tmp_path / "a.png") == flat


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_trimmed_file_holds_the_smaller_window(tmp_path, ending):
    smaller = write_picture(tmp_path / f"a{ending}", RECIPE, trim=True)
    assert smaller.width < RECIPE.width or smaller.height < RECIPE.height
    assert read_genome(tmp_path / f"a{ending}") == smaller
    if ending in PIXELS:
        assert np.array_equal(pixels_of(tmp_path / f"a{ending}"), draw(smaller))


def test_a_picture_without_a_plant_is_empty_in_every_format(tmp_path):
    empty = replace(RECIPE, max_circles=0)
    for ending in ENDINGS:
        write_picture(tmp_path / f"a{ending}", empty)
        assert read_genome(tmp_path / f"a{ending}") == empty
        if ending in PIXELS:
            assert not pixels_of(tmp_path / f"a{ending}").any()


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("a.gif", {}, r"path must end in one of .png, .* got '.*a\.gif'"),
        ("a", {}, "path must end in one of"),
        ("a.pgn", {}, r"\(nearest: '\.png'\)"),
        ("a.png", {"colors": 0}, "colors must be a whole number from 1 to 256, got 0"),
        ("a.png", {"colors": 257}, "colors must be"),
        ("a.png", {"background": "redd"}, r"background must be a color"),
        ("a.png", {"background": (1, 2, 256)}, "background must be a whole number from 0 to 255"),
    ],
)
def test_wrong_arguments_write_nothing(tmp_path, name, options, message):
    with pytest.raises(ValueError, match=message):
        write_picture(tmp_path / name, RECIPE, **options)
    assert list(tmp_path.iterdir()) == []


def test_a_webp_picture_has_a_largest_size(tmp_path):
    with pytest.raises(
        ValueError, match="must have sides of at most 16383 pixels, got '16384 x 1'"
    ):
        write_picture(tmp_path / "a.webp", replace(RECIPE, width=16384, height=1))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", ENDINGS)
def test_cut_short_or_one_digit_changed(tmp_path, ending):
    path = tmp_path / f"a{ending}"
    write_picture(path, RECIPE)
    data = path.read_bytes()
    for n in {*range(0, min(len(data), 1500), 53), len(data) - 9}:
        path.write_bytes(data[:n])
        if ending.startswith(".tif") and n > 1400:
            continue  # pixels of a TIFF are not looked at
        with pytest.raises(ValueError, match=r"a\.\w+ must"):
            read_genome(path)
    at = data.index(b'"seed":"1844') + 9
    path.write_bytes(data[:at] + b"2" + data[at + 1 :])
    with pytest.raises(ValueError, match=r"a\.\w+ must"):
        read_genome(path)


@pytest.mark.parametrize("ending", PIXELS)
def test_a_picture_of_someone_else_holds_no_genome(tmp_path, ending):
    Image.new("RGBA", (5, 5)).save(tmp_path / f"a{ending}")
    with pytest.raises(ValueError, match=r"must hold one genome"):
        read_genome(tmp_path / f"a{ending}")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<svg></svg>", "must hold one genome"),
        (b"<svg>" + b"x" * 3_000_000 + b"</svg>", "must hold one genome"),
        (b'<svg><metadata id="evogarden">' + b"1" * 3_000_000 + b"</svg>", "must hold one genome"),
        (b'<svg><metadata id="evogarden">{}</metadata></svg>', "must have an undamaged chunk"),
        (b"%PDF-1.7 /evogarden (__import__) %%EOF", "must have an undamaged chunk"),
        (b"RIFF\x04\0\0\0WEBP", "must hold one genome"),
        (b"RIFF\x0c\0\0\0WEBPEXIF\xff\xff\0\0", "must be a whole WebP file"),
        (b"RIFF\x04\0\0\0WAVE", "must be a PNG file or another"),
        (b"II*\0\xff\xff\xff\xff", "must hold one genome"),
        (b"GIF89a" + b"\xff" * 7, "must be a whole GIF file"),  # 65535 x 65535
        (b"GIF89a" + b"\x00\x30" * 2 + b"\0\0\0\x3b", "must be a whole GIF file"),  # 12288 squared
        (b"GIF89a", "must be a whole GIF file"),
    ],
)
def test_damaged_files(tmp_path, data, message):
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(ValueError, match=message):
        read_genome(tmp_path / "a")


def test_colors_by_name_and_by_digits():
    assert parse_color("white") == (255, 255, 255)
    assert parse_color("#0a0B0c") == (10, 11, 12)
    assert parse_color("none") is None
    for wrong in ("whiteish", "#12", "", "#00000080"):
        with pytest.raises(ValueError, match="background must be"):
            parse_color(wrong)


def test_onto_is_rounded_exactly():
    every = np.stack(np.meshgrid(np.arange(256), np.arange(256)), axis=-1).astype(np.uint8)
    rgba = np.dstack([every[..., :1], every[..., :1], every[..., :1], every[..., 1:]])
    rgba.flags.writeable = False
    found = onto(rgba, (0, 100, 255)).astype(float)
    c, a = every[..., 0].astype(float), every[..., 1] / 255
    for channel, behind in enumerate((0, 100, 255)):
        assert np.abs(found[..., channel] - (c * a + behind * (1 - a))).max() <= 0.5


def test_reducing_to_as_many_colors_as_there_are_changes_nothing():
    colors = np.array([[1, 2, 3], [200, 0, 0], [1, 2, 3]], np.uint8)
    assert np.array_equal(reduce_colors(colors, 2), colors)
    assert len(np.unique(reduce_colors(colors, 1), axis=0)) == 1
    assert reduce_colors(np.zeros((0, 3), np.uint8), 4).shape == (0, 3)


def circles_in(svg: str) -> int:
    return svg.count("<circle")


@pytest.mark.parametrize("style", ["flat", "volume"])
@pytest.mark.parametrize("number", [1, 4, 6])
def test_svg_looks_like_the_picture(tmp_path, style, number):
    resvg = pytest.importorskip("resvg_py")
    ndimage = pytest.importorskip("scipy.ndimage")
    recipe = Recipe(
        uniform(number).tobytes(), 1, 6000, 256, 256, 1024, (128, 150), style, oversample=4
    )
    write_picture(tmp_path / "a.svg", recipe)
    data = resvg.svg_to_bytes(svg_path=str(tmp_path / "a.svg"))
    with Image.open(io.BytesIO(bytes(data))) as image:
        found = np.asarray(image.convert("RGBA"))
    ours = draw(recipe)
    assert found.shape == ours.shape
    assert (ours[..., 3] > 0).mean() > 0.02
    first, second = (onto(picture, (255, 255, 255)).astype(int) for picture in (found, ours))
    inked = ours[..., 3] > 0
    edge = ndimage.binary_dilation(inked) & ~ndimage.binary_erosion(inked)
    different = np.abs(first - second).max(axis=2) > 24
    assert (different & ~edge).sum() < 0.01 * (~edge).sum()
    # and not because nothing is there
    empty = np.abs(255 - second).max(axis=2) > 24
    assert (empty & ~edge).sum() > 0.01 * (~edge).sum()


def near_a_disc_edge(recipe):
    """Pixels within one pixel of the edge of a disc that shows."""
    near = np.zeros((recipe.height, recipe.width), bool)
    places = Drawing(grow_recipe(recipe), recipe).discs[:, :3] / (2 * recipe.unit)
    places += np.array([*recipe.root, 0])
    for x, y, reach in places.tolist():
        left, right = max(0, int(x - reach - 2)), max(0, int(x + reach + 3))
        top, bottom = max(0, int(y - reach - 2)), max(0, int(y + reach + 3))
        part = near[top:bottom, left:right]
        rows, columns = (np.arange(n) + 0.5 for n in part.shape)
        far = np.hypot(columns + left - x, (rows + top - y)[:, None])
        part |= np.abs(far - reach) <= 1
    return near


PLANTS = {
    "dense": uniform(0).tobytes(),
    "uniform": uniform(6).tobytes(),
    "seedling": bytes(founders("seedling", 1, 5)[0]),
}


@pytest.mark.parametrize("style", ["flat", "volume"])
@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("unit", [64, 1024])
def test_svg_is_the_picture_but_for_the_edges_of_discs(tmp_path, style, plant, unit):
    """Where discs are as small as pixels all ink is edge; where they are larger, most is not."""
    resvg = pytest.importorskip("resvg_py")
    recipe = Recipe(PLANTS[plant], 1, 6000, 256, 256, unit, (128, 200), style, oversample=4)
    write_picture(tmp_path / "a.svg", recipe)
    data = bytes(resvg.svg_to_bytes(svg_path=str(tmp_path / "a.svg")))
    with Image.open(io.BytesIO(data)) as image:
        found = np.asarray(image.convert("RGBA"))
    ours = draw(recipe)
    first, second = (onto(picture, (255, 255, 255)).astype(int) for picture in (found, ours))
    off, inside = np.abs(first - second).max(axis=2), ~near_a_disc_edge(recipe)
    assert np.count_nonzero(off[inside] > 8) < 0.01 * inside.sum()
    inked = ours[..., 3] > 0
    assert off[inked].mean() < (1.5 if unit == 64 else 12)  # edges are as heavy as ours, about
    if unit == 64:
        assert (inked & inside).sum() > 0.15 * inked.sum()
        assert np.count_nonzero(off[inside & inked] > 8) < 0.01 * (inside & inked).sum()


def test_svg_of_a_dense_plant_is_a_fifth_of_one_with_all_circles(tmp_path, monkeypatch):
    genome = uniform(0)
    recipe = Recipe(genome.tobytes(), 1, 40_000, 128, 128, 8192, (64, 64), "flat", 1)
    write_picture(tmp_path / "a.svg", recipe)
    everything = lambda circles, *_: np.full(len(circles), 1, np.uint8)  # noqa: E731
    monkeypatch.setattr("render.formats.drawing.visible", everything)
    write_picture(tmp_path / "b.svg", recipe)
    sizes = [(tmp_path / name).stat().st_size for name in ("a.svg", "b.svg")]
    assert 5 * sizes[0] <= sizes[1]
    assert 0 < circles_in((tmp_path / "a.svg").read_text()) < 10_000


def test_svg_has_the_background_and_the_few_colors(tmp_path):
    write_picture(tmp_path / "a.svg", replace(RECIPE, style="flat"), colors=3, background=(1, 2, 3))
    text = (tmp_path / "a.svg").read_text()
    assert 'fill="#010203"' in text
    fills = {line.split('fill="')[1][:7] for line in text.splitlines() if " fill=" in line}
    assert len(fills) <= 4


def test_pdf_lists_its_objects_where_they_are(tmp_path):
    write_picture(tmp_path / "a.pdf", RECIPE, background=(1, 2, 3))
    data = (tmp_path / "a.pdf").read_bytes()
    start = int(data.rsplit(b"startxref\n", 1)[1].split()[0])
    assert data[start : start + 4] == b"xref"
    offsets = [int(line[:10]) for line in data[start:].splitlines() if line.endswith(b" n ")]
    assert len(offsets) == 5
    for number, offset in enumerate(offsets, 1):
        assert data[offset:].startswith(b"%d 0 obj" % number)
