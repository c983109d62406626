#!/usr/bin/env python3
"""The image: its Dockerfile's steps are run in a Debian root, and the result as a cluster runs it.

There need be no container engine. Root is needed, and the network; VAPCHECK_DEBIAN_ROOT names a minbase
root to copy instead of having debootstrap make one.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "flow"))
import stage

DOCKERFILE = stage.SOURCE / "manifests/image/Dockerfile"
MIRROR, RELEASE = "http://deb.debian.org/debian", "bookworm"
ADDED_MOST_BYTES = 16 * 1000 * 1000
# A process in namespaces of its own, with /proc. $1: the root; what follows runs in it.
ENTER = 'mount -t proc proc "$1/proc" && exec chroot "$@"'
# The same, on a root that nobody may write; /run is where the pod's files are mounted. $2: what /run has.
ENTER_READ_ONLY = """\
mount --bind "$1" "$1" && mount -t proc proc "$1/proc" && mount --bind "$2" "$1/run" && mount -o remount,bind,ro "$1" &&
root=$1 && shift 2 && exec chroot "$root" \\
setpriv --reuid=65532 --regid=65532 --clear-groups --no-new-privs --bounding-set=-all -- "$@"
"""
UNSHARE = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]


def instructions():
    """[(instruction, its text)]"""
    lines = [line for line in DOCKERFILE.read_text().splitlines() if line and not line.startswith("#")]
    text = "\n".join(lines).replace("\\\n", " ")
    return [tuple(line.split(None, 1)) for line in text.splitlines()]


class LibrariesTest(stage.Case):
    def test_the_image_has_what_the_program_needs(self):
        """The packages that the last stage installs are those of the libraries that the program names."""
        program = stage.BIN / "vapcheck-controller"
        dynamic = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
        self.assertIn("libcurl.so.4", needed)
        owners = subprocess.run(
            ["dpkg", "-S", *(f"*/{name}" for name in needed)], capture_output=True, text=True
        ).stdout
        packages = {
            line.split(":")[0]
            for line in owners.splitlines()
            if line.split(": ")[1].startswith(("/lib/", "/usr/lib/x86_64", "/usr/lib/aarch64"))
        }
        run = [text for name, text in instructions() if name == "RUN" and "apt-get install" in text][-1]
        installed = {word for word in run.split("&&")[1].split()[2:] if not word.startswith("-")}
        self.assertIn("libc6", packages)
        self.assertEqual(installed, packages - {"libc6"}, "the image's base has the C library and its loader")


class Builder:
    """Does what a container engine does, for the instructions that the Dockerfile uses."""

    def __init__(self, base, directory):
        self.base, self.directory = base, directory
        self.stages, self.arguments, self.workdir, self.user, self.entrypoint = {}, {}, "/", None, None
        for instruction, text in instructions():
            getattr(self, "do_" + instruction.lower())(text)

    def do_from(self, text):
        image, _, name = text.partition(" AS ")
        assert image == "debian:12-slim", image
        self.root = self.directory / f"stage-{len(self.stages)}"
        self.stages[name] = self.root
        self.workdir, self.arguments = "/", {}
        subprocess.run(["cp", "-a", self.base, self.root], check=True)
        shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")

    def do_workdir(self, text):
        self.workdir = text
        self.inside(text).mkdir(parents=True, exist_ok=True)

    def do_arg(self, text):
        name, _, value = text.partition("=")
        self.arguments[name] = value

    def inside(self, path):
        return self.root / os.path.join(self.workdir, path).lstrip("/")

    def do_copy(self, text):
        words = text.split()
        source = stage.SOURCE
        if words[0].startswith("--from="):
            source = self.stages[words.pop(0).removeprefix("--from=")]
        what, target = words
        if what != ".":
            self.inside(target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / what.lstrip("/"), self.inside(target))
            return
        # What git knows is the context; .dockerignore leaves out the rest.
        files = subprocess.run(["git", "ls-files", "-z"], cwd=source, capture_output=True, check=True).stdout
        for name in files.decode().split("\0"):
            if name and (source / name).exists():
                (self.inside(target) / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source / name, self.inside(target) / name)

    def do_run(self, text):
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", **self.arguments}
        command = ["sh", "-c", f"cd {shlex.quote(self.workdir)} && {text}"]
        done = subprocess.run(
            [*UNSHARE, "sh", "-c", ENTER, "sh", self.root, *command],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            raise AssertionError(f"RUN {text}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")

    def do_user(self, text):
        self.user = text

    def do_expose(self, text):
        pass

    def do_entrypoint(self, text):
        self.entrypoint = json.loads(text)


def files(root):
    """{path: (size, mode, time)} of all that takes space."""
    found = {}
    for directory, _, names in os.walk(root):
        for name in names:
            status = os.lstat(os.path.join(directory, name))
            found[os.path.relpath(os.path.join(directory, name), root)] = (
                status.st_size,
                status.st_mode,
                status.st_mtime_ns,
            )
    return found


class StepsTest(stage.Case):
    def base(self):
        given = os.environ.get("VAPCHECK_DEBIAN_ROOT")
        if given:
            return pathlib.Path(given)
        if not shutil.which("debootstrap"):
            self.skipTest("no debootstrap: cmd/install-packages long")
        root = pathlib.Path(self.directory) / "base"
        done = subprocess.run(
            ["debootstrap", "--variant=minbase", RELEASE, root, MIRROR], capture_output=True, text=True
        )
        if done.returncode != 0:
            self.skipTest(f"debootstrap: {done.stdout[-500:]} {done.stderr[-500:]}")
        subprocess.run(f"rm -rf {root}/var/lib/apt/lists/* {root}/var/cache/apt/*", shell=True, check=True)
        return root

    def test_steps(self):
        if os.geteuid() != 0:
            self.skipTest("only root may make a Debian root")
        base = self.base()
        image = Builder(base, pathlib.Path(self.directory))
        self.assertEqual(image.user, "65532:65532")
        self.check_size(files(base), files(image.root))
        self.check_run(image)

    def check_size(self, before, after):
        added = {path: what for path, what in after.items() if before.get(path) != what}
        size = sum(what[0] for what in added.values())
        print(f"adds {size / 1e6:.1f} MB in {len(added)} files")
        self.assertLess(size, ADDED_MOST_BYTES)
        self.assertEqual([path for path, what in added.items() if what[1] & 0o6000], [], "setuid or setgid")

    def enter(self, image, run, *argv):
        return [*UNSHARE, "sh", "-c", ENTER_READ_ONLY, "sh", image.root, run, *argv]

    def check_run(self, image):
        """As a cluster runs it: no root, no capability, nothing to write to."""
        run = pathlib.Path(self.directory) / "run"
        run.mkdir()
        server = self.server()
        server.create(stage.policy("p", "object.replicas > 1"))
        shutil.copy(server.kubeconfig, run / "kubeconfig")
        (run / "kubeconfig").chmod(0o644)
        for path in ("/x", "/tmp/x", "/run/x"):
            done = subprocess.run(self.enter(image, run, "touch", path), capture_output=True, text=True)
            self.assertRegex(done.stderr, "Read-only file system|Permission denied", path)
        version = subprocess.run(self.enter(image, run, *image.entrypoint, "--version"), capture_output=True, text=True)
        self.assertRegex(version.stdout, r"^vapcheck-controller \d+\.\d+\.\d+\n$")
        # A port of its own: the cluster's is 8080.
        argv = self.enter(
            image, run, *image.entrypoint, "--kubeconfig=/run/kubeconfig", "--metrics-bind-address=127.0.0.1:0"
        )
        process = stage.Process("image", argv, self.directory)
        stage.wait_for("a warning", lambda: server.warnings("p"))
        self.assertEqual(stage.ask(process, "/readyz")[0], 200)
        child = self.child(process.popen.pid)
        status = dict(line.split(":\t", 1) for line in pathlib.Path(f"/proc/{child}/status").read_text().splitlines())
        self.assertEqual(status["Uid"].split(), ["65532"] * 4)
        self.assertEqual((int(status["CapEff"], 16), int(status["CapBnd"], 16), status["NoNewPrivs"]), (0, 0, "1"))
        os.kill(child, 15)
        self.assertEqual(process.wait(20), 0, process.log())

    def child(self, pid):
        """unshare's, which is the program itself."""
        return int(pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


stage.main()
