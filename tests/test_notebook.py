"""The notebook of examples/ runs, and shows pictures."""

import base64
import io
import warnings
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).parents[1]
nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")


def test_the_notebook_shows_plants(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    notebook = nbformat.read(ROOT / "examples" / "plants.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)  # kept without outputs
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the kernel's machinery
        nbclient.NotebookClient(
            notebook, timeout=200, resources={"metadata": {"path": str(tmp_path)}}
        ).execute()
    shown = [
        output.data
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if output.output_type == "execute_result"
    ]
    pictures = [data["image/png"] for data in shown if "image/png" in data]
    assert len(pictures) == 5
    for picture in pictures:
        with Image.open(io.BytesIO(base64.b64decode(picture))) as image:
            alpha = np.asarray(image.convert("RGBA"))[..., 3]
        assert 0.005 < (alpha > 0).mean() < 0.9
    pages = [data["text/html"] for data in shown if "text/html" in data]
    assert [page.count("<img") for page in pages] == [4]
