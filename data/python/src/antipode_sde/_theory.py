"""The theory: questions to one long-lived process, which answers on all cores."""

from __future__ import annotations

import atexit
import io
import json
import math
import os
import subprocess
import threading
from typing import Any

import numpy as np

from . import _program, _values
from ._names import Described

_POINTS = 50_000  # of a question


class _Answers:
    """The process that answers. It is started when it is first asked, and again in a process that was forked."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None
        self.answers: io.BufferedReader

    def ask(self, columns: list[str], parameters: dict[str, Any]) -> dict[str, list[Any]]:
        line = json.dumps({"id": 1, "columns": columns, "parameters": parameters}).encode() + b"\n"
        with self.lock:
            if self.process is None or self.process.poll() is not None:
                pipe = subprocess.PIPE
                # Without buffers, in which nothing may be left where another thread forks.
                self.process = _program.start(["serve", "--stdio"], stdin=pipe, stdout=pipe, bufsize=0)
                assert isinstance(self.process.stdout, io.RawIOBase)
                self.answers = io.BufferedReader(self.process.stdout)
            stdin = self.process.stdin
            assert stdin
            try:
                rest = memoryview(line)
                while rest:
                    rest = rest[stdin.write(rest) :]
                answer = json.loads(self.answers.readline())
            except BaseException:  # an answer that was not waited for must not be taken for the next
                self.process.kill()
                self.close()
                raise
        if "error" in answer:
            raise ValueError(answer["error"])
        answered: dict[str, list[Any]] = answer["columns"]
        return answered

    def close(self) -> None:
        process, self.process = self.process, None
        if process is not None and process.stdin:
            process.stdin.close()
            process.wait()
            self.answers.close()

    def forget(self) -> None:
        """In a process that was forked: the one that answers belongs to another."""
        if self.process is not None and self.process.stdin:
            self.process.stdin.close()
            self.process.returncode = 0  # as far as is known here
        self.lock, self.process = threading.Lock(), None


_answers = _Answers()
atexit.register(_answers.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_answers.forget)


def ask(columns: list[Described], given: list[tuple[Described, Any]]) -> dict[str, Any]:
    """Columns of the theory at the points of parameters that are broadcast against each other."""
    arrays = {}
    for parameter, value in given:
        array = _values.array(value)
        texts = all(isinstance(one, str) for one in array.ravel())
        numeric = parameter["type"] in ("number", "numbers", "count", "counts")
        arrays[parameter["name"]] = array if numeric or texts else np.asarray(_values.text(value))
    alone = {name: _json(values.ravel())[0] for name, values in arrays.items() if not values.ndim}
    shape: tuple[int, ...] = ()
    flat: dict[str, np.ndarray] = {}
    if len(alone) < len(arrays):
        together = dict(zip(arrays, np.broadcast_arrays(*arrays.values())))
        shape = next(iter(together.values())).shape
        flat = {name: values.ravel() for name, values in together.items() if arrays[name].ndim}
    names = [c["name"] for c in columns]
    parts = []
    for first in range(0, math.prod(shape), _POINTS) or [0]:
        lists = {name: _json(values[first : first + _POINTS]) for name, values in flat.items()}
        parts.append(_answers.ask(names, alone | lists))
    return {c["name"]: _column(c, [value for part in parts for value in part[c["name"]]], shape) for c in columns}


def _json(values: np.ndarray) -> list[Any]:
    """Values that JSON has, those that it has not as texts."""
    if values.dtype.kind == "f":
        values = values.astype(float)  # as tolist makes no numbers of Python's of longdouble
        if not np.isfinite(values).all():
            return [str(value) for value in values.tolist()]
    listed: list[Any] = values.tolist()
    return listed if values.dtype.kind in "biufU" else [v if isinstance(v, (int, float)) else str(v) for v in listed]


def _column(described: Described, values: list[Any], shape: tuple[int, ...]) -> Any:
    """The values of a column as an array of the shape, or one alone; null is NaN."""
    column = np.array(values, dtype=object if described["labels"] else float).reshape(shape)
    return column if shape else column.item()
