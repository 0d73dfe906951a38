"""Where does clustering turn antipodal? The simulated fraction beside the threshold cosh 2β = d - 2.

    antipode phase --dim 4,6,8 --beta 0.2:2.2:0.2 --trajectories 1000 --quiet --out phase.parquet
    python boundary.py phase.parquet
"""

import sys

import pandas as pd

read = pd.read_parquet if sys.argv[1].endswith(".parquet") else pd.read_feather
phase = read(sys.argv[1])
print({name: phase.attrs[name] for name in ("version", "seed", "depth", "horizon", "law")})

# The largest β of each dimension at which fewer than 1 % are antipodal, and the first at which more are.
rare = phase.p_antipodal < 0.01
last = phase[rare].groupby("dim").beta.max()
first = phase[~rare].groupby("dim").beta.min()
theory = phase.groupby("dim").beta_c.first()
boundary = pd.DataFrame({"last_without": last, "first_with": first, "theory": theory})
print(boundary.round(3))

# Theory and simulation, cell by cell: how many intervals have the exact law of the simulated depth and horizon.
known = phase.dropna(subset="p_antipodal_depth")
inside = known.p_antipodal_depth.between(known.p_low, known.p_high)
print(f"{inside.mean():.0%} of the 95 % intervals have the theory")
assert inside.mean() > 0.7
