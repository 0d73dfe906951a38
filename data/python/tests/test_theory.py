"""The theory as functions of arrays."""

import math

import numpy as np
import pytest

import antipode_sde


def test_threshold():
    """arccosh(d-2)/2, and none on the circle."""
    dims = np.array([[2, 3], [4, 8]])
    expected = [[math.nan, 0], [math.acosh(2) / 2, math.acosh(6) / 2]]
    np.testing.assert_allclose(antipode_sde.beta_c(dims), expected, rtol=1e-15)


def test_broadcast():
    p = antipode_sde.p_antipodal(dim=[[2], [4]], beta=np.array([0.5, 1, 2]), z0=-0.5)
    assert p.shape == (2, 3)
    np.testing.assert_allclose(p[0], math.acos(-0.5) / math.pi, rtol=1e-12)  # on the circle, for every β
    for k, beta in enumerate([0.5, 1, 2]):
        alone = antipode_sde.p_antipodal(4, beta, -0.5)
        assert isinstance(alone, float) and alone == p[1, k]
    assert antipode_sde.p_antipodal(4, []).shape == (0,)
    with pytest.raises(ValueError, match="broadcast"):
        antipode_sde.p_antipodal(dim=[2, 3], beta=[1, 2, 3])


@pytest.mark.parametrize("kind", ["float16", "float32", "longdouble", "int8", "object"])
def test_types_of_numbers(kind):
    beta = np.array([0, 1, 2], kind)
    expected = antipode_sde.p_antipodal(4, [0, 1, 2])
    np.testing.assert_array_equal(antipode_sde.p_antipodal(4, beta), expected)
    assert antipode_sde.p_antipodal(4, beta[1]) == expected[1]
    if kind == "longdouble":
        with pytest.raises(ValueError, match="beta nan"):
            antipode_sde.p_antipodal(4, [beta[1], np.longdouble("nan")])


def test_many_points(monkeypatch):
    """More than one question, in order."""
    monkeypatch.setattr(antipode_sde._theory, "_POINTS", 400)
    beta = np.linspace(1, 2, 1001)
    thresholds = antipode_sde.beta_c(dim=4 + np.arange(1001) % 3, beta=0)
    np.testing.assert_allclose(thresholds, np.arccosh(2 + np.arange(1001) % 3) / 2, rtol=1e-14)
    assert beta.shape == thresholds.shape


def test_other_values():
    assert antipode_sde.minus_one(dim=4, beta=[0.1, 2]).tolist() == ["non-attracting", "attracting"]
    masses = antipode_sde.lifetime(dim=4, beta=2, masses=(1, 2))
    assert masses == antipode_sde.lifetime(dim=4, beta=2, masses="1,2") > 0
    row = antipode_sde.overlap(dim=4, beta=1, depth=20, horizon=10).frame.iloc[0]
    law = antipode_sde.law(dim=4, beta=[1, 1], depth=20, horizon=10)
    assert {"p_antipodal_depth", "p_single_depth", "p_depth_error", "p_antipodal_horizon"} <= set(law)
    for name, values in law.items():
        assert values.tolist() == [row[name]] * 2, name


@pytest.mark.parametrize("given, words", [
    ({"beta": [1, -1]}, "beta -1: -1 is out of bounds; must be numbers from 0 to 1000"),
    ({"beta": [1, math.nan]}, "beta nan"),
    ({"beta": math.inf}, "beta inf"),
    ({"dim": 4.5}, "dim 4.5: 4.5 is not whole"),
    ({"attention": "hard"}, "attention hard"),
    ({"tolerance": 0.1}, "there is no horizon"),
    ({"beta": "0:1:0.5"}, "3 points in one value"),
    ({"beta": [1, 1 + 2j]}, r"beta \(1\+0j\)"),
    ({"beta": [1, None]}, "beta None"),
    ({"dim": {"a": 1}}, "dim {'a': 1}"),
])
def test_refusals(given, words):
    with pytest.raises(ValueError, match=words):
        antipode_sde.p_single(**given)


@pytest.mark.parametrize("name, value", [("boundary", True), ("derivatives", True), ("certify", True), ("tokens", 3)])
def test_what_adds_to_the_table(name, value):
    """Its rows and columns are in the table of overlap, and no functions."""
    with pytest.raises(ValueError, match=f"no parameter is called {name}"):
        antipode_sde.law(4, 1, depth=20, horizon=10, **{name: value})


def test_mlp():
    """A probability that another program has to ten digits, beside attention alone; what only one of them has is NaN."""
    p = antipode_sde.p_antipodal(dim=4, beta=[1.5, 1], mlp=["tanh:0.5:4", "none"])
    np.testing.assert_allclose(p, [0.2834918675, 0.1198769963], atol=1e-10)
    assert antipode_sde.p_antipodal(dim=4, beta=1.5, mlp="tanh:0.5:4") == p[0]
    mean = antipode_sde.overlap_limit(dim=[12, 4], beta=0.5, mlp=["tanh:5:36", "none"])
    np.testing.assert_allclose(mean, [0.26873201, np.nan], atol=1e-8)
    assert antipode_sde.relaxation_time(dim=12, beta=0.5, mlp="tanh:5:36") == pytest.approx(0.078223015, abs=1e-9)
    assert math.isnan(antipode_sde.overlap_limit(dim=4, beta=1, drift=1))
