#!/usr/bin/env python3
"""What a real API server answers to CustomResourceDefinitions with rules, and what we say it does."""

import json
import os
import sys
import urllib.error
import urllib.request

import harness

sys.path.append(str(harness.SOURCE / "tests/golden"))
from crdrules import cases as data
from crdrules import compare as crdrules

PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All&fieldValidation=Strict"

# Of the definitions: servers of 1.31 panic about many random rules.
MOST_PANICS = 1 / 5


class CrdRulesTest(harness.Case):
    def setUp(self):
        super().setUp()
        self.server = self.proxy()
        self.version = "1." + json.loads(self.plane.kubectl("get", "--raw", "/version"))["minor"]

    def ask(self, made):
        """[field, message] of each cause of the server's answer; None where it has none: some rules make old ones
        panic."""
        request = urllib.request.Request(
            self.server + PATH, json.dumps(made).encode(), {"Content-Type": "application/json"}
        )
        try:
            urllib.request.urlopen(request, timeout=60).close()
            return []
        except urllib.error.HTTPError as error:
            body = error.read()
            if not body.startswith(b"{"):
                return None
            status = json.loads(body)
        return crdrules.plain([c["field"], c["message"]] for c in status["details"]["causes"])

    def compare(self, cases, theirs):
        refused = sum(bool(answer) for answer in theirs)
        silent = [name for (name, _), answer in zip(cases, theirs) if answer is None]
        print(f"\n{len(cases)} definitions, {refused} refused, {sum(len(a or []) for a in theirs)} messages; "
              f"the server panics about {silent}", flush=True)  # fmt: skip
        self.assertLessEqual(len(silent), MOST_PANICS * len(cases))
        found = crdrules.FAMILY.differences(harness.KUBECTL_VAPCHECK, harness.CHECK_AS or self.version, cases, theirs)
        self.assertFalse(found, "\n".join(found))

    def test_random_rules(self):
        """Rules of every function, under lists and maps with bounds and without."""
        cases = list(data.random_cases(150, 77))
        theirs = [self.ask(made) for _, made in cases]
        self.assertGreaterEqual(sum(len(a or []) for a in theirs), 1000)
        self.compare(cases, theirs)

    def test_every_case(self):
        cases = list(data.cases())
        theirs = [self.ask(made) for _, made in cases]
        if os.environ.get("UPDATE_GOLDENS"):
            crdrules.FAMILY.write(self.version, cases, theirs)
        refused = sum(bool(answer) for answer in theirs)
        self.assertGreaterEqual(refused, 90)
        self.assertGreaterEqual(len(cases) - refused, 60)
        self.compare(cases, theirs)


harness.main()
