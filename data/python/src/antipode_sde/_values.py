"""Values of Python as the texts and files that the program reads."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import threading
import weakref
from pathlib import Path
from typing import Any

import numpy as np

from ._names import Described


def array(value: Any) -> np.ndarray:
    """An array of NumPy from one of PyTorch, of JAX or of others, or a list of such."""
    if isinstance(value, (list, tuple)) and value and hasattr(value[0], "shape"):
        return np.stack([array(one) for one in value])
    if isinstance(value, np.ma.MaskedArray) and value.mask.any():  # whose values would count as others do
        raise ValueError("some values are masked; must be without masked values (tokens that are none: measure has mask=)")
    if hasattr(value, "detach"):  # of PyTorch, whose bfloat16 NumPy does not know
        value = value.detach().cpu()
        value = value.float() if value.is_floating_point() else value
    return np.asarray(value)


def switch(name: str, value: Any) -> bool:
    """Whether a switch is on; a text, such as "false", is refused, as Python takes it for true."""
    if isinstance(value, str) or value not in (False, True):
        raise ValueError(f"{name} {value}: is a switch; must be True or False")
    return bool(value)


def text(value: Any) -> str:
    """A value as it stands on a command line."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value)).lower()
    if isinstance(value, (list, tuple, range)) or hasattr(value, "tolist"):
        values = value if isinstance(value, (list, tuple, range)) else array(value).tolist()
        if isinstance(values, (list, tuple, range)):
            nested = any(isinstance(one, (list, tuple)) for one in values)
            return ("/" if nested else ",").join(map(text, values))
        value = values
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


class Folder:
    """A folder that is removed with this, by the process that made it, and on Windows as far as nothing in it is open."""

    def __init__(self) -> None:
        self.name = tempfile.mkdtemp(prefix="antipode-")
        self.remove = weakref.finalize(self, _remove, self.name, os.getpid())


def _remove(name: str, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(name, ignore_errors=True)


_folders: weakref.WeakValueDictionary[str, Folder] = weakref.WeakValueDictionary()
_lock = threading.Lock()


class Inputs:
    """Values of one run as texts, and what it reads: tables and arrays, whose files are there as long as this is.

    Equal arrays of several runs are one file, so that a run can be resumed; those of one run, which may be compared
    with each other, are several.
    """

    def __init__(self) -> None:
        self.kept: list[Any] = []
        self.contents: list[str] = []

    def text(self, parameter: Described, value: Any) -> str:
        """A value of a parameter as it stands on a command line, an array that it reads as the name of a file."""
        if hasattr(value, "path"):
            self.kept.append(value)
            return str(value.path)
        if parameter["type"] == "files":
            several = value if isinstance(value, (list, tuple)) else [value]
            return ",".join(self.text({**parameter, "type": "states"}, one) for one in several)
        try:
            if parameter["type"] not in ("matrix", "states") or isinstance(value, (str, os.PathLike)):
                return text(value)
            values = np.ascontiguousarray(array(value))
        except ValueError as error:
            raise ValueError(f"{parameter['name']}: is no array: {error}") from None
        if values.dtype.hasobject:
            raise ValueError(f"{parameter['name']}: an array of objects; must be of numbers")
        name = "matrix.txt" if parameter["type"] == "matrix" else "array.npy"
        content = hashlib.sha256(values.reshape(-1).view(np.uint8).data)
        content.update(f"{name} {values.dtype} {values.shape}".encode())
        digest = content.hexdigest()
        self.contents.append(digest)
        key = f"{digest} {self.contents.count(digest)}"
        with _lock:
            folder = _folders.get(key)
            if folder is None:
                folder = _folders[key] = Folder()
                file = Path(folder.name, name)
                np.savetxt(file, values, fmt="%.17g") if name == "matrix.txt" else np.save(file, values)
        self.kept.append(folder)
        return str(Path(folder.name, name))
