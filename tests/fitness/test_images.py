import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from fitness.images import MAX_PIXELS, read_image, resized, shape_of


def half(dtype, dark=0, light=255):
    """A picture of 8 x 8 whose left half is dark."""
    picture = np.full((8, 8), light, dtype)
    picture[:, :4] = dark
    return picture


LEFT = half(np.uint8) == 0


def save(tmp_path, picture, name="target.png", **options):
    path = tmp_path / name
    Image.fromarray(picture).save(path, **options)
    return path


@pytest.mark.parametrize("form", [str, lambda path: path])
def test_dark_is_the_shape_of_an_opaque_image(tmp_path, form):
    path = form(save(tmp_path, half(np.uint8)))
    assert np.array_equal(shape_of(read_image("image", path)), LEFT)


def test_mid_grey_is_the_limit():
    assert np.array_equal(shape_of(read_image("image", half(np.uint8, 127, 128))), LEFT)


def test_alpha_is_the_shape_where_it_varies(tmp_path):
    picture = np.full((8, 8, 4), 255, np.uint8)
    picture[:, 4:, 3] = 127
    picture[:, :4, 3] = 128
    assert np.array_equal(shape_of(read_image("image", save(tmp_path, picture))), LEFT)
    picture[:, :, 3] = 255
    picture[:, :4, :3] = 0
    assert np.array_equal(shape_of(read_image("image", picture)), LEFT)
    picture[:, :, 3] = 0
    assert not shape_of(read_image("image", picture)).any()


def test_sixteen_bits_are_taken_by_their_upper_eight(tmp_path):
    picture = half(np.uint16, 32767, 32768)
    assert np.array_equal(shape_of(read_image("image", picture)), LEFT)
    assert np.array_equal(shape_of(read_image("image", save(tmp_path, picture))), LEFT)
    tiff = save(tmp_path, picture, "target.tif")
    assert np.array_equal(shape_of(read_image("image", tiff)), LEFT)


def test_a_bool_array_is_the_shape_itself():
    assert np.array_equal(shape_of(read_image("image", LEFT)), LEFT)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK"])
def test_any_mode_is_read(tmp_path, mode):
    path = tmp_path / ("target.tif" if mode == "CMYK" else "target.png")
    Image.fromarray(half(np.uint8)).convert("RGB").convert(mode).save(path)
    assert np.array_equal(shape_of(read_image("image", path)), LEFT)


def test_a_palette_with_transparency_is_read_by_its_alpha(tmp_path):
    path = tmp_path / "target.gif"
    picture = Image.fromarray(np.where(LEFT, 0, 1).astype(np.uint8))
    picture.putpalette([200, 0, 0, 0, 0, 0])
    picture.save(path, transparency=1)
    assert np.array_equal(shape_of(read_image("image", path)), LEFT)


def test_a_photograph_is_turned_as_the_camera_was_held(tmp_path):
    exif = Image.Exif()
    exif[274] = 6  # turned by a quarter, clockwise
    path = save(tmp_path, half(np.uint8), "target.jpg", exif=exif, quality=100)
    assert np.array_equal(shape_of(read_image("image", path)), np.rot90(LEFT, -1))


def test_pixels_are_read_only_and_the_array_is_not_touched():
    picture = half(np.uint8)
    assert not read_image("image", picture).flags.writeable
    assert picture.flags.writeable


def test_resizing_takes_the_nearest_pixel():
    assert np.array_equal(resized(LEFT, 16, 16), np.kron(LEFT, np.ones((2, 2), bool)))
    picture = np.arange(12).reshape(3, 4)
    assert resized(picture, 3, 4).tolist() == picture.tolist()
    assert resized(picture, 1, 2).tolist() == [[5, 7]]


def test_missing_and_damaged_files_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"^image must be an image file that is there, got "):
        read_image("image", tmp_path / "none.png")
    with pytest.raises(ValueError, match=r"^image must be an image file that is there, got "):
        read_image("image", tmp_path)
    text = tmp_path / "text.png"
    text.write_text("no image at all")
    with pytest.raises(
        ValueError, match=r"^image must be an image that can be read \(cannot ident"
    ):
        read_image("image", text)
    (tmp_path / "empty.png").write_bytes(b"")
    with pytest.raises(ValueError, match=r"^image must be an image that can be read"):
        read_image("image", tmp_path / "empty.png")
    rng = np.random.default_rng(0)
    whole = save(tmp_path, rng.integers(0, 256, (64, 64, 3), np.uint8)).read_bytes()
    for cut in (20, 60, len(whole) // 2):
        (tmp_path / "cut.png").write_bytes(whole[:cut])
        with pytest.raises(ValueError, match=r"^image must be an image that can be read"):
            read_image("image", tmp_path / "cut.png")


END = bytes.fromhex("00000000 49454e44 ae426082")


@pytest.mark.parametrize("size", [(8193, 8192), (20_000, 20_000)])
def test_huge_images_are_refused_before_they_are_decoded(tmp_path, size):
    path = tmp_path / "huge.png"
    header = struct.pack(">4sIIBBBBB", b"IHDR", *size, 8, 0, 0, 0, 0)
    crc = struct.pack(">I", zlib.crc32(header))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + crc + END)
    with pytest.raises(ValueError, match=f"^image must have at most {MAX_PIXELS} pixels, got "):
        read_image("image", path)


@pytest.mark.parametrize(
    "bad",
    [
        np.zeros((4, 4)),
        np.zeros((4, 4, 2), np.uint8),
        np.zeros((4, 4, 4), np.uint16),
        np.zeros(4, np.uint8),
        np.zeros((4, 4, 3), bool),
    ],
)
def test_other_arrays_are_refused(bad):
    with pytest.raises(ValueError, match=r"^image must be an array of bool \(H, W\), uint8 \(H, W"):
        read_image("image", bad)


def test_other_things_are_refused(tmp_path):
    with pytest.raises(
        ValueError, match=r"^image must be an image: a file's path or an array, got"
    ):
        read_image("image", 3)
    with pytest.raises(ValueError, match=r"^image must have at least one pixel, got an array of"):
        read_image("image", np.zeros((0, 3), np.uint8))
    path = tmp_path / "float.tif"
    Image.fromarray(np.zeros((4, 4), np.float32)).save(path)
    with pytest.raises(ValueError, match=r"^image must have 8 or 16 bits a channel, not floating"):
        read_image("image", path)
