"""Builds the program into the wheel, with its description and the types of the functions made from it.

Go builds it from the checkout in which this file lies. Of a release, ANTIPODE_BINARY is the binary, already built,
ANTIPODE_TAG the wheel's platform, ANTIPODE_SBOM the SBOM, and ANTIPODE_HOST a binary for this machine, which says what
all of them do.
"""

import json
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

here = Path(__file__).parent
checkout = here.parent.parent


class Metadata(MetadataHookInterface):
    """The version is the program's."""

    PLUGIN_NAME = "custom"

    def update(self, metadata):
        source = (checkout / "experiments/run/experiment.go").read_text(encoding="utf-8")
        metadata["version"] = re.search(r'Version = "([0-9.]+)"', source)[1]


class Program(BuildHookInterface):
    """The binary, what it says of itself, and the licence."""

    PLUGIN_NAME = "custom"

    def initialize(self, version, build_data):
        folder = Path(self.directory).absolute() / "program"
        folder.mkdir(parents=True, exist_ok=True)
        own = os.environ.get("ANTIPODE_HOST") or built(folder)
        text = subprocess.run([own, "describe", "--json"], check=True, capture_output=True).stdout
        (folder / "description.json").write_bytes(text)
        (folder / "__init__.pyi").write_text(stub(json.loads(text)), encoding="utf-8")
        binary = Path(os.environ.get("ANTIPODE_BINARY", own))
        platform = os.environ.get("ANTIPODE_TAG", re.sub(r"\W", "_", sysconfig.get_platform()))
        build_data["tag"] = f"py3-none-{platform}"
        build_data["pure_python"] = False
        name = "antipode.exe" if binary.suffix == ".exe" else "antipode"
        build_data["force_include"].update({
            str(binary): f"antipode_sde/{name}",
            str(folder / "description.json"): "antipode_sde/description.json",
            str(folder / "__init__.pyi"): "antipode_sde/__init__.pyi",
        })
        if "ANTIPODE_SBOM" in os.environ:
            build_data["sbom_files"] = [os.environ["ANTIPODE_SBOM"]]


def built(folder):
    """The binary for this machine."""
    file = folder / ("antipode.exe" if sys.platform == "win32" else "antipode")
    command = ["go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, "./cmd/antipode"]
    subprocess.run(command, cwd=checkout, env={**os.environ, "CGO_ENABLED": "0"}, check=True)
    return file


def stub(description):
    """The types of the package for editors and type checkers."""
    sys.path.insert(0, str(here / "src/antipode_sde"))
    import _names

    lines = ["from typing import Any, Literal, overload", "",
             "from ._run import Figure as Figure, Needs as Needs, Run as Run", "", "__version__: str", ""]
    for command in description["commands"]:
        given = "".join(f"{_names.python(p['name'])}: Any = ..., " for p in _names.ordered(command))
        head = f"def {_names.python(command['name'])}({given}*, {_names.OPTION_TYPES}"
        for switch, returned in _names.RETURNED:
            lines += ["@overload", f"{head}{switch}) -> {returned}: ..."]
    overlap = _names.command(description, "overlap")
    given = "".join(f"{_names.python(p['name'])}: Any = ..., " for p in _names.of_theory(overlap))
    lines += [f"def {c['name']}({given}) -> Any: ..." for c in _names.theory(overlap)]
    return "\n".join([*lines, f"def law({given}) -> dict[str, Any]: ...", ""])
