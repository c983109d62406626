"""A node for the e2e tests' control plane: it runs the pods of one image as a kubelet and its runtime do.

A pod's container is the image's program, in a root of the image's files that nobody may write, with the user, the
arguments, the environment and the account's token that the pod has. What a node has and this has not: cgroups, and a
network for each pod, so that a variable says at which port of the loopback interface a controller serves.
"""

import json
import shutil
import threading

import harness
import stage

PERIOD_S = 0.3
MOUNTED = "var/run/secrets/kubernetes.io/serviceaccount"
# $1: the root. $2: what the kubelet mounts. What follows are variables, then the program.
ENTER = f"""\
mount --bind "$1" "$1" && mount -t proc proc "$1/proc" && mount --bind "$2" "$1/{MOUNTED}" &&
mount -o remount,bind,ro "$1" &&
shift 2 && exec setpriv --no-new-privs env -i "$@"
"""


class Container:
    """The one container of a pod, while it runs and until the API server knows how it ended."""

    def __init__(self, node, pod):
        self.name, self.namespace = pod["metadata"]["name"], pod["metadata"]["namespace"]
        self.uid, self.plane = pod["metadata"]["uid"], node.plane
        spec = pod["spec"]
        [container] = spec["containers"]
        root, config = node.images[container["image"].split("@")[1]]
        security = {**spec["securityContext"], **container["securityContext"]}
        assert security["readOnlyRootFilesystem"] and security["runAsNonRoot"], security
        assert f"{security['runAsUser']}:{security['runAsGroup']}" == config["User"], (security, config)
        files = self.mounted(spec["serviceAccountName"])
        self.root = files.parent / "root"
        shutil.copytree(root, self.root)
        for name in ("proc", MOUNTED):
            (self.root / name).mkdir(parents=True)
        environment = [
            *config["Env"],
            "KUBERNETES_SERVICE_HOST=127.0.0.1",
            f"KUBERNETES_SERVICE_PORT={self.plane.port()}",
            "VAPCHECK_METRICS_BIND_ADDRESS=127.0.0.1:0",
            *(f"{e['name']}={e['value']}" for e in container.get("env", [])),
        ]
        argv = [
            *environment,
            "/usr/sbin/chroot",
            f"--userspec={config['User']}",
            "--groups=",
            self.root,
            *config["Entrypoint"],
            *container["args"],
        ]
        self.probes = [
            container[kind]["httpGet"]["path"] for kind in ("livenessProbe", "readinessProbe") if kind in container
        ]
        self.process = harness.Process(
            self.name, ["unshare", "--mount", "sh", "-c", ENTER, "sh", self.root, files, *argv], self.plane.directory
        )
        self.phase = None
        self.report("Running")

    def mounted(self, account):
        """The directory with the account's token, which is good for as long as the pod is there."""
        bound = ("--bound-object-kind=Pod", f"--bound-object-name={self.name}")
        token = self.plane.kubectl("create", "token", account, "-n", self.namespace, *bound).strip()
        self.plane.secrets.add(token)
        directory = self.plane.directory / "pods" / self.uid / "files"
        directory.mkdir(parents=True)
        for name, text in (
            ("token", token),
            ("namespace", self.namespace),
            ("ca.crt", (self.plane.directory / "ca.crt").read_text()),
        ):
            (directory / name).write_text(text)
        return directory

    def report(self, phase):
        if phase == self.phase:
            return
        self.phase = phase
        is_ready = "True" if phase == "Ready" else "False"
        status = {
            "phase": "Running" if phase == "Ready" else phase,
            "conditions": [{"type": kind, "status": is_ready} for kind in ("ContainersReady", "Ready")],
        }
        self.plane.kubectl(
            "patch",
            "pod",
            self.name,
            "-n",
            self.namespace,
            "--subresource=status",
            "--type=merge",
            "-p",
            json.dumps({"status": status}),
        )

    def step(self):
        if not self.process.running():
            self.report("Failed" if self.process.popen.returncode else "Succeeded")
        elif self.probes and self.process.says("serving metrics and health on "):
            answers = {stage.ask(self.process, path)[0] for path in self.probes}
            self.report("Ready" if answers == {200} else "Running")

    def end(self):
        """As when the pod is deleted."""
        if self.process.running():
            self.process.stop()
        shutil.rmtree(self.root.parent)
        self.plane.kubectl(
            "delete", "pod", self.name, "-n", self.namespace, "--force", "--grace-period=0", "--ignore-not-found"
        )


class Node:
    """It runs every pod of the cluster until stop(). images: {digest: (root, configuration)}."""

    def __init__(self, plane, images):
        self.plane, self.images, self.containers, self.logs, self.failure = plane, images, {}, {}, None
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        try:
            while not self.ending.wait(PERIOD_S):
                self.step()
        except BaseException as failure:  # stop() raises it, in the test's own thread
            self.failure = failure

    def step(self):
        found = {pod["metadata"]["uid"]: pod for pod in self.plane.list("pods", "-A")}
        for uid, pod in found.items():
            if "nodeName" not in pod["spec"]:
                self.bind(pod)
            elif uid not in self.containers and "deletionTimestamp" not in pod["metadata"]:
                self.containers[uid] = Container(self, pod)
            elif uid in self.containers and "deletionTimestamp" not in pod["metadata"]:
                self.containers[uid].step()
        for uid in list(self.containers):
            if uid not in found or "deletionTimestamp" in found[uid]["metadata"]:
                container = self.containers.pop(uid)
                container.end()
                self.logs[container.name] = container.process.log()

    def bind(self, pod):
        """What a scheduler does."""
        name, namespace = pod["metadata"]["name"], pod["metadata"]["namespace"]
        binding = {
            "apiVersion": "v1",
            "kind": "Binding",
            "metadata": {"name": name},
            "target": {"kind": "Node", "name": "node"},
        }
        self.plane.kubectl(
            "create",
            "--raw",
            f"/api/v1/namespaces/{namespace}/pods/{name}/binding",
            "-f",
            "-",
            input=json.dumps(binding),
        )

    def stop(self):
        self.ending.set()
        self.thread.join()
        if self.failure:
            raise self.failure
