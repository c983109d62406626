#!/usr/bin/env python3
"""The control plane itself, before anything of ours runs on it."""

import json
import os
import re
import subprocess

import harness

UPSTREAM = "kube-controller-manager"
WARNING = """\
apps/v1, Kind=Deployment: ERROR: <input>:1:7: undefined field 'replicas'
 | object.replicas > 1
 | ......^
"""


class ControlplaneTest(harness.Case):
    def test_is_the_version_it_says(self):
        version = json.loads(self.plane.kubectl("get", "--raw", "/version"))
        self.assertRegex(version["gitVersion"], rf"^v{re.escape(self.plane.version)}\.\d+$")
        if wanted := os.environ.get("VAPCHECK_KUBERNETES"):
            named = subprocess.check_output([harness.SOURCE / "tests/support/kubernetes", "name", wanted], text=True)
            self.assertEqual(version["gitVersion"], named.strip())
        client = json.loads(self.plane.kubectl("version", "--client", "-o", "json"))
        self.assertEqual(client["clientVersion"]["gitVersion"], version["gitVersion"])

    def test_knows_its_users(self):
        for context in ("admin", "token"):
            who = json.loads(self.plane.kubectl("--context", context, "auth", "whoami", "-o", "json"))
            self.assertEqual(who["status"]["userInfo"]["username"], "admin")
            self.assertIn("system:masters", who["status"]["userInfo"]["groups"])

    def test_keeps_others_out(self):
        self.plane.kubectl("create", "serviceaccount", "nobody")
        config = self.plane.service_account("nobody")
        mine = ("--kubeconfig", config, "get", "validatingadmissionpolicies")
        refused = self.plane.run_kubectl(*mine)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("system:serviceaccount:default:nobody", refused.stderr)
        self.assertIn("Forbidden", refused.stderr)
        verbs = ("--verb=get,list", "--resource=validatingadmissionpolicies")
        self.plane.kubectl("create", "clusterrole", "reader", *verbs)
        self.plane.kubectl(
            "create", "clusterrolebinding", "reader", "--clusterrole=reader", "--serviceaccount=default:nobody"
        )
        harness.wait_for("access", lambda: self.plane.run_kubectl(*mine).returncode == 0)

    def test_refuses_a_policy_that_does_not_compile(self):
        done = self.plane.run_kubectl("create", "-f", "-", input=json.dumps(harness.policy("broken", "object.")))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("Syntax error", done.stderr)

    def test_keeps_its_data_through_a_restart(self):
        self.plane.apply(harness.policy("kept", "true"))
        before = self.plane.get("validatingadmissionpolicy", "kept")["metadata"]
        self.plane.restart()
        after = self.plane.get("validatingadmissionpolicy", "kept")["metadata"]
        self.assertEqual((after["uid"], after["resourceVersion"]), (before["uid"], before["resourceVersion"]))

    def test_goes_down_and_comes_up_at_the_same_place(self):
        self.plane.down()
        done = self.plane.run_kubectl("get", "--raw", "/version")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("refused", done.stderr)
        self.plane.up()
        self.plane.kubectl("get", "--raw", "/version")

    def test_records_who_writes_what(self):
        self.plane.apply(harness.policy("recorded", "true"))
        writes = self.plane.writes("kubectl/")
        last = writes[-1]
        self.assertEqual((last["verb"], last["objectRef"]["name"]), ("create", "recorded"))
        self.assertEqual(last["requestObject"]["spec"]["validations"], [{"expression": "true"}])
        self.plane.get("validatingadmissionpolicy", "recorded")
        self.assertEqual(len(self.plane.writes("kubectl/")), len(writes), "reading is no write")

    def test_upstream_checks_types_when_asked(self):
        self.plane.apply(harness.policy("wrong", "object.replicas > 1"))
        harness.hold("no status", lambda: self.plane.status("wrong") == {}, seconds=2)
        kcm = self.kcm()
        warnings = harness.wait_for("upstream's warning", lambda: self.plane.warnings("wrong"))
        self.assertEqual(warnings, [{"fieldRef": "spec.validations[0].expression", "warning": WARNING}])
        self.assertEqual(self.plane.status("wrong")["observedGeneration"], 1)
        self.assertEqual(len(self.plane.writes(UPSTREAM)), 1)
        kcm.kill()
        self.plane.apply(harness.policy("later", "object.replicas > 1"))
        harness.hold("no status", lambda: self.plane.status("later") == {}, seconds=2)


class ControllerManagerTest(harness.Case):
    plane_flags = ("--kcm",)

    def test_outlives_the_api_server(self):
        self.plane.apply(harness.policy("first", "object.spec.replicas > 1"))
        harness.wait_for("a status", lambda: self.plane.warnings("first") == [])
        self.plane.restart()
        self.plane.apply(harness.policy("second", "object.replicas > 1"))
        harness.wait_for(
            "a status after the restart", lambda: self.plane.warnings("second"), timeout=harness.AFTER_OUTAGES_S
        )


if __name__ == "__main__":
    harness.main()
