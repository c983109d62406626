#!/usr/bin/env python3
"""Definitions that come one after the other, beside policies of `*`: what does not change is not written again."""

import pathlib
import statistics
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage

KINDS, ARRIVALS, WILDCARDS, PROBES = 200, 100, 40, 20
EVERYTHING = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["CREATE", "UPDATE"], "resources": ["*"]}


def definition(n, **fields):
    """The definition of a kind with a field of its own, and those that are given."""
    spec = {"type": "object", "properties": {f"f{n}": {"type": "integer"}, **fields}}
    return stage.crd(f"kind{n}s", f"Kind{n}", {"spec": spec}, f"g{n // 20}.example.com")


def wildcard(name, expression, group="*"):
    made = stage.policy(name, expression)
    made["spec"]["matchConstraints"] = {"resourceRules": [{**EVERYTHING, "apiGroups": [group]}]}
    return made


class DefinitionsTest(stage.Case):
    def setUp(self):
        super().setUp()
        self.on = self.server()
        for n in range(KINDS):
            self.on.create(definition(n, size={"type": "integer"}), stage.CRDS)
        for n in range(WILDCARDS):
            self.on.create(wildcard(f"w{n}", f"!has(object.spec) || !has(object.spec.f{n}) || object.spec.f{n} > {n}"))
        self.on.create(wildcard("sizes", "object.spec.size > 0", group="g0.example.com"))
        self.daemon = self.controller(self.on.kubeconfig)
        for name in self.names():
            self.on.settled(name)

    def names(self):
        return [f"w{n}" for n in range(WILDCARDS)] + ["sizes"]

    def versions(self):
        return {name: self.on.get(name)["metadata"]["resourceVersion"] for name in self.names()}

    def rest(self):
        metrics = stage.Metrics(self.daemon)
        stage.wait_for("rest", lambda: metrics.quiet(2), timeout=120)

    def latency(self, name):
        """The seconds until a new policy of one kind has its status."""
        begin = time.monotonic()
        self.on.create(stage.policy(name, "object.spec.replicas > 0"))
        stage.wait_for("its status", lambda: self.on.status(name), period=0.005)
        return time.monotonic() - begin

    def test_definitions_come(self):
        self.rest()
        before = self.versions()
        at_rest = [self.latency(f"rest{n}") for n in range(PROBES)]
        meanwhile = []
        for n in range(KINDS, KINDS + ARRIVALS):
            self.on.create(definition(n, size={"type": "integer"}), stage.CRDS)
            if n % (ARRIVALS // PROBES) == 0:
                meanwhile.append(self.latency(f"meanwhile{n}"))
        self.rest()
        self.assertEqual(self.versions(), before)
        print(
            f"a policy of one kind has its status after {statistics.median(at_rest) * 1000:.0f} ms at rest,"
            f" {statistics.median(meanwhile) * 1000:.0f} ms while {ARRIVALS} definitions come"
        )

    def test_what_changes_is_written(self):
        """A definition without the field that one policy needs, in the group that it matches: its status alone."""
        self.rest()
        before = self.versions()
        extra = definition(0)
        extra["metadata"]["name"] = "others.g0.example.com"
        extra["spec"]["names"] = {"plural": "others", "singular": "other", "kind": "Other", "listKind": "OtherList"}
        self.on.create(extra, stage.CRDS)
        warnings = stage.wait_for("the warning", lambda: self.on.warnings("sizes"), timeout=60)
        self.assertIn("Kind=Other: ERROR: <input>:1:12: undefined field 'size'", *warnings.values())
        self.rest()
        after = self.versions()
        self.assertEqual({name for name in after if after[name] != before[name]}, {"sizes"})


stage.main()
