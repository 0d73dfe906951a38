"""How much noise takes a single cluster apart? Outcomes of the hybrid model against ε, in Polars.

    antipode hybrid --beta 0.5,1 --epsilon 0:2:0.25 --trajectories 500 --quiet --out hybrid.arrow
    python noise.py hybrid.arrow
"""

import sys

import polars as pl

hybrid = pl.read_ipc(sys.argv[1])
print(hybrid.select("beta", "epsilon", "p_single", "p_antipodal", "p_low", "p_high", "p_limit").head(5))

# The first ε at which most trajectories are antipodal, beside the theory's thresholds.
first = (
    hybrid.filter(pl.col("p_low") > 0.5)
    .group_by("beta")
    .agg(pl.col("epsilon").min().alias("mostly_antipodal_from"), pl.col("epsilon_single").first())
    .sort("beta")
)
print(first)
assert (first["mostly_antipodal_from"] > 0).all()
