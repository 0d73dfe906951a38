#!/usr/bin/env python3
"""The cost of a layer against the number of tokens, antipode beside NumPy and JAX: a figure.

Reads what the benchmark of antipode has printed, measures NumPy and JAX on one core up to the
numbers of tokens whose N x N matrix they can hold, and notes steps of antipode's cost: from one
number to the next more than 1.3 times what work that grows like N^2 would take.

  go test ./sde -run '^$' -bench BenchmarkNumbers -benchtime 250ms -cpu 1 > numbers.txt
  python3 .ci/cost.py numbers.txt experiments/gallery/cost.png

needs NumPy and Matplotlib; JAX if it is there
"""
import collections
import os
import re
import sys
import time

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

import matplotlib
import numpy_tokens

matplotlib.use("Agg")
from matplotlib import pyplot

BETA = {4: 3}  # and 5 in other dimensions
SIZES = 16, 128, 1024, 4096


def antipode(file):
    """Least times in seconds, by dimension and number of tokens."""
    times = collections.defaultdict(dict)
    for line in open(file):
        if found := re.match(r"BenchmarkNumbers/N=(\d+),d=(\d+)\S*\s.*?([\d.e+]+) ns/layer", line):
            n, d, seconds = int(found[1]), int(found[2]), float(found[3]) / 1e9
            times[d][n] = min(seconds, times[d].get(n, seconds))
    return {d: dict(sorted(of.items())) for d, of in sorted(times.items())}


def numpy(n, d):
    """The faster of one trajectory at a time and, of few tokens, of many."""
    layouts = [(numpy_tokens.Alone, 1)] + [(numpy_tokens.Columns, 1000)] * (n <= 16 and d <= 16)
    return min(numpy_tokens.measure(layout, n, d, batch, BETA.get(d, 5), 0.02, 3)
               for layout, batch in layouts) / 1e9


def jax(n, d):
    """A layer of one trajectory, compiled."""
    import jax as library
    import jax.numpy as jnp

    library.config.update("jax_enable_x64", True)

    @library.jit
    def layer(x, key):
        key, own = library.random.split(key)
        weights = jnp.exp(BETA.get(d, 5) * (x @ x.T - 1))
        field = weights @ x / weights.sum(1, keepdims=True)
        x = x + field @ library.random.normal(own, (d, d)).T / 10
        return x / jnp.sqrt((x * x).sum(1, keepdims=True)), key

    key = library.random.PRNGKey(1)
    x = library.random.normal(key, (n, d))
    x, key = layer(x / jnp.sqrt((x * x).sum(1, keepdims=True)), key)
    best = float("inf")
    for _ in range(3):
        layers, start = 0, time.process_time()
        while layers == 0 or time.process_time() - start < 0.02:
            x, key = layer(x, key)
            x.block_until_ready()
            layers += 1
        best = min(best, (time.process_time() - start) / layers)
    return best


def steps(times):
    """Numbers of tokens at which the cost grows by more than 1.3 times the work of all pairs."""
    for d, of in times.items():
        for (few, before), (many, after) in zip(list(of.items()), list(of.items())[1:]):
            if after / before > 1.3 * (many / few) ** 2:
                yield f"d = {d}: from {few} to {many} tokens {after / before:.2f} times"


def main():
    times = antipode(sys.argv[1])
    others = {"NumPy": numpy}
    try:
        import jax as _

        others["JAX"] = jax
    except ImportError:
        pass
    figure, axes = pyplot.subplots(2, 3, figsize=(8.7, 5.2), sharex=True, sharey=True, dpi=130)
    for axis, (d, of) in zip(axes.flat, times.items()):
        axis.loglog(list(of), list(of.values()), color="#0072b2", marker=".", markersize=3, label="antipode")
        for (name, measure), color in zip(others.items(), ("#d55e00", "#009e73")):
            seconds = [measure(n, d) for n in SIZES]
            axis.loglog(SIZES, seconds, "o--", markersize=3, linewidth=1, color=color, label=name)
            for n, s in zip(SIZES, seconds):
                print(f"{name}, d = {d}, N = {n}: {s:.3g} s; antipode {times[d].get(n, float('nan')):.3g} s",
                      flush=True)
        axis.set_title(f"d = {d}, β = {BETA.get(d, 5)}", fontsize=9)
        axis.grid(alpha=0.25)
        print(f"antipode, d = {d}, N = {max(of)}: {of[max(of)]:.3g} s", flush=True)
    for axis in axes[1]:
        axis.set_xlabel("number N of tokens", fontsize=8)
    for axis in axes[:, 0]:
        axis.set_ylabel("seconds a layer, one core", fontsize=8)
    axes.flat[0].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(sys.argv[2])
    for text in steps(times):
        print("step:", text)


if __name__ == "__main__":
    main()
