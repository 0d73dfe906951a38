"""Checks that each wheel has the binary, the exported page, its SBOM and the licence, and is small.

usage: wheels_check.py WHEEL...   in the folder of the repository
"""

import json
import os
import sys
import zipfile
from pathlib import Path

for path in sys.argv[1:]:
    wheel = zipfile.ZipFile(path)
    assert wheel.testzip() is None and "antipode_sde/py.typed" in wheel.namelist()
    names = {info.filename: info.file_size for info in wheel.infolist()}
    binary = "antipode.exe" if "-win_" in path else "antipode"
    assert names[f"antipode_sde/{binary}"] > 10e6 and "antipode_sde/__init__.pyi" in names, names
    assert wheel.getinfo(f"antipode_sde/{binary}").external_attr >> 16 & 0o111, "it may not be executed"
    licence = next(name for name in names if name.endswith(".dist-info/licenses/LICENSE"))
    assert wheel.read(licence) == Path("LICENSE").read_bytes(), "another licence than the repository's"
    sbom = json.loads(wheel.read(next(name for name in names if "/sboms/" in name)))
    assert len(sbom["components"]) > 20
    size = os.path.getsize(path) / 1e6
    assert size <= 20, size
    print(f"{os.path.basename(path)}: {size:.1f} MB, of {sum(names.values()) / 1e6:.1f}")
