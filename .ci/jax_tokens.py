#!/usr/bin/env python3
"""Recursion (4) in JAX and in diffrax, on one core: what antipode's speed is compared with.

The same work as numpy_tokens.py: softmax attention, Gaussian V common to the tokens of a
trajectory, normalised tokens, float64. In JAX it is one compiled scan over the layers, with
trajectories first (batched products) or last (sums that run along many trajectories); in
diffrax an Euler step with retraction, of one trajectory under vmap, along a Brownian tree or a
path without memory. The fastest of these, of two generators and of some batches counts.

usage: jax_tokens.py NxD ...   prints nanoseconds per trajectory and layer of each
"""
import os
import sys
import time

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

import diffrax
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

BETA, DEPTH, LAYERS = 1.0, 100, 100


def unit(x, axis):
    return x * jax.lax.rsqrt(jnp.sum(x * x, axis, keepdims=True))


def attention_first(x):
    """The field of tokens x[..., token, coordinate]."""
    weights = jnp.exp(BETA * (x @ jnp.swapaxes(x, -1, -2) - 1))
    return weights @ x / jnp.sum(weights, -1, keepdims=True)


def layer_first(x, key):
    v = jax.random.normal(key, (x.shape[0], x.shape[2], x.shape[2]))
    return unit(x + DEPTH**-0.5 * attention_first(x) @ v, -1)


def layer_last(x, key):
    """A layer of tokens x[token, coordinate, trajectory]."""
    n, d, batch = x.shape
    weights = jnp.exp(BETA * (sum(x[:, None, k] * x[None, :, k] for k in range(d)) - 1))
    field = sum(weights[:, j, None] * x[j] for j in range(n)) / jnp.sum(weights, 1)[:, None]
    v = DEPTH**-0.5 * jax.random.normal(key, (d, d, batch))
    return unit(x + sum(field[:, k, None] * v[k] for k in range(d)), 1)


def scan(layer, shape):
    """Many trajectories of tokens of a shape, all layers in one compiled loop."""

    @jax.jit
    def run(key):
        start, steps = jax.random.split(key)
        x = unit(jax.random.normal(start, shape), 2 if layer is layer_first else 1)
        x, _ = jax.lax.scan(lambda x, k: (layer(x, k), None), x, jax.random.split(steps, LAYERS))
        return x

    return run


class MatrixNoise(diffrax.AbstractTerm):
    """dW A(y) of a matrix Brownian motion W, common to the tokens."""

    path: diffrax.AbstractBrownianPath

    def vf(self, t, y, args):
        return attention_first(y)

    def contr(self, t0, t1, **options):
        return self.path.evaluate(t0, t1, **options)

    def prod(self, vf, control):
        return vf @ control


class RetractedEuler(diffrax.Euler):
    def step(self, *arguments, **options):
        y, error, dense, state, result = super().step(*arguments, **options)
        y = unit(y, -1)
        return y, error, dense | {"y1": y}, state, result


def solve(n, d, batch, path):
    """Many trajectories of diffrax."""
    step = 1 / DEPTH
    horizon = LAYERS * step

    def one(key):
        start, noise = jax.random.split(key)
        solution = diffrax.diffeqsolve(
            MatrixNoise(path(horizon, step, (d, d), noise)), RetractedEuler(), 0.0, horizon, step,
            unit(jax.random.normal(start, (n, d)), -1), saveat=diffrax.SaveAt(t1=True), max_steps=LAYERS + 8,
            adjoint=diffrax.ForwardMode())
        return solution.ys[0]

    return jax.jit(lambda key: jax.vmap(one)(jax.random.split(key, batch)))


def tree(horizon, step, shape, key):
    return diffrax.VirtualBrownianTree(0.0, horizon, tol=step / 2, shape=shape, key=key)


def forgetful(horizon, step, shape, key):
    return diffrax.UnsafeBrownianPath(shape, key)


def measure(run, batch, generator, seconds=0.5):
    """The least time of a layer of one trajectory, in nanoseconds."""
    keys = iter(jax.random.split(jax.random.key(1, impl=generator), 1000))
    run(next(keys)).block_until_ready()
    best, begun = float("inf"), time.perf_counter()
    while time.perf_counter() - begun < seconds:
        start = time.perf_counter()
        run(next(keys)).block_until_ready()
        best = min(best, time.perf_counter() - start)
    return best / LAYERS / batch * 1e9


def fastest(runs):
    """The least time of some programs, and which it is."""
    times = {}
    for name, run, batch, generator in runs:
        times[measure(run, batch, generator)] = f"{name}, {generator}, {batch} at a time"
    best = min(times)
    return f"{best:.0f} ({times[best]})"


def main():
    for size in sys.argv[1:]:
        n, d = map(int, size.split("x"))
        batches = [b for b in (16, 256, 4096) if (n * n + d * d) * b <= 4e6] or [1]
        generators = ["threefry2x32", "rbg"]
        scans = [("first", layer_first, lambda b: (b, n, d))]
        if n <= 16 and d <= 16:
            scans.append(("last", layer_last, lambda b: (n, d, b)))
        print(size, "JAX", fastest((name, scan(layer, shape(b)), b, g)
              for name, layer, shape in scans for b in batches for g in generators), flush=True)
        if n * d <= 256:
            # Its batches are small: a path of diffrax keeps what a trajectory has done.
            print(size, "diffrax", fastest((path.__name__, solve(n, d, b, path), b, "threefry2x32")
                  for path in (tree, forgetful) for b in batches[:2]), flush=True)


main()
