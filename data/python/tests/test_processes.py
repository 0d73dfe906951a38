"""Processes: what is interrupted, killed, forked, or asked from several threads."""

import copy
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import antipode_sde

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
LONG = {"dim": 8, "beta": [0.5, 1, 1.5], "trajectories": 500_000, "depth": 40, "horizon": 10, "no_shortcuts": True, "quiet": True}


def children(of):
    """The processes that a process has started, by their number in /proc."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == of and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def alive(number):
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def files_in(folder):
    """The environment of a process that will be killed, whose temporary files stay."""
    return {**os.environ, "TMPDIR": str(folder)}


KILLED = """
import threading, time, antipode_sde
threading.Thread(target=lambda: antipode_sde.phase(trajectories=10**7, quiet=True)).start()
antipode_sde.beta_c(dim=5)
print("begun", flush=True)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")
def test_kill_leaves_no_process(tmp_path):
    python = subprocess.Popen([sys.executable, "-c", KILLED], stdout=subprocess.PIPE, env=files_in(tmp_path))
    python.stdout.readline()
    deadline = time.monotonic() + 60
    while len(started := children(python.pid)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(started) == 2
    python.kill()
    python.wait()
    python.stdout.close()
    while any(map(alive, started)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, started))


def once_kept(folder, action):
    """Does something once the file of what is finished of a run has grown in a folder."""
    def wait():
        first, deadline = {}, time.monotonic() + 60
        while time.monotonic() < deadline:
            for file in folder.glob("**/*.partial"):
                size = file.stat().st_size  # at first of what says which run it is
                if size > 0 and size > first.setdefault(file, size):
                    return action()
            time.sleep(0.002)

    threading.Thread(target=wait).start()


def interrupted(monkeypatch, folder, **given):
    """A run that is interrupted, as by a notebook's button, when a part of it is done."""
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    once_kept(folder, lambda: signal.pthread_kill(threading.main_thread().ident, signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        antipode_sde.phase(**LONG, **given)


@posix
@pytest.mark.parametrize("given", [{}, {"interaction": np.eye(8) / 2}], ids=["numbers", "array"])
def test_interrupted_and_resumed(tmp_path, tmp_path_factory, monkeypatch, given):
    monkeypatch.chdir(tmp_path)
    if given:  # tokens, which take longer than their overlap
        monkeypatch.setitem(LONG, "trajectories", 10_000)
    interrupted(monkeypatch, tmp_path_factory.mktemp("temporary"), **given)
    unfinished = {keys: kept[0].name for keys, kept in antipode_sde._run._unfinished.items()}
    again = {name: value.copy() for name, value in given.items()}
    resumed = antipode_sde.phase(**LONG, **again, resume=True)
    assert [str(resumed.path.parent)] == list(unfinished.values()) and not antipode_sde._run._unfinished
    assert "the same again, 3 rows" in resumed.rerun() and list(tmp_path.iterdir()) == []


@posix
def test_notebook_kernel(tmp_path):
    """Interrupting it interrupts the run, which can be resumed; killing it ends what it has started."""
    manager = pytest.importorskip("jupyter_client").KernelManager()
    manager.start_kernel(env=files_in(tmp_path))
    client = manager.client()
    client.start_channels()

    def cell(code, interrupt=False):
        client.execute(code)
        texts = []
        if interrupt:
            once_kept(tmp_path, manager.interrupt_kernel)
        while (message := client.get_iopub_msg(timeout=120))["content"].get("execution_state") != "idle":
            texts.append(message["content"].get("text", "") + message["content"].get("ename", ""))
        return "".join(texts)

    try:
        client.wait_for_ready(timeout=120)
        cell("import antipode_sde, os")
        assert "KeyboardInterrupt" in cell(f"antipode_sde.phase(**{LONG | {'trajectories': 2_000_000}})", interrupt=True)
        assert "1 True" in cell("print(len(antipode_sde._run._unfinished), antipode_sde.beta_c(dim=5) > 0)")
        number = int(cell("print(os.getpid())"))
        client.execute(f"antipode_sde.phase(**{LONG | {'trajectories': 10**7}})")
        deadline = time.monotonic() + 60
        while len(started := children(number)) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(started) == 2
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    while any(map(alive, started)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, started))


@posix
def test_interrupted_with_a_file(tmp_path, monkeypatch):
    """The unfinished part is beside the file that was named, and is not given up unasked."""
    out = tmp_path / "named" / "phase.arrow"
    out.parent.mkdir()
    interrupted(monkeypatch, tmp_path, out=out)
    with pytest.raises(ValueError, match="must be used with --resume"):
        antipode_sde.phase(**LONG, out=out)
    run = antipode_sde.phase(**LONG | {"trajectories": 10}, out=out, restart=True)
    assert list(out.parent.iterdir()) == [out] and (run.frame.trajectories == 10).all()


def test_threads():
    beta = np.linspace(0, 2, 40)
    expected = antipode_sde.p_antipodal(4, beta)
    with ThreadPoolExecutor(8) as pool:
        theory = [pool.submit(antipode_sde.p_antipodal, 4, b) for b in beta]
        runs = [pool.submit(antipode_sde.overlap, dim=4, beta=b) for b in beta[:4]]
        assert [f.result() for f in theory] == expected.tolist()
        assert [f.result().frame.p_antipodal[0] for f in runs] == expected[:4].tolist()


def of_point(beta):
    return antipode_sde.p_antipodal(4, beta), antipode_sde.overlap(dim=4, beta=beta).frame.p_antipodal[0]


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of forks beside threads, which are meant
def test_multiprocessing(method):
    expected = antipode_sde.p_antipodal(4, [1, 2]).tolist()  # the process that answers is there before a fork
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(of_point, [1, 2]) == [(p, p) for p in expected]
    assert antipode_sde.p_antipodal(4, [1, 2]).tolist() == expected


def run_of_point(beta):
    return antipode_sde.overlap(dim=4, beta=beta)


def test_run_of_another_process(tmp_path):
    """Its temporary table, which the other process has removed, is in a temporary file of this process."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        run = pool.map(run_of_point, [1])[0]
    assert run.frame.equals(run_of_point(1).frame) and "<svg" in run.figure.svg and run.summary
    folder = run.path.parent
    del run
    assert not folder.exists()
    named = antipode_sde.overlap(dim=4, out=tmp_path / "overlap.arrow")
    assert pickle.loads(pickle.dumps(named)).path == named.path
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(run_of_point(1)))))
    assert again.frame.p_antipodal[0] == of_point(1)[0]


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_copied_run(duplicate):
    """The files are there as long as one of the copies is, also those that a run has read."""
    run = antipode_sde.phase(interaction=np.eye(2), dim=2, trajectories=5, horizon=1, method="tokens", quiet=True)
    frame, copied = run.frame, duplicate(run)
    del run
    assert copied.frame.equals(frame) and "the same again" in copied.rerun()
