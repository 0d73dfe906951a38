"""Checks that the SBOM beside each binary is valid CycloneDX and names the modules that Go says are linked.

usage: sbom_check.py BINARY...
"""

import json
import subprocess
import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

for binary in sys.argv[1:]:
    with open(binary + ".cdx.json") as file:
        text = file.read()
    document = json.loads(text)
    error = JsonStrictValidator(SchemaVersion.from_version(document["specVersion"])).validate_str(text)
    assert error is None, error
    linked = set()
    said = subprocess.run(["go", "version", "-m", binary], check=True, capture_output=True, text=True)
    for line in said.stdout.splitlines():
        fields = line.split("\t")
        if fields[1:2] == ["dep"]:
            linked.add((fields[2], fields[3]))
    named = {(c["name"], c["version"]) for c in document["components"] if c["type"] == "library"}
    assert {name for name, _ in named - linked} == {"antipode", "stdlib"}, named - linked
    assert linked <= named, linked - named
    assert len(linked) > 20, linked
    print(f"{binary}: {len(linked)} modules")
