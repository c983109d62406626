#!/usr/bin/env python3
"""Every form of the manifests is what a real API server takes, under Pod Security `restricted`, and the
chart is the base."""

import concurrent.futures
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
OPERATOR_CRDS = ("servicemonitors", "podmonitors", "prometheusrules")

# Flags of `helm template`, and the form that they must give.
CHART_FORMS = {
    "base": [],
    "overlays/conditions-only": ["--set", "ownStatus=conditions"],
    "overlays/prometheus": [
        "--set",
        "serviceMonitor.enabled=true,prometheusRule.enabled=true,networkPolicy.metricsFrom={monitoring}",
    ],
    "overlays/watch": ["--set", "watch.webhooks=true,watch.mutatingPolicies=true,watch.crds=true"],
    "overlays/dev": [
        "--set",
        "logLevel=debug",
        "--set",
        "image.tag=dev",
        "--set",
        "image.pullPolicy=Never",
        "--set",
        "replicas=1",
        "--set",
        "image.repository=vapcheck-controller",
    ],
}
# Labels that Helm's conventions add to those of the base, in selectors as well.
HELM_LABELS = (
    "app.kubernetes.io/instance",
    "app.kubernetes.io/version",
    "app.kubernetes.io/managed-by",
    "helm.sh/chart",
)

# Values that the chart's schema refuses, and what helm says of each.
WRONG_VALUES = {
    "networkPolicy.apiServerPorts=6443": "apiServerPorts",
    "networkPolicy.apiServerPorts={70000}": "want 65,535",
    "networkPolicy.apiServerCIDRs={10.0.0.1}": "apiServerCIDRs",
    "image.digest=sha256:abc": "digest",
    "image.pullPolicy=always": "pullPolicy",
    "replica=3": "replica",
    "replicas=two": "replicas",
    "watch.webhook=true": "webhook",
    "watch.crds=yes": "crds",
    "findParams.rules={configmaps}": "rules",
    "extraArgs=--own-status=conditions": "extraArgs",
    "resources.limit.memory=1Gi": "limit",
    "podDisruptionBudget.maxUnavailable=half": "maxUnavailable",
    "serviceMonitor.interval=often": "interval",
    "warningsScope=all": "warningsScope",
    "ownStatus=none": "ownStatus",
    "alsoCheck=latest": "alsoCheck",
    "logLevel=trace": "logLevel",
    "updateStrategy.type=OnDelete": "type",
    "extraVolumeMounts[0].name=ca": "mountPath",
    "commonLabels.helm\\.sh/chart=x": "helm.sh/chart",
}


def without_helm(obj):
    """The object without the labels of HELM_LABELS, wherever they are."""
    if isinstance(obj, list):
        return [without_helm(o) for o in obj]
    if isinstance(obj, dict):
        return {k: without_helm(v) for k, v in obj.items() if k not in HELM_LABELS}
    return obj


def key(obj):
    return obj["kind"], obj["metadata"].get("namespace", ""), obj["metadata"]["name"]


class ManifestsTest(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        done = subprocess.run(["go", "mod", "download", "-json", OPERATOR], capture_output=True, text=True)
        crds = (
            pathlib.Path(json.loads(done.stdout)["Dir"]) / "example/prometheus-operator-crd"
            if done.returncode == 0
            else None
        )
        cls.has_operator = crds is not None
        for name in OPERATOR_CRDS if crds else ():
            cls.plane.kubectl("apply", "--server-side", "-f", crds / f"monitoring.coreos.com_{name}.yaml")
            cls.plane.kubectl("wait", "--for=condition=Established", f"crd/{name}.monitoring.coreos.com")
        cls.plane.kubectl("apply", "-f", MANIFESTS / "base/namespace.yaml")

    def kustomize(self, form):
        return self.plane.kubectl("kustomize", MANIFESTS / form)

    def run_helm(self, *args):
        done = subprocess.run(
            [HELM, *map(str, args), "--namespace", NAMESPACE],
            capture_output=True,
            text=True,
            env={**os.environ, "KUBECONFIG": str(self.plane.kubeconfig)},
        )
        if done.returncode == 77:
            self.skipTest(done.stderr)
        return done

    def helm(self, *args):
        done = self.run_helm(*args)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def rendered(self, *flags):
        """The chart's objects, without the hooks and Helm's labels."""
        text = self.helm("template", "vapcheck", CHART, "--no-hooks", "--kube-version=1.36.0", *flags)
        return {k: without_helm(o) for k, o in self.objects(text).items()}

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
        values = {
            "watch-webhooks": "watch.webhooks",
            "watch-mutating-policies": "watch.mutatingPolicies",
            "watch-crds": "watch.crds",
            "find-params": "findParams.enabled",
        }
        self.assertEqual({p.name for p in (MANIFESTS / "components").iterdir()}, set(values))
        base, every = (self.objects(self.kustomize(form)) for form in ("base", "overlays/watch"))
        self.assertEqual(len(every), len(base) + 2 * sum(name.startswith("watch-") for name in values))
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
            self.assertEqual(self.rendered("--set", f"{value}=true"), made)

    def pod(self, form, **more):
        """The Pod that the form's Deployment or Job makes."""
        makers = [o for o in self.objects(self.kustomize(form)).values() if o["kind"] in ("Deployment", "Job")]
        template = makers[0]["spec"]["template"]
        template["spec"].update(more)
        return json.dumps(
            {"apiVersion": "v1", "kind": "Pod", **template, "metadata": {"name": "p", "namespace": NAMESPACE}}
        )

    def test_pods_are_restricted(self):
        """As the level has it that the namespace enforces; it does refuse."""
        for form in ("base", "uninstall", "overlays/dev", "overlays/conditions-only", "overlays/watch"):
            done = self.plane.run_kubectl("create", "--dry-run=server", "-f", "-", input=self.pod(form))
            self.assertEqual((done.returncode, done.stderr), (0, ""), form)
        done = self.plane.run_kubectl(
            "create", "--dry-run=server", "-f", "-", input=self.pod("base", securityContext={})
        )
        self.assertIn('violates PodSecurity "restricted:latest"', done.stderr)

    def test_the_chart_is_the_base(self):
        for form, flags in CHART_FORMS.items():
            with self.subTest(form):
                self.need_operator(form)
                expected = self.objects(self.kustomize(form))
                del expected["Namespace", "", NAMESPACE]  # helm install --create-namespace
                rendered = self.rendered(*flags)
                if form == "overlays/dev":  # there JSON logs are off
                    args = rendered["Deployment", NAMESPACE, "vapcheck-controller"]["spec"]["template"]["spec"][
                        "containers"
                    ][0]["args"]
                    args.remove("--logging-format=json")
                self.assertEqual(rendered, expected)

    def test_more_of_the_chart(self):
        """Values that no form has; each is where it belongs, once."""
        digest = "sha256:" + "a" * 64
        pod = {
            "priorityClassName": "p",
            "imagePullSecrets": [{"name": "s"}],
            "nodeSelector": {"a": "b"},
            "tolerations": [{"operator": "Exists"}],
            "podSecurityContext": {
                "runAsNonRoot": True,
                "runAsUser": 1000,
                "runAsGroup": 2000,
                "seccompProfile": {"type": "Unconfined"},
            },
        }
        flags = [f"--set-json={k}={json.dumps(v)}" for k, v in pod.items()]
        flags += [
            f"--set=image.digest={digest}",
            "--set=image.repository=r.example/v",
            "--set=podLabels.team=x",
            "--set=podAnnotations.b=c",
        ]
        flags += ["--set-json=networkPolicy.apiServerPorts=[16443]", '--set-json=resources={"limits":{"memory":"1Gi"}}']
        flags += [
            '--set-json=networkPolicy.apiServerCIDRs=["192.0.2.1/32", "2001:db8::1/128"]',
            '--set-json=extraEnv=[{"name":"A","value":"b"}]',
        ]
        found = self.rendered(*flags)
        template = found["Deployment", NAMESPACE, "vapcheck-controller"]["spec"]["template"]
        spec = template["spec"]
        wanted = {**pod, "securityContext": pod["podSecurityContext"]}
        del wanted["podSecurityContext"]
        self.assertEqual({k: spec[k] for k in wanted}, wanted)
        container = spec["containers"][0]
        self.assertEqual(
            (container["image"], container["env"]), (f"r.example/v@{digest}", [{"name": "A", "value": "b"}])
        )
        self.assertEqual(container["resources"]["limits"]["memory"], "1Gi")
        self.assertEqual((template["metadata"]["labels"]["team"], template["metadata"]["annotations"]["b"]), ("x", "c"))
        [egress] = found["NetworkPolicy", NAMESPACE, "vapcheck-controller"]["spec"]["egress"]
        self.assertEqual([p["port"] for p in egress["ports"]], [16443])
        self.assertEqual([to["ipBlock"]["cidr"] for to in egress["to"]], ["192.0.2.1/32", "2001:db8::1/128"])

    def test_flags_of_the_chart(self):
        """Each value gives its flag; labels, volumes and the strategy are where they belong."""
        volume = {"name": "ca", "configMap": {"name": "ca"}}
        mount = {"name": "ca", "mountPath": "/etc/ca", "readOnly": True}
        flags = [
            "--set=warningsScope=upstream,ownStatus=conditions,logLevel=debug,commonLabels.team=x,podLabels.team=y",
            "--set-string=alsoCheck=1.38",
            '--set-json=policySelector="a in (b, c)"',
            f"--set-json=extraVolumes={json.dumps([volume])}",
            f"--set-json=extraVolumeMounts={json.dumps([mount])}",
            "--set=updateStrategy.type=Recreate",
        ]
        found = self.rendered(*flags)
        self.assertEqual({o["metadata"]["labels"]["team"] for o in found.values()}, {"x"})
        spec = found["Deployment", NAMESPACE, "vapcheck-controller"]["spec"]
        pod = spec["template"]["spec"]
        container = pod["containers"][0]
        self.assertEqual(spec["template"]["metadata"]["labels"]["team"], "y")
        self.assertEqual(spec["strategy"], {"type": "Recreate"})
        self.assertEqual((pod["volumes"], container["volumeMounts"]), ([volume], [mount]))
        self.assertEqual(
            container["args"],
            [
                "--leader-elect",
                "--logging-format=json",
                "--warnings-scope=upstream",
                "--own-status=conditions",
                "--policy-selector=a in (b, c)",
                "--also-check=1.38",
                "-v",
                "debug",
            ],
        )

    def test_the_notes_name_the_ports(self):
        notes = self.helm(
            "install", "vapcheck", CHART, "--dry-run=client", "--set=networkPolicy.apiServerPorts={16443}"
        )
        self.assertIn("connections to the TCP port 16443 of any address", notes)
        notes = self.helm("install", "vapcheck", CHART, "--dry-run=client", "--set=networkPolicy.enabled=false")
        self.assertNotIn("NetworkPolicy allows", notes)

    def test_what_the_chart_leaves_out(self):
        flags = [
            "--set=podDisruptionBudget.enabled=false,networkPolicy.enabled=false,rbac.create=false",
            "--set=serviceAccount.create=false,serviceAccount.name=mine",
        ]
        found = self.rendered(*flags)
        self.assertEqual({kind for kind, _, _ in found}, {"Deployment", "Service"})
        self.assertEqual(
            found["Deployment", NAMESPACE, "vapcheck-controller"]["spec"]["template"]["spec"]["serviceAccountName"],
            "mine",
        )

    def test_the_server_takes_every_value(self):
        self.need_operator("overlays/prometheus")
        flags = [
            "--set",
            "dashboard.enabled=true,serviceMonitor.enabled=true,prometheusRule.enabled=true,serviceMonitor.labels.release=p",
            "--set",
            "podMonitor.enabled=true,podMonitor.labels.release=p,prometheusRule.labels.release=p,podMonitor.interval=1m",
            "--set",
            "watch.webhooks=true,watch.mutatingPolicies=true,watch.crds=true,findParams.enabled=true",
            "--set-json",
            'findParams.rules=[{"apiGroups":["example.com"],"resources":["limits"]}]',
        ]
        made = self.helm("template", "vapcheck", CHART, "--kube-version=1.36.0", *flags)
        self.dry_run(made)
        labels = {kind: o["metadata"]["labels"] for (kind, _, _), o in self.objects(made).items()}
        for kind in ("ServiceMonitor", "PodMonitor", "PrometheusRule"):
            self.assertEqual(labels[kind].get("release"), "p", kind)
        self.assertEqual(labels["ConfigMap"].get("grafana_dashboard"), "1")

    def test_names_follow_the_release(self):
        """By Helm's conventions; the account is that of the pod and of the bindings."""
        for release, flags, name in (
            ("vapcheck", [], "vapcheck-controller"),
            ("my-vapcheck", [], "my-vapcheck-controller"),
            ("other", [], "other-vapcheck-controller"),
            ("a" * 53, [], "a" * 52 + "-controller"),
            ("other", ["--set=nameOverride=n"], "other-n-controller"),
            ("other", ["--set=fullnameOverride=mine"], "mine"),
        ):
            found = self.objects(self.helm("template", release, CHART, "--no-hooks", "--kube-version=1.36.0", *flags))
            self.assertLessEqual({made[2] for made in found}, {name, f"{name}-events"})
            pod = found["Deployment", NAMESPACE, name]["spec"]["template"]
            self.assertEqual(pod["spec"]["serviceAccountName"], name)
            subjects = {s["name"] for o in found.values() for s in o.get("subjects", [])}
            self.assertEqual(subjects, {name})
            selector = found["Service", NAMESPACE, name]["spec"]["selector"]
            self.assertEqual(selector["app.kubernetes.io/instance"], release)
            self.assertLessEqual(selector.items(), pod["metadata"]["labels"].items())

    def test_wrong_values_are_refused(self):
        for value, named in WRONG_VALUES.items():
            done = self.run_helm("template", "vapcheck", CHART, "--kube-version=1.36.0", "--set", value)
            self.assertNotEqual(done.returncode, 0, value)
            self.assertIn("values don't meet the specifications of the schema", done.stderr, value)
            self.assertIn(named, done.stderr, value)

    def test_a_release(self):
        """Installed, upgraded, rolled back, gone. The Job that helm runs at the end has released the statuses."""
        self.helm("lint", "--strict", CHART)
        self.helm("install", "vapcheck", CHART)
        self.assertEqual(self.deployment()["replicas"], 2)
        self.helm("upgrade", "vapcheck", CHART, "--set", "replicas=3")
        self.assertEqual(self.deployment()["replicas"], 3)
        self.helm("rollback", "vapcheck")
        self.assertEqual(self.deployment()["replicas"], 2)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            gone = pool.submit(self.helm, "uninstall", "vapcheck")
            self.play_the_kubelet("vapcheck-controller-release-status")
            gone.result(120)
        for kind in ("deployment,service,serviceaccount,role,networkpolicy,job", "clusterrole,clusterrolebinding"):
            names = self.plane.kubectl("get", kind, "-n", NAMESPACE, "-o", "name").split()
            self.assertEqual([n for n in names if "vapcheck" in n], [])

    def play_the_kubelet(self, name):
        """No node runs the Job's pod; what its container would run succeeds with the rights of its account."""
        job = harness.wait_for("the Job of the hook", lambda: self.job(name))
        spec = job["spec"]["template"]["spec"]
        self.assertEqual(spec["containers"][0]["args"], ["--release-status"])
        account = f"system:serviceaccount:{NAMESPACE}:{spec['serviceAccountName']}"
        for verb, subresource in (("list", ""), ("patch", "status")):
            asked = (
                "auth",
                "can-i",
                verb,
                "validatingadmissionpolicies",
                f"--subresource={subresource}",
                f"--as={account}",
            )
            self.assertEqual(self.plane.kubectl(*asked).strip(), "yes")
        now = self.plane.kubectl("get", "namespace", NAMESPACE, "-o", "jsonpath={.metadata.creationTimestamp}").strip()
        done = [
            {"type": kind, "status": "True", "lastTransitionTime": now, "lastProbeTime": now}
            for kind in ("SuccessCriteriaMet", "Complete")
        ]
        status = {"status": {"conditions": done, "startTime": now, "completionTime": now, "succeeded": 1}}
        self.plane.kubectl(
            "patch", "job", name, "-n", NAMESPACE, "--subresource=status", "--type=merge", "-p", json.dumps(status)
        )

    def job(self, name):
        done = self.plane.run_kubectl("get", "job", name, "-n", NAMESPACE, "-o", "json")
        return json.loads(done.stdout) if done.returncode == 0 else None

    def deployment(self):
        return self.plane.get("deployment", "vapcheck-controller", "-n", NAMESPACE)["spec"]


harness.main()
