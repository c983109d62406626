#!/usr/bin/env python3
"""What a real API server answers to broken policies, bindings and webhook configurations, and what we say it does."""

import json
import os
import sys
import urllib.error
import urllib.request

import harness

sys.path.append(str(harness.SOURCE / "tests/golden"))
import refusals  # noqa: E402

GROUP = "admissionregistration.k8s.io"
PATHS = {
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

    def ask(self, made):
        """[field, message] of each cause of the server's answer; of an answer without causes the message alone.

        None where the server has none: some expressions make it panic.
        """
        path = f"/apis/{GROUP}/v1/{PATHS[made['kind']]}?dryRun=All&fieldValidation=Strict"
        request = urllib.request.Request(
            self.server + path, json.dumps(made).encode(), {"Content-Type": "application/json"}
        )
        try:
            urllib.request.urlopen(request, timeout=10).close()
            return []
        except urllib.error.HTTPError as error:
            body = error.read()
        if not body.startswith(b"{"):
            return None
        status = json.loads(body)
        causes = status.get("details", {}).get("causes")
        return [[c["field"], c["message"]] for c in causes] if causes else [[None, status["message"]]]

    def compare(self, name, least_refused, most_silent):
        version = "1." + json.loads(self.plane.kubectl("get", "--raw", "/version"))["minor"]
        cases = list(refusals.SETS[name]())
        theirs = [self.ask(made) for _, made in cases]
        if os.environ.get("UPDATE_GOLDENS"):
            lines = (json.dumps([name, answer]) for (name, _), answer in zip(cases, theirs))
            refusals.golden(name, version).write_text("[\n" + ",\n".join(lines) + "\n]\n")
        refused = sum(bool(answer) for answer in theirs)
        silent = [name for (name, _), answer in zip(cases, theirs) if answer is None]
        print(f"\n{len(cases)} objects, {refused} refused; the server panics about {silent}", flush=True)
        self.assertGreaterEqual(refused, least_refused)
        self.assertLessEqual(len(silent), most_silent)
        ours = refusals.say(harness.KUBECTL_VAPCHECK, cases, version)
        found = list(refusals.differences(cases, ours, theirs))
        self.assertFalse(found, "\n".join(found))

    def test_policies(self):
        self.compare("refusals", 500, 1)

    def test_webhooks(self):
        self.compare("refusals_webhooks", 400, 1)

    def test_mutating(self):
        if "mutatingadmissionpolicies" not in self.plane.kubectl("api-resources", "--api-group", GROUP, "-o", "name"):
            self.skipTest("this server has no MutatingAdmissionPolicy")
        self.compare("refusals_mutating", 400, 1)
        self.compare("refusals_releases", 100, 1)


harness.main()
