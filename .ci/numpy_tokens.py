#!/usr/bin/env python3
"""Recursion (4) in NumPy, written to be fast: what antipode's speed is compared with.

X_i <- normalise(X_i + L^-1/2 V A_i), softmax attention, Gaussian V common to the tokens
of a trajectory; float64, one core. Three layouts, of which the fastest one counts:

  columns  trajectories last: every operation runs along many trajectories
  batches  trajectories first: NumPy's batched matrix products
  alone    one trajectory, for large tokens: every product is one call of BLAS

With fewer tokens than dimensions, V is drawn on the span of A_1, ..., A_N alone.
All working memory is allocated once.

usage: numpy_tokens.py [--beta B] NxD ...   prints nanoseconds per trajectory and layer
"""
import argparse
import os
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
import numpy as np


class Columns:
    """Tokens as x[token, coordinate, trajectory]."""

    def __init__(self, n, d, batch, beta, depth, random):
        self.n, self.d, self.beta, self.random = n, d, beta, random
        self.scale = depth**-0.5
        self.x = random.standard_normal((n, d, batch))
        self.x /= np.sqrt((self.x**2).sum(1, keepdims=True))
        self.field = np.empty((n, d, batch))
        self.total = np.empty((n, batch))
        self.rank = min(n, d)
        self.normals = np.empty((self.rank, d, batch))
        self.basis = np.empty((self.rank, d, batch)) if n < d else None
        self.weight, self.scalar = np.empty(batch), np.empty(batch)
        self.vector, self.block = np.empty((d, batch)), np.empty((d, batch))

    def dot(self, out, a, b):
        np.einsum("kb,kb->b", a, b, out=out)

    def attend(self):
        """The field A; every pair's weight serves both of its tokens."""
        x, field, total = self.x, self.field, self.total
        field[:] = x
        total[:] = 1
        for i in range(self.n):
            for j in range(i):
                w = self.weight
                self.dot(w, x[i], x[j])
                w -= 1
                w *= self.beta
                np.exp(w, out=w)
                total[i] += w
                total[j] += w
                np.multiply(x[j], w, out=self.vector)
                field[i] += self.vector
                np.multiply(x[i], w, out=self.vector)
                field[j] += self.vector
        field /= total[:, None]

    def step(self):
        self.attend()
        self.random.standard_normal(out=self.normals)
        self.normals *= self.scale
        if self.basis is None:
            self.add_full()
        else:
            self.add_on_span()
        for x in self.x:
            self.dot(self.scalar, x, x)
            np.sqrt(self.scalar, out=self.scalar)
            x /= self.scalar

    def add_full(self):
        """x_i += V A_i, column by column of V."""
        for i in range(self.n):
            for k in range(self.d):
                np.multiply(self.normals[k], self.field[i, k], out=self.block)
                self.x[i] += self.block

    def add_on_span(self):
        """x_i += V A_i by Gram and Schmidt: V e_k is a Gaussian vector for each basis vector e_k."""
        for i in range(self.n):
            a, e = self.field[i], self.basis[i]
            e[:] = a
            for k in range(i):
                self.dot(self.scalar, self.basis[k], a)
                np.multiply(self.basis[k], self.scalar, out=self.vector)
                e -= self.vector
                np.multiply(self.normals[k], self.scalar, out=self.vector)
                self.x[i] += self.vector
            self.dot(self.scalar, e, e)
            np.sqrt(self.scalar, out=self.scalar)
            if i + 1 < self.rank:
                e /= np.maximum(self.scalar, 1e-300)
            np.multiply(self.normals[i], self.scalar, out=self.vector)
            self.x[i] += self.vector


class Batches:
    """Tokens as x[trajectory, token, coordinate]."""

    def __init__(self, n, d, batch, beta, depth, random):
        self.beta, self.random, self.scale = beta, random, depth**-0.5
        self.x = random.standard_normal((batch, n, d))
        self.x /= np.sqrt((self.x**2).sum(2, keepdims=True))
        self.copy, self.field = np.empty_like(self.x), np.empty_like(self.x)
        self.weights = np.empty((batch, n, n))
        self.total = np.empty((batch, n, 1))
        self.value = np.empty((batch, d, d))

    def step(self):
        x, weights = self.x, self.weights
        np.copyto(self.copy, x)  # one buffer on both sides would take a slower product
        np.matmul(self.copy, x.transpose(0, 2, 1), out=weights)
        weights -= 1
        weights *= self.beta
        np.exp(weights, out=weights)
        np.sum(weights, axis=2, keepdims=True, out=self.total)
        np.matmul(weights, x, out=self.field)
        self.total *= 1 / self.scale
        self.field /= self.total
        self.random.standard_normal(out=self.value)
        np.matmul(self.field, self.value.transpose(0, 2, 1), out=self.copy)
        x += self.copy
        np.multiply(x, x, out=self.copy)
        np.sum(self.copy, axis=2, keepdims=True, out=self.total)
        np.sqrt(self.total, out=self.total)
        x /= self.total


class Alone:
    """Tokens as x[token, coordinate]."""

    def __init__(self, n, d, batch, beta, depth, random):
        self.beta, self.random, self.scale = beta, random, depth**-0.5
        self.x = random.standard_normal((n, d))
        self.x /= np.sqrt((self.x**2).sum(1, keepdims=True))
        self.change, self.field = np.empty_like(self.x), np.empty_like(self.x)
        self.weights, self.value = np.empty((n, n)), np.empty((d, d))
        self.total = np.empty((n, 1))

    def step(self):
        x, weights = self.x, self.weights
        np.matmul(x, x.T, out=weights)  # the symmetric product
        weights -= 1
        weights *= self.beta
        np.exp(weights, out=weights)
        np.sum(weights, axis=1, keepdims=True, out=self.total)
        np.matmul(weights, x, out=self.field)
        self.total *= 1 / self.scale
        self.field /= self.total
        self.random.standard_normal(out=self.value)
        np.matmul(self.field, self.value.T, out=self.change)
        x += self.change
        np.multiply(x, x, out=self.change)
        np.sum(self.change, axis=1, keepdims=True, out=self.total)
        np.sqrt(self.total, out=self.total)
        x /= self.total


def measure(layout, n, d, batch, beta, seconds=0.1, repeats=10):
    """The least time of a layer of one trajectory, in nanoseconds."""
    run = layout(n, d, batch, beta, 100, np.random.Generator(np.random.SFC64(1)))
    run.step()
    best = float("inf")
    for _ in range(repeats):
        layers, start = 0, time.process_time()
        while time.process_time() - start < seconds:
            run.step()
            layers += 1
        best = min(best, (time.process_time() - start) / layers / batch)
    return best * 1e9


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--beta", type=float, default=1.0)
    parser.add_argument("sizes", nargs="+", metavar="NxD")
    options = parser.parse_args()
    for size in options.sizes:
        n, d = map(int, size.split("x"))
        times = {}
        layouts = [(layout, batch) for layout in (Columns, Batches) for batch in (64, 250, 1000, 4000)]
        for layout, batch in layouts + [(Alone, 1)]:
            if layout is Alone or n * n * batch <= 1e7 and d * d * batch <= 1e7:
                if layout is not Columns or n * d <= 1000:  # which goes by pairs of tokens
                    times[measure(layout, n, d, batch, options.beta)] = (layout.__name__.lower(), batch)
        best = min(times)
        print(f"{size} {best:.0f} {times[best][0]} {times[best][1]}", flush=True)


if __name__ == "__main__":
    main()
