"""The compiled scores of colors are those of the numpy code beside them, to the last bit."""

import numpy as np
import pytest

from fitness import Scene, make_score
from fitness.scores import color, likeness

pytest.importorskip("numba")

SHAPES = [(1, 1), (1, 9), (7, 70), (63, 64), (64, 63), (65, 130), (256, 256), (100, 300)]
ALPHAS = {"opaque": [255], "clear or opaque": [0, 255], "any": [0, 1, 127, 254, 255]}


def picture(shape, alphas, share):
    rng = np.random.default_rng(shape[1])
    rgba = rng.integers(0, 256, (*shape, 4), np.uint8)
    rgba[..., 3] = rng.choice(np.array(alphas, np.uint8), shape)
    mask = rng.random(shape) < share
    mask[0, 0] = True
    return Scene(mask=mask, root=(0, 0), rgba=rgba)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("alphas", ALPHAS.values(), ids=ALPHAS)
@pytest.mark.parametrize("share", [0, 0.3, 1])
def test_scores_are_equal(shape, alphas, share, monkeypatch):
    target = np.random.default_rng(1).integers(0, 256, (40, 50, 4), np.uint8)
    target[:20, :, 3] = 0
    palette = make_score("palette", {"colors": ["#2e7d32", "#81c784", "#6d4c41"]})
    ssim = make_score("ssim", {"image": target})
    scene = picture(shape, alphas, share)
    values = [score(scene) for score in (palette, ssim)]
    for module in (color, likeness):
        monkeypatch.setattr(module, "compiled_measures", lambda: None)
    assert values == [score(scene) for score in (palette, ssim)]


@pytest.mark.parametrize("alphas", ALPHAS.values(), ids=ALPHAS)
def test_means_by_hand(alphas):
    scene = picture((65, 130), alphas, 0.5)
    means = likeness._reduced(scene.rgba, scene.mask)
    opaque = set(alphas) <= {0, 255}
    for i, j in ((0, 0), (31, 40), (63, 63)):
        block = np.s_[i * 65 // 64 : (i + 1) * 65 // 64, j * 130 // 64 : (j + 1) * 130 // 64]
        pixels, ink = scene.rgba[block].astype(int), scene.mask[block]
        colors = pixels[..., :3] if opaque else (2 * pixels[..., :3] * pixels[..., 3:] + 255) // 510
        for channel in range(4):
            values = pixels[..., 3] if channel == 3 else colors[..., channel]
            total, n = int(values[ink].sum()), ink.size
            assert means[channel, i, j] == (2 * total + n) // (2 * n)
