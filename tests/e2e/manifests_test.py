#!/usr/bin/env python3
"""Every form of the manifests is what a real API server takes, under Pod Security `restricted`, and the
chart is the base."""

import json
import os
import pathlib
import subprocess

import harness

MANIFESTS = harness.SOURCE / "manifests"
CHART = MANIFESTS / "chart"
HELM = harness.SOURCE / "tests/support/helm"
NAMESPACE = "vapcheck-system"
OVERLAYS = ("dev", "conditions-only", "prometheus", "watch")
OPERATOR = "github.com/prometheus-operator/prometheus-operator@v0.85.0"
OPERATOR_CRDS = ("servicemonitors", "prometheusrules")

# Flags of `helm template`, and the form that they must give.
CHART_FORMS = {
    "base": [],
    "overlays/conditions-only": ["--set", "args={--own-status=conditions}"],
    "overlays/prometheus": ["--set", "prometheus.enabled=true"],
    "overlays/watch": ["--set", "watch.webhooks=true,watch.mutatingPolicies=true,watch.crds=true"],
    "overlays/dev": [
        "--set", "args={-v,debug}", "--set", "image.tag=dev", "--set", "image.pullPolicy=Never", "--set", "replicas=1",
    ],
}


def key(obj):
    return obj["kind"], obj["metadata"].get("namespace", ""), obj["metadata"]["name"]


class ManifestsTest(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        done = subprocess.run(["go", "mod", "download", "-json", OPERATOR], capture_output=True, text=True)
        crds = pathlib.Path(json.loads(done.stdout)["Dir"]) / "example/prometheus-operator-crd" if done.returncode == 0 else None
        cls.has_operator = crds is not None
        for name in OPERATOR_CRDS if crds else ():
            cls.plane.kubectl("apply", "--server-side", "-f", crds / f"monitoring.coreos.com_{name}.yaml")
            cls.plane.kubectl("wait", "--for=condition=Established", f"crd/{name}.monitoring.coreos.com")
        cls.plane.kubectl("apply", "-f", MANIFESTS / "base/namespace.yaml")

    def kustomize(self, form):
        return self.plane.kubectl("kustomize", MANIFESTS / form)

    def helm(self, *args):
        done = subprocess.run(
            [HELM, *map(str, args), "--namespace", NAMESPACE], capture_output=True, text=True,
            env={**os.environ, "KUBECONFIG": str(self.plane.kubeconfig)},
        )
        if done.returncode == 77:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def need_operator(self, form):
        if form.endswith("prometheus") and not self.has_operator:
            self.skipTest("the CRDs of the Prometheus operator cannot be downloaded")

    def objects(self, text):
        """The objects of YAML text, by kind, namespace and name."""
        rest = self.plane.kubectl("create", "--dry-run=client", "--validate=false", "-o", "json", "-f", "-", input=text)
        found = {}
        while rest.strip():
            obj, end = json.JSONDecoder().raw_decode(rest := rest.lstrip())
            rest = rest[end:]
            found[key(obj)] = obj
        return found

    def dry_run(self, text):
        """Nothing is refused, and nothing warned about."""
        done = self.plane.run_kubectl("apply", "--dry-run=server", "--validate=strict", "-f", "-", input=text)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout)

    def test_every_form_is_accepted(self):
        for form in ("base", "uninstall", *(f"overlays/{name}" for name in OVERLAYS)):
            with self.subTest(form):
                self.need_operator(form)
                self.dry_run(self.kustomize(form))

    def test_overlays_are_all_here(self):
        self.assertEqual({p.name for p in (MANIFESTS / "overlays").iterdir()}, set(OVERLAYS))

    def test_components_are_what_the_overlay_has(self):
        """Each with the rights of its flag, alone as in the chart with the one value."""
        values = {"watch-webhooks": "webhooks", "watch-mutating-policies": "mutatingPolicies", "watch-crds": "crds"}
        self.assertEqual({p.name for p in (MANIFESTS / "components").iterdir()}, set(values))
        base, every = (self.objects(self.kustomize(form)) for form in ("base", "overlays/watch"))
        self.assertEqual(len(every), len(base) + 2 * len(values))
        for name, value in values.items():
            form = self.plane.directory / f"only-{name}"
            form.mkdir()
            paths = {"resources": ["base"], "components": [f"components/{name}"]}
            paths = {k: [os.path.relpath(MANIFESTS / v[0], form)] for k, v in paths.items()}
            kind = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization"}
            (form / "kustomization.yaml").write_text(json.dumps({**kind, **paths}))
            text = self.plane.kubectl("kustomize", form)
            self.dry_run(text)
            made = self.objects(text)
            for of_role in ("ClusterRole", "ClusterRoleBinding"):
                self.assertIn((of_role, "", f"vapcheck-controller-{name}"), made)
            self.assertEqual(len(made), len(base) + 2)
            containers = made["Deployment", NAMESPACE, "vapcheck-controller"]["spec"]["template"]["spec"]["containers"]
            self.assertEqual(containers[0]["args"][-1], f"--{name}")
            del made["Namespace", "", NAMESPACE]
            rendered = self.helm("template", "vapcheck", CHART, "--kube-version=1.36.0", "--set", f"watch.{value}=true")
            self.assertEqual(self.objects(rendered), made)

    def pod(self, form, **more):
        """The Pod that the form's Deployment or Job makes."""
        makers = [o for o in self.objects(self.kustomize(form)).values() if o["kind"] in ("Deployment", "Job")]
        template = makers[0]["spec"]["template"]
        template["spec"].update(more)
        return json.dumps({"apiVersion": "v1", "kind": "Pod", **template, "metadata": {"name": "p", "namespace": NAMESPACE}})

    def test_pods_are_restricted(self):
        """As the level has it that the namespace enforces; it does refuse."""
        for form in ("base", "uninstall", "overlays/dev", "overlays/conditions-only", "overlays/watch"):
            done = self.plane.run_kubectl("create", "--dry-run=server", "-f", "-", input=self.pod(form))
            self.assertEqual((done.returncode, done.stderr), (0, ""), form)
        done = self.plane.run_kubectl("create", "--dry-run=server", "-f", "-", input=self.pod("base", securityContext={}))
        self.assertIn('violates PodSecurity "restricted:latest"', done.stderr)

    def test_the_chart_is_the_base(self):
        for form, flags in CHART_FORMS.items():
            with self.subTest(form):
                self.need_operator(form)
                expected = self.objects(self.kustomize(form))
                del expected["Namespace", "", NAMESPACE]  # helm install --create-namespace
                rendered = self.objects(self.helm("template", "vapcheck", CHART, "--kube-version=1.36.0", *flags))
                if form == "overlays/dev":  # there JSON logs are off
                    args = rendered["Deployment", NAMESPACE, "vapcheck-controller"]["spec"]["template"]["spec"]["containers"][0]["args"]
                    args.remove("--logging-format=json")
                self.assertEqual(rendered, expected)

    def test_more_of_the_chart(self):
        """Values that no form has."""
        pod = '{"priorityClassName": "p", "imagePullSecrets": [{"name": "s"}], "nodeSelector": {"a": "b"}}'
        flags = ["--set-json", f"pod={pod}", "--set-json", "apiServerPorts=[16443]", "--set-json", 'resources={"limits":{"memory":"1Gi"}}']
        flags += ["--set-json", 'apiServerCIDRs=["192.0.2.1/32", "2001:db8::1/128"]']
        found = self.objects(self.helm("template", "vapcheck", CHART, "--kube-version=1.36.0", *flags))
        spec = found["Deployment", NAMESPACE, "vapcheck-controller"]["spec"]["template"]["spec"]
        self.assertEqual({k: spec[k] for k in json.loads(pod)}, json.loads(pod))
        self.assertEqual(spec["containers"][0]["resources"]["limits"]["memory"], "1Gi")
        [egress] = found["NetworkPolicy", NAMESPACE, "vapcheck-controller"]["spec"]["egress"]
        self.assertEqual([p["port"] for p in egress["ports"]], [16443])
        self.assertEqual([to["ipBlock"]["cidr"] for to in egress["to"]], ["192.0.2.1/32", "2001:db8::1/128"])

    def test_a_release(self):
        """Installed, upgraded, rolled back, gone."""
        self.helm("lint", "--strict", CHART)
        self.helm("install", "vapcheck", CHART)
        self.assertEqual(self.deployment()["replicas"], 2)
        self.helm("upgrade", "vapcheck", CHART, "--set", "replicas=3")
        self.assertEqual(self.deployment()["replicas"], 3)
        self.helm("rollback", "vapcheck")
        self.assertEqual(self.deployment()["replicas"], 2)
        self.helm("uninstall", "vapcheck")
        for kind in ("deployment,service,serviceaccount,role,networkpolicy", "clusterrole"):
            names = self.plane.kubectl("get", kind, "-n", NAMESPACE, "-o", "name").split()
            self.assertEqual([n for n in names if "vapcheck" in n], [])

    def deployment(self):
        return self.plane.get("deployment", "vapcheck-controller", "-n", NAMESPACE)["spec"]


harness.main()
