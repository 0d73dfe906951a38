"""Raw states as one NumPy array: how fast do tokens come together?

    antipode simulate --tokens 8 --beta 3 --trajectories 20 --save states --quiet --out states.arrow
    python states.py states.arrow
"""

import sys

import numpy as np
import pyarrow.feather as feather

run = feather.read_table(sys.argv[1])
tokens = [name for name in run.column_names if name.startswith("x")]
columns = [run[name].combine_chunks().flatten().to_numpy() for name in tokens]
x = np.stack([column.reshape(len(run), -1) for column in columns], axis=1)
assert x.shape[1] == len(tokens) and np.allclose((x * x).sum(axis=-1), 1)  # rows × N × d, unit vectors

overlaps = np.einsum("tik,tjk->tij", x, x)
pairs = overlaps[:, *np.triu_indices(len(tokens), 1)]
time = run["time"].to_numpy()
for at in np.unique(time)[:: max(1, len(np.unique(time)) // 5)]:
    print(f"time {at:5.1f}: mean |overlap| {np.abs(pairs[time == at]).mean():.3f}")
assert np.abs(pairs[time == time.max()]).mean() > np.abs(pairs[time == 0]).mean()
