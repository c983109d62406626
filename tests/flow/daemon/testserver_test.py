#!/usr/bin/env python3
"""The embedded API server: what kubectl and the daemon rely on."""

import http.client
import json
import pathlib
import signal
import sys
import zlib

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage

APPLY = {"Content_Type": "application/apply-patch+yaml"}


class TestserverTest(stage.Case):
    def setUp(self):
        super().setUp()
        self.on = self.server()

    def apply(self, name, status, manager="m", **metadata):
        body = {
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingAdmissionPolicy",
            "metadata": {"name": name, **metadata},
            **({} if status is None else {"status": status}),
        }
        path = f"{stage.POLICIES}/{name}/status?fieldManager={manager}&force=true"
        return self.on.request("PATCH", path, body, **APPLY)

    def watch(self, path):
        """The lines of a watch, as they come."""
        connection = http.client.HTTPConnection("127.0.0.1", self.on.port, timeout=10)
        self.addCleanup(connection.close)
        connection.request("GET", path)
        reply = connection.getresponse()
        self.assertEqual(reply.status, 200)
        while line := reply.readline():
            yield json.loads(line)

    def test_objects(self):
        made = self.on.create(stage.policy("p", "true"))["metadata"]
        self.assertEqual(made["generation"], 1)
        self.assertEqual(self.on.request("POST", stage.POLICIES, stage.policy("p", "true"))[0], 409)
        again = self.on.replace(stage.policy("p", "false"))["metadata"]
        self.assertEqual((again["generation"], again["uid"]), (2, made["uid"]))
        stale = stage.policy("p", "1 == 1")
        stale["metadata"]["resourceVersion"] = made["resourceVersion"]
        self.assertEqual(self.on.request("PUT", f"{stage.POLICIES}/p", stale)[0], 409)
        self.assertEqual(self.on.request("DELETE", f"{stage.POLICIES}/p")[0], 200)
        self.assertEqual(self.on.request("GET", f"{stage.POLICIES}/p")[0], 404)
        self.assertEqual(self.on.request("PUT", f"{stage.POLICIES}/p", stage.policy("p"))[0], 404)

    def test_refusals(self):
        for body in ("", "[]", "a: [", "kind: Pod", {"kind": "ValidatingAdmissionPolicy"}, stage.policy("Not_a_name")):
            status, answer = self.on.request("POST", stage.POLICIES, body)
            self.assertIn(status, (400, 422), body)
            self.assertEqual((answer["kind"], answer["status"], answer["code"]), ("Status", "Failure", status))
        self.on.create(stage.policy("p", "true"))
        for kind in (
            "application/merge-patch+json",
            "application/strategic-merge-patch+json",
            "application/apply-patch+yaml",
        ):
            status, answer = self.on.request("PATCH", f"{stage.POLICIES}/p", "{}", Content_Type=kind)
            self.assertEqual(status, 415)
            self.assertIn("kubectl replace -f", answer["message"])
        self.assertEqual(self.on.request("GET", "/api/v1/namespaces/default/pods")[0], 404)
        self.assertEqual(self.on.request("GET", f"{stage.POLICIES}?resourceVersion=999")[0], 504)
        self.assertEqual(self.on.request("GET", f"{stage.POLICIES}?labelSelector=a")[0], 400)

    def test_a_restart_forgets_the_history(self):
        version = self.on.create(stage.policy("p", "true"))["metadata"]["resourceVersion"]
        self.on.create(stage.policy("q", "true"))
        watch = f"{stage.POLICIES}?watch=1&resourceVersion={version}"
        self.assertEqual(next(self.watch(watch))["object"]["metadata"]["name"], "q")
        self.on.popen.send_signal(signal.SIGUSR1)
        stage.wait_for("it is there again", lambda: self.on.log().count(self.on.url) == 2)
        self.assertEqual(self.on.request("GET", watch)[0], 410)
        self.assertEqual(self.on.get("q")["metadata"]["name"], "q")

    def test_many_definitions(self):
        """The index of a cluster of 1,500 is there within a second, and the daemon checks a policy of `*` on it."""
        crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        spec = {"spec": {"type": "object", "properties": {"n": {"type": "integer"}}}}
        for n in range(1500):
            self.on.create(stage.crd(f"kind{n}s", f"Kind{n}", spec, f"g{n // 20}.example.com"), crds)
        before = self.on.cpu_seconds()
        index = self.on.request("GET", "/openapi/v3")[1]["paths"]
        self.assertLess(self.on.cpu_seconds() - before, 1)
        self.assertEqual(sum(path.startswith("apis/g") for path in index), 75)
        self.assertIn("Kind1499", self.on.text("/openapi/v3/apis/g74.example.com/v1"))
        policy = stage.policy("p", "!has(object.spec) || has(object.spec.n)")
        rule = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"]}
        policy["spec"]["matchConstraints"] = {"resourceRules": [rule]}
        self.on.create(policy)
        self.controller(self.on.kubeconfig)
        stage.wait_for("its status", lambda: self.on.get("p").get("status", {}).get("conditions"), timeout=120)
        checked = {c["type"]: c["status"] for c in self.on.get("p")["status"]["conditions"]}
        self.assertEqual(checked["TypeChecked"], "True")

    def test_the_history_is_bounded(self):
        first = self.on.create(stage.policy("p", "true"))["metadata"]["resourceVersion"]
        watch = f"{stage.POLICIES}?watch=1&resourceVersion="
        for n in range(2001):
            last = self.on.replace(stage.policy("p", f"{n} == 0"))["metadata"]["resourceVersion"]
        self.assertEqual(self.on.request("GET", watch + first)[0], 410)
        second = next(self.watch(watch + str(int(first) + 1)))
        self.assertEqual(second["object"]["spec"]["validations"][0]["expression"], "1 == 0")
        self.on.request("DELETE", f"{stage.POLICIES}/p")
        self.assertEqual(next(self.watch(watch + last))["type"], "DELETED")

    def test_faults_on_order(self):
        """They strike the daemon alone, once."""
        daemon = {"User_Agent": "vapcheck-controller/1"}
        self.on.request("PUT", "/fault/503")
        self.assertEqual(self.on.request("GET", stage.POLICIES)[0], 200)
        self.assertEqual(self.on.request("GET", stage.POLICIES, **daemon)[0], 503)
        self.assertEqual(self.on.request("GET", stage.POLICIES, **daemon)[0], 200)
        self.on.request("PUT", "/fault/cut")
        with self.assertRaises(http.client.RemoteDisconnected):
            self.on.request("GET", stage.POLICIES, **daemon)

    def test_status_apply(self):
        uid = self.on.create(stage.policy("p", "true"))["metadata"]["uid"]
        both = [{"type": "A", "status": "True"}, {"type": "B", "status": "True", "reason": "R"}]
        first = {"observedGeneration": 1, "typeChecking": {"expressionWarnings": []}, "conditions": both}
        status, answer = self.apply("p", first, uid=uid)
        self.assertEqual(status, 200, answer)
        self.assertEqual(answer["status"], {"observedGeneration": 1, "typeChecking": {}, "conditions": both})
        self.assertEqual(
            answer["metadata"]["managedFields"][0]["fieldsV1"],
            {
                "f:status": {
                    "f:observedGeneration": {},
                    "f:typeChecking": {"f:expressionWarnings": {}},
                    "f:conditions": {
                        'k:{"type":"A"}': {".": {}, "f:type": {}, "f:status": {}},
                        'k:{"type":"B"}': {".": {}, "f:type": {}, "f:status": {}, "f:reason": {}},
                    },
                }
            },
        )
        # The same again changes nothing, not even the version.
        self.assertEqual(self.apply("p", first, uid=uid)[1], answer)
        # What is left out goes away.
        answer = self.apply("p", {"conditions": [{"type": "B", "status": "False"}]})[1]
        self.assertEqual(answer["status"], {"conditions": [{"type": "B", "status": "False"}]})
        answer = self.apply("p", None)[1]
        self.assertEqual(answer["status"], {})
        self.assertNotIn("managedFields", answer["metadata"])

    def test_status_conflicts(self):
        made = self.on.create(stage.policy("p", "true"))["metadata"]
        self.on.replace(stage.policy("p", "false"))
        self.assertEqual(self.apply("p", {}, resourceVersion=made["resourceVersion"])[0], 409)
        self.assertEqual(self.apply("p", {}, uid="other")[0], 409)
        self.assertEqual(self.apply("gone", {}, uid=made["uid"])[0], 409)
        self.assertEqual(self.apply("gone", {})[0], 404)
        self.assertEqual(self.apply("p", {"observedGeneration": 2})[0], 200)
        self.assertEqual(self.apply("p", {"observedGeneration": 2}, manager="second")[0], 409)

    def test_watch(self):
        self.on.create(stage.policy("a", "true"))
        events = self.watch(f"{stage.POLICIES}?watch=1&sendInitialEvents=true&allowWatchBookmarks=true")
        self.assertEqual(next(events)["object"]["metadata"]["name"], "a")
        bookmark = next(events)
        self.assertEqual(bookmark["type"], "BOOKMARK")
        self.assertEqual(bookmark["object"]["metadata"]["annotations"], {"k8s.io/initial-events-end": "true"})
        version = bookmark["object"]["metadata"]["resourceVersion"]
        later = self.watch(f"{stage.POLICIES}?watch=1&resourceVersion={version}&fieldSelector=metadata.name%3Db")
        self.on.create(stage.policy("b", "true"))
        self.on.replace(stage.policy("a", "false"))
        self.on.replace(stage.policy("b", "false"))
        self.on.request("DELETE", f"{stage.POLICIES}/b")
        self.assertEqual([next(later)["type"] for _ in range(3)], ["ADDED", "MODIFIED", "DELETED"])
        self.assertEqual([next(events)["type"] for _ in range(4)], ["ADDED", "MODIFIED", "MODIFIED", "DELETED"])
        self.assertEqual(
            list(self.watch(f"{stage.POLICIES}?watch=1&resourceVersion=1&timeoutSeconds=1"))[-1]["type"], "DELETED"
        )

    def test_gzip(self):
        """A client that asks for gzip gets a watch in gzip members, one a flush, and large answers in one."""
        self.on.create(stage.policy("a", "true"))
        connection = http.client.HTTPConnection("127.0.0.1", self.on.port, timeout=10)
        self.addCleanup(connection.close)
        path = f"{stage.POLICIES}?watch=1&sendInitialEvents=true&allowWatchBookmarks=true"
        connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
        reply = connection.getresponse()
        self.assertEqual(reply.getheader("Content-Encoding"), "gzip")
        types = []
        for name in ("b", "c"):
            member, inflater = b"", zlib.decompressobj(wbits=31)
            while not inflater.eof:
                member += inflater.decompress(reply.read(1))
            types += [json.loads(line)["type"] for line in member.splitlines()]
            self.on.create(stage.policy(name, "true"))
        self.assertEqual(types, ["ADDED", "BOOKMARK", "ADDED"])
        document = "/openapi/v3/api/v1"
        plain = self.on.exchange("GET", document)[1]
        compressed = self.on.exchange("GET", document, Accept_Encoding="gzip")[1]
        self.assertLess(len(compressed), len(plain))
        self.assertEqual(zlib.decompress(compressed, wbits=31), plain)

    def test_crd(self):
        def documents():
            return self.on.request("GET", "/openapi/v3")[1]["paths"]

        def crd(kind):
            schema = {
                "type": "object",
                "properties": {"spec": {"type": "object", "properties": {kind: {"type": "string"}}}},
            }
            version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
            names = {"plural": "things", "singular": "thing", "kind": "Thing"}
            return {
                "apiVersion": "apiextensions.k8s.io/v1",
                "kind": "CustomResourceDefinition",
                "metadata": {"name": "things.t.example.com"},
                "spec": {"group": "t.example.com", "scope": "Namespaced", "names": names, "versions": [version]},
            }

        before = documents()
        self.on.create(crd("one"), stage.CRDS)
        first = documents()["apis/t.example.com/v1"]["serverRelativeURL"]
        self.assertEqual(set(documents()) - set(before), {"apis/t.example.com/v1"})
        schema = self.on.request("GET", first)[1]["components"]["schemas"]["com.example.t.v1.Thing"]
        self.assertEqual(schema["properties"]["spec"]["properties"], {"one": {"type": "string"}})
        self.assertIn("ObjectMeta", str(schema["properties"]["metadata"]))
        kind = {"group": "t.example.com", "version": "v1", "kind": "Thing"}
        self.assertEqual(schema["x-kubernetes-group-version-kind"], [kind])
        groups = self.on.request("GET", "/apis")[1]["items"]
        resource = [g for g in groups if g["metadata"]["name"] == "t.example.com"][0]["versions"][0]["resources"][0]
        self.assertEqual((resource["resource"], resource["responseKind"]), ("things", kind))
        self.on.replace(crd("two"), stage.CRDS)
        self.assertNotEqual(documents()["apis/t.example.com/v1"]["serverRelativeURL"], first)
        self.on.request("DELETE", f"{stage.CRDS}/things.t.example.com")
        self.assertEqual(documents(), before)
        taken = crd("one")
        taken["spec"]["group"] = "apps"
        self.assertEqual(self.on.request("POST", stage.CRDS, taken)[0], 422)


stage.main()
