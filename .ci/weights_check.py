"""Compares the mean cosines of a model at random initialisation with the theory of its weights.

usage: weights_check.py TABLE...   tables of antipode measure HIDDEN --weights WEIGHTS
In every layer they differ by at most 0.05 beside two standard deviations of one network: of their variance
2(1-z²)(κ₁₁-zκ₁₂) in a layer, with κ₁₂ as large as κ₁₁, and without what later layers take back.
"""

import sys

import numpy as np
import pandas as pd

for path in sys.argv[1:]:
    table = pd.read_feather(path)
    layers = table[table["head"].isna()].sort_values("layer")
    assert len(layers) > 2 and layers[["overlap", "overlap_theory"]].notna().all(axis=None), layers
    z = layers.overlap_theory.to_numpy()
    steps = (layers.a + layers.mlp_c).to_numpy()[1:]
    chance = 2 * np.sqrt(np.cumsum(2 * (1 - z[:-1] ** 2) * (1 - z[:-1]) * steps))
    difference = (layers.overlap - layers.overlap_theory).abs().to_numpy()
    assert (difference[1:] < chance + 0.05).all(), (path, difference, chance)
    assert 0.2 < layers.overlap.iloc[-1] < 0.99, layers.overlap  # tokens have moved, and are not yet one
    print(f"{path}: {len(layers) - 1} layers, cosine {layers.overlap.iloc[-1]:.3f}, theory {z[-1]:.3f}, "
          f"largest difference {difference.max():.3f}")
