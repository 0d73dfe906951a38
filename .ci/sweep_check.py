"""Groups a sweep of antipode simulate in pandas, Polars and DuckDB, each in two lines.

usage: sweep_check.py SWEEP
"""

import sys

import duckdb
import pandas as pd
import polars as pl
import pyarrow.dataset as ds

path, keys = sys.argv[1], ["beta", "epsilon"]

sweep = pd.read_feather(path)
at_end = sweep[sweep.time == sweep.time.max()]
single = (at_end.outcome == "single").groupby([sweep.beta, sweep.epsilon]).mean()

table = pl.read_ipc(path).filter(pl.col("time") == pl.col("time").max())
grouped = table.group_by(keys).agg((pl.col("outcome") == "single").mean().alias("p")).sort(keys)

rows = ds.dataset(path, format="ipc")  # DuckDB finds it by its name
sql = duckdb.sql("SELECT beta, epsilon, avg((outcome = 'single')::INT) p FROM rows "
                 "WHERE time = (SELECT max(time) FROM rows) GROUP BY ALL ORDER BY ALL").fetchall()

points = list(single.index)
assert len(points) == 33 and points == [row[:2] for row in sql] == [row[:2] for row in grouped.rows()]
assert list(single) == [row[2] for row in sql] == list(grouped["p"]), (single, sql)
assert sweep.attrs["model"] == "hybrid" and "beta" not in sweep.attrs, sweep.attrs
print(f"a sweep of {len(single)} points, the same in pandas, Polars and DuckDB")
