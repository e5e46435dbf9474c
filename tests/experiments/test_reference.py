"""docs/config.md says what the config says of itself."""

from pathlib import Path

from experiments.reference import config_page


def test_the_page_is_the_printed_one():
    page = Path(__file__).parents[2] / "docs" / "config.md"
    assert page.read_text(encoding="utf-8") == config_page()
