#!/usr/bin/env python3
"""What requests of every kind bring to admission: a real API server's answers are those that golden/admission holds
ours against."""

import base64
import http.client
import json
import os
import pathlib
import re
import ssl
import sys
import time

import harness

sys.path.append(str(harness.SOURCE / "tests/golden"))
from admission import cases as data
from admission import compare as admission

API = f"/apis/{admission.GROUP}/v1/"
FAILURE = "validation.policy.admission.k8s.io/validation_failure"
ERROR = re.compile(r"expression '.*' resulted in error: (.*)", re.S)
MANAGED_AT = re.compile(r'"time":"[^"]*"')  # in the managedFields of an object that an error quotes
NUMBER = re.compile(r"'c\d+'")  # a policy's name
PATCHED = {"labels": {"a": "b"}, "finalizers": ["example.com/a"]}  # what mutations are about


class AdmissionTest(harness.Case):
    def tearDown(self):
        for kind in (
            "validatingadmissionpolic",
            "mutatingadmissionpolic",
        ):  # kubectl deletes one after the other, slowly
            for plural in (kind + "ybindings", kind + "ies"):
                self.send("DELETE", API + plural)
        super().tearDown()

    def connect(self):
        """A connection as the administrator, who may be anybody."""
        config = json.loads(self.plane.kubectl("config", "view", "--raw", "-o", "json"))
        user = config["users"][0]["user"]
        context = ssl.create_default_context(
            cadata=base64.b64decode(config["clusters"][0]["cluster"]["certificate-authority-data"]).decode()
        )
        pair = pathlib.Path(self.plane.directory) / "administrator.pem"
        pair.write_bytes(base64.b64decode(user["client-certificate-data"]) + base64.b64decode(user["client-key-data"]))
        context.load_cert_chain(pair)
        return http.client.HTTPSConnection("127.0.0.1", self.plane.port(), timeout=30, context=context)

    def send(self, method, path, body=None, content="application/json", user=None):
        """(status, message or the text)."""
        headers = {"Content-Type": content}
        if user:
            headers |= {"Impersonate-User": user, "Impersonate-Group": "system:masters"}
        self.connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        try:
            return answer.status, json.loads(text).get("message", "")
        except ValueError:
            return answer.status, text

    def as_user(self, way, made, number):
        """(user, status, message) of the request that a policy is asked about; number is the way's among those of the
        policy."""
        _, _, _, _, method, path, body, content = data.REQUESTS[way]
        if made["kind"] == "MutatingAdmissionPolicy":
            body = {**body, "metadata": {**body["metadata"], **PATCHED}}
        user = f"{made['metadata']['name']}-{number}"
        return user, *self.send(method, path, body, content, user)

    def failures(self):
        """{user: {number of the expression: message}} of what the audit log has by now."""
        found = {}
        for line in self.plane.audit_log.read_text().splitlines():
            event = json.loads(line)
            user = event.get("impersonatedUser", {}).get("username")
            if user and FAILURE in event.get("annotations", {}):
                listed = json.loads(event["annotations"][FAILURE])
                found[user] = {int(f["expressionIndex"]): f["message"] for f in listed}
        return found

    def answer_of_condition(self, failed):
        """The policy says no where the condition is true, and nothing where it is false."""
        if failed is None:
            return ["false"]
        error = ERROR.search(failed[0])
        return ["error: " + error[1] if error else "true" if failed[0] == admission.ACTIVE else failed[0]]

    def answers_of(self, expressions, failed):
        """error: TEXT, true, false or not asked, of each expression."""
        if failed is None:
            return ["not asked"] * len(expressions)
        failed = dict(failed)
        last = failed.pop(len(expressions), None)
        if self.audits_all or not failed:
            self.assertEqual(last, admission.ACTIVE)
        said = []
        for i in range(len(expressions)):
            error = ERROR.search(failed.get(i, ""))
            said.append("error: " + error[1] if error else "false" if i in failed else "true")
        return said

    def create(self, policies):
        for made in policies:
            path = made["kind"].lower().replace("policy", "policies")
            status, said = self.send("POST", API + path, made)
            self.assertEqual(status, 201, f"{made['spec']}: {said}")
            bound = {"policyName": made["metadata"]["name"]}
            if made["kind"] == "ValidatingAdmissionPolicy":
                bound["validationActions"] = ["Audit"]
            kind = made["kind"] + "Binding"
            binding = {"apiVersion": made["apiVersion"], "kind": kind, "metadata": made["metadata"], "spec": bound}
            status, said = self.send("POST", API + kind.lower() + "s", binding)
            self.assertEqual(status, 201, said)

    def is_active(self, made):
        """Returns true if the server asks this policy, which always fails."""
        _, status, _ = self.as_user("CREATE of configmaps", made, 0)
        return status >= 300 or made["metadata"]["name"] + "-0" in self.failures()

    def split(self, expressions, made):
        """(expressions, policy) of each policy that the server gets for this one: the audit log of a server before 1.37
        has only the first failure of a request, so that each expression needs a policy of its own there."""
        if self.audits_all or len(expressions) == 1:
            return [(expressions, made)]
        parts = []
        for i, expression in enumerate(expressions):
            name = f"{made['metadata']['name']}x{i}"
            text = json.dumps(made).replace(f"{made['metadata']['name']}-", f"{name}-")
            part = {**json.loads(text), "metadata": {"name": name}}
            part["spec"]["validations"] = [part["spec"]["validations"][i], admission.LAST]
            parts.append(([expression], part))
        return parts

    def answer(self, cases):
        """[label, expressions, {way: the answer of each}]."""
        asked = []
        for i, (label, ways, expressions, made, _) in enumerate(cases):
            for part, policy in self.split(expressions, made):
                for number, way in enumerate(ways):
                    user, status, said = self.as_user(way, policy, number)
                    asked.append((i, label, part, way, made["kind"], user, status, said))
        failures = self.failures()
        answers = [[label, expressions, {}] for label, _, expressions, *_ in cases]
        for i, label, expressions, way, kind, user, status, said in asked:
            if kind == "MutatingAdmissionPolicy":
                of_way = [
                    "patched"
                    if status < 300
                    else "error: " + NUMBER.sub("'policy'", MANAGED_AT.sub('"time":"TIME"', said))
                ]
            else:
                self.assertTrue(status < 300 or "CONNECT" in way, f"{label}: {way}: {status} {said}")
                said_of = failures.get(user)
                of_way = (
                    self.answer_of_condition(said_of)
                    if label == admission.CONDITION
                    else self.answers_of(expressions, said_of)
                )
            answers[i][2].setdefault(way, []).extend(of_way)
        return answers

    def test_every_kind_of_request(self):
        cases = list(admission.cases())
        self.connection = self.connect()
        self.addCleanup(self.connection.close)
        self.plane.apply(data.THERE)
        self.plane.kubectl("wait", "--for=condition=Established", "crd/widgets.example.com")
        harness.wait_for("the custom resource", lambda: self.send("GET", "/apis/example.com/v1/widgets")[0] == 200)
        self.plane.apply({**data.WIDGET, "metadata": {**data.WIDGET["metadata"], "name": "w"}})
        status, said = self.send(
            "PATCH",
            "/apis/example.com/v1/namespaces/default/widgets/w/status",
            {"status": data.WIDGET["status"]},
            data.MERGE,
        )
        self.assertEqual(status, 200, said)
        self.audits_all = int(self.plane.version.split(".")[1]) >= 37
        last = len(cases)
        constraints = {"resourceRules": admission.rules(["CREATE of configmaps"])}
        # the last of each kind, which fail for certain, tell when the server has seen them all
        broken = [{"patchType": "JSONPatch", "jsonPatch": {"expression": "[JSONPatch{op: 'remove', path: '/nope'}]"}}]
        ends = [
            admission.policy(
                last,
                "MutatingAdmissionPolicy",
                matchConstraints=constraints,
                mutations=broken,
                reinvocationPolicy="Never",
            ),
            admission.policy(
                last + 1,
                "ValidatingAdmissionPolicy",
                matchConstraints=constraints,
                validations=[{"expression": "false"}],
            ),
        ]
        self.create(
            [*(policy for _, _, expressions, made, _ in cases for _, policy in self.split(expressions, made)), *ends]
        )
        harness.wait_for("the policies", lambda: all(map(self.is_active, ends)), timeout=60)
        time.sleep(1)
        answers = self.answer(cases)
        golden = admission.HERE / f"{harness.CHECK_AS or self.plane.version}.json"
        if os.environ.get("UPDATE_GOLDENS"):
            golden.write_text("[\n" + ",\n".join(map(json.dumps, answers)) + "\n]\n")
        if not golden.exists():
            self.skipTest(f"there are no answers of {self.plane.version} to compare with")
        expected = json.loads(golden.read_text())
        self.assertEqual([answer[:2] for answer in expected], admission.labels())
        wrong = [f"{theirs}\n  expected {want[2]}" for theirs, want in zip(answers, expected) if theirs != want]
        self.assertFalse(wrong, "\n".join(wrong))
        count = sum(len(of_way) for *_, theirs in answers for of_way in theirs.values())
        print(f"\n{len(cases)} policies, {count} answers", flush=True)


harness.main()
