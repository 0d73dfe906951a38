"""Files that a call names: which of them are refused before a run, and whose table a run returns."""

import time

import pytest

import antipode_sde
from antipode_sde import _program

OLD = {"tokens": 2, "dim": 3, "beta": [1], "trajectories": 4, "horizon": 1, "quiet": True}
FAILING = OLD | {"attention": "unnormalized", "beta": [700]}


def test_failed_run_returns_no_older_table(tmp_path):
    out = tmp_path / "table.arrow"
    antipode_sde.simulate(**OLD, out=out)
    content = out.read_bytes()
    with pytest.raises(_program.Failure, match="a token has no direction"):
        antipode_sde.simulate(**FAILING, out=out)
    assert out.read_bytes() == content


@pytest.mark.parametrize("finished", [False, True])
def test_program_that_fails_in_a_run(tmp_path, monkeypatch, finished):
    """A failure after a run came to its end, as of a claim, returns its table, even where an older one was."""
    out = tmp_path / "table.arrow"
    antipode_sde.simulate(**OLD, out=out)
    call = _program.call

    def failing(arguments, progress=None):
        printed = call(arguments, progress) if finished else ""
        raise _program.Failure("the program ended with code -9", printed)

    monkeypatch.setattr(_program, "call", failing)
    time.sleep(0.05)  # a clock of files may be as coarse as this
    if finished:
        run = antipode_sde.simulate(**OLD | {"trajectories": 6}, out=out)
        assert run.arrow().num_rows == 12 and run.summary
    else:
        with pytest.raises(_program.Failure, match="code -9"):
            antipode_sde.simulate(**OLD, out=out)


@pytest.mark.parametrize("name", ["table.parquet", "table.csv", "table", "-"])
@pytest.mark.parametrize("dry", [False, True])
def test_table_in_another_format(tmp_path, monkeypatch, name, dry):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"^out .*: must end in \.arrow"):
        antipode_sde.simulate(**OLD, out=name, dry_run=dry)
    assert list(tmp_path.iterdir()) == []
    assert antipode_sde.simulate(**OLD, out=tmp_path / "TABLE.ARROW").arrow().num_rows == 8


@pytest.mark.parametrize("save", [["outcomes", "states"], "outcomes,states"])
@pytest.mark.parametrize("dry", [False, True])
def test_several_tables_of_one_run(tmp_path, monkeypatch, save, dry):
    """They would be files with other names, so that no run could be returned."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="^simulate: save outcomes,states: .* must be one"):
        antipode_sde.simulate(**OLD, save=save, out="table.arrow", dry_run=dry)
    assert list(tmp_path.iterdir()) == []
    assert antipode_sde.simulate(**OLD, save=save[:1] if isinstance(save, list) else "outcomes").arrow().num_rows == 8
