#!/usr/bin/env python3
"""The rate of NumPy's matrix products on one core, in GF/s of processor time.

usage: numpy_products.py MxKxN/NN|NT|Gram ...   prints each name and its best rate

NN is A @ B, NT is A @ B.T, and Gram is A @ A.T, a symmetric product, half of whose operations
count. OPENBLAS_CORETYPE chooses OpenBLAS' instructions: Haswell for AVX2, SkylakeX for AVX-512.
"""
import os
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
import numpy as np


def product(name):
    """A function that multiplies, and the number of its operations."""
    shape, kind = name.split("/")
    m, k, n = map(int, shape.split("x"))
    random = np.random.default_rng(1)
    a, c = random.standard_normal((m, k)), np.empty((m, n))
    if kind == "Gram":
        return lambda: np.matmul(a, a.T, out=c), m * k * n
    b = random.standard_normal((k, n) if kind == "NN" else (n, k))
    b = b if kind == "NN" else b.T
    return lambda: np.matmul(a, b, out=c), 2 * m * k * n


def rate(name, seconds=0.2):
    multiply, operations = product(name)
    repeats = max(1, int(2e7 / operations))
    multiply()
    best, spent = float("inf"), 0
    while spent < seconds:
        start = time.process_time()
        for _ in range(repeats):
            multiply()
        elapsed = time.process_time() - start
        best, spent = min(best, elapsed / repeats), spent + elapsed
    return operations / best / 1e9


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(f"{name} {rate(name):.1f}", flush=True)
