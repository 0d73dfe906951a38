#!/usr/bin/env python3
"""The overlap of two tokens of recursion (7) in NumPy, written to be fast: what antipode's speed is
compared with.

With S and D the sum and the difference of two tokens, S <- (1+f)S and D <- (1+f(p-q))D, f = 1/L +
eps v L^-1/2, softmax attention, v = +-1; float64, one core, all working memory allocated once.

usage: numpy_hybrid.py   prints nanoseconds per trajectory and layer, and how many at a time
"""
import os
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
import numpy as np

BETA, EPSILON, DEPTH = 1.5, 1.0, 100


def measure(batch, seconds=0.3, repeats=3):
    random = np.random.Generator(np.random.SFC64(1))
    s, d = np.full(batch, 2.0), np.full(batch, 2.0)  # |S|^2 and |D|^2, of sum 4
    e, x, f, bits = np.empty(batch), np.empty(batch), np.empty(batch), np.empty(batch, np.int8)
    factors = np.array([1 / DEPTH - EPSILON * DEPTH**-0.5, 1 / DEPTH + EPSILON * DEPTH**-0.5])

    def layer():
        bits[:] = np.unpackbits(np.frombuffer(random.bytes(-(-batch // 8)), np.uint8), count=batch)
        np.take(factors, bits, out=f)
        np.multiply(d, -0.5 * BETA, out=e)
        np.expm1(e, out=e)
        np.add(e, 2, out=x)
        np.divide(e, x, out=e)  # q-p
        np.multiply(f, e, out=e)
        np.subtract(1, e, out=e)
        np.multiply(e, e, out=e)
        np.multiply(d, e, out=d)
        np.add(f, 1, out=f)
        np.multiply(f, f, out=f)
        np.multiply(s, f, out=s)
        np.add(s, d, out=x)
        np.divide(4, x, out=x)
        np.multiply(s, x, out=s)
        np.multiply(d, x, out=d)

    best = float("inf")
    for _ in range(repeats):
        layers, start = 0, time.process_time()
        while time.process_time() - start < seconds:
            layer()
            layers += 1
            if layers % 200 == 0:  # before squares fall below the range of float64
                s[:], d[:] = 2, 2
        best = min(best, (time.process_time() - start) / layers / batch)
    return best * 1e9


times = {measure(batch): batch for batch in (64, 1000, 4000, 16000)}
print(f"{min(times):.1f} {times[min(times)]}")
