"""A run of a command, and what it has computed."""

from __future__ import annotations

import copy
import dataclasses
import functools
import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet

from . import _program, _values
from ._names import Described

if TYPE_CHECKING:
    import polars
    import xarray

_unfinished: dict[tuple[str, ...], list[Any]] = {}  # what each keeps, its folder first


class Figure:
    """A figure, which shows itself in a notebook."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Figure: {len(self.svg)} characters of SVG>"


@dataclasses.dataclass(frozen=True)
class Needs:
    """What a run will need, as seen in its first seconds on this machine; None is not known."""

    command: str
    cells: int
    layers: float | None  # of all trajectories; None too of what is no ensemble of trajectories
    rows: int | None
    bytes: float | None  # of the table's file, in Arrow's format
    kept: float | None  # bytes of finished work beside it, until it is whole; None too of what keeps none
    seconds: float | None
    whole: bool  # the run came to its end while it was tried


class Run:
    """What a command has computed. Its table is a file, a temporary one where none was named.

    Pickled, it takes a temporary table with it, but no arrays that the command has read, which rerun needs.
    """

    def __init__(self, command: str, path: Path, summary: str, kept: Any = None) -> None:
        self.command, self.path, self.summary = command, path, summary
        self._kept = kept  # the folder of a temporary table and what was read, which are removed with this

    def __copy__(self) -> Run:
        return Run(self.command, self.path, self.summary, self._kept)

    def __deepcopy__(self, _: dict[int, Any]) -> Run:
        return copy.copy(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """What pickle writes, for other processes too: the bytes of a temporary table, or the name of the file."""
        if self._kept and self.path.parent == Path(self._kept[0].name):
            return _unpickled, (self.command, self.path.name, self.path.read_bytes(), self.summary)
        return Run, (self.command, self.path.absolute(), self.summary)

    def __repr__(self) -> str:
        return f"<Run of {self.command}: {self.arrow().num_rows} rows>\n{self.summary}"

    def arrow(self) -> pa.Table:
        """The table, whose numbers stay in the file."""
        with pa.memory_map(str(self.path)) as source:
            table: pa.Table = pa.ipc.open_file(source).read_all()
            return table

    @functools.cached_property
    def frame(self) -> pd.DataFrame:
        """The table in pandas; attrs has what does not vary in it, the units and the meanings."""
        table = self.arrow()
        frame: pd.DataFrame = table.to_pandas(split_blocks=True)
        described = {f.name: {k.decode(): v.decode() for k, v in (f.metadata or {}).items()} for f in table.schema}
        for key in "unit", "meaning":
            frame.attrs[key] = {name: said[key] for name, said in described.items() if said.get(key)}
        return frame

    def polars(self) -> polars.DataFrame:
        """The table in Polars."""
        import polars

        frame = polars.from_arrow(self.arrow())
        assert isinstance(frame, polars.DataFrame)
        return frame

    @functools.cached_property
    def figure(self) -> Figure:
        """The command's figure. Where there is none it is a ValueError that says why."""
        folder = _values.Folder()
        file = Path(folder.name, "figure.svg")
        try:
            _program.call(["plot", str(self.path), "--out", str(file)])
        except _program.Failure as failure:
            raise ValueError(str(failure)) from None
        return Figure(file.read_text(encoding="utf-8"))

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the table, as .arrow, .parquet or .csv, or the figure, as .png, .svg or .pdf."""
        path = Path(path)
        ending = path.suffix.lower()
        if ending in (".png", ".svg", ".pdf"):
            _program.call(["plot", str(self.path), "--out", str(path)])
            return path
        if ending not in (".arrow", ".parquet", ".csv"):
            raise ValueError(f"save {path}: must end in .arrow, .parquet, .csv, .png, .svg or .pdf")
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            if ending == ".arrow":
                shutil.copyfile(self.path, beside)
            elif ending == ".parquet":
                pa.parquet.write_table(self.arrow(), beside)
            else:
                beside.write_text(_program.call(["inspect", str(self.path), "--csv"]), encoding="utf-8")
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
        return path

    def rerun(self) -> str:
        """Runs it again and compares the rows. Where one differs it is a RuntimeError."""
        return _program.call(["rerun", str(self.path), "--quiet"]).strip()

    @functools.cached_property
    def array(self) -> np.ndarray:
        """Saved states, trajectories × times × tokens × d.

        One batch of rows is a view of the file, which is not writeable; several are put together once.
        """
        table = self.arrow()
        tokens = [name for name in table.column_names if name[0] == "x" and name[1:].isdigit()]
        if not tokens or len({"trajectory", "time"} | set(tokens)) != table.num_columns:
            raise ValueError(f"{self.command}: no states of one setting; must be of simulate with save='states'")
        views = [_states(batch, tokens) for batch in table.to_batches()]
        rows = views[0] if len(views) == 1 else np.concatenate(views)
        times = len(table["time"].unique())
        return rows.reshape(-1, times, *rows.shape[1:])

    def xarray(self) -> xarray.DataArray:
        """Saved states with their coordinates."""
        import xarray

        table = self.arrow()
        coordinates = {name: table[name].unique().to_numpy() for name in ("trajectory", "time")}
        names = ("trajectory", "time", "token", "component")
        return xarray.DataArray(self.array, dims=names, coords=coordinates, attrs=self.frame.attrs)


def _unpickled(command: str, name: str, content: bytes, summary: str) -> Run:
    """A run whose table is in a temporary file of its own."""
    folder = _values.Folder()
    path = Path(folder.name, name)
    path.write_bytes(content)
    return Run(command, path, summary, [folder])


def _states(batch: pa.RecordBatch, tokens: list[str]) -> np.ndarray:
    """The states of a batch, rows × tokens × d: its columns follow each other at one distance in the file."""
    columns = [batch[name].flatten().to_numpy() for name in tokens]
    rows = len(batch)
    first = columns[0].reshape(rows, -1)
    places = [column.__array_interface__["data"][0] for column in columns]
    steps = set(np.diff(places).tolist()) or {first.nbytes}
    if len(steps) > 1 or min(steps) < first.nbytes:
        return np.stack([column.reshape(rows, -1) for column in columns], axis=1)
    shape = (rows, len(tokens), first.shape[1])
    view = np.lib.stride_tricks.as_strided(first, shape, (first.strides[0], steps.pop(), 8), writeable=False)
    return view


def run(command: Described, arguments: list[str], inputs: _values.Inputs, options: dict[str, Any]) -> Run | Needs:
    """Runs a command with arguments of a command line, which may name files of inputs."""
    name, out = command["name"], options.get("out")
    _check_files(name, arguments, out)
    key, kept = (name, *arguments), None
    more = ["--progress", "json"]
    for past in ("resume", "restart"):
        if options.get(past) and not command["prints"]:
            more.append(f"--{past}")
    if options.get("workers") is not None:
        more += ["--workers", str(options["workers"])]
    if options.get("paper"):
        more.append("--paper")
    if options.get("dry_run"):
        named = [] if out is None else ["--out", str(out)]
        return Needs(**json.loads(_program.call([name, *arguments, *more, "--dry-run", *named])))
    if "--resume" in more:
        kept = _unfinished.pop(key, None)
    kept = kept or [_values.Folder()]
    kept.append(inputs)
    path = Path(out) if out is not None else Path(kept[0].name, name + ".arrow")
    bar = _Bar(name, options.get("quiet", False))
    older = _state(path)
    try:
        printed = _program.call([name, *arguments, *more, "--out", str(path)], bar)
    except _program.Failure as failure:
        if _state(path) in (None, older):
            raise
        printed = failure.args[1]  # a run that came to its end, and found that something fails
    finally:
        bar.close()
        if out is None and os.path.exists(f"{path}.partial"):
            _unfinished[key] = kept
    summary = "\n".join(line for line in printed.splitlines() if not line.startswith("Wrote "))
    return Run(name, path, summary, kept)


def _check_files(name: str, arguments: list[str], out: Any) -> None:
    """Refuses what a Run, which has one table in Arrow's format, could not show."""
    if out is not None and not str(out).lower().endswith(".arrow"):
        raise ValueError(f"out {out}: must end in .arrow; the method save of a Run writes other formats")
    saved = arguments[arguments.index("--save") + 1] if "--save" in arguments else ""
    if "," in saved:
        raise ValueError(f"{name}: save {saved}: a Run has a single table; must be one of these")


def _state(path: Path) -> tuple[int, int] | None:
    """What changes when the program replaces the file at a path; None if no file is there."""
    try:
        of = path.stat()
    except OSError:
        return None
    return of.st_ino, of.st_mtime_ns


class _Bar:
    """A bar of tqdm, if that is there, once there is progress."""

    def __init__(self, name: str, quiet: bool) -> None:
        self.name, self.quiet = name, quiet
        self.bar: Any = None

    def __call__(self, progress: dict[str, Any]) -> None:
        if self.bar is None and not self.quiet and progress["done"] < 1:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                self.quiet = True
                return
            self.bar = tqdm(total=100, desc=self.name, unit="%", bar_format="{desc} {percentage:.0f}%|{bar}| {remaining}")
        if self.bar is not None:
            self.bar.update(100 * progress["done"] - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
