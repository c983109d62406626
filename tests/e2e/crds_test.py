#!/usr/bin/env python3
"""CRDs of every schema feature: upstream's words about them, and how soon we see a CRD change."""

import json
import pathlib
import time
import urllib.request

import harness
import upstream

CRDS = pathlib.Path(__file__).resolve().parent / "crds"
FOLLOWS_WITHIN_S = 2.0

# What policies say of each CRD: right and wrong. Its file, kind's plural, versions, expressions.
POLICIES = [
    (
        "nested",
        "nests",
        ["v1"],
        [
            "object.spec.a.b.c.d > 1 && object.spec.matrix[0][1] > 0.5 && object.spec.steps[0].steps[0].leaf",
            "object.spec.a.b.c.e > 1",
            "object.spec.a.b.c.d == 'x'",
            "object.spec.matrix.all(row, row.all(x, x > 'high'))",
            "object.spec.steps.all(s, s.nam != '' && s.steps.exists(t, t.laef))",
            "object.spec.steps.map(s, s.args[0] + 1).size() > 0",
            "object.spec.matrix[0] == object.spec.steps",
            "has(object.spec.a.z) || object.spec.steps == 5",
        ],
    ),
    (
        "maps",
        "atlass",
        ["v1"],
        [
            "object.spec.strings['a'] == 'b' && object.spec.maps['a']['b'] > 1 && object.spec.objects['a'].port > 80",
            "object.spec.strings['a'] > 1",
            "object.spec.ints.all(k, object.spec.ints[k] == 'x') && object.spec.ints.a == 'x'",
            (
                "object.spec.lists['a'][0] == 5 || object.spec.maps['a']['b'] == 'c' || object.spec.maps == "
                "object.spec.lists"
            ),
            "object.spec.objects.all(k, object.spec.objects[k].prt > 80)",
            "object.spec.objects['a'] == object.spec.strings['a']",
            "object.spec.any['a'] == 'b'",
            "object.spec.any.a == 'b'",
            "object.spec.quantities['a'] > 1 && object.spec.quantities.b.size() > 1",
        ],
    ),
    (
        "scalars",
        "scalars",
        ["v1"],
        [
            "object.spec.port == 80 || object.spec.port == 'http' || object.spec.limit > 5 || object.spec.on",
            "object.spec.port.size() + object.spec.prot > 0",
            "object.spec.maybe == null || object.spec.maybeObject == null",
            "object.spec.maybe > 1 && object.spec.maybeObject.y == 1",
            "object.spec.colour == 1",
            "object.spec.ratio == 1 || object.spec.small == 1.5 || object.spec.large > 1.5",
            "(object.spec.on == 'true' ? object.spec.small : object.spec.ratio) > 1.0",
        ],
    ),
    (
        "open",
        "crates",
        ["v1"],
        [
            "object.spec.alone == 1",
            "object.spec.object.x == 1",
            "object.spec.both.known == 'a' && object.spec.both.unknown == 'b'",
            "object.spec.both.known == 1",
            "object.spec.items.all(i, i.x == 1)",
            "object.spec.values.size() > 1",
            "object.spec.empty.x == 1 && object.spec.empty == {}",
        ],
    ),
    (
        "open",
        "crates",
        ["v1beta1"],
        [
            "object.metadata.name == 'a' && object.metadata.labels['a'] == 'b' && object.kind == 'Crate'",
            "object.spec.anything == 1",
        ],
    ),
    (
        "embedded",
        "parcels",
        ["v1"],
        [
            "object.spec.template.metadata.labels['a'] == 'b' && object.spec.template.data['a'] == 'b'",
            "object.spec.template.kind == 5 || object.spec.template.spec == 5",
            "object.spec.template.metadata.lables == {} || object.spec.raw.metadata.name == 1",
            "object.spec.raw.spec.x == 1",
            "object.spec.many.all(m, m.apiVersion == 'v1' && m.metadata.annotations['a'] == 1 && m.data == 1)",
        ],
    ),
    (
        "formats",
        "stamps",
        ["v1"],
        [
            "object.spec.at > timestamp('2020-01-01T00:00:00Z') && object.spec.every > duration('1h')",
            "object.spec.blob == 'YQ=='",
            "object.spec.day == '2020-01-01'",
            "object.spec.at.startsWith('2020') || object.spec.every == '1h'",
            "object.spec.id > 1 && object.spec.address == 1",
            "object.spec.days.exists(d, d == 'x') || object.spec.timeouts.all(k, object.spec.timeouts[k] == 1)",
            "object.spec.day.getFullYear() > object.spec.id",
        ],
    ),
    (
        "names",
        "labels",
        ["v1"],
        [
            "object.spec.x__dash__dash + object.spec.x__dot__dot + object.spec.x__slash__slash == ''",
            "object.spec.under__underscores__score == 'x' && object.spec.under__score == 1",
            "object.spec.namespace == 1 && object.spec.__namespace__ == 1",
            "object.spec.__in__ == 'x' && object.spec.__if__ == 'y' && object.spec.__true__ == 1",
            "object.spec.if == 'x' || object.spec.type == 1",
            "object.spec._private == 1 && object.spec.x == 1",
            "object.spec.lives == '' || object.spec.space == ''",
        ],
    ),
    ("versions", "twins", ["v1"], ["object.spec.size > 1 && object.spec.name == ''", "object.spec.title == ''"]),
    ("versions", "twins", ["v1alpha1"], ["object.spec.size > 1", "object.spec.title == '' && object.status.ready"]),
    (
        "versions",
        "twins",
        ["v1", "v1alpha1"],
        ["object.spec.size > 1 && object.spec.nmae == ''", "object.status.ready == 'x'"],
    ),
    (
        "meta",
        "badges",
        ["v1"],
        [
            "object.metadata.labels['a'] == 'b' && object.metadata.generateName == '' && object.weight > 1",
            "object.metadata.name > 1 && object.metadata.creationTimestamp == 'now'",
            "object.metadata.ownerReferences.all(o, o.nmae == '') || object.metadata.labls == {}",
            "object.data['a'] == 1 || object.wieght > 1 || object.spec.x == 1",
            "oldObject.weight == 'x' && object.apiVersion == 1",
        ],
    ),
]

STRING = {"type": "string"}
AT = "/spec/versions/0/schema/openAPIV3Schema/properties/"


def add(path, schema=None):
    return {"op": "add", "path": AT + path, "value": schema or STRING}


def remove(path):
    return {"op": "remove", "path": AT + path}


# The change of each CRD, an expression about it, and the issue that it has after that and not before.
CHANGES = {
    "nested": (
        "nests",
        [remove("spec/properties/a/properties/b"), add("spec/properties/a/properties/bee")],
        "object.spec.a.b.c.d > 1",
        "undefined field 'b'",
    ),
    "maps": (
        "atlass",
        [add("spec/properties/ints/additionalProperties")],
        "object.spec.ints['a'] > 1",
        "applied to '(string, int)'",
    ),
    "scalars": (
        "scalars",
        [remove("spec/properties/port"), add("spec/properties/port", {"type": "integer"})],
        "object.spec.port == 'http'",
        "applied to '(int, string)'",
    ),
    "open": (
        "crates",
        [remove("spec/properties/both/properties/known"), add("spec/properties/both/properties/knwon")],
        "object.spec.both.known == ''",
        "undefined field 'known'",
    ),
    "embedded": (
        "parcels",
        [remove("spec/properties/template/x-kubernetes-embedded-resource")],
        "object.spec.template.metadata.name == ''",
        "undefined field 'metadata'",
    ),
    "formats": (
        "stamps",
        [
            {"op": "replace", "path": AT + "spec/properties/at/format", "value": "date"},
            remove("spec/properties/every/format"),
        ],
        "object.spec.every > duration('1h')",
        "applied to '(string, duration)'",
    ),
    "names": (
        "labels",
        [remove("spec/properties/x-dash"), add("spec/properties/x_dash")],
        "object.spec.x__dash__dash == ''",
        "undefined field 'x__dash__dash'",
    ),
    "versions": (
        "twins",
        [remove("spec/properties/name"), add("spec/properties/names")],
        "object.spec.name == ''",
        "undefined field 'name'",
    ),
    "meta": ("badges", [add("weight")], "object.weight > 1", "applied to '(string, int)'"),
}


def group(name):
    return f"{name}.e2e.example.com"


def policies():
    found = []
    for name, plural, versions, expressions in POLICIES:
        for n, expression in enumerate(expressions):
            policy = harness.policy(f"{name}-{'-'.join(versions)}-{n}", expression, group=group(name), resource=plural)
            policy["spec"]["matchConstraints"]["resourceRules"][0]["apiVersions"] = versions
            found.append(policy)
    for name, (plural, _, expression, _) in CHANGES.items():
        found.append(harness.policy(f"changed-{name}", expression, group=group(name), resource=plural))
    return found


class CrdsTest(harness.Case):
    def setUp(self):
        super().setUp()
        self.server = self.proxy()

    def get(self, path):
        with urllib.request.urlopen(self.server + path, timeout=60) as answer:
            return json.load(answer)

    def hash(self, name, version="v1"):
        """What the server publishes of this group-version; None before it does."""
        entry = self.get("/openapi/v3")["paths"].get(f"apis/{group(name)}/{version}")
        return entry and entry["serverRelativeURL"]

    def warnings(self, name):
        """As text; None before the policy was checked."""
        policy = self.get(f"/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/{name}")
        warnings = harness.expression_warnings(policy)
        return None if warnings is None else "".join(w["warning"] for w in warnings)

    def all_warnings(self):
        """expressionWarnings by policy, once every one was checked."""
        found = {}
        for policy in self.plane.list("validatingadmissionpolicies"):
            warnings = harness.expression_warnings(policy)
            if warnings is None:
                return None
            found[policy["metadata"]["name"]] = upstream.without_nanoseconds(warnings)
        return found

    def follow(self, name, policy, before, issue):
        """Seconds between the moment when another schema than `before` is published and that of our word on it."""
        published = None
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if published is None and self.hash(name) not in (before, None):
                published = time.monotonic()
            if issue in (self.warnings(policy) or ""):
                return 0.0 if published is None else time.monotonic() - published
            time.sleep(0.01)
        self.fail(f"{policy}: no {issue!r}; published: {published is not None}; status: {self.warnings(policy)!r}")

    def check_with_kcm(self):
        """Upstream's warnings on all policies, which are new to it."""
        self.plane.delete("validatingadmissionpolicies", "--all")
        kcm = self.kcm()
        self.plane.apply(policies())
        theirs = harness.wait_for("upstream's warnings", self.all_warnings, timeout=120)
        kcm.kill()
        self.plane.delete("validatingadmissionpolicies", "--all")
        return theirs

    def test_upstreams_words_then_each_crd_changes(self):
        """Upstream and we agree on every policy; each CRD changes; we agree again."""
        self.maxDiff = None
        self.plane.kubectl("apply", "-f", CRDS)
        for name in CHANGES:
            harness.wait_for(f"the schema of {name}", lambda: self.hash(name))
        theirs = self.check_with_kcm()
        self.assertEqual(len(theirs), len(policies()))
        self.assertGreaterEqual(sum(bool(w) for w in theirs.values()), 40)
        self.controller("--warnings-scope=upstream")
        self.plane.apply(policies())
        ours = harness.wait_for("our warnings", self.all_warnings, timeout=60)
        self.assertEqual(ours, theirs)

        seconds = {}
        for name, (plural, patch, _, issue) in CHANGES.items():
            self.assertEqual(self.warnings(f"changed-{name}"), "", name)
            before = self.hash(name)
            self.plane.kubectl("patch", "crd", f"{plural}.{group(name)}", "--type=json", "-p", json.dumps(patch))
            seconds[name] = self.follow(name, f"changed-{name}", before, issue)
        print(
            "\nafter a changed schema was published, our status came within (s):",
            ", ".join(f"{name} {s:.2f}" for name, s in seconds.items()),
            flush=True,
        )
        self.assertLess(max(seconds.values()), FOLLOWS_WITHIN_S)

        ours = self.settled()
        self.assertEqual(ours, self.check_with_kcm())

    def settled(self):
        """Our warnings, once they are the same for three seconds."""
        last = [None, 0.0]

        def probe():
            now = self.all_warnings()
            if now != last[0]:
                last[:] = [now, time.monotonic()]
            return time.monotonic() - last[1] >= 3 and now

        return harness.wait_for("steady warnings", probe, timeout=60)

    def test_a_policy_before_its_crd(self):
        self.controller("--warnings-scope=upstream")
        self.plane.apply(harness.policy("early", "object.spec.size == 'x'", group=group("early"), resource="birds"))
        harness.wait_for("the first check", lambda: self.plane.condition("early", "TypeChecked"))
        self.assertEqual(self.plane.condition("early", "TypeChecked")["reason"], "ResourceNotFound")
        self.plane.apply(crd("early", "Bird"))
        took = self.follow("early", "early", None, "applied to '(int, string)'")
        print(f"\nafter a new CRD's schema was published, our status came within {took:.2f} s", flush=True)
        self.assertLess(took, FOLLOWS_WITHIN_S)

    def test_a_daemon_as_young_as_the_crd(self):
        """It starts while the server is about to publish the schema: at some moment of that, in each round."""
        worst = 0.0
        for n in range(9):
            name = f"young{n}"
            self.plane.apply(harness.policy(name, "object.spec.size == 'x'", group=group(name), resource="birds"))
            if n % 3:
                self.plane.apply(crd(name, "Bird"))
                time.sleep(n * 0.15)
                daemon = self.controller("--warnings-scope=upstream")
            else:
                daemon = self.controller("--warnings-scope=upstream")
                self.plane.apply(crd(name, "Bird"))
            worst = max(worst, self.follow(name, name, None, "applied to '(int, string)'"))
            daemon.stop()
        print(f"\nof a daemon and a CRD that start together the status came within {worst:.2f} s", flush=True)
        self.assertLess(worst, 5 + FOLLOWS_WITHIN_S)  # the start itself, too


def crd(name, kind):
    """A small one, of group NAME.e2e.example.com."""
    spec = {"type": "object", "properties": {"size": {"type": "integer"}}}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    plural = kind.lower() + "s"
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group(name)}"},
        "spec": {
            "group": group(name),
            "scope": "Namespaced",
            "names": {"kind": kind, "plural": plural},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}],
        },
    }


harness.main()
