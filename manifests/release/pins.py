"""The table `dependencies`: which sources a release is built from; and which of them Debian has now."""

import dataclasses
import functools
import lzma
import pathlib
import re
import subprocess
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
INDEXES = (
    "http://deb.debian.org/debian-security/dists/bookworm-security/main/source/Sources.xz",
    "http://deb.debian.org/debian/dists/bookworm/main/source/Sources.xz",
)


@dataclasses.dataclass(frozen=True)
class Pin:
    name: str
    version: str
    sha256: str
    licence: str
    cpe: str

    @property
    def file_version(self):
        """A file's name leaves out the epoch."""
        return self.version.split(":", 1)[-1]

    @property
    def upstream_version(self):
        """Without Debian's revision and its mark for repacked sources."""
        return re.sub(r"[.+~]dfsg.*$", "", self.file_version.rsplit("-", 1)[0])


def read(path=HERE / "dependencies"):
    return [Pin(*line.split()) for line in path.read_text().splitlines() if line and not line.startswith("#")]


def write(path, rows):
    path.write_text("".join(" ".join(dataclasses.astuple(row)) + "\n" for row in rows))


@functools.cache
def index():
    """(name, version, the hash of its .dsc) of all sources of Debian 12 and its security updates."""
    rows = []
    for url in INDEXES:
        with urllib.request.urlopen(url, timeout=120) as answer:
            text = lzma.decompress(answer.read()).decode()
        for paragraph in text.split("\n\n"):
            name = re.match(r"Package: (.*)", paragraph)
            version = re.search(r"^Version: (.*)", paragraph, re.M)
            dsc = re.search(r"^Checksums-Sha256:\n(?: .*\n)*? ([0-9a-f]{64}) \d+ \S+\.dsc$", paragraph, re.M)
            if name and version and dsc:
                rows.append((name.group(1), version.group(1), dsc.group(1)))
    return rows


def is_newer(one, other):
    return subprocess.run(["dpkg", "--compare-versions", one, "gt", other], check=False).returncode == 0


def served(row):
    """The versions that Debian's indexes name, the newest first."""
    found = {
        dataclasses.replace(row, version=version, sha256=digest)
        for name, version, digest in index()
        if name == row.name
    }
    order = functools.cmp_to_key(lambda a, b: -1 if is_newer(a.version, b.version) else 1)
    return sorted(found, key=order)
