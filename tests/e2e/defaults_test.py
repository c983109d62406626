#!/usr/bin/env python3
"""What a real API server makes of objects, asked by dry runs, and what we make of them."""

import copy
import json
import os
import subprocess
import sys
import urllib.error
import urllib.request

import admissionreviews
import customobjects
import givenwhen
import harness

sys.path.append(str(harness.SOURCE / "tests/golden"))
from defaults import cases as data
from defaults import compare as defaults

COMPLETE = os.environ.get("VAPCHECK_COMPLETE") or str(harness.SOURCE / "build/release/bin/completeobject")


# (case, path, value): what an update changes
UPDATES = [
    ("deployment-minimal", "/spec/replicas", 2),
    ("deployment-minimal", "/metadata/labels", {"x": "y"}),
    ("deployment-minimal", "/metadata/annotations", {"x": "y"}),
    ("deployment-minimal", "/status", {"replicas": 9}),
    ("deployment-minimal", "/metadata/generation", 99),
    ("daemonset-minimal", "/spec/template/spec/restartPolicy", "Always"),
    ("daemonset-minimal", "/spec/template/spec/hostPID", True),
    ("daemonset-minimal", "/spec/minReadySeconds", 3),
    ("statefulset-minimal", "/spec/replicas", 2),
    ("pod-minimal", "/metadata/labels", {"a": "b"}),
    ("cronjob-minimal", "/spec/suspend", True),
    ("netpol", "/spec/podSelector", {"matchLabels": {"a": "b"}}),
    ("ingress", "/spec/ingressClassName", "x"),
    ("hpa-minimal", "/spec/maxReplicas", 9),
    ("configmap-data", "/data", {"a": "z"}),
    ("secret", "/data", {"a": "eA=="}),
    ("role-rules", "/rules", []),
    ("service-minimal", "/spec/publishNotReadyAddresses", True),
    ("namespace", "/metadata/labels", {"a": "b"}),
    ("priorityclass", "/description", "x"),
    ("storageclass", "/allowVolumeExpansion", True),
    ("replicaset", "/spec/replicas", 3),
    ("limits-max", "/metadata/labels", {"a": "b"}),
    ("pvc-minimal", "/metadata/labels", {"a": "b"}),
    ("slice", "/endpoints", []),
    ("serviceaccount", "/automountServiceAccountToken", False),
    ("more-0-deployment", "/spec/replicas", 4),
    ("more-3-statefulset", "/spec/replicas", 4),
    ("more-6-daemonset", "/spec/minReadySeconds", 4),
    ("more-7-cronjob", "/spec/suspend", True),
    ("more-20-service", "/spec/type", "ClusterIP"),
    ("more-20-service", "/spec/type", "LoadBalancer"),
    ("more-21-service", "/spec/type", "ClusterIP"),
    ("more-22-service", "/spec/publishNotReadyAddresses", True),
    ("more-23-ingress", "/spec/tls", []),
    ("more-24-networkpolicy", "/spec/policyTypes", ["Ingress"]),
    ("more-24-networkpolicy", "/spec/ingress", [{}]),
    ("more-26-horizontalpodautoscaler", "/spec/maxReplicas", 11),
    ("more-29-poddisruptionbudget", "/spec/maxUnavailable", 2),
    ("more-30-persistentvolume", "/spec/mountOptions", ["soft"]),
    ("more-34-persistentvolumeclaim", "/spec/resources", {"requests": {"storage": "10G"}}),
    ("more-37-storageclass", "/allowVolumeExpansion", True),
    ("more-49-priorityclass", "/description", "y"),
    ("more-49-priorityclass", "/globalDefault", False),
    ("more-50-resourcequota", "/spec/hard/pods", 11),
    ("more-52-lease", "/spec/leaseTransitions", 1),
    ("more-53-endpointslice", "/ports", []),
    ("more-53-endpointslice", "/endpoints", []),
    ("more-55-flowschema", "/spec/matchingPrecedence", 5),
    ("more-57-secret", "/stringData", {"q": "r"}),
    ("more-57-secret", "/data", {}),
    ("more-62-serviceaccount", "/secrets", [{"name": "b", "kind": "Secret"}]),
    ("more-63-node", "/spec/unschedulable", True),
    ("more-63-node", "/spec/taints", []),
    ("more-67-podtemplate", "/template/metadata/labels", {"z": "y"}),
    ("more-70-csidriver", "/spec/requiresRepublish", True),
    ("more-76-certificatesigningrequest", "/spec/expirationSeconds", 900),
    ("more-78-deviceclass", "/spec/selectors", []),
    ("more-14-pod", "/spec/activeDeadlineSeconds", 9),
    ("more-14-pod", "/spec/containers/0/image", "z"),
    ("more-64-replicationcontroller", "/spec/replicas", 4),
    ("more-34-persistentvolumeclaim", "/metadata/labels", {"x": "y"}),
    ("more-35-persistentvolumeclaim", "/metadata/labels", {"x": "y"}),
    ("more-36-persistentvolumeclaim", "/metadata/labels", {"x": "y"}),
    ("more-79-serviceaccount", "/metadata/labels", {"x": "y"}),
    ("more-53-endpointslice", "/metadata/labels", {"x": "y"}),
    ("more-76-certificatesigningrequest", "/metadata/labels", {"x": "y"}),
    ("more-80-service", "/metadata/labels", {"x": "y"}),
    ("more-20-service", "/metadata/labels", {"x": "y"}),
    ("more-5-daemonset", "/metadata/labels", {"x": "y"}),
    ("more-70-csidriver", "/metadata/labels", {"x": "y"}),
    ("more-1-deployment", "/metadata/labels", {"x": "y"}),
    ("more-59-secret", "/metadata/labels", {"x": "y"}),
]


def changed(made, path, value):
    made = copy.deepcopy(made)
    *above, last = path.strip("/").split("/")
    at = made
    for key in above:
        at = at[int(key) if isinstance(at, list) else key]
    at[last] = value
    return made


class DefaultsTest(harness.Case):
    def setUp(self):
        super().setUp()
        self.server = self.proxy()
        self.reviews = admissionreviews.Reviews(self.plane.directory)
        self.addCleanup(self.reviews.stop)
        self.plane.apply(list(self.reviews.configurations()))
        self.version = "1." + json.loads(self.plane.kubectl("get", "--raw", "/version"))["minor"]
        self.paths = {}

    def path(self, made):
        """Of the resource of the object's kind; None: the server has none."""
        version = made["apiVersion"]
        if version not in self.paths:
            root = f"/api/{version}" if "/" not in version else f"/apis/{version}"
            try:
                with urllib.request.urlopen(self.server + root, timeout=60) as answer:
                    listed = json.load(answer)["resources"]
            except urllib.error.HTTPError:
                listed = []
            self.paths[version] = {
                r["kind"]: f"{root}/{'namespaces/default/' if r['namespaced'] else ''}{r['name']}"
                for r in listed
                if "/" not in r["name"]
            }
        return self.paths[version].get(made["kind"])

    def send(self, method, path, made=None):
        request = urllib.request.Request(
            self.server + path,
            None if made is None else json.dumps(made).encode(),
            {"Content-Type": "application/json"},
            method=method,
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def ask(self, made):
        """What the server makes of it (defaults/compare.py), or why it refuses it; None: it does not have the kind."""
        path = self.path(made)
        if path is None:
            return None
        self.reviews.forget()
        try:
            answer = self.send("POST", f"{path}?dryRun=All&fieldValidation=Ignore", made)
        except urllib.error.HTTPError as error:
            return {"refused": json.load(error)["message"]}
        seen = {stage: defaults.stripped(review["object"], made) for stage, review in self.reviews.seen.items()}
        return defaults.described(made, seen or {"answer": defaults.stripped(answer, made)})

    def update(self, name, made, path, value):
        """Of an object of that name: (sent, stored, what mutating and what validating policies see of the update)"""
        made = {**made, "metadata": {**made["metadata"], "name": name}}
        base = self.path(made)
        self.send("POST", base, made)

        def put():
            """None: the server itself has written the object meanwhile."""
            self.reviews.forget()
            stored = self.send("GET", f"{base}/{name}")
            sent["metadata"]["resourceVersion"] = stored["metadata"]["resourceVersion"]
            try:
                self.send("PUT", f"{base}/{name}?dryRun=All", sent)
            except urllib.error.HTTPError as error:
                self.assertEqual(error.code, 409, error.read())
                return None
            return stored

        try:
            sent = changed(made, path, value)
            stored = harness.wait_for("an update without a conflict", put)
            seen = {stage: review["object"] for stage, review in self.reviews.seen.items()}
        finally:
            self.send("DELETE", f"{base}/{name}?gracePeriodSeconds=0")
        for one in (stored, *seen.values()):
            one["metadata"].pop("managedFields", None)
        return sent, stored, seen

    def test_updates(self):
        cases = dict(data.cases())
        found = []
        for i, (name, path, value) in enumerate(UPDATES):
            sent, stored, seen = self.update(f"update-{i}", cases[name], path, value)
            line = json.dumps({"old": stored, "object": sent})
            done = subprocess.run([COMPLETE, self.version], input=line, capture_output=True, text=True, check=True)
            for stage, ours in json.loads(done.stdout).items():
                found += defaults.compared(f"{name} {path} {stage}", dict(defaults.changes(seen[stage], ours)), {})
        self.assertFalse(found, "\n".join(found))

    def completed(self, lines, *args):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        done = subprocess.run([COMPLETE, self.version, *args], input=text, capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def reviewed(self, method, path, made):
        """What policies see of a request that is tried until its kind is served."""

        def seen():
            self.reviews.forget()
            try:
                self.send(method, f"{path}?dryRun=All&fieldValidation=Ignore", made)
            except urllib.error.HTTPError as error:
                self.assertEqual(error.code, 404, error.read())
            return {stage: customobjects.written(review["object"]) for stage, review in self.reviews.seen.items()}

        return harness.wait_for("the kind is served", seen)

    def test_custom_objects(self):
        definitions = self.plane.directory / "definitions.json"
        definitions.write_text(json.dumps(list(customobjects.definitions())))
        self.plane.apply(list(customobjects.definitions()))
        sent, theirs = [], []
        for made in customobjects.objects():
            base = customobjects.path(made)
            sent.append(made)
            theirs.append(self.reviewed("POST", base, made))
            stored = self.send("POST", base + "?fieldValidation=Ignore", made)
            for changed_object in customobjects.changes(made):
                changed_object["metadata"]["resourceVersion"] = stored["metadata"]["resourceVersion"]
                sent.append({"old": stored, "object": changed_object})
                theirs.append(self.reviewed("PUT", f"{base}/{made['metadata']['name']}", changed_object))
        found = []
        for line, answer, ours in zip(sent, theirs, self.completed(sent, str(definitions)), strict=True):
            for stage, expected in answer.items():
                got = customobjects.written(ours[stage])
                name = f"{json.dumps(line.get('object', line))} {stage}"
                found += defaults.compared(name, dict(defaults.changes(expected, got)), {})
        self.assertFalse(found, "\n".join(found))
        self.assertGreater(len(sent), 100)

    def test_fields_that_other_fields_ask_for(self):
        self.assertEqual(set(givenwhen.CASES), givenwhen.rows())
        for row, (made, path, *words) in givenwhen.CASES.items():
            with self.subTest(row):
                self.check_demand(row, path, words, self.ask(made))

    def check_demand(self, row, path, words, answer):
        if path is None:
            refused = answer.get("refused", "").lower()
            self.assertTrue(" is invalid: " in refused or ": required value" in refused, answer)
            last = row[1].rpartition(".")[2].rpartition("[")[2].strip("]")
            for word in words or [last]:
                self.assertIn(word.lower(), refused)
            return
        self.assertNotIn("refused", answer)
        at = self.reviews.seen["validating"]["object"]
        for key in path.split("."):
            at = at[int(key) if isinstance(at, list) else key]

    def test_objects(self):
        cases = list(data.cases())
        asked = ((name, self.ask(made)) for name, made in cases)
        theirs = {name: answer for name, answer in asked if answer is not None}
        refused = [name for name, answer in theirs.items() if "refused" in answer]
        print(f"\n{len(theirs)} objects, {len(refused)} refused: {refused}", flush=True)
        if os.environ.get("UPDATE_GOLDENS"):
            defaults.write(self.version, theirs)
        self.assertGreaterEqual(len(theirs) - len(refused), 300)
        found = list(defaults.differences(COMPLETE, self.version, cases, theirs))
        self.assertFalse(found, "\n".join(found))


if __name__ == "__main__":
    harness.main()
