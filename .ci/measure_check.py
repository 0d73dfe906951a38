"""Compares what antipode measure says of hidden states with NumPy.

usage: measure_check.py HIDDEN MASK MEASURED
"""

import sys

import numpy as np
import pandas as pd

hidden, mask, measured = sys.argv[1:]
states, there, table = np.load(hidden).astype(float), np.load(mask), pd.read_feather(measured)
assert len(table) == len(states), (len(table), states.shape)
worst = 0.0
for layer, sequences in enumerate(states):
    means = []
    for tokens, present in zip(sequences, there):
        x = tokens[present]
        norms = np.linalg.norm(x, axis=1)
        gram = (x / norms[:, None]) @ (x / norms[:, None]).T
        pairs = gram[np.triu_indices(len(x), 1)]
        singular = np.linalg.svd(x, compute_uv=False)
        means.append([len(x), norms.mean(), pairs.mean(), *np.quantile(pairs, [0.05, 0.95]),
                      (singular**4).sum() / singular[0] ** 4, np.exp(gram).sum() / (2 * len(x) ** 2)])
    row = table.loc[layer, ["tokens", "norm", "overlap", "overlap_low", "overlap_high", "stable_rank",
                            "energy"]].to_numpy(float)
    mean = np.mean(means, axis=0)
    error = np.abs(row / mean - 1)
    error[[3, 4]] = np.abs(row - mean)[[3, 4]] / 3  # to 2e-6, the width of a bin
    worst = max(worst, error.max())
assert worst < 1e-6, worst
print(f"{hidden}: {len(table)} layers, cosine {table.overlap.iloc[0]:.4f} to {table.overlap.iloc[-1]:.4f}, "
      f"stable rank {table.stable_rank.iloc[0]:.3f} to {table.stable_rank.iloc[-1]:.3f}; "
      f"NumPy to {worst:.1e}")
