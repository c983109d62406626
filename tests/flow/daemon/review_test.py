#!/usr/bin/env python3
"""What is checked beside policies where a flag asks for it: told by Events, metrics and the log, never written."""

import json
import pathlib
import re
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage

WEBHOOKS, MUTATING, CRDS = "--watch-webhooks", "--watch-mutating-policies", "--watch-crds"
FACTOR = 20  # the speed of time
FOUND, CHANGED, RESOLVED = ("Warning", "WarningsFound"), ("Warning", "WarningsChanged"), ("Normal", "WarningsResolved")


def ruled(*rules, plural="widgets", kind="Widget", **more):
    """A CustomResourceDefinition with these rules for its spec."""
    spec = {"type": "object", "properties": {"size": {"type": "integer"}, **more}}
    if rules:
        spec["x-kubernetes-validations"] = [{"rule": rule} for rule in rules]
    return stage.crd(plural, kind, {"spec": spec})


# (flag, path, what an expression makes, the field that is told): one row a kind
KINDS = (
    (
        WEBHOOKS,
        stage.VALIDATING_WEBHOOKS,
        lambda e: stage.webhooks("x", e),
        "webhooks[0].matchConditions[0].expression",
    ),
    (
        WEBHOOKS,
        stage.MUTATING_WEBHOOKS,
        lambda e: stage.webhooks("x", e, kind="MutatingWebhookConfiguration"),
        "webhooks[0].matchConditions[0].expression",
    ),
    (MUTATING, stage.MUTATING_POLICIES, lambda e: stage.mutating_policy("x", e), "spec.matchConditions[0].expression"),
    (
        CRDS,
        stage.CRDS,
        lambda e: ruled(e.replace("object.spec", "self").replace("object", "self").replace("replicas", "size")),
        "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule",
    ),
)


class ReviewCase(stage.Case):
    def beside(self, *flags, create=()):
        """The server, a proxy that takes Events, and a daemon with these flags."""
        server = self.server()
        for path, each in create:
            server.create(each, path)
        proxy = self.proxy(server.port)
        events = proxy.faults[stage.Events.PATH] = stage.Events()
        return server, proxy, events, self.controller(self.kubeconfig(proxy.url), *flags)

    def told(self, events, name, *wanted):
        stage.wait_for(f"Events of {name}: {wanted}", lambda: events.told(name) == list(wanted))

    def checks(self, process, **labels):
        """Counts the checks with these labels."""
        found = stage.Metrics(process).read()
        return sum(
            v
            for k, v in found.items()
            if k.startswith("vapcheck_object_checks_total") and all(f'{a}="{b}"' in k for a, b in labels.items())
        )

    def rested(self, process):
        def checks():
            return self.checks(process)

        stage.wait_for("a check", checks)
        before = -1
        while before != (now := checks()):
            before = now
            time.sleep(1)


class TransitionsTest(ReviewCase):
    def test_appear_change_vanish(self):
        for flag, path, made, field in KINDS:
            with self.subTest(path):
                server, proxy, events, process = self.beside(flag, create=[(path, made("object.spec.replicas > 1"))])
                kind, name = made("")["kind"], made("")["metadata"]["name"]
                stage.wait_for("its check", lambda: self.checks(process, kind=kind, trigger="object") == 1)
                for expression, news in (
                    ("object.nope > 1", FOUND),
                    ("object.nada > 1", CHANGED),
                    ("object.spec.replicas > 2", RESOLVED),
                ):
                    server.replace(made(expression), path)
                    stage.wait_for(str(news), lambda: events.told(name)[-1:] == [news])
                self.assertEqual(events.told(name), [FOUND, CHANGED, RESOLVED])
                event = events.events[0]
                self.assertEqual(event["regarding"]["kind"], kind)
                self.assertEqual(event["regarding"]["apiVersion"], made("")["apiVersion"])
                self.assertEqual(event["regarding"]["uid"], server.get(name, path)["metadata"]["uid"])
                self.assertIn(f": {field}", event["note"])
                self.assertIn("undefined field 'nope'", event["note"])
                self.assertTrue(process.says(f"{path.rsplit('/', 1)[1]}/{name}] WarningsFound: "), process.log())
                # a server takes an expression once more: that is older news, told again
                server.replace(made("object.nope > 1"), path)
                self.told(events, name, FOUND, CHANGED, RESOLVED, FOUND)
                self.assertEqual(
                    stage.Metrics(process).read()[f'vapcheck_object_warnings{{kind="{kind}",name="{name}"}}'], 1
                )
                status, _ = server.request("DELETE", f"{path}/{name}")
                self.assertEqual(status, 200)
                gone = lambda: sum(
                    v
                    for k, v in stage.Metrics(process).read().items()
                    if k.startswith(f'vapcheck_objects{{kind="{kind}"')
                )
                stage.wait_for("it is forgotten", lambda: gone() == 0)
                self.assertEqual([r for r in proxy.requests if r.startswith(("PATCH", "PUT"))], [])
                process.stop()

    def test_it_is_what_the_program_for_files_says(self):
        """Word for word, and as many."""
        flags = (WEBHOOKS, MUTATING, CRDS)
        objects = [
            (path, made(e))
            for _, path, made, _ in KINDS
            for e in ("object.nope > 1 && object.nada == object.spec.replicas",)
        ]
        server, _, events, process = self.beside(*flags, create=objects)
        stage.wait_for("their events", lambda: len(events.events) == len(objects))
        told, found = {}, {}
        for event in events.events:
            identifiers, message = re.fullmatch(r"\[(.*?)\] (.*)", event["note"]).groups()
            told[event["regarding"]["kind"], event["regarding"]["name"]] = message
            found[event["regarding"]["kind"]] = identifiers
        files = [self.file(f"{i}.json", json.dumps(made)) for i, (_, made) in enumerate(objects)]
        argv = [stage.BIN / "kubectl-vapcheck", "check", "--schemas", stage.SCHEMAS, "-o", "json"]
        done = subprocess.run([*argv, *(a for f in files for a in ("-f", f))], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        offline = {}
        for (_, made), result in zip(objects, json.loads(done.stdout)["results"]):
            valid = next(c for c in result["conditions"] if c["type"] in ("ExpressionsValid", "RulesValid"))
            offline[made["kind"], made["metadata"]["name"]] = valid["message"]
            self.assertIn(found[made["kind"]], [f["id"] for f in result["findings"]])
        self.assertEqual(told, offline)

    def test_a_restart_tells_nothing_again(self):
        create = [(path, made("object.nope > 1")) for _, path, made, _ in KINDS]
        flags = (WEBHOOKS, MUTATING, CRDS)
        server, proxy, events, first = self.beside(*flags, create=create)
        stage.wait_for("their events", lambda: len(events.events) == 4)
        first.stop()
        second = self.controller(self.kubeconfig(proxy.url), *flags)
        stage.wait_for(
            "it would have told", lambda: stage.Metrics(second).read()['vapcheck_events_total{result="known"}'] == 4
        )
        self.assertEqual(len(events.events), 4)
        # but of what came to be meanwhile
        second.stop()
        server.replace(stage.webhooks("x", "object.other > 1"), stage.VALIDATING_WEBHOOKS)
        self.controller(self.kubeconfig(proxy.url), *flags)
        stage.wait_for("the news", lambda: len(events.events) == 5)

    def test_left_alone(self):
        skipped = stage.webhooks("skipped", "object.nope > 1")
        skipped["metadata"]["annotations"] = {"vapcheck/skip": "true"}
        definition = ruled("self.nope > 1")
        definition["metadata"]["annotations"] = {"vapcheck/skip": "true"}
        other = stage.mutating_policy("other", "object.nope > 1")
        other["metadata"]["labels"] = {"team": "b"}
        _, _, events, process = self.beside(
            WEBHOOKS,
            MUTATING,
            CRDS,
            "--policy-selector=team!=b",
            create=[
                (stage.VALIDATING_WEBHOOKS, skipped),
                (stage.MUTATING_POLICIES, other),
                (stage.CRDS, definition),
                (stage.VALIDATING_WEBHOOKS, stage.webhooks("seen", "object.nope > 1")),
            ],
        )
        self.told(events, "seen", FOUND)
        for kind in ("ValidatingWebhookConfiguration", "MutatingAdmissionPolicy", "CustomResourceDefinition"):
            line = f'vapcheck_objects{{kind="{kind}",result="skipped"}}'
            stage.wait_for("it is skipped", lambda: stage.Metrics(process).read()[line] == 1)
        self.assertEqual(len(events.events), 1)


class DependenceTest(ReviewCase):
    def test_a_schema_changes(self):
        """Its dependents are checked again, and nobody else."""

        def about_widgets(made):
            rules = (
                made["webhooks"][0]["rules"]
                if "webhooks" in made
                else made["spec"]["matchConstraints"]["resourceRules"]
            )
            rules[0].update(apiGroups=["shop.example.com"], resources=["widgets"])
            return made

        path, typed = stage.VALIDATING_WEBHOOKS, about_widgets(stage.webhooks("typed", "object.spec.size > 1"))
        policy = about_widgets(stage.mutating_policy("mutating", "object.spec.size > 1"))
        server, _, events, process = self.beside(
            WEBHOOKS,
            MUTATING,
            CRDS,
            create=[
                (stage.CRDS, ruled()),
                (path, typed),
                (stage.MUTATING_POLICIES, policy),
                (path, stage.webhooks("other", "object.spec.replicas > 1")),
            ],
        )
        self.rested(process)
        before = self.checks(process, kind="ValidatingWebhookConfiguration")
        server.replace(
            stage.crd("widgets", "Widget", {"spec": {"type": "object", "properties": {"extent": {"type": "integer"}}}}),
            stage.CRDS,
        )
        self.told(events, "typed", FOUND)
        self.told(events, "mutating", FOUND)
        self.assertIn("undefined field 'size'", events.events[0]["note"])
        server.replace(ruled(), stage.CRDS)
        self.told(events, "typed", FOUND, RESOLVED)
        self.told(events, "mutating", FOUND, RESOLVED)
        self.assertEqual(events.told("other"), [])
        again = self.checks(process, kind="ValidatingWebhookConfiguration") - before
        self.assertEqual(
            again,
            self.checks(process, kind="ValidatingWebhookConfiguration", trigger="schema")
            + self.checks(process, kind="ValidatingWebhookConfiguration", trigger="resources"),
        )
        self.assertLessEqual(again, 4)

    def test_the_server_is_upgraded(self):
        """What an old one lacks is a warning; a new one has it: all are checked again, definitions are read again."""
        server = self.server()
        server.create(stage.webhooks("hook", "semver('1.2.3').major() == 1"), stage.VALIDATING_WEBHOOKS)
        server.create(ruled("semver('1.2.3').major() == self.size"), stage.CRDS)
        proxy = self.proxy(server.port)
        events = proxy.faults[stage.Events.PATH] = stage.Events()
        _, version = server.request("GET", "/version")
        proxy.faults["/version"] = stage.reply(
            200, json.dumps({**version, "minor": "32", "gitVersion": "v1.32.0"}).encode()
        )
        process = self.controller(self.kubeconfig(proxy.url), WEBHOOKS, CRDS, factor=FACTOR)
        for name in ("hook", "widgets.shop.example.com"):
            self.told(events, name, FOUND)
            self.assertIn(
                "undeclared reference to 'semver'",
                next(e for e in events.events if e["regarding"]["name"] == name)["note"],
            )
        before = proxy.count(f"GET {stage.CRDS}/")
        del proxy.faults["/version"]
        for name in ("hook", "widgets.shop.example.com"):
            self.told(events, name, FOUND, RESOLVED)
        self.assertEqual(self.checks(process, trigger="version"), 2)
        self.assertEqual(proxy.count(f"GET {stage.CRDS}/"), before + 1)

    def test_what_a_stored_definition_has(self):
        """Cost over budget, and what is no rule's business."""
        items = {"type": "array", "items": {"type": "string"}}
        _, _, events, process = self.beside(
            CRDS,
            create=[
                (
                    stage.CRDS,
                    ruled(
                        "self.names.all(a, self.names.all(b, self.names.all(c, a + b != c)))",
                        plural="dears",
                        kind="Dear",
                        names=items,
                    ),
                ),
                (stage.CRDS, ruled(plural="plains", kind="Plain")),
                (stage.CRDS, ruled("self.size > 1", plural="rights", kind="Right")),
            ],
        )
        self.told(events, "dears.shop.example.com", FOUND)
        self.assertIn("estimated rule cost exceeds budget", events.events[0]["note"])
        line = 'vapcheck_objects{kind="CustomResourceDefinition",result="valid"}'
        stage.wait_for("the others", lambda: stage.Metrics(process).read()[line] == 2)
        self.assertEqual(len(events.events), 1)


class RightsTest(ReviewCase):
    RESOURCES = (stage.VALIDATING_WEBHOOKS, stage.MUTATING_WEBHOOKS, stage.MUTATING_POLICIES)

    def test_without_flags(self):
        """Not one request more, and not one metric but those of bindings."""
        server, proxy, events, process = self.beside(
            create=[(path, made("object.nope > 1")) for _, path, made, _ in KINDS]
        )
        server.create(stage.policy("p", "object.nope > 1"))
        self.told(events, "p", FOUND)
        for path in self.RESOURCES:
            self.assertEqual([r for r in proxy.requests if path in r], [])
        self.assertEqual([r for r in proxy.requests if stage.CRDS + "/" in r], [])
        metrics = stage.Metrics(process)
        self.assertNotRegex(metrics.text(), "vapcheck_kind_readable{|webhookconfigurations|mutating")
        kinds = {m for line in metrics.read() for m in re.findall('kind="([^"]+)"', line)}
        self.assertEqual(kinds, {"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"})
        self.assertEqual({e["regarding"]["kind"] for e in events.events}, {"ValidatingAdmissionPolicy"})
        self.assertEqual(stage.ask(process, "/readyz/kinds")[0], 404)

    def test_each_flag_asks_for_its_own(self):
        for flag, wanted in ((WEBHOOKS, self.RESOURCES[:2]), (MUTATING, self.RESOURCES[2:]), (CRDS, ())):
            with self.subTest(flag):
                server, proxy, _, process = self.beside(flag, create=[(stage.CRDS, ruled("self.size > 1"))])
                stage.wait_for("readiness", lambda: stage.ask(process, "/readyz")[0] == 200)
                asked = {path for path in self.RESOURCES if any(path in r for r in proxy.requests)}
                self.assertEqual(asked, set(wanted))
                reads = lambda: [r for r in proxy.requests if r.startswith(f"GET {stage.CRDS}/")]
                if flag == CRDS:
                    stage.wait_for("the definition is read", reads)
                self.assertEqual(bool(reads()), flag == CRDS)
                process.stop()

    def test_rights_are_missing(self):
        """Said, counted, not ready; policies go on; given later, they count."""
        rows = (
            (
                WEBHOOKS,
                stage.MUTATING_WEBHOOKS,
                "MutatingWebhookConfiguration",
                stage.webhooks("x", "object.nope > 1", kind="MutatingWebhookConfiguration"),
                "the account needs the rights to get, list and watch",
            ),
            (
                MUTATING,
                stage.MUTATING_POLICIES,
                "MutatingAdmissionPolicy",
                stage.mutating_policy("x", "object.nope > 1"),
                "the account needs the rights to get, list and watch",
            ),
            (CRDS, stage.CRDS + "/", "CustomResourceDefinition", ruled("self.nope > 1"), "may not be read"),
        )
        for flag, path, kind, made, said in rows:
            with self.subTest(flag):
                server = self.server()
                server.create(made, path.rstrip("/"))
                server.create(stage.policy("p", "object.nope > 1"))
                proxy = self.proxy(server.port)
                events = proxy.faults[stage.Events.PATH] = stage.Events()
                proxy.faults[path] = stage.status(403, "we say no")
                process = self.controller(self.kubeconfig(proxy.url), flag, factor=FACTOR)
                self.assertIn("undefined field 'nope'", server.warnings("p")["spec.validations[0].expression"])
                stage.wait_for("it says so", lambda: process.says(said))
                stage.wait_for("it is not ready", lambda: stage.ask(process, "/readyz/kinds")[0] == 500)
                self.assertIn(f", for {flag}: ", stage.ask(process, "/readyz/kinds")[1])
                line = f'vapcheck_kind_readable{{kind="{kind}"}}'
                self.assertEqual(stage.Metrics(process).read()[line], 0)
                self.assertEqual(events.told(made["metadata"]["name"]), [])
                self.assertEqual(len(re.findall(re.escape(said), process.log())), 1)
                del proxy.faults[path]
                self.told(events, made["metadata"]["name"], FOUND)
                stage.wait_for("it is counted", lambda: stage.Metrics(process).read()[line] == 1)
                stage.wait_for("readiness", lambda: stage.ask(process, "/readyz")[0] == 200)
                process.stop()


class TroubleTest(ReviewCase):
    def test_a_definition_that_cannot_be_read(self):
        """Whatever the answer, it is read again, and nothing else waits for it."""
        for name, fault in (
            ("500", stage.status(500, "no")),
            ("malformed", stage.reply(200, b'{"metadata":')),
            ("cut short", stage.reply(200, b"{}", length=100)),
            ("not found", stage.status(404, "no")),
        ):
            with self.subTest(name):
                server = self.server()
                server.create(ruled("self.nope > 1"), stage.CRDS)
                server.create(ruled("self.nope > 1", plural="others", kind="Other"), stage.CRDS)
                server.create(stage.policy("p", "object.nope > 1"))
                proxy = self.proxy(server.port)
                events = proxy.faults[stage.Events.PATH] = stage.Events()
                path = f"{stage.CRDS}/widgets.shop.example.com"
                proxy.faults[path] = fault
                process = self.controller(self.kubeconfig(proxy.url), CRDS)
                self.told(events, "others.shop.example.com", FOUND)
                self.told(events, "p", FOUND)
                stage.wait_for("it is asked for", lambda: proxy.count(f"GET {path}") > 0)
                self.assertEqual(events.told("widgets.shop.example.com"), [])
                self.assert_quiet(process, proxy, seconds=1)
                del proxy.faults[path]
                if name == "not found":  # gone, until something is heard of it
                    server.replace(ruled("self.nope > 2"), stage.CRDS)
                self.told(events, "widgets.shop.example.com", FOUND)
                process.stop()

    def test_the_next_leader_tells_nothing_again(self):
        """Nor does a standby."""
        server = self.server()
        server.create(stage.webhooks("x", "object.nope > 1"), stage.VALIDATING_WEBHOOKS)
        proxy = self.proxy(server.port)
        events = proxy.faults[stage.Events.PATH] = stage.Events()
        proxy.faults[stage.Leases.PATH] = stage.Leases()
        flags = (WEBHOOKS, "--leader-elect", "--leader-elect-resource-namespace=default")
        first = self.controller(self.kubeconfig(proxy.url), *flags)
        self.told(events, "x", FOUND)
        second = self.controller(self.kubeconfig(proxy.url), *flags)
        stage.wait_for("it is ready", lambda: stage.ask(second, "/readyz")[0] == 200)
        server.replace(stage.webhooks("x", "object.nada > 1"), stage.VALIDATING_WEBHOOKS)
        self.told(events, "x", FOUND, CHANGED)
        self.assertEqual(self.checks(second), 0)
        first.stop()
        stage.wait_for(
            "it would tell", lambda: stage.Metrics(second).read()['vapcheck_events_total{result="known"}'] == 1
        )
        self.told(events, "x", FOUND, CHANGED)


class Discovery:
    """A fault: discovery with MutatingAdmissionPolicies in these versions alone; paths of others are gone."""

    def __init__(self, server):
        _, self.apis = server.request(
            "GET", "/apis", Accept="application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
        )
        self.versions, self.server = [], server

    def __call__(self, handler):
        apis = json.loads(json.dumps(self.apis))
        group = next(g for g in apis["items"] if g["metadata"]["name"] == "admissionregistration.k8s.io")
        v1 = next(v for v in group["versions"] if v["version"] == "v1")
        mutating = [r for r in v1["resources"] if r["resource"] == "mutatingadmissionpolicies"]
        assert mutating, v1
        v1["resources"] = [r for r in v1["resources"] if r not in mutating]
        group["versions"] = [v for v in group["versions"] if v["version"] == "v1"]
        for version in self.versions:
            if version == "v1":
                v1["resources"] += mutating
            else:
                group["versions"].append({"version": version, "freshness": "Current", "resources": mutating})
        stage.reply(200, json.dumps(apis).encode())(handler)


class ServedTest(ReviewCase):
    def test_a_kind_that_comes_and_goes(self):
        """Not served: said once. Then v1beta1, then v1, then not any more."""
        server = self.server()
        server.create(stage.mutating_policy("x", "object.nope > 1"), stage.MUTATING_POLICIES)
        server.create(stage.policy("p", "true"))
        proxy = self.proxy(server.port)
        events = proxy.faults[stage.Events.PATH] = stage.Events()
        beta = stage.MUTATING_POLICIES.replace("/v1/", "/v1beta1/")
        discovery = Discovery(server)

        def answer_apis(handler):
            (discovery if handler.path == "/apis" else proxy.forward)(handler)

        def answer_beta(handler):
            handler.path = handler.path.replace("/v1beta1/", "/v1/")
            proxy.forward(handler)

        proxy.faults[beta] = answer_beta
        proxy.faults["/apis"] = answer_apis
        process = self.controller(self.kubeconfig(proxy.url), MUTATING)
        server.settled("p")
        stage.wait_for("it says so", lambda: process.says("the server does not serve mutatingadmissionpolicies"))
        self.assertEqual(stage.ask(process, "/readyz")[0], 200)
        self.assertEqual([r for r in proxy.requests if "mutatingadmissionpolicies" in r], [])

        def serve(*versions):
            """The API server's upgrade; a definition of the group makes it noticed at once."""
            discovery.versions = versions
            version = "v9" if discovery.versions else "v8"
            name = f"{version}.admissionregistration.k8s.io"
            path = "/apis/apiregistration.k8s.io/v1/apiservices"
            api = {
                "apiVersion": "apiregistration.k8s.io/v1",
                "kind": "APIService",
                "metadata": {"name": name},
                "spec": {"group": "admissionregistration.k8s.io", "version": version, "n": len(proxy.requests)},
            }
            if server.request("GET", f"{path}/{name}")[0] == 200:
                server.replace(api, path)
            else:
                server.create(api, path)

        serve("v1beta1")
        self.told(events, "x", FOUND)
        self.assertEqual(events.events[0]["regarding"]["apiVersion"], "admissionregistration.k8s.io/v1beta1")
        serve("v1", "v1beta1")
        stage.wait_for("v1", lambda: process.says("the server serves mutatingadmissionpolicies v1 now"))
        stage.wait_for(
            "its list",
            lambda: (
                stage.Metrics(process).read()['vapcheck_objects{kind="MutatingAdmissionPolicy",result="warnings"}'] == 1
            ),
        )
        serve()
        stage.wait_for(
            "it is gone",
            lambda: (
                stage.Metrics(process).read()['vapcheck_objects{kind="MutatingAdmissionPolicy",result="warnings"}'] == 0
            ),
        )
        self.assertEqual(process.log().count("the server does not serve"), 2)
        self.assertEqual(events.told("x"), [FOUND])  # it is still known by its words


stage.main()
