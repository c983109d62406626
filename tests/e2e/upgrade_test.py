#!/usr/bin/env python3
"""What kubectl vapcheck upgrade says from 1.36 to 1.37, and from 1.37 to 1.38, is so on a real API server of either:
each class asks the server that is here, if that is one of the two. What will fail there fails on the newer alone, what
would be refused is refused by the newer alone, and an offered spelling works on both. So it is for the expressions
here, for the documents of tests/golden/upgrade, and for each policy of the corpora in ../shared, where those are."""

import collections
import json
import re
import subprocess
import unittest
import urllib.error
import urllib.request

import harness

GOLDENS = harness.SOURCE / "tests/golden/upgrade"
CORPORA = harness.SOURCE.parent / "shared/corpus"
FIELD = re.compile(
    r"spec\.(validations|variables|matchConditions|mutations)\[(\d+)\](?:\.(applyConfiguration|jsonPatch))?\.expression"
)
MUTATING = "MutatingAdmissionPolicy"

CONTAINERS = "object.spec.template.spec.containers"
FAILING_SINCE_TYPED = [
    f"{CONTAINERS}.orValue([]).size() > 0",
    "object.metadata.name.orValue('x') != ''",
    "object.spec.replicas.orValue(3) == 1",
    "object.metadata.labels.orValue({}).size() > 0",
    "object.metadata.labels['case'].orValue('') != ''",
    f"{CONTAINERS}[0u].name == 'c'",
    f"{CONTAINERS}[0.0].name == 'c'",
    "!(1 in object.metadata.labels)",
    f"!({CONTAINERS} == 'a')",
    "!(object.spec == 5)",
    f"!({CONTAINERS}[0] == 'a')",
    f"!{CONTAINERS}.exists(c, c == 'c')",
]
WORKING = [
    "object.spec.replicas == 1",
    f"{CONTAINERS} != 'a'",
    f"{CONTAINERS}.all(c, c.name == 'c')",
    "!('a' == object.spec)",
]


# By type: its resource, and of an object that has whatever the corpora's expressions look at all but its metadata.
CONTAINER = {
    "name": "c", "image": "nginx", "securityContext": {"capabilities": {"add": ["NET_BIND_SERVICE"]}},
    "volumeMounts": [{"name": "host", "mountPath": "/host"}, {"name": "empty", "mountPath": "/empty"}],
}  # fmt: skip
POD = {
    "containers": [CONTAINER],
    "securityContext": {"sysctls": [{"name": "net.core.somaxconn", "value": "1024"}]},
    "volumes": [{"name": "host", "hostPath": {"path": "/"}}, {"name": "empty", "emptyDir": {}}],
}
RULE = {"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["deployments"]}
BACKEND = {"service": {"name": "s", "port": {"number": 80}}}
PATHS = [{"path": "/", "pathType": "Prefix", "backend": BACKEND}]
OBJECTS = {
    "v1 Pod": ("pods", {"spec": POD}),
    "apps/v1 Deployment": (
        "deployments",
        {
            "spec": {
                "replicas": 1,
                "selector": {"matchLabels": {"app": "a"}},
                "template": {
                    "metadata": {"labels": {"app": "a"}},
                    "spec": {"containers": [{"name": "c", "image": "nginx"}]},
                },
            }
        },
    ),
    "networking.k8s.io/v1 Ingress": (
        "ingresses",
        {"spec": {"rules": [{"host": "a.example.com", "http": {"paths": PATHS}}]}},
    ),
    "networking.k8s.io/v1 NetworkPolicy": (
        "networkpolicies",
        {"spec": {"podSelector": {}, "ingress": [{"from": [{"podSelector": {}}]}]}},
    ),
    "admissionregistration.k8s.io/v1 MutatingWebhookConfiguration": (
        "mutatingwebhookconfigurations",
        {
            "webhooks": [
                {
                    "name": "a.example.com",
                    "clientConfig": {"url": "https://127.0.0.1:1/"},
                    "sideEffects": "None",
                    "rules": [RULE],
                    "admissionReviewVersions": ["v1"],
                }
            ]
        },
    ),
    "storage.example.com/v1 Backup": ("backups", {"spec": {"targets": ["a"]}}),
}
OWNER = {"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": "d9607e19-f88f-11e6-a518-42010a800195"}


def made_of(kind, case):
    """An object of this type, with the label that the policy of its name selects."""
    version, name = kind.split(" ")
    meta = {"name": case, "labels": {"case": case, "app": "a"}, "ownerReferences": [OWNER]}
    if name != "MutatingWebhookConfiguration":
        meta["namespace"] = "default"
    return {"apiVersion": version, "kind": name, "metadata": meta, **OBJECTS[kind][1]}


def deployment(case):
    return made_of("apps/v1 Deployment", case)


def policy(case, expression):
    """One that only the deployment of its name reaches."""
    return about("apps/v1 Deployment", case, {"validations": [{"expression": expression}]})


def about(kind, case, spec):
    """A policy of this spec which only the object of its name and this type reaches."""
    group, _, version = kind.split(" ")[0].rpartition("/")
    made = harness.policy(case, "true", group=group, version=version, resource=OBJECTS[kind][0], failurePolicy="Fail")
    made["spec"]["matchConstraints"]["objectSelector"] = {"matchLabels": {"case": case}}
    made["spec"].update(spec)
    return made


def alone(kind, case, spec, field, spelling=None):
    """The policy of this spec with one expression, and what that needs: it is evaluated whatever the others are."""
    place, index, _ = FIELD.fullmatch(field).groups()
    one = {**spec[place][int(index)]}
    if spelling is not None:
        one["expression"] = spelling
    variables = [one if v["name"] == one.get("name") else v for v in spec.get("variables", [])]
    expression = f"size([variables.{one['name']}]) == 1" if place == "variables" else one["expression"]
    if place == "matchConditions":
        variables = []
    return about(kind, case, {"validations": [{"expression": expression}], "variables": variables})


def alone_mutating(kind, case, spec, field, spelling):
    """As alone() is, of a MutatingAdmissionPolicy."""
    place, index, member = FIELD.fullmatch(field).groups()
    one = dict(spec[place][int(index)])
    if member is None:
        one["expression"] = spelling or one["expression"]
    else:
        one[member] = {"expression": spelling or one[member]["expression"]}
    # match conditions decide in what form mutations find the objects
    is_asked = place == "mutations" and spec.get("matchConditions")
    conditions = {"matchConditions": [{"name": "all", "expression": "true"}]} if is_asked else {}
    return mutating(kind, case, {place: [one], **conditions})


def mutating(kind, case, spec):
    harmless = {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": "Object{}"}}
    made = about(kind, case, {"mutations": [harmless], "reinvocationPolicy": "Never", **spec})
    del made["spec"]["validations"]
    return {**made, "kind": MUTATING}


def results(command, *args, text=None):
    """What it says of each object."""
    done = subprocess.run(
        [harness.KUBECTL_VAPCHECK, *command, "-o", "json", *args], input=text, capture_output=True, text=True
    )
    return json.loads(done.stdout)["results"]


class Upgrade:
    """From OLD to NEW; each of these expressions is also in a policy of its own."""

    FAILING, SPELT = [], 0  # on NEW alone; how many of them have a spelling that works on both
    MENDED = []  # those that fail on OLD alone
    WORKING = WORKING
    REFUSED, ALLOWED = [], []  # by NEW alone, by OLD alone
    DOCUMENTS = []  # of each file of GOLDENS: how many will fail, and are refused by one of the two
    LEAST_FAILING = 0  # in each corpus

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if cls.plane.version not in (cls.OLD, cls.NEW):
            cls.doClassCleanups()
            raise unittest.SkipTest(f"a server of {cls.plane.version}")
        cls.is_new = cls.plane.version == cls.NEW

    def results(self, *args, **more):
        return results(["upgrade", "--from", self.OLD, "--to", self.NEW], *args, **more)

    def changes(self, policies):
        """{policy: {("fails" or "refused", whether it is gone): its spelling or None}}, as upgrade says it."""
        listed = json.dumps({"apiVersion": "v1", "kind": "List", "items": policies})
        return {
            result["name"]: {(c["change"], c["isGone"]): c.get("spelling") for c in result["changes"]}
            for result in self.results("-f", "-", text=listed)
        }

    def answers(self, cases):
        """{case: what the API server says against creating its object}, in dry runs; of each case the type."""
        listed = {"apiVersion": "v1", "kind": "List", "items": [made_of(kind, case) for case, kind in cases.items()]}
        said = self.create(listed).split("Error from server")
        return {case: next((text for text in said if f'"{case}" is' in text), "") for case in cases}

    def create(self, made):
        """What the API server says against creating it, in a dry run."""
        return self.plane.run_kubectl("create", "--dry-run=server", "-f", "-", input=json.dumps(made)).stderr

    def evaluated(self, policies):
        """{case: what the API server says}, of policies by their case, with the type of the object for each."""
        kinds = {case: kind for case, (kind, _) in policies.items()} | {"ready": "apps/v1 Deployment"}
        self.plane.apply(
            [
                *(made for _, made in policies.values()),
                policy("ready", "false"),
                *(harness.binding(case, case) for case in kinds),
            ]
        )
        ready = {"ready": kinds["ready"]}
        harness.wait_for("the policies are active", lambda: self.answers(ready)["ready"], timeout=60)
        found = harness.wait_for("each is active", lambda: self.settled(kinds), timeout=120)
        self.assertIn("failed expression", found.pop("ready"))
        return found

    def test_evaluation(self):
        expressions = {f"e{i}": e for i, e in enumerate(self.FAILING + self.MENDED + self.WORKING)}
        said = self.changes([policy(case, e) for case, e in expressions.items()])
        failing, mended = ({c for c in said if ("fails", is_gone) in said[c]} for is_gone in (False, True))
        self.assertEqual({expressions[case] for case in failing}, set(self.FAILING))
        self.assertEqual({expressions[case] for case in mended}, set(self.MENDED))
        spelt = {"s" + c: said[c]["fails", False] for c in failing if said[c]["fails", False]}
        self.assertEqual(len(spelt), self.SPELT)

        cases = {**expressions, **spelt}
        found = self.evaluated({case: ("apps/v1 Deployment", policy(case, e)) for case, e in cases.items()})
        for case, expression in cases.items():
            with self.subTest(expression=expression):
                if case in (failing if self.is_new else mended):
                    self.assertIn("resulted in error", found[case])
                else:
                    self.assertEqual(found[case], "")

    def settled(self, cases):
        """The answers, once they stay the same for a while: an API server learns of policies one by one."""
        before = self.answers(cases)
        harness.time.sleep(2)
        return before if self.answers(cases) == before else None

    def test_refusals(self):
        for expression in self.REFUSED + self.ALLOWED:
            is_gone = expression in self.ALLOWED
            made = policy("r", expression)
            self.assertIn(("refused", is_gone), self.changes([made])["r"], expression)
            answer = self.create(made)
            self.assertEqual("is invalid" in answer, self.is_new != is_gone, answer)

    def test_also_check(self):
        """The daemon's word for it, on the older server; on the newer one there is nothing to be said."""
        listed = self.FAILING + self.MENDED + self.WORKING + ([] if self.is_new else self.REFUSED)
        expressions = {f"a{i}": e for i, e in enumerate(listed)}
        self.plane.apply([policy(case, e) for case, e in expressions.items()])
        self.controller(f"--also-check={self.NEW}")
        wanted = {
            case: ("Unknown", "NotChecked")
            if self.is_new
            else ("True", "NoChange")
            if e in self.MENDED + self.WORKING
            else ("False", "ChangesFound")
            for case, e in expressions.items()
        }

        def are_said():
            self.assertEqual(self.next_versions(), wanted)
            return True

        harness.wait_for("the conditions", are_said, timeout=60)

    def next_versions(self):
        """{policy: status and reason of its condition ValidOnNextVersion}"""
        return {
            policy["metadata"]["name"]: (c["status"], c["reason"])
            for policy in self.plane.list("validatingadmissionpolicies")
            for c in policy.get("status", {}).get("conditions", []) if c["type"] == "ValidOnNextVersion"
        }  # fmt: skip

    # What upgrade says of whole files.

    def test_documents(self):
        files = sorted(GOLDENS.glob(f"*-{self.OLD}-{self.NEW}.yaml"))
        for document in sum(map(self.documents, files), []):
            if document["metadata"]["name"] == "backups.storage.example.com":
                self.plane.apply(document)
                self.plane.kubectl("wait", "--for=condition=established", "crd", "--all")
        self.assertEqual(self.prove(files), self.DOCUMENTS)

    def test_corpora(self):
        if not CORPORA.exists():
            self.skipTest(f"no {CORPORA}")
        names = "policies", "realworld"
        for name, (fails, refused) in zip(names, self.prove([CORPORA / name for name in names])):
            print(f"\n{name}: {fails} will fail, {refused} are refused by one of the two", flush=True)
            self.assertGreaterEqual(fails, self.LEAST_FAILING)

    def documents(self, path):
        """Of this file those that the server knows the kinds of, as JSON."""
        text = self.plane.run_kubectl("create", "--dry-run=client", "--validate=false", "-o", "json", "-f", path).stdout
        found, at = [], 0
        while text[at:].strip():
            document, at = json.JSONDecoder().raw_decode(text, at + len(text[at:]) - len(text[at:].lstrip()))
            found.append(document)
        return found

    def prove(self, paths):
        """Each "will fail" and each "refused" of the files there; returns how many of each there were, by path."""
        said = [self.said(path) for path in paths]
        fails, refused = (sum((one[what] for one in said), []) for what in ("fails", "refused"))
        by_kind = {
            kind: [case for case in fails if case[0]["kind"] == kind] for kind in {made["kind"] for made, _ in fails}
        }
        policies = by_kind.pop("ValidatingAdmissionPolicy", [])
        self.prove_failing([(self.storable(made), change) for made, change in policies])
        self.prove_failing_mutations(by_kind.pop(MUTATING, []))
        for made, change in by_kind.pop("ValidatingWebhookConfiguration", []):
            self.prove_failing_webhook(made, change)
        self.assertEqual(by_kind, {})
        for made, change in refused:
            with self.subTest(name=made["metadata"]["name"], field=change["field"]):
                answer = self.create(made)
                self.assertEqual(f"{change['field']}: " in answer, self.is_new != change["isGone"], answer)
        return [(len(one["fails"]), len(one["refused"])) for one in said]

    def said(self, path):
        """{"fails" or "refused": [(object, change)]}"""
        said = {"fails": [], "refused": []}
        for result in self.results("-R", "-f", path):
            found = [change for change in result["changes"] if change["change"] in said]
            if found:
                [made] = [d for d in self.documents(result["file"])
                          if (d["kind"], d["metadata"]["name"]) == (result["kind"], result["name"])]  # fmt: skip
            for change in found:
                said[change["change"]].append((made, change))
        return said

    def prove_failing_webhook(self, made, change):
        """Its condition fails, or lets it be asked, which nobody answers."""
        kind, spelt = change["type"], change["spelling"]
        self.assertEqual(change["field"], "webhooks[0].matchConditions[0].expression")
        [hook] = made["webhooks"]
        [condition] = hook["matchConditions"]
        hooks = [
            {
                **hook,
                "clientConfig": {"url": "https://127.0.0.1:1/"},
                "objectSelector": {"matchLabels": {"case": case}},
                "matchConditions": [{**condition, "expression": expression}],
                "name": f"{case}.example.com",
            }
            for case, expression in (("w", condition["expression"]), ("v", spelt))
        ]
        self.plane.apply({**made, "webhooks": hooks})
        self.addCleanup(self.plane.delete, "validatingwebhookconfigurations", made["metadata"]["name"])
        for case, fails in (("w", self.is_new), ("v", False)):
            words = "no such overload" if fails else "failed calling webhook"
            harness.wait_for(f"{case}: {words}", lambda: self.says(words, made_of(kind, case)))

    def prove_failing_mutations(self, said):
        """What fails before the newer version is proved as well."""
        cases = {}  # {case: (type, policy, whether it fails)}
        for n, (made, change) in enumerate(said):
            kind, field = change["type"], change["field"]
            for case, spelling in ((f"m{n}", None), (f"n{n}", change.get("spelling"))):
                if case == f"m{n}" or spelling:
                    fails = spelling is None and self.is_new != change["isGone"]
                    cases[case] = kind, alone_mutating(kind, case, made["spec"], field, spelling), fails
        if not cases:
            return
        last = "apps/v1 Deployment", "last"
        broken = {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": "Object{spec: 1}"}}
        policies = [*(made for _, made, _ in cases.values()), mutating(*last, {"mutations": [broken]})]
        names = [made["metadata"]["name"] for made in policies]
        bindings = [{**harness.binding(name, name), "kind": f"{MUTATING}Binding"} for name in names]
        for made in bindings:
            del made["spec"]["validationActions"]
        self.addCleanup(self.plane.delete, "mutatingadmissionpolicies,mutatingadmissionpolicybindings", "--all")
        self.plane.apply(policies[:-1] + bindings)
        self.plane.apply(policies[-1:])  # which fails for certain: when it does, the server has seen them all
        harness.wait_for("the mutations are active", lambda: self.create(made_of(*last)), timeout=60)
        harness.time.sleep(1)
        for case, (kind, made, fails) in cases.items():
            with self.subTest(spec=made["spec"]):
                answer = self.create(made_of(kind, case))
                self.assertEqual(bool(answer), fails, answer)

    def says(self, words, made):
        answer = self.create(made)
        assert words in answer, answer
        return True

    def storable(self, policy):
        """Some that are published for other programs call what no API server has, in variables. What is proved is not
        there."""
        unknown = re.findall(r"spec.variables\[(\d+)\].expression: Invalid value", self.create(policy))
        variables = [
            {**v, "expression": "dyn([])"} if str(n) in unknown else v
            for n, v in enumerate(policy["spec"].get("variables", []))
        ]
        return {**policy, "spec": {**policy["spec"], "variables": variables}}

    def prove_failing(self, said):
        cases, failing = {}, set()
        for n, (made, change) in enumerate(said):
            kind, field, spec = change["type"], change["field"], made["spec"]
            cases[f"c{n}"] = kind, alone(kind, f"c{n}", spec, field)
            if self.is_new != change["isGone"]:
                failing.add(f"c{n}")
            if "spelling" in change:
                cases[f"s{n}"] = kind, alone(kind, f"s{n}", spec, field, change["spelling"])
        found = self.evaluated(cases)
        for case, (_, made) in cases.items():
            with self.subTest(spec=made["spec"]):
                self.assertEqual("resulted in error" in found[case], case in failing, found[case])


class From36To37Test(Upgrade, harness.Case):
    OLD, NEW = "1.36", "1.37"
    FAILING, SPELT = FAILING_SINCE_TYPED, 7  # orValue and indexes
    REFUSED = ["duration(1 + 4) < duration('1m')"]
    DOCUMENTS = [(5, 1), (0, 3), (11, 0)]
    LEAST_FAILING = 6


class From37To38Test(Upgrade, harness.Case):
    OLD, NEW = "1.37", "1.38"
    MENDED = [
        "!(double('NaN') < 1.0)",
        "!(1.0 >= double('NaN'))",
        "!(object.metadata.name < double('NaN'))",
        "dyn('').all(c, false)",
    ]
    WORKING = [*WORKING, "quantity('1').add(quantity('2')) == quantity('3')", "type(object.spec) == map"]
    REFUSED = ["type([]) != optional_type", "type({}) != type([])"]
    ALLOWED = ["[1, 2].includes(1)", "object.metadata.name.includes('x') || true"]
    DOCUMENTS = [(1, 4)]

    def test_corpora_at_create(self):
        """Of policies that nothing changes for, too: each server refuses the fields that check says it does."""
        if not CORPORA.exists():
            self.skipTest(f"no {CORPORA}")
        counts, server = collections.Counter(), self.proxy()
        said = results(["check", "--kube-version", self.plane.version], "-R", "-f", CORPORA)
        said = [result for result in said if result["kind"] == "ValidatingAdmissionPolicy"]
        documents = {
            (file, made["kind"], made["metadata"]["name"]): made
            for file in {result["file"] for result in said}
            for made in self.documents(file)
        }
        for result in said:
            made = documents.get((result["file"], result["kind"], result["name"]))
            refused = sorted({finding["field"] for finding in result["findings"] if finding["id"] == "refused"})
            if made is None:
                counts["cannot be sent"] += 1
                continue
            answer = self.post(server, made)
            with self.subTest(file=result["file"], name=result["name"]):
                self.assertEqual(bool(answer), bool(refused))
                if "causes" in answer:
                    self.assertEqual(sorted({cause["field"] for cause in answer["causes"]}), refused)
            counts["refused" if refused else "taken"] += 1
        print(f"\npolicies of the corpora: {dict(counts)}", flush=True)
        self.assertGreater(counts["taken"], 300)

    def post(self, server, made):
        """The details of what the API server says against creating a policy, in a dry run; it names no fields of a
        policy that it cannot read."""
        path = f"/apis/{made['apiVersion']}/validatingadmissionpolicies?dryRun=All&fieldValidation=Strict"
        request = urllib.request.Request(server + path, json.dumps(made).encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60):
                return {}
        except urllib.error.HTTPError as error:
            status = json.load(error)
            return {"message": status["message"], **status.get("details", {})}


harness.main()
