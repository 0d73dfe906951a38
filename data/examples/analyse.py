"""From a table of outcomes to a group-by and a figure.

    antipode simulate --tokens 3 --beta 2 --trajectories 2000 --horizon 40 --out run.arrow
    python analyse.py run.arrow

The labels arrive as a Categorical, so that no outcome is missing from the columns.
"""

import json
import sys

import matplotlib
import pandas as pd
import pyarrow.feather as feather

matplotlib.use("Agg")  # no screen is needed

path = sys.argv[1]
run = pd.read_feather(path)
metadata = feather.read_table(path).schema.metadata
parameters = json.loads(metadata[b"antipode.parameters"])

fractions = run.groupby(["time", "outcome"], observed=False).size().unstack() / run.trajectory.nunique()
fractions["antipodal pair"] = run.groupby("time").antipodal_pair.mean()
print(fractions.tail(5).round(3))

title = "N = {tokens}, d = {dim}, β = {beta:g}".format(**parameters)
axes = fractions.plot(title=title, xlabel="time", ylabel="fraction of trajectories")
axes.figure.savefig(path.removesuffix(".arrow") + "-fractions.png", dpi=150)
