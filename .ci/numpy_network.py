"""Milliseconds of a layer of a random Transformer in NumPy, every product one call of BLAS: the forward pass
of BenchmarkForward (post-norm, one head, ReLU, d = 512, 256 tokens, 10 layers)."""
import math
import os
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np

TOKENS, DIM, LAYERS = 256, 512, 10
rng = np.random.default_rng(1)


def layer():
    scales = [1, 1, 0.2, 0.2, 0.2]
    return [rng.normal(size=(DIM, DIM)) * math.sqrt(s / DIM) for s in scales]


def norm(x):
    x *= np.sqrt(DIM / np.einsum("ij,ij->i", x, x))[:, None]
    return x


def forward(x, layers):
    for query, key, value, hidden, output in layers:
        scores = (x @ query.T) @ (x @ key.T).T
        scores *= 1 / math.sqrt(DIM)
        scores -= scores.max(axis=1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=1, keepdims=True)
        y = scores @ (x @ value.T)
        y += x
        norm(y)
        h = y @ hidden.T
        np.maximum(h, 0, out=h)
        x = h @ output.T
        x += y
        norm(x)
    return x


layers = [layer() for _ in range(LAYERS)]
x = rng.normal(size=(TOKENS, DIM))
forward(x, layers)
best = math.inf
for _ in range(10):
    start = time.perf_counter()
    forward(x, layers)
    best = min(best, time.perf_counter() - start)
print(f"{1e3 * best / LAYERS:.2f}")
