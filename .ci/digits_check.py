"""Says whether a network has learned to read digits from their files.

usage: digits_check.py TABLE
"""

import sys

import pandas as pd

table = pd.read_feather(sys.argv[1])
whole = table[table.layer.isna()]
first, last = whole.iloc[0], whole.iloc[-1]
accuracies = first.accuracy, last.accuracy
assert last.status == "finished" and first.accuracy < 0.3 and last.accuracy > 0.75, accuracies
print(f"digits: {100 * first.accuracy:.1f} % right before, {100 * last.accuracy:.1f} % after "
      f"{last.step} steps")
