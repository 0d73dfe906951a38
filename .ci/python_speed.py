"""Times the Python package: what is refused is a call that costs more, or a table that takes longer, than is promised.

usage: python_speed.py

A call of the theory costs at most 0.3 ms beside what is computed, 10^4 limits take at most 2 s on two cores, and two
tokens of a million trajectories at 50 times are in pandas in at most 1.5 times what the program alone needs. Elapsed
times on a busy machine say little: the first is the least of many, the others are of the processors.
"""

import os
import resource
import tempfile
import time
from pathlib import Path

import numpy as np

import antipode_sde
from antipode_sde import _program, _theory


def processors():
    """Seconds of processors, of this process and of those that it has waited for."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def timed(call):
    began, before = time.perf_counter(), processors()
    call()
    return time.perf_counter() - began, processors() - before


def answering(call):
    """Seconds of processors of the process that answers, in a call."""
    stat = Path(f"/proc/{_theory._answers.process.pid}/stat")
    seconds = [sum(map(int, stat.read_text().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")]
    call()
    return sum(map(int, stat.read_text().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK") - seconds[0]


antipode_sde.beta_c(dim=5)  # which starts the process that answers
points = 5000
computed = answering(lambda: antipode_sde.p_antipodal(dim=[4] * points, beta=1)) / points
call = min(timed(lambda: antipode_sde.p_antipodal(dim=4, beta=1))[0] for _ in range(points))
print(f"a call of the theory: {1e3 * call:.3f} ms, of which {1e3 * computed:.3f} ms are what is computed")
assert call - computed < 0.3e-3

dim, beta = np.arange(3, 23)[:, None], np.linspace(0.01, 2, 500)
elapsed = []
computed = answering(lambda: elapsed.append(timed(lambda: antipode_sde.p_antipodal(dim, beta))[0]))
print(f"10^4 limits: {elapsed[0]:.2f} s, of processors {computed:.2f} s")
assert min(elapsed[0], computed / 2) < 2

given = {"tokens": 2, "trajectories": 10**6, "save": "overlaps", "horizon": 4.9, "every": 0.1, "depth": 10}
with tempfile.TemporaryDirectory() as folder:
    file = Path(folder, "own.arrow")
    arguments = [word for name, value in given.items() for word in (f"--{name}", str(value))]
    own = timed(lambda: _program.call(["simulate", *arguments, "--quiet", "--out", str(file)]))
    file.unlink()
    frames = []
    total = timed(lambda: frames.append(antipode_sde.simulate(**given, quiet=True).frame))
    assert len(frames[0]) == 50 * 10**6
ratios = [t / o for t, o in zip(total, own)]
print(f"a million trajectories at 50 times, in seconds elapsed and of processors: the program {own[0]:.1f} and {own[1]:.1f}, "
      f"into pandas {total[0]:.1f} and {total[1]:.1f}, ratios {ratios[0]:.2f} and {ratios[1]:.2f}")
assert min(ratios) < 1.5
