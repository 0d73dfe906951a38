"""Opens tables and a folder of shards with the readers that people use beside pandas.

usage: readers_check.py OUTCOMES STATES WHOLE SHARDS...
Types as promised: labels are categories, counts int64 or int32, reals float64, states lists
of a fixed size; a folder of shards is one data set.
"""

import sys

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds

outcomes, states, whole, *shards = sys.argv[1:]

schema = ds.dataset(outcomes, format="ipc").schema
assert schema.field("trajectory").type == pa.int64(), schema
assert schema.field("antipodal_pair").type == pa.int32(), schema
assert schema.field("outcome").type == pa.dictionary(pa.int8(), pa.string()), schema
assert schema.metadata[b"antipode.command"] == b"simulate", schema.metadata
tokens = ds.dataset(states, format="ipc").schema.field("x1").type
assert tokens == pa.list_(pa.field("item", pa.float64(), nullable=False), 3), tokens

frame = pl.scan_ipc(outcomes).group_by("outcome").len().collect()
assert frame["outcome"].dtype == pl.Categorical and frame["len"].sum() == 60, frame
assert pl.read_ipc(states)["x1"].dtype == pl.Array(pl.Float64, 3), pl.read_ipc(states).schema

rows = ds.dataset(outcomes, format="ipc")  # DuckDB finds it by its name
counts = duckdb.sql("SELECT outcome, count(*) FROM rows GROUP BY outcome").fetchall()
assert sum(n for _, n in counts) == 60, counts
assert {name for name, _ in counts} <= {"single", "antipodal", "unclustered"}, counts

folder = ds.dataset(shards, format="ipc")
assert folder.count_rows() == len(shards) * ds.dataset(whole, format="ipc").count_rows()
keys = ["dim", "beta"]
sums = [(name, "sum") for name in ("trajectories", "antipodal", "single", "unclustered")]
merged = folder.to_table().group_by(keys).aggregate(sums).sort_by([(key, "ascending") for key in keys])
want = ds.dataset(whole, format="ipc").to_table().sort_by([(key, "ascending") for key in keys])
for name, _ in sums:
    assert merged[name + "_sum"].to_pylist() == want[name].to_pylist(), name

print(f"pyarrow {pa.__version__}, polars {pl.__version__} and duckdb {duckdb.__version__} read tables and "
      "shards as they should")
