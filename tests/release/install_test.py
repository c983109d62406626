#!/usr/bin/env python3
"""A user's way with nothing but the files of a release: the command line in an empty root, the controller in a real
cluster by the chart or by install.yaml, a status, and away again; nothing stays in the cluster."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / "tests/e2e"), str(SOURCE / "tests/flow")]

import dist
import harness
import kubelet
from dist import DIST

HELM = SOURCE / "tests/support/helm"
EXAMPLES = SOURCE / "manifests/examples"
NAMESPACE = "vapcheck-system"
CONTROLLERS = ("deployment", "replicaset", "job", "namespace", "garbage-collector", "serviceaccount")
EVENT_TTL_S = 20  # an hour, where nobody says otherwise; the API server adds a second here to share an expiry
CHANGING = ("componentstatuses", "events", "events.events.k8s.io")
# What the manual's blocks begin with, each run by a test here as it stands.
INSTALL, INSTALL_CHART = "kubectl apply -f install.yaml", "helm install vapcheck "
ADDRESSES, AFTERWARDS, BINDINGS, UNINSTALL = (
    "kubectl get endpointslices",
    "kubectl wait",
    "kubectl vapcheck status",
    "kubectl -n vapcheck-system delete",
)
OVERLAYS = ("resources: [PATH/manifests/base]\nimages:", "patches:", "resources: [PATH/manifests/base]\ncomponents:")
SESSIONS = "$ kubectl "  # with what is printed: flow/cli/kubectl types them
EACH = '{range .items[*]}{.kind}{" "}{.metadata.namespace}{"/"}{.metadata.name}{"\\n"}{end}'


class InstallTest(harness.Case):
    plane_flags = (f"--apiserver-arg=--event-ttl={EVENT_TTL_S}s", "--apiserver-arg=--lease-reuse-duration-seconds=1")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        directory = tempfile.TemporaryDirectory(prefix="vapcheck-")
        cls.addClassCleanup(directory.cleanup)
        directory = pathlib.Path(directory.name)
        root, config, digest = dist.unpack_image("vapcheck-controller", directory)
        cls.images = {digest: (root, config)}
        cls.bare = directory / "bare"
        cls.bare.mkdir()
        dist.unpack_archive(cls.bare)
        shutil.copy(cls.plane.kubeconfig, cls.bare / "kubeconfig")
        for path in EXAMPLES.glob("*.yaml"):
            shutil.copy(path, cls.bare)
        argv = [
            harness._programs / "kube-controller-manager",
            f"--kubeconfig={cls.plane.kubeconfig}",
            "--leader-elect=false",
            "--secure-port=0",
            "--controllers=" + ",".join(f"{name}-controller" for name in CONTROLLERS),
        ]
        manager = harness.Process("controllers", argv, cls.plane.directory)
        cls.desk = cls.set_the_desk(directory / "desk")
        cls.addClassCleanup(manager.kill)
        harness.wait_for(
            "the controllers", lambda: len(cls.plane.list("serviceaccounts", "-A")) == len(cls.plane.list("namespaces"))
        )

    @classmethod
    def set_the_desk(cls, desk):
        """The directory of somebody who reads the manual: the release's files, a checkout, and programs on the PATH."""
        (desk / "bin").mkdir(parents=True)
        for path in (harness._programs / "kubectl", cls.bare / "kubectl-vapcheck"):
            (desk / "bin" / path.name).symlink_to(path)
        helm = desk / "bin/helm"  # it looks for a helm on the PATH itself
        helm.write_text(f'#!/bin/sh\nPATH={shlex.quote(os.environ["PATH"])} exec {HELM} "$@"\n')
        helm.chmod(0o755)
        for path in (*DIST.glob("*.yaml"), *DIST.glob("*.tgz")):
            (desk / path.name).symlink_to(path)
        (desk / "manifests").symlink_to(SOURCE / "manifests")
        return desk

    def type(self, begin):
        """Runs the commands of the manual's block that begins so; what they say."""
        return self.type_text(dist.manual_block(begin))

    def type_text(self, text):
        path = f"{self.desk}/bin:{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-ec", text],
            cwd=self.desk,
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "PATH": path, "KUBECONFIG": str(self.plane.kubeconfig)},
        )
        if done.returncode == 77:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def setUp(self):
        super().setUp()
        self.before, self.asked = self.everything(), len(self.plane.requests())
        self.node = kubelet.Node(self.plane, self.images)
        self.addCleanup(self.node.stop)
        self.plane.apply(EXAMPLES / "replicas.yaml")
        self.plane.apply(EXAMPLES / "clean.yaml")

    def kubectl_vapcheck(self, *args):
        """(exit status, standard output) of the archive's program, where nothing else is."""
        done = subprocess.run(
            ["/usr/sbin/chroot", self.bare, "/kubectl-vapcheck", *args],
            capture_output=True,
            text=True,
            timeout=60,
            env={},
        )
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def run_helm(self, *args):
        done = subprocess.run(
            [HELM, *map(str, args), "-n", NAMESPACE],
            capture_output=True,
            text=True,
            env={**os.environ, "KUBECONFIG": str(self.plane.kubeconfig)},
        )
        if done.returncode == 77:
            self.skipTest(done.stderr)
        return done

    def helm(self, *args):
        done = self.run_helm(*args, "--timeout=90s")
        self.assertEqual(done.returncode, 0, done.stderr)

    def everything(self):
        """What is in the cluster: a line each."""
        kinds = sorted(set(self.plane.kubectl("api-resources", "--verbs=list", "-o", "name").split()) - set(CHANGING))
        return set(self.plane.kubectl("get", ",".join(kinds), "-A", "-o", f"jsonpath={EACH}").splitlines())

    def check_that_it_works(self):
        self.plane.kubectl("wait", "--for=condition=TypeChecked", "validatingadmissionpolicy", "--all", "--timeout=30s")
        self.assertEqual(self.plane.condition("replicas", "ExpressionsValid")["reason"], "WarningsFound")
        self.assertEqual(self.plane.condition("clean", "ExpressionsValid")["reason"], "NoWarnings")
        self.assertIn("undefined field 'replicas'", self.plane.warnings("replicas")[0]["warning"])
        status, said = self.kubectl_vapcheck("status", "--kubeconfig=kubeconfig")
        self.assertRegex(said, r"(?m)^replicas\b")
        harness.wait_for("an Event", self.events)
        self.assertTrue(self.plane.get("lease", "vapcheck-controller", "-n", NAMESPACE))
        refused = [e for e in self.plane.requests()[self.asked :] if e["responseStatus"]["code"] == 403]
        self.assertEqual(refused, [])

    def events(self):
        found = self.plane.list("events.events.k8s.io", "-A")
        return [e for e in found if "vapcheck" in e.get("reportingController", "")]

    def check_that_nothing_is_left(self):
        wanted = self.before | {f"ValidatingAdmissionPolicy /{name}" for name in ("replicas", "clean")}
        harness.wait_for(
            "nothing more than before", lambda: self.same(self.everything(), wanted), timeout=60, period=0.5
        )
        for name in ("replicas", "clean"):
            found = self.plane.get("validatingadmissionpolicy", name, "--show-managed-fields")
            self.assertEqual(found.get("status", {}), {})
            self.assertNotIn(harness.AGENT, [m["manager"] for m in found["metadata"]["managedFields"]])
        harness.wait_for("no Event", lambda: not self.events(), timeout=60, period=0.5)

    def same(self, found, wanted):
        self.assertEqual(found, wanted)
        return True

    def test_the_command_line(self):
        status, said = self.kubectl_vapcheck("check", "-f", "replicas.yaml")
        self.assertEqual(status, 1)
        self.assertIn("no field 'replicas'", said)
        self.assertEqual(
            self.kubectl_vapcheck("check", "--cluster", "--kubeconfig=kubeconfig", "-f", "clean.yaml")[0], 0
        )

    def test_what_a_dry_run_says(self):
        """What manifests/COMPARISON.md says of it: nothing."""
        done = self.plane.run_kubectl(
            "apply", "--dry-run=server", "--validate=strict", "-f", EXAMPLES / "replicas.yaml"
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_chart(self):
        self.plane.kubectl("apply", "-f", SOURCE / "manifests/base/namespace.yaml")
        empty = self.everything()
        notes = re.findall(r"(?m)^  (kubectl .*)$", self.type(INSTALL_CHART))
        self.assertEqual(len(notes), 3)
        self.type_text(notes[0])
        self.check_that_it_works()
        self.assertRegex(self.type_text(notes[1]), r"(?m)^replicas ")
        # The loopback of this control plane is in no EndpointSlice.
        self.plane.apply(
            {
                "apiVersion": "discovery.k8s.io/v1",
                "kind": "EndpointSlice",
                "metadata": {
                    "name": "kubernetes",
                    "namespace": "default",
                    "labels": {"kubernetes.io/service-name": "kubernetes"},
                },
                "addressType": "IPv4",
                "endpoints": [{"addresses": ["192.0.2.1"]}],
                "ports": [{"name": "https", "port": 16443, "protocol": "TCP"}],
            }
        )
        self.assertEqual(self.type_text(notes[2]), "16443")
        self.plane.kubectl("delete", "endpointslice", "kubernetes", "-n", "default")
        self.assertIn("has been upgraded", self.type(ADDRESSES))
        policy = self.plane.get("networkpolicy", "vapcheck-controller", "-n", NAMESPACE)
        self.assertEqual(policy["spec"]["egress"][0]["to"], [{"ipBlock": {"cidr": f"192.0.2.{i}/32"}} for i in (1, 2)])
        self.helm("uninstall", "vapcheck")
        harness.wait_for("the pods are gone", lambda: not self.node.containers)
        harness.wait_for(
            "an empty namespace",
            lambda: self.same(
                self.everything() - self.before, empty - self.before | {f"ServiceAccount {NAMESPACE}/default"}
            ),
        )
        self.plane.kubectl("delete", "namespace", NAMESPACE)
        self.check_that_nothing_is_left()
        self.assertEqual(len(self.node.logs), 3)  # two replicas, and the Job

    def test_install_yaml(self):
        self.type(INSTALL)
        self.check_that_it_works()
        self.assertIn("condition met", said := self.type(AFTERWARDS))
        self.assertIn("WarningsFound", said)
        self.plane.apply(
            {
                "apiVersion": "admissionregistration.k8s.io/v1",
                "kind": "ValidatingAdmissionPolicyBinding",
                "metadata": {"name": "my-binding"},
                "spec": {"policyName": "nowhere", "validationActions": ["Warn"]},
            }
        )
        self.assertIn("no ValidatingAdmissionPolicy is called nowhere", self.type(BINDINGS))
        self.plane.kubectl("delete", "validatingadmissionpolicybinding", "my-binding")
        self.type(UNINSTALL)
        self.check_that_nothing_is_left()

    def test_the_manual_s_overlays(self):
        """What the server takes of them; the values of the manual are in it."""
        first, patches, components = (dist.manual_block(begin).replace("PATH/", "../") for begin in OVERLAYS)
        for name, text in (("image", first), ("patches", first + patches), ("components", components)):
            directory = self.desk / name
            directory.mkdir()
            (directory / "kustomization.yaml").write_text(text)
            made = self.plane.kubectl("kustomize", directory)
            self.plane.kubectl(
                "apply",
                "--dry-run=server",
                "-f",
                "-",
                input=made.replace("namespace: vapcheck-system", "namespace: default"),
            )
            self.assertEqual("192.0.2.2/32" in made, name == "patches")
            self.assertEqual("--watch-webhooks" in made, name == "components")
            self.assertEqual("image: REGISTRY/vapcheck-controller:0.1.0" in made, name != "components")

    def test_every_block_of_the_manual_is_tried(self):
        tried = (INSTALL, INSTALL_CHART, ADDRESSES, AFTERWARDS, BINDINGS, UNINSTALL, SESSIONS, *OVERLAYS)
        self.assertEqual([block for block in dist.manual() if not block.startswith(tried)], [])


harness.main()
