"""What the program calls things, and what they are called here."""

from typing import Any

Described = dict[str, Any]  # what the program says of a command, a parameter or a column

OPTION_TYPES = (
    "out: Any = ..., paper: bool = ..., resume: bool = ..., restart: bool = ..., workers: int | None = ..., "
    "quiet: bool = ..., "
)
# What a function returns by the type of dry_run.
RETURNED = (("dry_run: Literal[False] = ...", "Run"), ("dry_run: Literal[True]", "Needs"), ("dry_run: bool", "Run | Needs"))


def python(name: str) -> str:
    """A name of the program's as one of Python's."""
    return name.replace("-", "_")


def command(description: Described, name: str) -> Described:
    """What is said of a command."""
    commands: list[Described] = description["commands"]
    return next(c for c in commands if c["name"] == name)


def ordered(command: Described) -> list[Described]:
    """The parameters of a command, that which is given without a name first; last those with an older name, by that one."""
    parameters = command["parameters"]
    former = [{**p, "name": p["former"], "default": ""} for p in parameters if p["former"]]
    return sorted(parameters, key=lambda p: not p["argument"]) + former


def of_theory(overlap: Described) -> list[Described]:
    """The parameters of a point of the theory, those that most functions of it have first.

    Those that add rows or columns to the table of overlap are for that command alone.
    """
    first = ["dim", "beta", "z0", "depth", "horizon"]
    others = "boundary", "derivatives", "certify", "tokens", "seed"
    chosen = [p for p in overlap["parameters"] if p["name"] not in others]
    return sorted(chosen, key=lambda p: first.index(p["name"]) if p["name"] in first else len(first))


def columns(command: Described) -> list[Described]:
    """All columns that a table of a command can have, or of the first that it saves."""
    tables: list[Described] = command["tables"]
    found: list[Described] = (tables[-1] if tables[-1]["with"] else tables[0])["columns"]
    return found


def theory(overlap: Described) -> list[Described]:
    """The columns of the theory that are no parameters."""
    parameters = {p["name"] for p in overlap["parameters"]}
    return [c for c in columns(overlap) if c["name"] not in parameters]
