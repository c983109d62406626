"""Packages from PyPI that a test needs, in the user's cache; nothing of the system's Python is touched."""

import os
import pathlib
import subprocess
import sys


def require(name, *requirements):
    """Makes the packages importable, or ends the test as skipped (as failed, with VAPCHECK_REQUIRE_PYPI=1)."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"))
    directory = cache / "vapcheck" / f"{name}-{version}-{'-'.join(r.replace('==', '-') for r in requirements)}"
    if not directory.exists():
        partial = directory.with_name(f"{directory.name}.{os.getpid()}")
        command = [sys.executable, "-m", "pip", "install", "-q", "--no-input", "--target", partial, *requirements]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"skipped: {' '.join(requirements)} cannot be installed: {done.stderr.strip()[-300:]}")
            sys.exit(1 if os.environ.get("VAPCHECK_REQUIRE_PYPI") else 77)
        try:
            partial.rename(directory)
        except OSError:  # another test was faster
            pass
    sys.path.insert(0, str(directory))
    return directory
