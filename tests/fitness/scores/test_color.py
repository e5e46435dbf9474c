import numpy as np
import pytest
from PIL import Image
from skimage.color import rgb2lab
from skimage.metrics import structural_similarity

from fitness import SCORES, Scene
from fitness.scores.color import _moments, _reduced, read_colors, similarity
from tests.fitness import pictures

GREEN, BROWN = (58, 125, 68), (120, 80, 40)


def painted(mask, *colors):
    """A scene whose ink has these colors, in equal horizontal stripes of the window."""
    rgba = np.zeros((*mask.shape, 4), np.uint8)
    for index, color in enumerate(colors):
        rgba[index :: len(colors), :, :3] = color
    rgba[:, :, 3] = 255
    rgba[~mask] = 0
    return Scene(mask=mask, root=(mask.shape[1] // 2, mask.shape[0]), rgba=rgba)


class TestPalette:
    def test_a_plant_in_the_palettes_colors_scores_one(self):
        palette = SCORES["palette"](colors=[GREEN, "#785028"])
        assert palette(painted(pictures.full(), GREEN, BROWN)) == 1.0

    def test_colors_that_are_not_used_cost_their_share(self):
        palette = SCORES["palette"](colors=[GREEN, BROWN, (250, 250, 250), (0, 0, 0)])
        assert palette(painted(pictures.full(), GREEN)) == 0.25
        assert palette(painted(pictures.full(), GREEN, BROWN)) == 0.5

    def test_a_single_pixel_of_a_color_is_no_use(self):
        scene = painted(pictures.full(), GREEN)
        rgba = scene.rgba.copy()
        rgba[0, 0, :3] = BROWN
        palette = SCORES["palette"](colors=[GREEN, BROWN])
        assert palette(Scene(mask=scene.mask, root=(0, 0), rgba=rgba)) < 0.501

    def test_distance_is_cielab_over_its_maximum(self):
        palette = SCORES["palette"](colors=[(2, 2, 2)])  # the center of its cell
        blue = painted(pictures.full(), (0, 0, 255))
        green = painted(pictures.full(), (2, 254, 2))  # of all cells farthest from black
        assert palette(green) == pytest.approx(0.0, abs=1e-4)
        assert 0.05 < palette(blue) < 0.1
        other = (202, 82, 122)  # the center of a cell too
        grid = np.arange(2, 256, 4, dtype=np.uint8)
        cube = np.stack(np.meshgrid(grid, grid, grid), -1).reshape(-1, 3)
        black = rgb2lab(np.uint8([2, 2, 2]))
        largest = np.sqrt(((rgb2lab(cube) - black) ** 2).sum(1)).max()
        want = 1 - np.sqrt(((rgb2lab(np.uint8(other)) - black) ** 2).sum()) / largest
        assert palette(painted(pictures.full(), other)) == pytest.approx(want, abs=2e-4)

    def test_colors_outside_the_plant_count_for_nothing(self):
        scene = painted(pictures.disc(), GREEN)
        rgba = scene.rgba.copy()
        rgba[~scene.mask] = (255, 0, 0, 255)
        palette = SCORES["palette"](colors=[GREEN])
        assert palette(Scene(mask=scene.mask, root=(0, 0), rgba=rgba)) == 1.0

    def test_palette_of_an_image(self, tmp_path):
        path = tmp_path / "colors.png"
        picture = np.zeros((10, 10, 4), np.uint8)
        picture[:5] = (*GREEN, 255)
        picture[5:8] = (*BROWN, 255)
        Image.fromarray(picture).save(path)
        palette = SCORES["palette"](image=path)
        assert palette.table.tolist() == sorted([list(GREEN), list(BROWN)])
        noise = np.random.default_rng(0).integers(0, 256, (40, 40, 3), np.uint8)
        assert len(SCORES["palette"](image=noise, n_colors=5).table) == 5

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({}, "palette must have either colors or an image, got 'neither'"),
            (
                {"colors": ["#000000"], "image": "x.png"},
                "palette must have either colors or an image, got 'both'",
            ),
            ({"colors": []}, "palette.colors must be a list of 1 to 64 colors, got []"),
            (
                {"colors": ["green"]},
                "palette.colors must hold colors such as \"#3a7d44\" or [58, 125, 68], got 'green'",
            ),
            (
                {"colors": [[1, 2, 256]]},
                "a color of palette.colors must be a whole number from 0 to 255, got 256",
            ),
            (
                {"image": np.zeros((2, 2, 4), np.uint8)},
                "palette.image must show a color, got 'an image without an opaque pixel'",
            ),
            (
                {"image": "none.png"},
                "palette.image must be an image file that is there, got 'none.png'",
            ),
        ],
    )
    def test_bad_palettes_are_refused(self, parameters, message):
        with pytest.raises(ValueError) as error:
            SCORES["palette"](**parameters)
        assert str(error.value) == message

    def test_colors_are_read(self):
        assert read_colors("x", ["#0a0B0c", (1, 2, 3)]).tolist() == [[10, 11, 12], [1, 2, 3]]


class TestSSIM:
    def test_the_picture_itself_scores_one(self):
        scene = painted(pictures.tree(), GREEN, BROWN)
        assert SCORES["ssim"](image=scene.rgba)(scene) == 1.0

    def test_other_colors_and_other_places_score_less(self):
        target = painted(pictures.disc(), GREEN)
        score = SCORES["ssim"](image=target.rgba)
        near = score(painted(pictures.disc(), (68, 130, 80)))
        far = score(painted(pictures.disc(), (255, 0, 255)))
        assert 1 > near > 0.9 > far
        assert score(painted(pictures.disc(40, 60, 60), GREEN)) < 0.2

    def test_two_empty_halves_are_no_likeness(self):
        target = painted(pictures.disc(30, 50, 50), GREEN)
        assert SCORES["ssim"](image=target.rgba)(painted(pictures.disc(30, 200, 200), GREEN)) < 0.1

    def test_equal_to_scikit_image_to_rounding(self):
        rng = np.random.default_rng(1)
        pairs = [
            [rng.integers(0, 256, (4, 64, 64), np.int32) for _ in range(2)],
            [np.full((4, 64, 64), 255, np.int32), rng.integers(0, 2, (4, 64, 64), np.int32) * 255],
            [
                _reduced(painted(mask, GREEN, BROWN).rgba, mask)
                for mask in (pictures.tree(), pictures.disc())
            ],
        ]
        for a, b in pairs:
            _, want = structural_similarity(
                a.astype(np.uint8), b.astype(np.uint8), channel_axis=0, data_range=255, full=True
            )
            assert similarity(_moments(a), _moments(b)) == pytest.approx(want, abs=1e-9)

    @pytest.mark.parametrize("shape", [(256, 256), (100, 130), (40, 70), (64, 64)])
    def test_cells_are_means(self, shape):
        rng = np.random.default_rng(2)
        rgba = rng.integers(0, 256, (*shape, 4), np.uint8)
        mask = rng.random(shape) < 0.5
        cells = _reduced(rgba, mask)
        assert cells.shape == (4, 64, 64)
        assert cells.min() >= 0
        assert cells.max() <= 255
        if shape == (256, 256):
            part = rgba[:4, 4:8].astype(float) * mask[:4, 4:8, None]
            want = (part[:, :, :3] * part[:, :, 3:] / 255).mean(axis=(0, 1))
            assert cells[:3, 0, 1] == pytest.approx(want, abs=1.0)

    def test_another_size_is_resized_and_said(self):
        target = painted(pictures.disc(35, 64, 64, 128), GREEN)
        score = SCORES["ssim"](image=target.rgba)
        blank = Scene(mask=pictures.empty(), root=(128, 240))
        assert score.prepare(blank) == (
            "ssim: the image of 128 x 128 is resized to 256 x 256 by the nearest pixel",
        )
        assert score(painted(pictures.disc(), GREEN)) > 0.97

    @pytest.mark.parametrize(
        ("picture", "message"),
        [
            (
                np.zeros((6, 20, 3), np.uint8),
                "ssim.image must have at least 7 x 7 pixels, got '20 x 6'",
            ),
            (
                np.zeros((9, 9, 4), np.uint8),
                "ssim.image must show something, got 'an image that is all transparent'",
            ),
        ],
    )
    def test_bad_targets_are_refused(self, picture, message):
        with pytest.raises(ValueError) as error:
            SCORES["ssim"](image=picture)
        assert str(error.value) == message
