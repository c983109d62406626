#!/usr/bin/env python3
"""kubectl against the embedded API server: the commands that the demo speaks of.

With the kubectl of the e2e tests' control plane if that was built, else the one in PATH; without
either the test counts as skipped. UPDATE_GOLDENS=1 writes the outputs into OPERATING.md instead of comparing them.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage

sys.path.insert(0, str(stage.SOURCE / "tests/support"))

import readme

SKIP = 77
EXAMPLES = stage.SOURCE / "manifests/examples"
OPERATING = stage.SOURCE / "manifests/OPERATING.md"
AGE = re.compile(r"(?m)(?<= )\d+s$")


def find_kubectl():
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    built = sorted(cache.glob("vapcheck/controlplane-*/kubectl"), key=lambda p: p.stat().st_mtime)
    return built[-1] if built else shutil.which("kubectl")


class KubectlTest(stage.Case):
    def setUp(self):
        super().setUp()
        self.on = self.server()

    def run_kubectl(self, *args, input=None):
        """(status, output)"""
        done = subprocess.run(
            [KUBECTL, "--kubeconfig", self.on.kubeconfig, *map(str, args)],
            input=input, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60,
            env={**os.environ, "HOME": str(self.directory), "KUBECACHEDIR": str(self.directory / "cache")},
        )  # fmt: skip
        return done.returncode, done.stdout

    def kubectl(self, *args, input=None):
        status, output = self.run_kubectl(*args, input=input)
        self.assertEqual(status, 0, output)
        return output

    def test_life(self):
        self.assertEqual(self.kubectl("create", "-f", EXAMPLES).count(" created\n"), len(list(EXAMPLES.glob("*.yaml"))))
        self.assertIn("replicas", self.kubectl("get", "validatingadmissionpolicies"))
        self.kubectl("wait", "--for=condition=Established", "crd/backups.storage.example.com", "--timeout=10s")
        self.assertIn("retention", self.kubectl("explain", "backups.spec", "--api-version=storage.example.com/v1"))
        self.controller(self.on.kubeconfig)
        self.on.settled("replicas")
        self.assertIn("undefined field 'replicas'", self.kubectl("describe", "validatingadmissionpolicy", "replicas"))
        right = (EXAMPLES / "replicas.yaml").read_text().replace("object.replicas", "object.spec.replicas")
        self.assertIn("replaced", self.kubectl("replace", "-f", "-", input=right))
        self.kubectl("wait", "--for=condition=ExpressionsValid", "validatingadmissionpolicy/replicas", "--timeout=20s")
        self.assertIn("deleted", self.kubectl("delete", "validatingadmissionpolicy", "replicas"))
        self.assertNotEqual(self.run_kubectl("get", "validatingadmissionpolicy", "replicas")[0], 0)

    def test_refusals(self):
        self.kubectl("create", "-f", EXAMPLES / "clean.yaml")
        for command in (
            ("apply", "-f", EXAMPLES / "clean.yaml"),
            ("apply", "--server-side", "-f", EXAMPLES / "clean.yaml"),
            ("label", "validatingadmissionpolicy/clean", "a=b"),
        ):
            status, output = self.run_kubectl(*command)
            self.assertNotEqual(status, 0)
            self.assertIn("kubectl replace -f", output)
        status, output = self.run_kubectl("get", "pods")
        self.assertNotEqual(status, 0)
        self.assertIn("knows other resources by their schemas only", output)

    def test_yaml(self):
        """The server's own YAML is what kubectl prints."""
        self.kubectl("create", "-f", EXAMPLES)
        self.controller(self.on.kubeconfig)
        for example in sorted(EXAMPLES.glob("*.yaml")):
            if "kind: ValidatingAdmissionPolicy\n" not in example.read_text():
                continue
            self.on.settled(example.stem)
            theirs = self.kubectl(
                "get", "validatingadmissionpolicy", example.stem, "-o", "yaml", "--show-managed-fields"
            )
            ours = self.on.text(f"{stage.POLICIES}/{example.stem}", Accept="application/yaml")
            # kubectl folds long lines.
            self.assertEqual(ours.split(), theirs.split())

    def run_quoted(self, command):
        """(status, output) of a command that a document quotes, in a directory with a policy.yaml."""
        path = f"{pathlib.Path(KUBECTL).parent}:{stage.BIN}:{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-c", command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60,
            cwd=self.directory,
            env={**os.environ, "PATH": path, "KUBECONFIG": str(self.on.kubeconfig), "HOME": str(self.directory)},
        )
        return done.returncode, done.stdout

    def test_documents(self):
        """What kubectl and kubectl-vapcheck print of a cluster is what OPERATING.md quotes, and the commands of
        MANUAL.md work."""
        self.kubectl("create", "-f", EXAMPLES)
        self.kubectl("wait", "--for=condition=Established", "crd/backups.storage.example.com", "--timeout=10s")
        self.controller(self.on.kubeconfig)
        for example in sorted(EXAMPLES.glob("*.yaml")):
            if "kind: ValidatingAdmissionPolicy\n" in example.read_text():
                self.on.settled(example.stem)
        sessions = [(c, output) for c, output in readme.sessions(OPERATING) if c.startswith("kubectl ")]
        self.assertGreater(len(sessions), 2)
        for command, output in sessions:
            status, printed = self.run_quoted(command)
            printed = AGE.sub("2s", printed)
            if os.environ.get("UPDATE_GOLDENS"):
                text = OPERATING.read_text()
                OPERATING.write_text(text.replace(f"$ {command}\n{output}", f"$ {command}\n{printed}"))
            else:
                self.assertEqual((status, printed.rstrip("\n")), (0, output.rstrip("\n")), command)
        shutil.copy(EXAMPLES / "replicas.yaml", self.directory / "policy.yaml")
        commands = [c for c in readme.commands(stage.SOURCE / "cmd/kubectl-vapcheck/MANUAL.md", "kubectl-vapcheck")
                    if re.search(r"--cluster|--schemas|kubectl-vapcheck (dump|status)", c)]  # fmt: skip
        self.assertEqual(len(commands), 7)
        for command in commands:
            status, output = self.run_quoted(command)
            self.assertIn(status, (0, 1), f"{command}: {output}")
            self.assertNotIn("rror:", output.replace("ERROR: <input>", ""), command)


KUBECTL = find_kubectl()
if not KUBECTL:
    print("no kubectl: neither the control plane of tests/e2e, nor one in PATH")
    sys.exit(SKIP)
stage.main()
