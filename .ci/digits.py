"""Writes scikit-learn's handwritten digits, which come with it, in the format of CIFAR-10's binary files.

usage: digits.py DIRECTORY
"""

import pathlib
import sys

import numpy as np
from sklearn.datasets import load_digits

digits = load_digits()
order = np.random.default_rng(1).permutation(len(digits.target))
images = np.kron(digits.images[order], np.ones((4, 4)))  # 8×8 pixels from 0 to 16, each 4×4 of 32×32
colours = np.repeat(np.minimum(16 * images, 255).astype(np.uint8)[:, None], 3, axis=1)
classes = digits.target[order, None].astype(np.uint8)
records = np.concatenate([classes, colours.reshape(len(order), -1)], axis=1)
directory = pathlib.Path(sys.argv[1])
directory.mkdir(exist_ok=True)
names = [f"data_batch_{k}.bin" for k in range(1, 6)] + ["test_batch.bin"]
for name, part in zip(names, np.array_split(records, 6)):
    part.tofile(directory / name)
print(f"{len(records)} digits in {directory}")
