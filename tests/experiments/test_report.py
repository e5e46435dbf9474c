import re
import shutil
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from experiments import parse_config, run
from experiments.report import render_page, write_report
from experiments.report.page import _breakable
from experiments.report.story import read_story
from tests.experiments.browser import Browser
from tests.experiments.command_line import Command
from tests.experiments.conftest import TINY

NAME = "Möhre & it's #1 100%"


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.tags.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict]:
        return [attrs for name, attrs in self.tags if name == tag]


@pytest.fixture(scope="module")
def named(tmp_path_factory) -> Path:
    """A run in a folder with a name of trouble."""
    config = parse_config(TINY.replace('name = "tiny"', f'name = "{NAME}"'))
    folder = tmp_path_factory.mktemp("a folder #1 & més 'so' <b>")
    return run(config, folder / NAME).path


@pytest.fixture(scope="module")
def report(named) -> Path:
    return write_report(named)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    made = Browser(tmp_path_factory.mktemp("profile"))
    yield made
    made.close()


def test_one_file_that_needs_nothing_else(report):
    text = report.read_text("utf-8")
    page = Page(text)
    assert not page.all("link")[1:]  # the icon alone
    sources = [tag.get("src") or tag.get("href") for _, tag in page.tags]
    assert all(s.startswith(("data:", "#")) for s in sources if s)
    assert "url(http" not in text
    assert not re.search(r'(?:src|href)="http', text)
    assert f"<h1>{NAME}</h1>".replace("&", "&amp;").replace("'", "&#39;") in text


def test_it_tells_what_the_run_holds(named):
    story = read_story(named)
    text = render_page(story)
    page = Page(text)
    cards = [tag for tag in page.all("li") if tag.get("class") == "card"]
    assert len(cards) == len(story.entries) > 1
    for entry in story.entries:
        assert f'data-genome="{entry["genome"]}"' in text
        assert f"{entry['score']:.4f}" in text
        assert f"{entry['unseen_score']:.3f}" in text
        assert f"{entry['unseen_scores']['coverage']:.3f}" in text
    assert len(page.all("figure")) == 3
    assert text.count('class="heat"') == len(cards)
    assert text.count("<rect x=") >= 180 * len(cards)
    assert "population = 8" in text


def test_every_picture_has_words_and_every_button_a_name(named):
    page = Page(render_page(read_story(named)))
    assert all(image["alt"] for image in page.all("img"))
    for svg in page.all("svg"):
        assert svg.get("aria-hidden") == "true" or svg["aria-label"]
    labels = [tag["aria-label"] for tag in page.all("button") if tag.get("class") == "copy"]
    assert len(labels) == len(set(labels)) > 1


def test_ids_are_used_once(named):
    ids = [tag["id"] for _, tag in Page(render_page(read_story(named))).tags if "id" in tag]
    assert len(ids) == len(set(ids))


def test_the_line_of_descent_is_that_of_lineage_csv(named):
    story = read_story(named)
    for entry in story.entries:
        line = story.descent(bytes.fromhex(entry["genome"]))
        assert line[-1][0].hex() == entry["genome"]
        assert line[-1][1].generation == entry["generation"]
        assert line[0][1].parents == ()
        for (parent, _), (_, child) in pairwise(line):
            assert child.parents[0] == parent
        n, founders = story.n_ancestors(bytes.fromhex(entry["genome"]))
        assert n >= len(line) - 1
        assert (founders > 0) == (entry["generation"] > 0)


def test_plots_are_files_too(named, report):
    assert report == named / "report.html"
    files = sorted(path.name for path in (named / "plots").iterdir())
    assert files == [f"{n}.{e}" for n in ("diversity", "fitness", "scores") for e in ("png", "svg")]
    for path in (named / "plots").glob("*.png"):
        with Image.open(path) as image:
            assert np.asarray(image.convert("L")).std() > 5


def test_the_same_run_gives_the_same_report(named, report):
    assert render_page(read_story(named)) == report.read_text("utf-8")


def test_a_run_that_has_not_come_far(named, tmp_path):
    for gone, words in (
        (["hall_of_fame.json", "hall_of_fame"], "No plant is in the hall of fame yet"),
        (["log.csv", "lineage.csv"], "No generation is finished yet"),
        (["manifest.json", "checkpoint"], "No generation is finished yet"),
    ):
        if not (tmp_path / "run").exists():
            shutil.copytree(named, tmp_path / "run")
        for name in gone:
            path = tmp_path / "run" / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        assert words in render_page(read_story(tmp_path / "run"))


def test_a_run_of_founders_alone_shows_points(named, tmp_path):
    shutil.copytree(named, tmp_path / "run")
    log = (named / "log.csv").read_text().splitlines(keepends=True)
    (tmp_path / "run" / "log.csv").write_text("".join(log[:2]))
    page = render_page(read_story(tmp_path / "run"))
    assert "The best of the founders scores" in page
    assert "Diversity of alleles is " in page
    assert page.count("<use ") > render_page(read_story(named)).count("<use ")  # the points


def test_a_log_that_is_being_written_is_read_to_its_last_whole_row(named, tmp_path):
    shutil.copytree(named, tmp_path / "run")
    log = (tmp_path / "run" / "log.csv").read_bytes()
    cut = log[: log.rstrip().rfind(b"\n") + 12]
    (tmp_path / "run" / "log.csv").write_bytes(cut)
    lineage = (tmp_path / "run" / "lineage.csv").read_bytes()
    (tmp_path / "run" / "lineage.csv").write_bytes(lineage[:-40])
    assert read_story(tmp_path / "run").n_generations == 4
    text = render_page(read_story(tmp_path / "run"))
    assert "3 of 4 generations" in text
    assert "has not come to its last generation" in text


def test_of_a_genome_bred_twice_the_first_row_counts(named, tmp_path):
    shutil.copytree(named, tmp_path / "run")
    path = tmp_path / "run" / "lineage.csv"
    header, first, *rest = path.read_text().splitlines()
    number, genome, parents, operators = first.split(",")
    again = f"{int(number) + 3},{genome},{'00' * 180},mutation"
    path.write_text("\n".join([header, first, *rest, again, ""]))
    found = read_story(tmp_path / "run").lineage[bytes.fromhex(genome)]
    assert (found.generation, found.operators) == (int(number), operators)
    assert found.parents == tuple(map(bytes.fromhex, parents.split()))


LOG = "generation,evaluations,best,best_so_far,mean,min,diversity"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("hall_of_fame.json", "{", "must be a whole hall of fame, got "),
        ("hall_of_fame.json", "[]", "must hold a JSON object"),
        ("manifest.json", "[1, NaN]", "must be a whole manifest, got a number must be finite"),
        ("manifest.json", '{"libraries": 3}', "libraries must be a JSON object, got 3"),
        ("log.csv", "generation,best\n0,much\n", "must have the column 'evaluations'"),
        ("log.csv", f"{LOG}\n0,8,much,1,1,1,1\n", "must hold numbers"),
        ("log.csv", f"{LOG}\n1e999,8,1,1,1,1,1\n", "generation must be whole numbers"),
        ("log.csv", f"{LOG}\n0,,1,1,1,1,1\n", "evaluations must be whole numbers"),
        ("log.csv", f"{LOG}\n0,8,1,1,1,1,{'1' * 200_000}\n", "must hold rows of text"),
        ("lineage.csv", "generation,genome,parents,operators\n0,00,,\n", "must hold a lineage"),
        ("lineage.csv", "generation,genome,parents,operators\n0,xy,,\n", "must hold a lineage"),
        ("config.toml", "name = 5", "name must be a text"),
    ],
)
def test_damaged_files_are_named(monkeypatch, capsys, named, tmp_path, name, text, message):
    shutil.copytree(named, tmp_path / "run", ignore=shutil.ignore_patterns("report.html"))
    (tmp_path / "run" / name).write_text(text)
    said = Command(monkeypatch, capsys).refused("report", tmp_path / "run")
    assert message in said
    assert name in said
    assert not (tmp_path / "run" / "report.html").exists()


def test_the_command(monkeypatch, capsys, named, tmp_path):
    evogarden = Command(monkeypatch, capsys)
    out = tmp_path / "a b.html"
    for _ in range(2):  # a report may be replaced
        assert evogarden("report", named, "-o", out)[:2] == (0, f"wrote {out}\n")
    mine, link = tmp_path / "mine.html", tmp_path / "link.html"
    mine.write_text("<title>mine</title>")
    link.symlink_to(tmp_path / "nothing")
    for other in (mine, link):
        assert "--out must not exist yet, or --force" in evogarden.refused(
            "report", named, "-o", other
        )
    assert mine.read_text() == "<title>mine</title>"
    assert evogarden("report", named, "-o", mine, "--force")[0] == 0
    assert mine.read_bytes() == out.read_bytes()
    assert "run must be a folder that a run has made" in evogarden.refused("report", tmp_path)
    assert "must be a file" in evogarden.refused("report", named, "-o", tmp_path)
    said = evogarden.refused("report", named, "-o", tmp_path / "none" / "a.html")
    assert "must be a file that can be written" in said


@pytest.mark.parametrize("width", [360, 1600])
def test_in_a_browser(named, report, browser, width, tmp_path):
    path = report.rename(tmp_path / f"{NAME} moved.html")
    browser.open(path.as_uri(), width)
    assert browser.errors == []
    requests = [url for url in browser.requests if not url.startswith("data:")]
    assert requests == [path.as_uri()]
    assert browser.run("document.querySelector('h1').textContent") == NAME
    assert browser.run("document.title").startswith(NAME)
    n = len(read_story(named).entries)
    assert browser.run("document.querySelectorAll('.card').length") == n
    shown = "[...document.images].every(i => i.complete && i.naturalWidth > 0)"
    assert browser.run(shown)
    # nothing is wider than the screen
    assert browser.run("document.documentElement.scrollWidth") <= width
    curves = "document.querySelectorAll('figure svg path').length"
    assert browser.run(curves) > 10
    assert browser.run("document.querySelector('figure svg').getBoundingClientRect().width") > 200
    path.rename(report)


def test_buttons_by_keyboard_and_both_themes(named, report, browser, tmp_path):
    browser.dark(False)
    browser.open(report.as_uri())
    color = "getComputedStyle(document.body).backgroundColor"
    light = browser.run(color)
    browser.dark(True)
    dark = browser.run(color)
    assert light != dark
    browser.run("document.getElementById('theme').focus()")
    browser.press("Enter", 13)
    assert browser.run(color) == light
    assert browser.run("document.getElementById('theme').getAttribute('aria-pressed')") == "false"
    # the clipboard of a page over file:// may be shut: what was copied is looked at on its way
    browser.run(
        "window.copied = []; navigator.clipboard.writeText = async t => { copied.push(t); }; "
        "document.querySelector('button.copy').focus()"
    )
    browser.press("Enter", 13)
    browser.wait("document.getElementById('said').textContent === 'Genome copied'")
    genome = read_story(named).entries[0]["genome"]
    assert browser.run("copied") == [genome]
    # a download is the picture's own bytes
    browser.run(
        "const save = document.querySelector('a.save'); "
        "save.addEventListener('click', e => e.preventDefault()); save.click()"
    )
    assert browser.run("save.href === document.querySelector('.card img').src")
    assert browser.run("save.download") == f"{NAME}-001.png"
    browser.run("document.querySelectorAll('summary').forEach(s => s.click())")
    assert browser.run("[...document.querySelectorAll('details')].every(d => d.open)")
    assert browser.errors == []
    browser.picture(tmp_path / "dark.png")
    browser.dark(False)


def test_a_long_name_of_a_score_may_break_and_is_escaped():
    assert _breakable("<b>&a_fit.x:y") == "&lt;b&gt;&amp;a_<wbr>fit.<wbr>x:<wbr>y"


def test_plants_stand_on_their_land(tmp_path):
    text = TINY.replace("[[fitness]]", "[terrain]\niterations = 4\n[[fitness]]", 1)
    path = run(parse_config(text), tmp_path / "land").path
    page = write_report(path).read_text("utf-8")
    assert len(re.findall(r'\.card > img \{ background: url\("data:image/jpeg;base64,', page)) == 1
    np.save(tmp_path / "dem.npy", np.random.default_rng(1).random((9, 9)))
    ground = f'[terrain]\nkind = "file"\nfile = "{(tmp_path / "dem.npy").as_posix()}"\nrow = 3\n'
    text = TINY.replace("[[fitness]]", f"{ground}[[fitness]]", 1)
    path = run(parse_config(text), tmp_path / "file").path
    assert "image/jpeg" in write_report(path).read_text("utf-8")
    (tmp_path / "dem.npy").unlink()
    assert "image/jpeg" not in write_report(path).read_text("utf-8")
    bare = run(parse_config(TINY), tmp_path / "bare").path
    assert "image/jpeg" not in write_report(bare).read_text("utf-8")
