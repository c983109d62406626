#!/usr/bin/env python3
"""The daemon's conditions say what the command line says about the same policy, corrections included."""

import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent), str(HERE.parents[1] / "golden")]
import stage
from slips import cases as data
from slips import compare as slips


def cases():
    """The validating policies of golden/slips: each slip, and its neighbours."""
    of_policies = (case for case in (*data.SLIPS, *data.NEIGHBOURS) if case[0] == data.VAP)
    return [slips.policy(f"p{i}", case) for i, case in enumerate(of_policies)]


def conditions_of(items):
    """{type: (status, reason, message)}"""
    return {c["type"]: (c["status"], c["reason"], c["message"]) for c in items}


class HintsTest(stage.Case):
    def command_line(self, server, policies):
        """{name: its conditions}"""
        command = [stage.BIN / "kubectl-vapcheck", "check", "-f", "-", "-o", "json", "--no-config", "--fail-on=never"]
        command += ["--cluster", "--kubeconfig", server.kubeconfig, "--select=default"]
        text = "".join(f"---\n{json.dumps(each)}\n" for each in policies)
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=100)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {r["name"]: conditions_of(r["conditions"]) for r in json.loads(done.stdout)["results"]}

    def test_equal(self):
        server, policies = self.server(), cases()
        for definition in data.CRDS:
            server.create(definition, stage.CRDS)
        for each in policies:
            server.create(each)
        self.controller(server.kubeconfig)
        expected = self.command_line(server, policies)
        n_hints = 0
        for each in policies:
            name = each["metadata"]["name"]
            found = conditions_of(server.settled(name)["conditions"])
            found.pop("Bound")
            with self.subTest(each["spec"]):
                self.assertEqual(found, expected[name])
            n_hints += "(did you mean" in found["ExpressionsValid"][2]
        self.assertGreater(n_hints, 50)


stage.main()
