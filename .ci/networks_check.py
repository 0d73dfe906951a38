"""Compares models of Hugging Face at random initialisation with our networks of the same shape.

usage: networks_check.py MEASURED OURS   tables of antipode measure and of antipode stable-rank --model
One network of theirs against the mean of ours: three standard errors of the difference, at every layer.
Behind the last one theirs of GPT-2 has another LayerNorm, and is left out.
"""

import sys

import numpy as np
import pandas as pd

measured, ours = (pd.read_feather(path) for path in sys.argv[1:])
assert len(measured) == len(ours) and measured.tokens[0] == ours.tokens[0], (measured, ours)
if ours.model[0] == "gpt2":
    measured, ours = measured[:-1], ours[:-1]
worst = 0.0
for theirs, name in (("overlap", "cosine"), ("stable_rank", "stable_rank")):
    one = ours[name + "_stderr"] * np.sqrt(ours.samples)  # standard deviation of one network
    distance = (measured[theirs] - ours[name]).abs() / np.hypot(one, ours[name + "_stderr"])
    worst = max(worst, distance.max())
assert worst < 3, worst
print(f"{ours.model[0]}: {len(ours)} layers within {worst:.1f} standard errors of our networks")
