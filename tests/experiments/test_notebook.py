import io

import numpy as np
from PIL import Image

from evo import Individual, evolve
from evo.archive import Entry
from experiments import resume
from experiments.notebook import gallery, load_ipython_extension, unload_ipython_extension
from render import grow
from tests.render.plants import uniform


class Formatter(dict):
    def for_type(self, kind, function):
        self[kind] = function


class Shell:
    def __init__(self):
        formatters = {"image/png": Formatter()}
        self.display_formatter = type("D", (), {"formatters": formatters})()


def alpha(data: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image.convert("RGBA"))[..., 3]


def test_circles_show_themselves_and_none_are_an_empty_picture():
    full = alpha(grow(uniform(6), 1, 3000)._repr_png_())
    assert full.shape == (384, 384)
    rows, columns = np.nonzero(full)
    assert max(np.ptp(rows), np.ptp(columns)) > 370
    assert not alpha(grow(uniform(6), 1, 0)._repr_png_()).any()


def test_ipython_is_told_how_to_draw_an_individual_and_can_forget_it():
    shell = Shell()
    formatter = shell.display_formatter.formatters["image/png"]
    load_ipython_extension(shell)
    individual = Individual(uniform(6))
    assert set(formatter) == {Individual, Entry}
    assert formatter[Individual](individual) == grow(uniform(6), 0)._repr_png_()
    unload_ipython_extension(shell)
    unload_ipython_extension(shell)
    assert not formatter
    assert evolve  # evo itself knows nothing of pictures
    assert not hasattr(individual, "_repr_png_")


def test_a_result_shows_its_hall_of_fame(finished):
    result = resume(finished)
    page = result._repr_html_()
    assert page.count("<img") == len(result.hall_of_fame) > 0
    for entry in result.hall_of_fame:
        assert f"{entry.values[0]:.4f}" in page


def test_captions_are_escaped():
    picture = grow(uniform(6), 1, 300)._repr_png_()
    page = gallery([(picture, 'a <b> & "c"')])
    assert "<b>" not in page
    assert "a &lt;b&gt; &amp; &quot;c&quot;" in page
    assert gallery([]).count("<img") == 0
