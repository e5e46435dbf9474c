from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence

from render import ANIMATIONS, Recipe, Timing, draw, grow, read_genome, write_animation
from render.formats import onto
from render.formats.animation import frame_times, grown_until
from tests.render.plants import uniform

RECIPE = Recipe(uniform(6).tobytes(), 3, 900, 48, 40, 4096, (20, 34), "volume", 2)
ENDINGS = tuple(ANIMATIONS)


def read(path: Path) -> tuple[list[np.ndarray], list[float], dict]:
    frames, times = [], []
    with Image.open(path) as image:
        info = dict(image.info)
        for frame in ImageSequence.Iterator(image):
            frame.load()
            frames.append(np.asarray(frame.convert("RGBA")))
            times.append(frame.info["duration"])
    return frames, times, info


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    "timing",
    [Timing(1, 10, 0.5), Timing(1, 30, 0, 1), Timing(2.37, 7, 0.123, 3), Timing(0.1, 13, 9.87)],
)
def test_time_and_frames_are_those_asked_for(tmp_path, ending, timing):
    path = tmp_path / f"a{ending}"
    ms = write_animation(path, RECIPE, timing)
    frames, times, _ = read(path)
    assert abs(sum(times) - 1000 * (timing.duration + timing.hold)) <= 10
    assert sum(times) == ms
    n = max(2, round(timing.duration * timing.fps))
    assert 1 < len(frames) <= n  # encoders merge what looks the same
    begins = np.cumsum(times)[:-1] * n / (1000 * timing.duration)
    assert np.abs(begins - np.rint(begins)).max() <= 10 * n / (1000 * timing.duration)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("ending", ENDINGS)
def test_time_stays_right_where_encoders_merge_frames(tmp_path, ending):
    bud = replace(RECIPE, max_circles=5)  # a few ticks, forty frames
    ms = write_animation(tmp_path / f"a{ending}", bud, Timing(2, 20, 1))
    frames, times, _ = read(tmp_path / f"a{ending}")
    assert sum(times) == ms == 3000
    assert 1 < len(frames) <= 6


@pytest.mark.parametrize("ending", [".apng", ".webp"])
def test_each_frame_is_the_plant_so_far(tmp_path, ending):
    write_animation(tmp_path / f"a{ending}", RECIPE, Timing(1, 8, 1))
    frames, _, _ = read(tmp_path / f"a{ending}")
    circles = grow(RECIPE.genome, RECIPE.seed, RECIPE.max_circles)
    n_ticks = int(circles.tick[-1]) + 1
    sizes = []
    for i, frame in enumerate(frames, 1):
        n = int(np.count_nonzero(circles.tick < -(-n_ticks * i // 8)))
        assert np.array_equal(frame, draw(replace(RECIPE, max_circles=max(n, 0))))
        sizes.append(n)
    assert sizes == sorted(set(sizes))
    assert np.array_equal(frames[-1], draw(RECIPE))
    assert (frames[-1][..., 3] == 0).any()


def test_gif_frames_are_transparent_and_near(tmp_path):
    write_animation(tmp_path / "a.gif", RECIPE, Timing(1, 8, 1))
    frames, _, info = read(tmp_path / "a.gif")
    last, plant = frames[-1], draw(RECIPE)
    assert np.array_equal(last[..., 3] == 255, plant[..., 3] >= 128)
    solid = plant[..., 3] == 255
    difference = np.abs(last[solid].astype(int) - plant[solid])
    assert difference.mean() < 8
    first = frames[0][..., 3] > 0
    assert 0 < first.sum() < (last[..., 3] > 0).sum()  # nothing of later frames is left over
    assert info["loop"] == 0


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_background_is_behind_every_frame(tmp_path, ending):
    write_animation(tmp_path / f"a{ending}", RECIPE, Timing(1, 5, 0), background=(250, 240, 230))
    frames, _, _ = read(tmp_path / f"a{ending}")
    expected = onto(draw(RECIPE), (250, 240, 230)).astype(int)
    for frame in frames:
        assert (frame[..., 3] == 255).all()
        assert np.abs(frame[0, 0, :3].astype(int) - (250, 240, 230)).max() <= 14
    assert np.abs(frames[-1][..., :3] - expected).max() <= (60 if ending == ".gif" else 0)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("loops", [0, 1, 4])
def test_loops(tmp_path, ending, loops):
    write_animation(tmp_path / f"a{ending}", RECIPE, Timing(1, 5, 0, loops))
    _, _, info = read(tmp_path / f"a{ending}")
    if ending == ".gif":  # it says how often it is repeated
        assert info.get("loop", "once") == {0: 0, 1: "once", 4: 3}[loops]
    else:
        assert info["loop"] == loops


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_genome_is_inside(tmp_path, ending):
    write_animation(tmp_path / f"a{ending}", RECIPE, Timing(1, 5, 0))
    assert read_genome(tmp_path / f"a{ending}") == RECIPE


@pytest.mark.parametrize("ending", ENDINGS)
def test_no_plant_is_one_empty_frame(tmp_path, ending):
    write_animation(tmp_path / f"a{ending}", replace(RECIPE, max_circles=0), Timing(1, 5, 0))
    with Image.open(tmp_path / f"a{ending}") as image:
        assert getattr(image, "n_frames", 1) == 1
        assert not np.asarray(image.convert("RGBA"))[..., 3].any()


@pytest.mark.parametrize(
    ("name", "timing", "message"),
    [
        ("a.svg", Timing(), r"path must end in one of .apng, .png, .webp, .gif"),
        ("a.gfi", Timing(), r"\(nearest: '\.gif'\)"),
        ("a.gif", Timing(fps=0), "fps must be a finite number from 0.1 to 100, got 0"),
        ("a.gif", Timing(fps=1000), "fps must be a finite number from 0.1 to 100, got 1000"),
        ("a.gif", Timing(fps=60), "fps must be at most 50 in a GIF, got 60"),
        ("a.webp", Timing(duration=0), "duration must be a finite number from 0.1 to 60"),
        ("a.webp", Timing(duration=50, hold=20), r"duration \+ hold must be at most 60 seconds"),
        ("a.webp", Timing(hold=float("nan")), "hold must be"),
        ("a.webp", Timing(loops=-1), "loops must be a whole number from 0"),
    ],
)
def test_wrong_arguments_write_nothing(tmp_path, name, timing, message):
    with pytest.raises(ValueError, match=message):
        write_animation(tmp_path / name, RECIPE, timing)
    assert list(tmp_path.iterdir()) == []


def test_too_many_pixels_altogether(tmp_path):
    large = replace(RECIPE, width=8000, height=8000)
    with pytest.raises(ValueError, match=r"frames \* width \* height must be at most 134217728"):
        write_animation(tmp_path / "a.webp", large)
    assert list(tmp_path.iterdir()) == []


def test_frame_times_do_not_drift():
    for fps in (24, 30, 29.97, 60, 7):
        times = frame_times(Timing(10, fps, 0), 1)
        begins = np.cumsum(times)[:-1]
        assert np.abs(begins - np.arange(1, times.size) * (10_000 / times.size)).max() <= 0.5
        assert times.sum() == 10_000


def test_grown_until():
    circles = grow(RECIPE.genome, 3, 900)
    assert len(grown_until(circles, 0)) == 0
    assert len(grown_until(circles, 10**6)) == len(circles)
    assert (grown_until(circles, 7).tick < 7).all()
    assert len(grown_until(circles, 7)) == np.count_nonzero(circles.tick < 7)
