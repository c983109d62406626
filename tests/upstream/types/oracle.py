"""Upstream's checker, and expressions to make others of.

It is a small Go program over cel-go and k8s.io/apiserver ("oracle") which lies,
with its source and a corpus, in ../shared beside the checkout.
"""

import fcntl
import glob
import json
import os
import pathlib
import subprocess

ROOT = str(pathlib.Path(__file__).resolve().parents[3])
SHARED = os.path.join(os.path.dirname(ROOT), "shared")
CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "vapcheck", "oracle")
SKIPPED = 77  # the exit status of a test that has no oracle

# Minor of Kubernetes -> release of cel-go in the oracle that is built of its libraries.
CEL_GO = {36: "0.26", 37: "0.29", 38: "0.33"}
NEWEST = max(CEL_GO)


def build_oracle(build, program, minor):
    """Of two at once, the second finds the work done; what is built is there whole, or not at all."""
    os.makedirs(os.path.dirname(program), exist_ok=True)
    unfinished = os.path.join(CACHE, f"unfinished-1.{minor}")
    with open(os.path.join(CACHE, f"lock-1.{minor}"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(program):
            done = subprocess.run(
                [build, unfinished, f"1.{minor}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            if done.returncode == 0:
                os.rename(os.path.join(unfinished, "oracle"), program)


def find_oracle(minor=36):
    """The path of that of Kubernetes 1.minor; None where it is missing and cannot be built."""
    folder = os.path.join(CACHE, f"1.{minor}")
    program = os.path.join(folder, "oracle")
    build = os.path.join(SHARED, "oracle", "build.sh")
    if not os.path.exists(program) and os.path.exists(build):
        build_oracle(build, program, minor)
    return program if os.path.exists(program) else None


def read_seeds():
    """Expressions to make mutations of: our goldens, and a larger corpus where there is one."""
    seeds = []
    corpus = os.path.join(SHARED, "corpus")
    for folder in [os.path.join(ROOT, "tests", "golden", "cel"), os.path.join(corpus, "cel")] + sorted(
        glob.glob(os.path.join(corpus, "cel-1.*"))
    ):
        for path in sorted(glob.glob(os.path.join(folder, "*.jsonl"))):
            if ".golden" not in os.path.basename(path):
                with open(path) as lines:
                    seeds += [expr for expr in (json.loads(line)["expr"] for line in lines) if len(expr) < 300]
    return seeds
