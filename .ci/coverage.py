#!/usr/bin/env python3
"""Prints the statement coverage of each package from a profile that go test -coverprofile wrote, or several one
after the other, of all tests together, and the first line of each block that no test entered.

usage: coverage.py PROFILE [FOLDER/]...   with folders, of the module, only what is below them."""

import re
import sys
from collections import defaultdict
from pathlib import Path

profile, folders = Path(sys.argv[1]), sys.argv[2:]
statements, entered = {}, set()
for line in profile.read_text().splitlines():
    if line.startswith("mode: "):
        continue
    block, count, times = line.rsplit(" ", 2)
    statements[block] = int(count)
    if times != "0":
        entered.add(block)

of, reached, missed = defaultdict(int), defaultdict(int), []
for block, count in statements.items():
    file, first = re.fullmatch(r"antipode/(.*):(\d+)\..*", block).groups()
    if folders and not file.startswith(tuple(folders)):
        continue
    package = str(Path(file).parent)
    of[package] += count
    if block in entered:
        reached[package] += count
    elif count > 0:
        missed.append((file, int(first)))

for package in sorted(of):
    if of[package] > 0:
        print(f"{100 * reached[package] / of[package]:6.1f} %  {package}")
print(f"{100 * sum(reached.values()) / sum(of.values()):6.1f} %  of {sum(of.values())} statements; "
      f"{len(missed)} blocks that none of these tests entered")
for file, line in sorted(set(missed)):
    print(f"{file}:{line}: {Path(file).read_text().splitlines()[line - 1].strip()}")
