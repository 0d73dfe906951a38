"""The program in processes of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from . import _values

BINARY = str(Path(__file__).with_name("antipode.exe" if sys.platform == "win32" else "antipode"))
_WINDOWS = sys.platform == "win32"
_LONGEST = 16_000  # characters of a command line, of which Windows lets it have 32,767


def start(arguments: Iterable[str], **pipes: Any) -> subprocess.Popen[Any]:
    """Starts the program; it ends with this process, and a terminal's Ctrl-C is for this process alone."""
    own: dict[str, Any] = {"creationflags": 0x200} if _WINDOWS else {"start_new_session": True}
    environment = {**os.environ, "ANTIPODE_PARENT": str(os.getpid())}
    return subprocess.Popen([BINARY, *arguments], env=environment, **own, **pipes)


def call(arguments: Iterable[str], progress: Callable[[dict[str, Any]], None] | None = None) -> str:
    """What the program prints. A mistake in the arguments is a ValueError with its words."""
    pipe, folder = subprocess.PIPE, None
    arguments = list(arguments)
    if sum(map(len, arguments)) > _LONGEST:
        folder = _values.Folder()
        file = Path(folder.name, "arguments.json")
        file.write_text(json.dumps(arguments[1:]), encoding="utf-8")
        arguments[1:] = [f"@{file}"]
    process = start(arguments, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, encoding="utf-8")
    stdout, stderr = process.stdout, process.stderr
    assert stdout and stderr
    printed: list[str] = []
    reader = threading.Thread(target=lambda: printed.append(stdout.read()), daemon=True)
    reader.start()
    said = []
    try:
        for line in stderr:
            if line.startswith("{"):
                if progress:
                    progress(json.loads(line))
            else:
                said.append(line.strip().removeprefix("antipode: "))
        code = process.wait()
    except BaseException:
        stop(process)
        raise
    finally:
        reader.join()
        stdout.close()
        stderr.close()
        if folder:
            folder.remove()
    if code == 0:
        for line in said:
            warnings.warn(line, stacklevel=4)
        return printed[0]
    message = said[-1] if said else f"the program ended with code {code}"
    raise (ValueError if code == 2 else Failure)(message, *([] if code == 2 else [printed[0]]))


class Failure(RuntimeError):
    """The program has failed: its words, and what it had printed."""

    def __str__(self) -> str:
        return str(self.args[0])


def stop(process: subprocess.Popen[Any]) -> None:
    """Interrupts the program, which keeps what is finished, and waits for its end."""
    try:
        process.terminate() if _WINDOWS else process.send_signal(signal.SIGINT)
        process.wait(5)
    except subprocess.TimeoutExpired:
        pass
    finally:
        process.kill()  # which does nothing to one that has ended
        process.wait()


def main() -> None:
    """The console script: the program itself."""
    if _WINDOWS:
        sys.exit(subprocess.call([BINARY, *sys.argv[1:]]))
    os.execv(BINARY, ["antipode", *sys.argv[1:]])
