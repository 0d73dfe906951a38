"""Every command, called once with small values, and what it refuses."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import antipode_sde
from antipode_sde import _names, _program

COMMANDS = {_names.python(c["name"]): c for c in antipode_sde._description["commands"]}
hidden = np.random.default_rng(1).normal(size=(3, 2, 6, 8))

SMALL = {
    "phase": {"dim": [4], "beta": np.linspace(1, 2, 2), "trajectories": 50, "depth": 10, "horizon": 20.0},
    "overlap": {"dim": range(3, 6), "beta": 1},
    "hybrid": {"beta": 0.5, "epsilon": [0.5, 1], "trajectories": 50, "depth": 10, "horizon": 4},
    "mlp": {"dim": [4], "beta": [1, 2], "strength": [0, 1], "trajectories": 50, "depth": 10, "horizon": 4},
    "weak": {"trajectories": 50},
    "simulate": {"tokens": 3, "trajectories": np.int64(10), "horizon": 2},
    "tokens": {"tokens": 3, "beta": [1, 2], "trajectories": 20, "depth": 10, "horizon": 3},
    "crowd": {"dim": 3, "beta": [0.5], "tokens": [3, 9], "trajectories": 10, "depth": 10, "horizon": 3},
    "evolve": {"beta": 2, "dim": 3, "tokens": 4, "trajectories": 20, "depth": 10, "horizon": 3},
    "stability": {"masses": "1,2", "trajectories": 20, "depth": 10},
    "field": {},
    "residual": {"samples": 100, "depth": [4, 8, 16]},
    "propagation": {"layers": 3},
    "trainability": {"depth": 3},
    "gradients": {"dim": 8, "tokens": 4, "networks": 2, "layers": 2},
    "rank_collapse": {"networks": 2},
    "attention_phase": {"tokens": 16, "beta": 1, "rho": [0.2, 0.5]},
    "attention_matrix": {"tokens": 8},
    "spectrum": {"tokens": 16},
    "stable_rank": {"tokens": 8, "layers": 2, "samples": 1},
    "width_gradients": {"tokens": "8,16", "samples": 2},
    "train": {"steps": 4, "every": 2, "validation": 8},
    "advise": {"layers": 2, "dim": 16, "heads": 2, "width": 32, "tokens": 8},
    "measure": {"file": hidden},
    "verify": {"only": "eq5"},
}


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch):
    """Nothing is left in the current folder."""
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    assert list(tmp_path.iterdir()) == []


def test_each_command_is_here():
    assert set(SMALL) == set(COMMANDS) and set(COMMANDS) < set(antipode_sde.__all__)


@pytest.mark.parametrize("name", SMALL)
def test_command(name):
    run = getattr(antipode_sde, name)(**SMALL[name])
    assert isinstance(run.frame, pd.DataFrame) and len(run.frame) == run.arrow().num_rows > 0
    described = [{c["name"] for c in table["columns"]} for table in COMMANDS[name]["tables"]]
    assert set(run.frame.columns) in described or name == "simulate"
    assert run.frame.attrs["command"] == COMMANDS[name]["name"] and run.frame.attrs["meaning"]
    assert run.summary and "Wrote" not in run.summary
    if name == "verify":
        with pytest.raises(ValueError, match="figure"):
            run.figure
    else:
        assert "<svg" in run.figure._repr_svg_()


def program(*arguments):
    return subprocess.run([_program.BINARY, *arguments], capture_output=True, encoding="utf-8")


@pytest.mark.parametrize("name", SMALL)
def test_refusals(name):
    """A bad value of any parameter is a ValueError with the line of the program."""
    command = COMMANDS[name]
    file = {"file": "missing.npy"} if name == "measure" else {}
    for parameter in command["parameters"]:
        if parameter["type"] == "switch" or file and not parameter["argument"]:
            continue
        flag = [] if parameter["argument"] else [f"--{parameter['name']}"]
        said = program(command["name"], *flag, "1e99?")
        with pytest.raises(ValueError) as refused:
            getattr(antipode_sde, name)(**{_names.python(parameter["name"]): "1e99?"})
        assert said.returncode == 2 and f"antipode: {refused.value}\n" == said.stderr
        assert parameter["argument"] or flag[0] in said.stderr


@pytest.mark.parametrize("name", SMALL)
def test_dry_run(name, tmp_path_factory):
    """What a run will need is what it then has, and a dry run writes nothing."""
    folder = tmp_path_factory.mktemp("dry")
    given, out = SMALL[name], folder / "table.arrow"
    needs = getattr(antipode_sde, name)(**given, dry_run=True, out=out)
    assert isinstance(needs, antipode_sde.Needs) and not any(folder.iterdir())
    assert needs.command == COMMANDS[name]["name"] and needs.cells > 0 and needs.seconds > 0
    run = getattr(antipode_sde, name)(**given, out=out)
    assert not needs.whole or needs.rows == run.arrow().num_rows
    assert not needs.whole or 0.8 * out.stat().st_size - 2000 < needs.bytes < 1.2 * out.stat().st_size + 2000


def test_dry_run_of_a_long_one():
    needs = antipode_sde.phase(dim=4, beta=[0.5, 1], trajectories=10**6, horizon=1, depth=100, dry_run=True)
    assert needs.cells == 2 and needs.rows == 2 and needs.layers == 2e8 and needs.kept == 2 * 15e6
    with pytest.raises(ValueError, match="--beta"):
        antipode_sde.phase(beta=-1, dry_run=True)


def test_unknown_parameter():
    with pytest.raises(ValueError, match=r"no parameter is called bta \(did you mean beta\?\)"):
        antipode_sde.phase(bta=1)
    with pytest.raises(ValueError, match="did you mean masses"):
        antipode_sde.lifetime(mases=1)


@pytest.mark.parametrize("name", ["no_shortcuts", "paper", "resume", "restart", "quiet", "dry_run"])
def test_switches(name):
    """A text is neither on nor off, whatever it says, and nothing is run with it."""
    for value in "false", "true", "", 2:
        with pytest.raises(ValueError, match=f"^{name} {value}: is a switch; must be True or False"):
            antipode_sde.phase(dim=4, beta=1, trajectories=5, horizon=1, **{name: value})


def test_values_of_a_switch():
    for value, on in [(False, False), (np.False_, False), (0, False), (None, False), (np.True_, True), (1, True)]:
        assert ("dp_dbeta" in antipode_sde.overlap(dim=4, beta=1, derivatives=value, quiet=value).frame) == on


def test_second_names():
    """A parameter has the name that all commands share beside its own, and only one of them is given."""
    own, shared = antipode_sde.trainability(beta=1.5, depth=20), antipode_sde.trainability(weight_beta=1.5, layers=20)
    assert own.frame.equals(shared.frame) and own.frame.attrs["weight_beta"] == 1.5
    with pytest.raises(ValueError, match="weight-beta"):
        antipode_sde.trainability(weight_beta=1.5, beta=2)


def test_signature_and_help():
    text = antipode_sde.phase.__doc__
    assert "inverse temperatures β" in text and "p_antipodal_horizon: " in text
    import inspect

    signature = inspect.signature(antipode_sde.phase)
    assert signature.parameters["depth"].default == 40 and signature.parameters["beta"].default == "0:2:0.1"


def test_same_rows_as_the_program(tmp_path_factory):
    """Values go in as they are, and rows come out as the program writes them."""
    file = tmp_path_factory.mktemp("a folder") / "table.arrow"
    given = {"tokens": np.array([2, 3]), "beta": np.array([0.5, 1]), "trajectories": 5, "horizon": 2.0}
    run = antipode_sde.simulate(**given, out=file)
    assert run.path == file and run.frame.groupby(["tokens", "beta"]).size().tolist() == [15] * 4
    again = program("rerun", str(file))
    assert again.returncode == 0 and run.rerun() == again.stdout.strip()
    said = program("simulate", "--tokens", "2,3", "--beta", "0.5,1", "--trajectories", "5", "--horizon", "2",
                   "--out", str(file.with_name("own.arrow")))
    assert said.returncode == 0 and file.read_bytes() == file.with_name("own.arrow").read_bytes()
    for ending in "arrow", "parquet", "csv":
        assert run.save(file.with_name(f"saved.{ending}")).stat().st_size > 100
    pd.testing.assert_frame_equal(pd.read_parquet(file.with_name("saved.parquet")), run.frame)
    assert len(pd.read_csv(file.with_name("saved.csv"))) == 60
    with pytest.raises(ValueError, match="must end in"):
        run.save("table.txt")
    polars = pytest.importorskip("polars")
    assert isinstance(run.polars(), polars.DataFrame) and run.polars().height == 60


def test_long_arrays():
    """Longer than a command line may be, as a range and as numbers of all digits."""
    beta = np.linspace(0, 2, 9001)
    assert len(",".join(map(repr, beta.tolist()))) > 2**17
    frame = antipode_sde.overlap(dim=4, beta=beta).frame
    assert np.array_equal(frame.beta, beta)
    np.testing.assert_array_equal(frame.p_antipodal, antipode_sde.p_antipodal(4, beta))
    with pytest.raises(ValueError, match="--beta .*: -7 is out of bounds"):
        antipode_sde.overlap(dim=4, beta=[*beta, -7])
    assert len(antipode_sde.overlap(dim=range(2, 6002), beta=1).frame) == 6000


def test_saved_figures(tmp_path_factory):
    run, folder = antipode_sde.field(), tmp_path_factory.mktemp("figures")
    for ending in "svg", "png", "pdf":
        assert run.save(folder / f"field.{ending}").stat().st_size > 1000


def test_console_script():
    said = subprocess.run([sys.executable, "-c", "from antipode_sde._program import main; main()", "--version"],
                          capture_output=True, encoding="utf-8")
    assert said.returncode == 0 and antipode_sde.__version__ in said.stdout
