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
import givenwhen
import harness

sys.path.append(str(harness.SOURCE / "tests/golden"))
import defaults
import defaults_cases

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
        """What the server makes of it (defaults.py), or why it refuses it; None: it does not have the kind."""
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

    def update(self, made, path, value):
        """(sent, stored, what mutating and what validating policies see of the update)"""
        made = {**made, "metadata": {**made["metadata"], "name": "update"}}
        base = self.path(made)
        stored = self.send("POST", base, made)
        try:
            self.reviews.forget()
            sent = changed(made, path, value)
            self.send("PUT", f"{base}/update?dryRun=All", sent)
            seen = {stage: review["object"] for stage, review in self.reviews.seen.items()}
        finally:
            self.send("DELETE", f"{base}/update?gracePeriodSeconds=0")
        for one in (stored, *seen.values()):
            one["metadata"].pop("managedFields", None)
        return sent, stored, seen

    def test_updates(self):
        cases = dict(defaults_cases.cases())
        found = []
        for name, path, value in UPDATES:
            sent, stored, seen = self.update(cases[name], path, value)
            line = json.dumps({"old": stored, "object": sent})
            done = subprocess.run([COMPLETE, self.version], input=line, capture_output=True, text=True, check=True)
            for stage, ours in json.loads(done.stdout).items():
                found += defaults.compared(f"{name} {path} {stage}", dict(defaults.changes(seen[stage], ours)), {})
        self.assertFalse(found, "\n".join(found))

    def test_fields_that_other_fields_ask_for(self):
        self.assertEqual(set(givenwhen.CASES), givenwhen.rows())
        for row, (made, path) in givenwhen.CASES.items():
            answer = self.ask(made)
            if path is None:
                self.assertIn(" is invalid: ", answer.get("refused", ""), row)
                last = row[1].rpartition(".")[2].rpartition("[")[2].strip("]")
                self.assertIn(last.lower(), answer["refused"].lower(), row)
                continue
            self.assertNotIn("refused", answer, row)
            at = self.reviews.seen["validating"]["object"]
            for key in path.split("."):
                at = at[int(key) if isinstance(at, list) else key]

    def test_objects(self):
        cases = list(defaults_cases.cases())
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
