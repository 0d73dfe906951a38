#!/usr/bin/env python3
"""A layer of recursion (4) with an MLP beside attention in NumPy: what antipode's speed is compared with.

X_i <- normalise(X_i + L^-1/2 (V A_i + W2 tanh(W1 X_i))), softmax attention, with weights that are drawn anew in
each layer and common to the tokens of a trajectory; float64, one core. Of three layouts, those of numpy_tokens.py,
the fastest one counts. All working memory of the MLP is allocated once.

usage: numpy_mlp.py [--beta B] NxDxM ...   prints nanoseconds per trajectory and layer
"""
import argparse

from numpy_tokens import Alone, Batches, Columns, measure
import numpy as np


class Products:
    """W2 tanh(W1 x) by products of matrices, trajectories first or one alone."""

    def __init__(self, shape, m, random, scale):
        d = shape[-1]
        self.random, self.scale = random, scale
        self.first, self.second = np.empty(shape[:-2] + (m, d)), np.empty(shape[:-2] + (m, d))
        self.hidden, self.out = np.empty(shape[:-1] + (m,)), np.empty(shape)

    def of(self, x):
        self.random.standard_normal(out=self.first)
        self.random.standard_normal(out=self.second)
        np.matmul(x, self.first.swapaxes(-1, -2), out=self.hidden)
        np.tanh(self.hidden, out=self.hidden)
        self.hidden *= self.scale
        return np.matmul(self.hidden, self.second, out=self.out)


class AlongTrajectories:
    """The same with trajectories last."""

    def __init__(self, shape, m, random, scale):
        n, d, batch = shape
        self.random, self.scale = random, scale
        self.first, self.second = np.empty((d, m, batch)), np.empty((d, m, batch))
        self.hidden, self.block, self.out = np.empty((m, batch)), np.empty((m, batch)), np.empty(shape)

    def of(self, x):
        self.random.standard_normal(out=self.first)
        self.random.standard_normal(out=self.second)
        for i, token in enumerate(x):
            np.multiply(self.first[0], token[0], out=self.hidden)
            for k in range(1, len(token)):
                np.multiply(self.first[k], token[k], out=self.block)
                self.hidden += self.block
            np.tanh(self.hidden, out=self.hidden)
            self.hidden *= self.scale
            for k in range(len(token)):
                np.einsum("mb,mb->b", self.second[k], self.hidden, out=self.out[i, k])
        return self.out


def with_mlp(layout, m):
    """A layout of tokens, with an MLP of m hidden units that sees them before the layer."""

    class Layout(layout):
        def __init__(self, n, d, batch, beta, depth, random):
            super().__init__(n, d, batch, beta, depth, random)
            kind = AlongTrajectories if layout is Columns else Products
            self.mlp = kind(self.x.shape, m, random, (depth * m * 0.394294) ** -0.5)  # E tanh(g)^2

        def step(self):
            added = self.mlp.of(self.x)
            super().step()  # whose normalisation the sum takes once more, as a layer would
            self.x += added

    Layout.__name__ = layout.__name__
    return Layout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--beta", type=float, default=1.5)
    parser.add_argument("sizes", nargs="+", metavar="NxDxM")
    options = parser.parse_args()
    for size in options.sizes:
        n, d, m = map(int, size.split("x"))
        times = {}
        for layout, batch in [(k, b) for k in (Columns, Batches) for b in (64, 250, 1000)] + [(Alone, 1)]:
            if layout is Alone or (n * n + d * (d + m)) * batch <= 1e7 and (layout is Batches or n * d * m <= 1e5):
                times[measure(with_mlp(layout, m), n, d, batch, options.beta)] = (layout.__name__.lower(), batch)
        best = min(times)
        print(f"{size} {best:.0f} {times[best][0]} {times[best][1]}", flush=True)


if __name__ == "__main__":
    main()
