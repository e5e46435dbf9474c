"""The config: what is refused, with which words, and that writing and reading are inverse."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import experiments
from experiments import Config, ConfigError, dump_config, load_config, parse_config
from experiments.starters import starters

LEAST = 'name = "a"\nseed = 1\n[[fitness]]\nname = "coverage"\n'


def mistakes(text: str, *overrides: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        parse_config(text, "f.toml", overrides)
    return str(caught.value).splitlines()


def test_least_config_has_the_documented_defaults():
    config = parse_config(LEAST)
    assert config.evolution.population == 100
    assert config.evolution.elites == 2
    assert config.plant.samples == 3
    assert config.picture.window().unit == 1024
    assert config.picture.window().root == (128, 240)
    assert config.parallel.kernel_name is None


def test_all_mistakes_are_said_at_once_each_with_file_key_and_nearest():
    text = """
name = "x"
seed = true
plants = {}
[evolution]
mutaton = 0.1
population = 5.0
crossover = 1.5
elites = "3"
mutation = nan
creep = inf
[picture]
width = -4
[[fitness]]
name = "coverag"
[[fitness]]
name = "coverage"
lo = 0.1
"""
    assert sorted(mistakes(text)) == sorted(
        [
            "f.toml: seed must be a whole number, got True",
            "f.toml: plants must be a known key (nearest: 'plant'), got {}",
            "f.toml: evolution.mutaton must be a known key (nearest: 'mutation'), got 0.1",
            "f.toml: evolution.population must be a whole number, got 5.0",
            "f.toml: evolution.crossover must be at most 1.0, got 1.5",
            "f.toml: evolution.elites must be a whole number, got '3'",
            "f.toml: evolution.mutation must be a finite number, got nan",
            "f.toml: evolution.creep must be a finite number, got inf",
            "f.toml: picture.width must be at least 1, got -4",
            *[line for line in mistakes(text) if "fitness." in line],
        ]
    )
    fitness = [line for line in mistakes(text) if "fitness." in line]
    assert len(fitness) == 2
    assert "(nearest: 'coverage'), got 'coverag'" in fitness[0]
    assert "(nearest: 'low'), got 'lo'" in fitness[1]


@pytest.mark.parametrize(
    ("override", "line"),
    [
        ("seed=-1", "f.toml: seed must be at least 0, got -1"),
        (f"seed={2**64}", f"f.toml: seed must be at most {2**64 - 1}, got {2**64}"),
        ("name=a/b", 'f.toml: name must be a file name without / \\ : * ? " < > | or outer dots'),
        ("name=..", 'f.toml: name must be a file name without / \\ : * ? " < > | or outer dots'),
        ("fitness=[]", "f.toml: fitness must have at least one score, got []"),
        ("fitness.0.weight=0", "f.toml: fitness.0.weight must be more than 0.0, got 0"),
        ("fitness.1.weight=2", "--set must have an index below 1, got 'fitness.1.weight=2'"),
        ("evolution", "--set must have the form KEY=VALUE, got 'evolution'"),
        ("seed.deep=1", "--set must name a key of the config, got 'seed.deep=1'"),
        (
            "evolution.founders=seedlings",
            "f.toml: evolution.founders must be one of 'seedling', 'uniform' "
            "(nearest: 'seedling'), got 'seedlings'",
        ),
        (
            "evolution.search=gaa",
            "f.toml: evolution.search must be 'ga', 'random', 'hill', 'annealing', 'cmaes', "
            "'race', 'relay' or 'guided', got 'gaa'",
        ),
        ("picture.px_per_pixel=4.1", "f.toml: picture: px_per_pixel must be a multiple of 1/256"),
        ("picture.zoom=3", "f.toml: picture: px_per_pixel * 256 must be a multiple of zoom"),
        ("picture.width=1000000000", "f.toml: picture: width * height"),
        ("picture.oversample=4096", "f.toml: picture: px_per_pixel * 256 must be a multiple of"),
        ("picture.px_per_pixel=1e308", "f.toml: picture.px_per_pixel must be at most 4096"),
        ("evolution.tournament=1001", "f.toml: evolution.tournament must be at most 1000"),
        ("picture.root=[1]", "f.toml: picture.root"),
        ("parallel.jobs=0", "f.toml: parallel.jobs must be at least 1, or below 0"),
        ("parallel.kernel=cuda", "f.toml: parallel.kernel must be 'auto', 'numba' or 'numpy'"),
        ("evolution=3", "f.toml: evolution must be a table, got 3"),
    ],
)
def test_one_mistake(override, line):
    said = mistakes(LEAST, override)
    assert len(said) == 1
    assert said[0].startswith(line)


def test_missing_keys_are_said():
    assert mistakes("seed = 1") == [
        "f.toml: name must be given, got nothing",
        "f.toml: fitness must be given, got nothing",
    ]


def test_a_whole_number_is_taken_for_a_float():
    assert parse_config(LEAST, overrides=["picture.px_per_pixel=4"]).picture.px_per_pixel == 4.0


def test_overrides_take_toml_values_and_bare_words():
    config = parse_config(
        LEAST, overrides=["evolution.population=7", "name=meadow 2", "fitness.0.low=0.2"]
    )
    assert config.evolution.population == 7
    assert config.name == "meadow 2"
    assert config.fitness[0].parameters == {"low": 0.2}


@pytest.mark.parametrize("text", ["a = ", "\x00", "a = 1\na = 2"])
def test_what_is_no_toml_is_refused(text):
    assert mistakes(text)[0].startswith("f.toml: config must be TOML, got ")


def test_unreadable_files(tmp_path):
    with pytest.raises(ConfigError, match=r"config must be a readable file, got .*none\.toml"):
        load_config(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match="config must be a readable file"):
        load_config(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    with pytest.raises(ConfigError, match="config must be UTF-8 text"):
        load_config(tmp_path / "latin.toml")


def test_scores_of_one_name_get_names_of_their_own():
    text = LEAST + '[[fitness]]\nname = "symmetry"\n[[fitness]]\nname = "coverage"\n'
    assert parse_config(text).score_names == ("coverage", "symmetry", "coverage#2")


def test_the_saved_picture_shows_the_same_view():
    picture = parse_config(LEAST, overrides=["picture.zoom=4", "picture.root=[100,-7]"]).picture
    seen, saved = picture.window(), picture.saved_window()
    assert (saved.width, saved.height, saved.unit) == (1024, 1024, 256)
    assert saved.root == (400, -28)
    assert seen.root == (100, -7)


def test_a_config_is_frozen():
    with pytest.raises(ValueError, match="frozen"):
        parse_config(LEAST).evolution.population = 3  # type: ignore[misc]


@pytest.mark.parametrize("name", sorted(starters()))
def test_starters_load_and_survive_writing(name):
    folder = Path(experiments.__file__).parent / "configs"
    config = parse_config(starters()[name], folder=folder)
    assert config.name == name
    assert parse_config(dump_config(config)) == config


share = st.floats(0, 1)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "population": st.integers(1, 100_000),
            "elites": st.integers(0, 2**70),
            "crossover": share,
            "mutation": share,
            "target": st.floats(allow_nan=False, allow_infinity=False),
            "patience": st.integers(1, 10**6),
            "founders": st.sampled_from(["seedling", "uniform"]),
        },
    ),
    st.integers(0, 2**64 - 1),
    st.tuples(st.integers(-1000, 1000), st.integers(-1000, 1000)),
)
def test_writing_and_reading_give_an_equal_config(evolution, seed, root):
    config = Config.model_validate(
        {
            "name": "é #&'",
            "seed": seed,
            "evolution": evolution,
            "picture": {"root": root},
            "fitness": [{"name": "coverage", "low": 0.125}],
        }
    )
    assert parse_config(dump_config(config)) == config


def test_a_saved_picture_of_too_many_samples_is_refused():
    said = mistakes(LEAST, "picture.oversample=1024", "picture.zoom=1")
    assert len(said) == 1
    assert "width * height * oversample" in said[0]


@pytest.mark.parametrize(
    ("override", "start"),
    [
        (f"a={'[' * 3000}", "f.toml: a must be a known key, got '[[["),
        (f"seed={'[' * 3000}{']' * 3000}", "f.toml: seed must be a whole number, got "),
        (f"seed={'9' * 5000}", "f.toml: seed must be a whole number, got '999"),
        (
            f"seed=0x{'f' * 5000}",
            "f.toml: seed must be at most 18446744073709551615, got a value of type int that ",
        ),
        (f"fitness.{'9' * 5000}.weight=1", "--set must have an index below 1, got 'fitness.99"),
        (f"{'.'.join('a' * 3000)}=1", "f.toml: a must be a known key, got "),
        (f"fitness.0.{'.'.join('a' * 3000)}=1", "f.toml: fitness.0: coverage.a.a.a"),
        (
            "population=5",
            "f.toml: population must be a known key (nearest: 'evolution.population')",
        ),
        ("terrain.fill=true", "f.toml: terrain.fill must be a height or 'nearest', got True"),
        ("fitness.0.name=.foo:bar", "f.toml: fitness.0: fitness name must be a score or "),
    ],
)
def test_hostile_and_misplaced_overrides_are_one_line(override, start):
    (line,) = mistakes(LEAST, override)
    assert line.startswith(start)
    assert len(line) < 250


def test_a_score_under_a_single_bracket_is_explained():
    (line,) = mistakes(LEAST.replace("[[fitness]]", "[fitness]"))
    assert line.startswith("f.toml: fitness must be a list, each score headed [[fitness]], got ")


def test_all_mistakes_of_a_score_are_said_at_once():
    assert mistakes(LEAST + "lo = 1\nhigh = 'x'\npiece = 2\n") == [
        "f.toml: fitness.0: coverage must have parameters among low, high, soft, evenness, blob, "
        "piece (nearest: 'low'), got 'lo'",
        "f.toml: fitness.0: coverage.high must be a finite number from 0 to 1, got 'x'",
        "f.toml: fitness.0: coverage.piece must be true or false, got 2",
    ]


def test_parameters_of_one_s_own_score_are_what_a_run_can_keep():
    own = LEAST.replace('"coverage"', '"os.path:join"')
    bad = "when = 2020-01-01\nnumbers = [1, nan]\ndeep = {a = {b = inf}}\n"
    kinds = "must be a number, a text, true, false, a list or a table"
    assert mistakes(own + bad) == [
        f"f.toml: fitness.0: os.path:join.when {kinds}, got datetime.date(2020, 1, 1)",
        "f.toml: fitness.0: os.path:join.numbers.1 must be a finite number, got nan",
        "f.toml: fitness.0: os.path:join.deep.a.b must be a finite number, got inf",
    ]
