"""What manifests/release/make made: the directory, and the files of an archive and of an image."""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import tarfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
DIST = pathlib.Path(os.environ["VAPCHECK_DIST"])
VERSION = re.search(r"^project\(vapcheck VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text(), re.M)[1]
COMMAND_MAX_BYTES, IMAGE_MAX_BYTES = 8_000_000, 15_000_000


def unpack_archive(directory, platform="linux-amd64"):
    with tarfile.open(DIST / f"kubectl-vapcheck-{platform}.tar.gz") as archive:
        assert all(m.uid == m.gid == m.mtime == 0 for m in archive)
        archive.extractall(directory)


def unpack_image(name, directory, arch="amd64"):
    """(the directory with the files of the image, its configuration, the digest of its index)"""
    layout = directory / "layout"
    with tarfile.open(DIST / f"{name}-{VERSION}.oci.tar") as archive:
        archive.extractall(layout)
    assert json.loads((layout / "oci-layout").read_text()) == {"imageLayoutVersion": "1.0.0"}

    def blob(described):
        content = (layout / "blobs" / described["digest"].replace(":", "/")).read_bytes()
        assert "sha256:" + hashlib.sha256(content).hexdigest() == described["digest"]
        assert len(content) == described["size"]
        return content

    [index] = json.loads((layout / "index.json").read_text())["manifests"]
    [manifest] = [
        m for m in json.loads(blob(index))["manifests"] if m["platform"] == {"architecture": arch, "os": "linux"}
    ]
    manifest = json.loads(blob(manifest))
    config = json.loads(blob(manifest["config"]))
    [layer] = manifest["layers"]
    packed, root = directory / "layer.tar.gz", directory / "root"
    packed.write_bytes(blob(layer))
    unzipped = subprocess.run(["gzip", "-dc", packed], capture_output=True, check=True).stdout
    assert config["rootfs"]["diff_ids"] == ["sha256:" + hashlib.sha256(unzipped).hexdigest()]
    assert len(unzipped) < IMAGE_MAX_BYTES, len(unzipped)
    with tarfile.open(packed) as archive:
        archive.extractall(root)
    return root, config["config"], index["digest"]


def manual():
    """The blocks of manifests/OPERATING.md that somebody types, without the comments behind commands."""
    blocks = re.findall(r"(?ms)^```\n(.*?)^```$", (SOURCE / "manifests/OPERATING.md").read_text())
    return [re.sub(r"(?m) +# .*$", "", block) for block in blocks]


def manual_block(begin):
    """The one that begins so."""
    [block] = [block for block in manual() if block.startswith(begin)]
    return block
