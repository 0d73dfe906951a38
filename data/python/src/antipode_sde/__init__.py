"""Tokens of deep random Transformers: simulation and theory of how they cluster.

Each command of the program antipode is a function in this package. It runs the command and returns a Run:

    run = antipode_sde.phase(dim=[4, 8], beta=np.linspace(0, 2, 21))
    run.frame, run.figure, run.summary

Each column of the theory of two tokens is a function too. It broadcasts its arguments and returns an array of numbers:

    antipode_sde.p_antipodal(dim=4, beta=np.linspace(0, 2, 21))
"""

from __future__ import annotations

import difflib
import inspect
import json
from collections.abc import Callable
from importlib import resources
from typing import Any

from . import _names, _run, _theory, _values
from ._names import Described
from ._run import Figure, Needs, Run

_description = json.loads(resources.files(__name__).joinpath("description.json").read_text(encoding="utf-8"))
__version__ = _description["version"]
__all__ = ["Figure", "Needs", "Run", "__version__"]

_OPTIONS = {
    "out": (None, "file of the table, ending in .arrow; without it a temporary file"),
    "paper": (False, "use the parameters of the paper's figure, except those that are given"),
    "resume": (False, "continue the unfinished run of out, or of this session"),
    "restart": (False, "delete the unfinished run of out"),
    "workers": (None, "number of cores that compute; without it all; the results do not depend on it"),
    "quiet": (False, "no progress bar"),
    "dry_run": (False, "run nothing, and return a Needs that says what the run would need"),
}


def _default(parameter: Described) -> Any:
    """The default of a parameter, as a number or a boolean if it is one."""
    text = parameter["default"]
    if parameter["argument"] or text in parameter["options"] or parameter["type"] in ("name", "names"):
        return text or None
    try:
        return json.loads(text)
    except ValueError:
        return text or None


def _meaning(parameter: Described) -> str:
    unit = f", in {parameter['unit']}" if parameter["unit"] else ""
    return f"{_names.python(parameter['name'])}: {parameter['meaning']}{unit}. Allowed: {parameter['allowed']}"


def _signature(parameters: list[Described], returns: Any, positional: int) -> inspect.Signature:
    kinds = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    signed = [
        inspect.Parameter(_names.python(p["name"]), kinds[k >= positional], default=_default(p))
        for k, p in enumerate(parameters)
    ]
    return inspect.Signature(signed, return_annotation=returns)


def _function(name: str, doc: list[str], signature: inspect.Signature, body: Callable[[dict[str, Any]], Any]) -> None:
    """Adds a function to the package, which is called with what was given, by name."""
    names = list(signature.parameters)
    places = sum(p.kind == p.POSITIONAL_OR_KEYWORD for p in signature.parameters.values())

    def function(*positional: Any, **named: Any) -> Any:
        unknown = [n for n in named if n not in signature.parameters]
        if unknown:
            near = difflib.get_close_matches(unknown[0], signature.parameters, 3, 0.6)
            question = f" (did you mean {' or '.join(near)}?)" if near else ""
            raise ValueError(f"{name}: no parameter is called {unknown[0]}{question}")
        if len(positional) > places or not named.keys().isdisjoint(names[: len(positional)]):
            signature.bind(*positional, **named)  # which says what is wrong
        return body(dict(zip(names, positional)) | named)

    function.__name__ = function.__qualname__ = name
    function.__doc__, function.__signature__ = "\n".join(doc), signature  # type: ignore[attr-defined]
    function.__module__ = __name__
    globals()[name] = function
    __all__.append(name)


def _add_command(command: Described) -> None:
    parameters = _names.ordered(command)
    signature = _signature(parameters, Run, 2 if parameters[0]["argument"] else 1)
    only = inspect.Parameter.KEYWORD_ONLY
    options = [inspect.Parameter(o, only, default=default) for o, (default, _) in _OPTIONS.items()]
    signature = signature.replace(parameters=[*signature.parameters.values(), *options])

    def body(given: dict[str, Any]) -> Run | Needs:
        inputs, arguments = _values.Inputs(), []
        for parameter in parameters:
            value, flag = given.pop(_names.python(parameter["name"]), None), "--" + parameter["name"]
            if value is None:
                continue
            if parameter["type"] == "switch":
                arguments += [flag] if _values.switch(_names.python(parameter["name"]), value) else []
                continue
            text = inputs.text(parameter, value)
            arguments += [text] if parameter["argument"] else [flag, text]
        for option, (default, _) in _OPTIONS.items():
            if default is False and given.get(option) is not None:
                given[option] = _values.switch(option, given[option])
        return _run.run(command, arguments, inputs, given)

    texts = [_meaning(p) for p in parameters] + [f"{o}: {text}" for o, (_, text) in _OPTIONS.items()]
    columns = [f"{c['name']}: {c['meaning']}" for c in _names.columns(command)]
    doc = [command["summary"], "", command["description"], "", "Parameters:", *texts, "", "Columns:", *columns]
    _function(_names.python(command["name"]), doc, signature, body)


def _add_theory(name: str, columns: list[Described], doc: str) -> None:
    parameters = _names.of_theory(_names.command(_description, "overlap"))
    signature = _signature(parameters, Any, 5)
    by_name = {_names.python(p["name"]): p for p in parameters}

    def body(given: dict[str, Any]) -> Any:
        asked = [(by_name[n], value) for n, value in given.items() if value is not None]
        answer = _theory.ask(columns, asked)
        return answer if name == "law" else answer[name]

    _function(name, [doc, "", "Parameters, which are broadcast:", *map(_meaning, parameters)], signature, body)


for _command in _description["commands"]:
    _add_command(_command)
_columns = _names.theory(_names.command(_description, "overlap"))
for _column in _columns:
    _add_theory(_column["name"], [_column], _column["meaning"])
_law = [c for c in _columns if c["name"].startswith("p_") and c["name"].endswith(("_depth", "_horizon", "_error"))]
_add_theory("law", _law, "The exact law at a depth and a horizon, and the law at the horizon in the limit: a dict of arrays.")
