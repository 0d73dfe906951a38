"""States as one array, and arrays of others in."""

from pathlib import Path

import numpy as np
import pytest

import antipode_sde


@pytest.mark.parametrize("trajectories", [20, 30_000])  # one batch, and several
def test_states(trajectories):
    run = antipode_sde.simulate(tokens=4, dim=3, trajectories=trajectories, horizon=2, depth=5, save="states", quiet=True)
    x = run.array
    assert x.shape == (trajectories, 3, 4, 3) and np.abs((x * x).sum(axis=-1) - 1).max() < 1e-14
    table, row = run.arrow(), 3 * (trajectories - 1) + 1
    for token in range(4):
        assert x[-1, 1, token].tolist() == table[f"x{token + 1}"][row].as_py()
    batches = len(table.to_batches())
    assert (batches == 1) == (trajectories == 20)
    if batches == 1:
        assert not x.flags.owndata and not x.flags.writeable
    named = pytest.importorskip("xarray") and run.xarray()
    assert named.dims == ("trajectory", "time", "token", "component") and list(named.time) == [0, 1, 2]


def test_no_states():
    with pytest.raises(ValueError, match="no states"):
        antipode_sde.simulate(trajectories=5, horizon=1).array


def test_start_from_states():
    first = antipode_sde.simulate(tokens=3, trajectories=5, horizon=1, save="states")
    second = antipode_sde.simulate(tokens=3, trajectories=5, horizon=1, save="states", start=first)
    assert np.array_equal(second.array[:, 0], first.array[:, -1])


def test_file_of_an_array():
    """It is there as long as the runs are that read it, and equal arrays are one file."""
    matrix = np.array([[1, 0.5], [-0.25, 2]])
    given = {"dim": 2, "beta": 2, "trajectories": 5, "horizon": 1, "method": "tokens"}
    run, other = (antipode_sde.phase(interaction=m, **given) for m in (matrix, matrix.copy()))
    assert "the same again" in run.rerun() and run.frame.attrs == other.frame.attrs
    file = Path(run.frame.attrs["interaction"].split("#")[0])
    assert np.array_equal(np.loadtxt(file), matrix)
    del run
    assert file.exists()
    del other
    assert not file.parent.exists()
    with pytest.raises(ValueError, match="interaction: an array of objects; must be of numbers"):
        antipode_sde.phase(interaction=np.array([[1, None]]), **given)
    with pytest.raises(ValueError, match="interaction: is no array"):
        antipode_sde.phase(interaction=[[1, 2], [3]], **given)
    with pytest.raises(ValueError, match="--start 1,0/0,1: must be uniform"):
        antipode_sde.simulate(start=np.eye(2))


hidden = np.random.default_rng(1).normal(size=(3, 2, 6, 8)).astype("float32")
mask = np.arange(6) < np.array([[6], [4]])


def overlaps(states, mask=None):
    return antipode_sde.measure(states, mask).frame.overlap


def test_measure():
    """The mean overlap is that of NumPy, over the pairs of a sequence."""
    unit = hidden / np.linalg.norm(hidden, axis=-1, keepdims=True)
    pairs = [
        np.mean([(layer[s, i] * layer[s, j]).sum() for i in range(n) for j in range(i)])
        for layer in unit.astype(float) for s, n in ((0, 6), (1, 4))
    ]
    np.testing.assert_allclose(overlaps(hidden, mask), np.mean(np.reshape(pairs, (3, 2)), axis=1), atol=1e-6)
    np.testing.assert_array_equal(overlaps(list(hidden)), overlaps(hidden))


def test_measure_of_several(tmp_path):
    """Files that are compared are rows of one table, that name the file; arrays and paths alike."""
    np.save(tmp_path / "after.npy", hidden[:2])
    frame = antipode_sde.measure(hidden, compare=[tmp_path / "after.npy", hidden[1:]]).frame
    assert [len(rows) for _, rows in frame.groupby("file", observed=True)] == [3, 2, 2]
    np.testing.assert_array_equal(frame.overlap[5:], overlaps(hidden)[1:])


def test_masked_arrays():
    """Their mask would be lost; one that masks nothing says nothing."""
    masked = np.ma.masked_array(hidden, mask=np.zeros(hidden.shape, bool))
    np.testing.assert_array_equal(overlaps(masked), overlaps(hidden))
    masked[0, 0, 0] = np.ma.masked
    beta = np.ma.masked_array([0.5, 1], mask=[False, True])
    for name, call in [
        ("file: .*", lambda: antipode_sde.measure(masked)),
        ("file: .*", lambda: antipode_sde.measure(list(masked))),
        ("beta: .*", lambda: antipode_sde.overlap(beta=beta)),
        ("", lambda: antipode_sde.p_antipodal(4, beta)),
    ]:
        with pytest.raises(ValueError, match=name + "some values are masked; .* measure has mask="):
            call()


def test_measure_of_equal_arrays():
    """That nothing has changed is a comparison too; the same call has the same files, so that it can be resumed."""
    run, other = (antipode_sde.measure(hidden, compare=[hidden.copy(), hidden]) for _ in range(2))
    rows = [rows.overlap.tolist() for _, rows in run.frame.groupby("file", observed=True)]
    assert rows == [overlaps(hidden).tolist()] * 3
    assert run.frame.file.tolist() == other.frame.file.tolist()


def test_measure_of_torch():
    torch = pytest.importorskip("torch")
    states = torch.tensor(hidden, requires_grad=True)
    np.testing.assert_array_equal(overlaps(states, torch.tensor(mask)), overlaps(hidden, mask))
    assert np.abs(overlaps(tuple(states.bfloat16())) - overlaps(hidden)).max() < 0.01


def test_measure_of_jax():
    jnp = pytest.importorskip("jax.numpy")
    np.testing.assert_array_equal(overlaps(jnp.asarray(hidden), jnp.asarray(mask)), overlaps(hidden, mask))
    assert np.abs(overlaps(jnp.asarray(hidden, "bfloat16")) - overlaps(hidden)).max() < 0.01


def test_curves():
    frame = antipode_sde.train(steps=4, every=2, validation=8).frame
    curves = frame[frame.layer.isna()].pivot(index="step", columns="run", values="loss")
    assert list(curves.index) == [0, 2, 4] and curves.notna().all().all()
