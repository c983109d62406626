"""Packages from PyPI that a test needs, in the user's cache; nothing of the system's Python is touched."""

import os
import pathlib
import subprocess
import sys
import tempfile


def require(name, *requirements):
    """Makes the packages importable, or ends the test as skipped (as failed, with VAPCHECK_REQUIRE_PYPI=1)."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "vapcheck"
    directory = cache / f"{name}-{version}-{'-'.join(r.replace('==', '-') for r in requirements)}"
    if not directory.exists():
        cache.mkdir(parents=True, exist_ok=True)
        # Beside it, and new: pip would leave as they are the files that an interrupted one left.
        with tempfile.TemporaryDirectory(prefix="unfinished-pypi-", dir=cache) as partial:
            target = pathlib.Path(partial, "packages")
            command = [sys.executable, "-m", "pip", "install", "-q", "--no-input", "--target", target, *requirements]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                print(f"skipped: {' '.join(requirements)} cannot be installed: {done.stderr.strip()[-300:]}")
                sys.exit(1 if os.environ.get("VAPCHECK_REQUIRE_PYPI") else 77)
            try:
                target.rename(directory)
            except OSError:  # another test was faster
                pass
    sys.path.insert(0, str(directory))
    return directory
