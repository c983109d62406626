#!/usr/bin/env python3
"""What a real API server answers to broken policies, bindings and webhook configurations, what it warns about, and
what we say it does."""

import http.client
import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request

import harness

sys.path.append(str(harness.SOURCE / "tests/golden"))
from refusals import compare as refusals
from server_warnings import compare as server_warnings

KUBERNETES = harness.SOURCE / "tests/support/kubernetes"
GROUP = "admissionregistration.k8s.io"
WARNING = re.compile(r'299 \S+ "((?:[^"\\]|\\.)*)"')  # RFC 7234
PATHS = {
    "CustomResourceDefinition": "customresourcedefinitions",
    "MutatingAdmissionPolicy": "mutatingadmissionpolicies",
    "MutatingAdmissionPolicyBinding": "mutatingadmissionpolicybindings",
    "MutatingWebhookConfiguration": "mutatingwebhookconfigurations",
    "ValidatingAdmissionPolicy": "validatingadmissionpolicies",
    "ValidatingAdmissionPolicyBinding": "validatingadmissionpolicybindings",
    "ValidatingWebhookConfiguration": "validatingwebhookconfigurations",
}


class RefusalsTest(harness.Case):
    def setUp(self):
        super().setUp()
        self.server = self.proxy()

    def create(self, made):
        """The answer to a dry run."""
        path = f"/apis/{made['apiVersion']}/{PATHS[made['kind']]}?dryRun=All&fieldValidation=Strict"
        request = urllib.request.Request(
            self.server + path, json.dumps(made).encode(), {"Content-Type": "application/json"}
        )
        return urllib.request.urlopen(request, timeout=60)

    def warnings(self, made):
        """The texts of the server's warnings, sorted; none where it refuses the object."""
        try:
            with self.create(made) as answer:
                headers = answer.headers.get_all("Warning") or []
        except urllib.error.HTTPError:
            return []
        # http.client reads headers as Latin-1; the server writes UTF-8.
        texts = [text for header in headers for text in WARNING.findall(header.encode("latin-1").decode())]
        return sorted(re.sub(r"\\(.)", r"\1", text) for text in texts)

    def ask(self, made):
        """[field, message] of each cause of the server's answer; of an answer without causes the message alone.

        None where the server has none: some expressions make it panic.
        """
        try:
            self.create(made).close()
            return []
        except urllib.error.HTTPError as error:
            body = error.read()
        if not body.startswith(b"{"):
            return None
        status = json.loads(body)
        causes = status.get("details", {}).get("causes")
        return [[c["field"], c["message"]] for c in causes] if causes else [[None, status["message"]]]

    def of_another_go(self):
        """Returns true if another Go than the release's own built this server: net/url then takes other URLs."""
        said = json.loads(self.plane.kubectl("get", "--raw", "/version"))
        own = subprocess.run(
            [KUBERNETES, "own-toolchain", f"1.{said['minor']}"], check=True, capture_output=True, text=True
        )
        return said["goVersion"].rsplit(".", 1)[0] != own.stdout.strip().rsplit(".", 1)[0]

    def as_released(self, family, version, cases, theirs):
        """The answers to URLs are the golden's where this server's are those of another Go."""
        if not self.of_another_go() or not family.golden(version).exists():
            return theirs
        known = dict(map(tuple, json.loads(family.golden(version).read_text())))
        urls = [n for n, (case, _) in enumerate(cases) if "clientConfig.url" in case and case in known]
        print(f"\nbuilt with another Go than its release: {len(urls)} answers about URLs are the golden's", flush=True)
        return [known[cases[n][0]] if n in urls else answer for n, answer in enumerate(theirs)]

    def compare(self, name, least_refused, most_silent):
        version = "1." + json.loads(self.plane.kubectl("get", "--raw", "/version"))["minor"]
        family = refusals.SETS[name]
        cases = list(family.cases(version))
        theirs = self.as_released(family, version, cases, [self.ask(made) for _, made in cases])
        if os.environ.get("UPDATE_GOLDENS"):
            family.write(version, cases, theirs)
        refused = sum(bool(answer) for answer in theirs)
        silent = [name for (name, _), answer in zip(cases, theirs) if answer is None]
        print(f"\n{len(cases)} objects, {refused} refused; the server panics about {silent}", flush=True)
        self.assertGreaterEqual(refused, least_refused)
        self.assertLessEqual(len(silent), most_silent)
        found = family.differences(harness.KUBECTL_VAPCHECK, harness.CHECK_AS or version, cases, theirs)
        self.assertFalse(found, "\n".join(found))

    def test_policies(self):
        self.compare("refusals/policies", 500, 1)

    def test_webhooks(self):
        self.compare("refusals/webhooks", 400, 1)

    def test_mutating(self):
        if "mutatingadmissionpolicies" not in self.plane.kubectl("api-resources", "--api-group", GROUP, "-o", "name"):
            self.skipTest("this server has no MutatingAdmissionPolicy")
        self.compare("refusals/mutating", 400, 1)
        self.compare("refusals/releases", 100, 1)

    def test_panics(self):
        """An optional element or entry that is dyn ends the request, and nothing else; we say so."""
        cases = []
        for expression in ("[?dyn(1)] == []", "{?'a': dyn(1)} == {}", "[1, ?object.spec] == [1]"):
            cases.append((expression, harness.policy("panics", expression)))
        for expression, made in cases:
            with self.assertRaises((urllib.error.HTTPError, http.client.HTTPException, ConnectionError)) as caught:
                self.create(made).close()
            if isinstance(caught.exception, urllib.error.HTTPError):
                self.assertFalse(caught.exception.read().startswith(b"{"), expression)
        version = "1." + json.loads(self.plane.kubectl("get", "--raw", "/version"))["minor"]
        said = refusals.SETS["refusals/policies"].ours(harness.KUBECTL_VAPCHECK, cases, harness.CHECK_AS or version)
        for (expression, _), ours in zip(cases, said, strict=True):
            self.assertIn("the API server panics and gives no answer", ours[0][1], expression)
        self.assertEqual(self.create(harness.policy("fine", "[?object.?spec] == []")).status, 201)

    def test_warnings(self):
        version = "1." + json.loads(self.plane.kubectl("get", "--raw", "/version"))["minor"]
        family = server_warnings.FAMILY
        cases = family.cases(version)
        theirs = [self.warnings(made) for _, made in cases]
        if os.environ.get("UPDATE_GOLDENS"):
            family.write(version, cases, theirs)
        print(f"\n{len(cases)} objects, {sum(bool(answer) for answer in theirs)} with warnings", flush=True)
        self.assertGreater(sum(bool(answer) for answer in theirs), 5)
        found = family.differences(harness.KUBECTL_VAPCHECK, harness.CHECK_AS or version, cases, theirs)
        self.assertFalse(found, "\n".join(found))


class StoredPanicTest(harness.Case):
    """What no API server takes for an optional element of type dyn, as one that lies in etcd all the same: upstream's
    programs end where they compile it, and ours says so."""

    EXPRESSION = "[?dyn(1)] == []"

    def stored(self, plane):
        made = harness.policy("stored", self.EXPRESSION, failurePolicy="Fail")
        made["metadata"] |= {"uid": "d9607e19-f88f-11e6-a518-42010a800195", "creationTimestamp": "2026-01-01T00:00:00Z"}
        made["metadata"]["generation"] = 1
        made["spec"]["matchConstraints"] |= {"matchPolicy": "Equivalent", "namespaceSelector": {}, "objectSelector": {}}
        plane.store("/registry/validatingadmissionpolicies/stored", made)

    def ends(self, process, word):
        harness.wait_for(f"{process.name} ends", lambda: not process.running(), timeout=60)
        self.assertIn(word, process.log())

    def test_kube_controller_manager(self):
        self.stored(self.plane)
        self.ends(self.kcm(), "index out of range [0] with length 0")
        self.controller("--warnings-scope=upstream")
        [warning] = harness.wait_for("a warning", lambda: self.plane.warnings("stored"))
        self.assertIn("the API server panics and gives no answer", warning["warning"])
        again = self.kcm()  # has nothing to check where ours has written a status
        harness.hold("kube-controller-manager works", again.running, 10)

    def test_api_server(self):
        """With a binding, it ends, and does so again whenever it starts."""
        plane = harness.Plane(self.plane.directory / "other")
        self.addCleanup(plane.process.kill)
        self.stored(plane)
        bound = {"policyName": "stored", "validationActions": ["Deny"]}
        kind = "ValidatingAdmissionPolicyBinding"
        binding = {"apiVersion": f"{GROUP}/v1", "kind": kind, "metadata": {"name": "stored"}, "spec": bound}
        plane.apply(binding)
        self.ends(plane.process, "refreshPolicies")


harness.main()
