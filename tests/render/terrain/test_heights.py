import io
from pathlib import Path

import numpy as np
import pytest
import tifffile
from PIL import Image, PngImagePlugin

from render import diamond_square, read_heights, write_heights
from render.terrain import HEIGHT_FORMATS, encode_heights

EXACT = (".npy", ".npz", ".asc")
RANGED = (".png", ".raw", ".r16")
NAN = float("nan")


def land(size: int = 33) -> np.ndarray:
    heights = diamond_square(5, 0.8, rng=1)[:size, :size] * 1000 + 300
    heights[0, 3] = 5000.0  # a peak in row 0
    heights[-1, 1] = -400.0
    heights.flags.writeable = False
    return heights


@pytest.mark.parametrize("ending", [*HEIGHT_FORMATS, ".PNG"])
def test_a_format_read_back_is_within_one_step(ending, tmp_path):
    heights, path = land(), tmp_path / f"land{ending}"
    write_heights(path, heights)
    span = {"lo": -400.0, "hi": 5000.0} if ending in (".raw", ".r16") else {}
    back = read_heights(path, **span)
    assert back.dtype == np.float64
    assert back.shape == heights.shape
    assert np.unravel_index(back.argmax(), back.shape) == (0, 3)
    if ending in EXACT:
        assert np.array_equal(back, heights)
    elif ending.lower() in RANGED:
        assert np.abs(back - heights).max() <= 0.5 * 5400 / 65535 + 1e-9
    else:
        assert np.array_equal(back, heights.astype(np.float32))
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("ending", [e for e in HEIGHT_FORMATS if e not in (".raw", ".r16")])
@pytest.mark.parametrize("shape", [(2, 2), (2, 7), (9, 3)])
def test_rectangles_keep_their_rows_and_columns(ending, shape, tmp_path):
    heights = np.arange(shape[0] * shape[1], dtype=np.float64).reshape(shape)
    write_heights(tmp_path / f"a{ending}", heights)
    assert np.allclose(read_heights(tmp_path / f"a{ending}"), heights, atol=1e-3)


@pytest.mark.parametrize("ending", HEIGHT_FORMATS)
def test_a_flat_map_is_flat_again(ending, tmp_path):
    write_heights(tmp_path / f"a{ending}", np.full((33, 33), 7.25))
    span = {"lo": 7.25, "hi": 7.25} if ending in (".raw", ".r16") else {}
    assert (read_heights(tmp_path / f"a{ending}", **span) == 7.25).all()


def test_a_16_bit_png_is_as_the_rule_says(tmp_path):
    heights = np.array([[0.0, 1.0], [0.25, 0.5]])
    write_heights(tmp_path / "a.png", heights, lo=0, hi=2)
    with Image.open(tmp_path / "a.png") as image:
        assert image.mode == "I;16"
        assert np.asarray(image).tolist() == [[0, 32768], [8192, 16384]]
    flat = Image.open(io.BytesIO(encode_heights(np.full((2, 2), 3.0), ".png")))
    assert np.asarray(flat).tolist() == [[0, 0], [0, 0]]


def test_grey_pngs_without_a_range_are_read_from_0_to_1(tmp_path):
    Image.fromarray(np.array([[0, 51], [102, 255]], np.uint8)).save(tmp_path / "a.png")
    assert read_heights(tmp_path / "a.png").tolist() == [[0, 0.2], [0.4, 1]]
    assert read_heights(tmp_path / "a.png", lo=100, hi=-0 + 200)[0].tolist() == [100, 120]
    Image.fromarray(np.array([[0, 13107], [1, 65535]], np.uint16)).save(tmp_path / "b.png")
    assert read_heights(tmp_path / "b.png").tolist() == [[0, 0.2], [1 / 65535, 1]]


def test_raw_is_little_endian_with_either_row_first(tmp_path):
    heights = np.zeros((33, 33))
    heights[0, 1] = 1.0
    heights[32, 0] = 256 / 65535
    write_heights(tmp_path / "top.raw", heights)
    data = (tmp_path / "top.raw").read_bytes()
    assert len(data) == 33 * 33 * 2
    assert data[:4] == b"\0\0\xff\xff"
    assert data[-66:-64] == b"\x00\x01"
    write_heights(tmp_path / "bottom.r16", heights, row_order="bottom")
    assert (tmp_path / "bottom.r16").read_bytes()[:2] == b"\x00\x01"
    for name, order in (("top.raw", "top"), ("bottom.r16", "bottom")):
        assert np.allclose(read_heights(tmp_path / name, row_order=order), heights)
    assert read_heights(tmp_path / "top.raw", row_order="bottom")[32, 1] == 1


def test_an_ascii_grid_has_its_top_row_first(tmp_path):
    text = encode_heights([[1.5, 2], [3, -4]], ".asc", cellsize=30.0).decode()
    assert text == (
        "ncols 2\nnrows 2\nxllcorner 0.0\nyllcorner 0.0\ncellsize 30.0\n"
        "NODATA_value -9999\n1.5 2.0\n3.0 -4.0\n"
    )
    (tmp_path / "a.asc").write_text("NCOLS 3\r\nNROWS 2\r\nCELLSIZE 1\r\n1 2 3 4\r\n5 6")
    assert read_heights(tmp_path / "a.asc").tolist() == [[1, 2, 3], [4, 5, 6]]


def test_a_height_that_looks_like_nodata_survives_an_ascii_grid(tmp_path):
    heights = np.array([[-9999.0, 1], [2, -123456.5]])
    write_heights(tmp_path / "a.asc", heights)
    assert np.array_equal(read_heights(tmp_path / "a.asc"), heights)


def nodata_file(folder: Path, ending: str) -> Path:
    """Write a 3 x 4 map of 1 .. 12 in which cells 6 and 7 have no data."""
    path, heights = folder / f"gap{ending}", np.arange(1.0, 13.0).reshape(3, 4)
    if ending == ".asc":
        heights[1, 1:3] = -9999
        body = "\n".join(" ".join(map(str, row)) for row in heights)
        path.write_text(f"ncols 4\nnrows 3\ncellsize 1\n{body}\n")
    elif ending == ".tif":
        heights[1, 1:3] = -32768
        tag = [(42113, 2, 0, "-32768", True)]
        tifffile.imwrite(path, heights.astype(np.int16), extratags=tag)
    else:
        heights[1, 1:3] = np.nan, np.inf
        np.save(path, heights)
    return path


@pytest.mark.parametrize("ending", [".asc", ".tif", ".npy"])
def test_nodata_is_an_error_that_counts_or_is_filled(ending, tmp_path):
    path = nodata_file(tmp_path, ending)
    with pytest.raises(ValueError) as error:
        read_heights(path)
    assert str(error.value) == (
        f"file 'gap{ending}': heights must have no NoData cells unless fill says what they "
        "become; of 12, got 2"
    )
    assert read_heights(path, fill=0)[1].tolist() == [5, 0, 0, 8]
    nearest = read_heights(path, fill="nearest")
    assert nearest[1, 1] in (2, 5, 10)
    assert nearest[1, 2] in (3, 8, 11)
    assert np.delete(nearest.ravel(), [5, 6]).tolist() == [1, 2, 3, 4, 5, 8, 9, 10, 11, 12]


def test_an_array_of_an_npz_goes_by_its_name(tmp_path):
    path = tmp_path / "dem.npz"
    np.savez(path, dem=np.eye(3), x=np.arange(3.0))
    assert np.array_equal(read_heights(path), np.eye(3))
    np.savez(path, dem=np.eye(3), slope=np.ones((3, 3)))
    assert np.array_equal(read_heights(path, "slope"), np.ones((3, 3)))
    with pytest.raises(ValueError, match="name must name one of the file's 2D arrays"):
        read_heights(path)
    with pytest.raises(ValueError, match="'dem', 'slope' \\(nearest: 'slope'\\), got 'slop'"):
        read_heights(path, "slop")
    write_heights(path, np.eye(4), name="floor")
    assert np.array_equal(read_heights(path, "floor"), np.eye(4))


@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint16", "int32", "float32", "float64"])
def test_tiffs_of_all_kinds_are_read(dtype, tmp_path):
    heights = np.arange(12).reshape(3, 4).astype(dtype)
    tifffile.imwrite(tmp_path / "a.tif", heights)
    assert np.array_equal(read_heights(tmp_path / "a.tif"), heights)
    tifffile.imwrite(tmp_path / "z.tiff", heights, compression="zlib", tile=(16, 16))
    assert np.array_equal(read_heights(tmp_path / "z.tiff"), heights)


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "int32", "float32"])
def test_compressed_tiffs_of_gis_programs_are_read(dtype, tmp_path):
    """LZW, with the predictor of its kind, is what most elevation models come in."""
    heights = np.arange(600).reshape(20, 30).astype(dtype)
    predictor = 3 if dtype == "float32" else 2
    image = Image.fromarray(heights)
    image.save(tmp_path / "a.tif", compression="tiff_lzw", tiffinfo={317: predictor})
    assert np.array_equal(read_heights(tmp_path / "a.tif"), heights)


def png(pixels: np.ndarray, **options) -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG", **options)
    return file.getvalue()


def npy(array: np.ndarray, **options) -> bytes:
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


def npz(**arrays) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def tiff(*arrays: np.ndarray, **options) -> bytes:
    file = io.BytesIO()
    with tifffile.TiffWriter(file) as writer:
        for array in arrays:
            writer.write(array, **options)
    return file.getvalue()


def texts(**pairs: str) -> PngImagePlugin.PngInfo:
    info = PngImagePlugin.PngInfo()
    for key, value in pairs.items():
        info.add_text(f"evogarden:{key}", value)
    return info


GREY = np.arange(16, dtype=np.uint8).reshape(4, 4)
HEAD = b"ncols 2\nnrows 2\ncellsize 1\n"
BAD = [
    ("a.png", b"", "must hold heights, got 'an empty file'"),
    ("a.npy", b"", "must hold heights, got 'an empty file'"),
    ("a.asc", b"", "must hold heights, got 'an empty file'"),
    ("a.png", b"no picture", "image must be a PNG, got b'no pictu'"),
    ("a.png", png(GREY[:1, :1]), "two dimensions, each at least 2, got an array of float64 (1, 1)"),
    ("a.png", png(np.dstack([GREY] * 3)), "one grey channel of 8 or 16 bits, got 'mode RGB'"),
    ("a.png", png(np.dstack([GREY] * 4)), "one grey channel of 8 or 16 bits, got 'mode RGBA'"),
    ("a.png", png(GREY > 3), "one grey channel of 8 or 16 bits, got 'mode 1'"),
    ("a.png", png(GREY)[:-30], "truncated"),
    ("a.png", png(GREY)[:-12], "image must be whole"),
    ("a.png", png(GREY, pnginfo=texts(lo="x", hi="1")), "could not convert string to float"),
    ("a.png", png(GREY, pnginfo=texts(lo="nan", hi="1")), "lo must be a finite number, got nan"),
    ("a.png", png(GREY, pnginfo=texts(lo="2", hi="1")), "hi must be at least lo, 2.0, got 1.0"),
    ("a.png", png(GREY, save_all=True, append_images=[Image.new("L", (4, 4), 9)]), "one frame"),
    ("a.npy", b"something else entirely", "magic string is not correct"),
    ("a.npy", npy(GREY.astype(float))[:-3], "expected 128 bytes got 125"),
    ("a.npy", npy(np.zeros((1, 1))), "each at least 2, got an array of float64 (1, 1)"),
    ("a.npy", npy(np.zeros(9)), "two dimensions, each at least 2, got an array of float64 (9,)"),
    ("a.npy", npy(np.zeros((3, 3, 3))), "two dimensions"),
    ("a.npy", npy(GREY * 1j), "heights must be real numbers, got an array of complex128"),
    ("a.npy", npy(GREY > 3), "heights must be real numbers, got an array of bool"),
    ("a.npy", npy(GREY.astype(object)), "allow_pickle=False"),
    ("a.npy", npy(np.full((2, 2), NAN)), "of 4, got 4"),
    ("a.npz", npz(a=GREY, b=GREY), "name must name one of the file's 2D arrays ('a', 'b'), got N"),
    ("a.npz", npz(a=np.zeros(3)), "name must name one of the file's 2D arrays (none), got None"),
    ("a.npz", npz(a=GREY)[:-9], "not a zip file"),
    ("a.npz", npz(a=np.array([[{}]])), "allow_pickle=False"),
    ("a.asc", b"ncols 2\n1 2 3 4", "nrows must be in the header, a whole number of at least 1"),
    ("a.asc", b"ncols 2.5\nnrows 2\n1 2 3 4", "ncols must be in the header"),
    ("a.asc", b"ncols 2\nncols 2\nnrows 2\n1", "header line 2 must be one ncols and its value"),
    ("a.asc", HEAD, "grid must have rows of heights after its header"),
    ("a.asc", HEAD + b"1 2 3", "grid must hold 4 heights, 2 rows of 2, got 3"),
    ("a.asc", HEAD + b"1 2 3 4 5", "grid must hold 4 heights, 2 rows of 2, got 5"),
    ("a.asc", HEAD + b"1 2 3 x", "could not convert string to float: 'x'"),
    ("a.asc", HEAD + b"1 2 3 \xff", "can't decode byte"),
    ("a.asc", HEAD + b"1 2 3 -9999", "of 4, got 1"),
    ("a.asc", b"ncols 1\nnrows 1\n3\n", "each at least 2, got an array of float64 (1, 1)"),
    ("a.tif", tiff(GREY)[:40], "file 'a.tif': "),
    ("a.tif", tiff(np.dstack([GREY] * 3), photometric="rgb"), "two dimensions, each at least 2"),
    ("a.tif", tiff(GREY, GREY + 1), "TIFF must hold one picture, got 2"),
    ("a.tif", b"II*\0 and then nothing of use", "file 'a.tif': "),
    ("a.raw", b"\0" * 100, "RAW file must hold 2 n² bytes, n one of 33, 65"),
    ("a.raw", b"\0" * (2 * 34 * 34), "RAW file must hold 2 n² bytes"),
]


@pytest.mark.parametrize(("name", "data", "message"), BAD)
def test_a_bad_file_is_named_and_told(name, data, message, tmp_path):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(ValueError) as error:
        read_heights(path)
    assert message in str(error.value)
    assert name in str(error.value)


def read_or_hear(path: Path) -> tuple[np.ndarray | None, str]:
    """Return the heights, or else what the ValueError says."""
    try:
        return read_heights(path), ""
    except ValueError as error:
        return None, str(error)


@pytest.mark.parametrize("ending", HEIGHT_FORMATS)
def test_a_file_cut_anywhere_is_refused_or_whole(ending, tmp_path):
    """An ASCII grid that is cut within its last number can't be told from a whole one."""
    path = tmp_path / f"land{ending}"
    write_heights(path, np.round(land(), 2))
    data, whole = path.read_bytes(), read_heights(path)
    spare = 8 if ending == ".asc" else 0
    for length in {0, 1, 10, 100, len(data) // 2, len(data) - 40, len(data) - 9, len(data) - 1}:
        path.write_bytes(data[:length])
        heights, said = read_or_hear(path)
        if heights is None:
            assert path.name in said
        else:
            assert length > len(data) - 10
            assert np.array_equal(heights.ravel()[: -1 if spare else None],
                                  whole.ravel()[: -1 if spare else None])  # fmt: skip


@pytest.mark.parametrize("ending", HEIGHT_FORMATS)
def test_a_file_with_wrong_bytes_raises_nothing_but_value_errors(ending, tmp_path, caplog):
    path = tmp_path / f"land{ending}"
    write_heights(path, land())
    data = path.read_bytes()
    rng = np.random.default_rng(5)
    for place in [*rng.integers(0, len(data), 30), *rng.integers(0, min(300, len(data)), 60)]:
        broken = bytearray(data)
        broken[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(bytes(broken))
        heights, said = read_or_hear(path)
        assert heights is not None or path.name in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a.jpg",), "path must end in one of .png, .npy, .npz, .asc, .tif, .tiff, .raw, .r16"),
        (("a.pgn",), "(nearest: '.png'), got 'a.pgn'"),
        (("a.png", "dem"), "name must be a text, and be left out but for .npz, got 'dem'"),
        (("a.npz", 5), "name must be a text, and be left out but for .npz, got 5"),
    ],
)
def test_reading_checks_its_arguments_first(arguments, message):
    with pytest.raises(ValueError) as error:
        read_heights(*arguments)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("ending", "heights", "options", "message"),
    [
        (".jpg", GREY, {}, "ending must be one of"),
        (".png", GREY, {"lo": 3.0}, "heights must lie from lo to hi, 3.0 to 15.0, got (0.0, 15.0)"),
        (".png", GREY, {"hi": NAN}, "hi must be a finite number, got nan"),
        (".png", GREY, {"lo": -1e308, "hi": 1e308}, "hi must be a finite height above lo"),
        (".png", [[1, 2], [3, NAN]], {}, "heights must be finite, got '1 that are not'"),
        (".npy", [[1]], {}, "heights must have 2 dimensions, each of at least 2"),
        (".npy", [["a", "b"], ["c", "d"]], {}, "heights must be real numbers"),
        (".npy", GREY, {"hi": 1.0}, "lo and hi must be left out for .npy"),
        (".npy", GREY, {"row_order": "bottom"}, "row_order must be 'top' for .npy, got 'bottom'"),
        (".raw", GREY, {"row_order": "down"}, "row_order must be one of 'top', 'bottom'"),
        (".raw", GREY, {}, "heights must be square for RAW, of side 33, 65"),
        (".raw", np.zeros((33, 65)), {}, "heights must be square for RAW"),
        (".npz", GREY, {"name": "a/b"}, "name must be a plain word for the array, got 'a/b'"),
        (".tif", [[1, 2], [3, 1e90]], {}, "heights must fit float32, got 1e+90"),
        (".asc", [[1, 2], [3, -1e90]], {}, "heights must be above -9e15"),
        (".asc", GREY, {"cellsize": -1}, "cellsize must be above 0, got -1"),
        (".asc", GREY, {"cellsize": 0}, "cellsize must be above 0, got 0"),
        (".asc", GREY, {"cellsize": NAN}, "cellsize must be a finite number, got nan"),
        (".asc", GREY, {"cellsize": float("inf")}, "cellsize must be a finite number, got inf"),
        (".npy", [[1.7e308, -1.7e308]] * 2, {}, "lie from -1e+100 to 1e+100, got 1.7e+308"),
        (".npy", [[1, 2**53 + 2], [3, 4]], {}, "float64 holds (whole ones up to 2^53)"),
        (".npy", [[1, -(2**53) - 2], [3, 4]], {}, "float64 holds (whole ones up to 2^53)"),
        (".npy", np.full((2, 2), 1 / np.longdouble(3)), {}, "numbers that float64 holds"),
        (".npz", GREY, {"name": 5}, "name must be a plain word for the array, got 5"),
        (".npz", GREY, {"name": ""}, "name must be a plain word for the array, got ''"),
        (".npz", GREY, {"name": "a\0b"}, "name must be a plain word for the array"),
    ],
)
def test_writing_checks_what_it_writes(ending, heights, options, message):
    with pytest.raises(ValueError) as error:
        encode_heights(heights, ending, **options)
    assert message in str(error.value)


@pytest.mark.skipif(np.finfo(np.longdouble).eps == np.finfo(float).eps, reason="no wider float")
def test_longdoubles_that_float64_holds_are_written(tmp_path):
    heights = np.array([[0.5, 1], [2, 3]], np.longdouble)
    write_heights(tmp_path / "a.npy", heights)
    assert read_heights(tmp_path / "a.npy").tolist() == heights.tolist()


@pytest.mark.parametrize("name", ["allow_pickle", "file", "arr_0", "höhe m", "a.npy"])
def test_an_array_may_have_any_plain_name(name, tmp_path):
    write_heights(tmp_path / "a.npz", GREY, name=name)
    assert np.load(tmp_path / "a.npz").files == [name]
    assert np.array_equal(read_heights(tmp_path / "a.npz", name), GREY)


@pytest.mark.parametrize("cellsize", [np.float64(0.1), np.float32(0.5), np.int16(3), 1])
def test_a_cellsize_of_numpy_is_written_as_a_number(cellsize, tmp_path):
    write_heights(tmp_path / "a.asc", GREY, cellsize=cellsize)
    assert f"cellsize {float(cellsize)}\n" in (tmp_path / "a.asc").read_text()
    assert np.array_equal(read_heights(tmp_path / "a.asc"), GREY)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([[1.7e308, -1.7e308]] * 2, "heights must lie from -1e+100 to 1e+100, got 1.7e+308"),
        ([[1, 2**53 + 2]] * 2, "heights must be numbers that float64 holds"),
    ],
)
def test_heights_that_no_sum_could_hold_are_refused_when_read(values, message, tmp_path):
    np.save(tmp_path / "a.npy", np.array(values))
    with pytest.raises(ValueError) as error:
        read_heights(tmp_path / "a.npy")
    assert str(error.value).startswith(f"file 'a.npy': {message}")


def test_nodata_may_be_as_large_as_floats_are(tmp_path):
    """GDAL's usual NoData of floats is the lowest of them."""
    lowest = float(np.finfo(np.float64).min)
    values = np.array([[1.0, lowest], [2.0, 3.0]])
    tag = [(42113, 2, 0, repr(lowest), True)]
    tifffile.imwrite(tmp_path / "a.tif", values, extratags=tag)
    assert read_heights(tmp_path / "a.tif", fill=0.0).tolist() == [[1, 0], [2, 3]]


def test_a_damaged_tiff_is_said_once_and_not_logged(tmp_path, caplog, capfd):
    data = encode_heights(land(), ".tif")
    for end in range(8, len(data), 37):
        (tmp_path / "a.tif").write_bytes(data[:end])
        with pytest.raises(ValueError, match=r"file 'a\.tif'"):
            read_heights(tmp_path / "a.tif")
    assert not caplog.records
    assert capfd.readouterr() == ("", "")
    assert not tifffile.logger().filters


def test_fill_is_checked(tmp_path):
    path = nodata_file(tmp_path, ".npy")
    with pytest.raises(ValueError, match="fill must be one of 'nearest'"):
        read_heights(path, fill="linear")
    with pytest.raises(ValueError, match="fill must be a finite number, got nan"):
        read_heights(path, fill=NAN)
    np.save(path, np.full((2, 2), NAN))
    with pytest.raises(ValueError, match="heights must have a cell with data to fill from"):
        read_heights(path, fill="nearest")


def test_a_failed_write_leaves_what_was_there(tmp_path):
    path = tmp_path / "a.npy"
    write_heights(path, GREY)
    with pytest.raises(ValueError, match="finite"):
        write_heights(path, [[1, 2], [3, NAN]])
    assert np.array_equal(read_heights(path), GREY)
    with pytest.raises(FileNotFoundError):
        write_heights(tmp_path / "none" / "a.npy", GREY)
    with pytest.raises(FileNotFoundError):
        read_heights(tmp_path / "none.npy")
