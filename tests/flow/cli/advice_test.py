#!/usr/bin/env python3
"""kubectl-vapcheck check --select advice: what is no mistake for certain, and hardly meant."""

import json
import pathlib
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import offline

LIMIT = (
    "there may be more of this advice: the search for requests that make the expressions fail was not "
    "finished, since it takes too much work"
)
DEFINITION = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: widgets.example.com}}
spec:
  group: example.com
  scope: Namespaced
  names: {{plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [kind, b]
            x-kubernetes-validations:
{}            properties:
              kind: {{type: string}}
              a: {{type: integer}}
              b: {{type: integer}}
              c: {{type: integer, default: 1}}
              d: {{type: boolean, default: false}}
              s: {{type: string}}
              list: {{type: array, maxItems: 9, items: {{type: object, properties: {{size: {{type: integer}}}}}}}}
"""
FIRST_RULE = 20
MUTATION = """apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {{name: p}}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE]}}
  mutations:
  - patchType: JSONPatch
    jsonPatch: {{expression: {}}}
"""
LINE = len(offline.HEAD.splitlines()) + 1


def policy(*validations, variables=(), head=offline.HEAD):
    lines = [head]
    if variables:
        lines += ["  variables:\n", *(f'  - {{name: v{i}, expression: "{v}"}}\n' for i, v in enumerate(variables))]
    return "".join([*lines, "  validations:\n", *(f'  - expression: "{v}"\n' for v in validations)])


class AdviceTest(offline.Case):
    def advice(self, text, *args, status=0):
        """(identifier, line, message) of each advice."""
        self.write("p.yaml", text)
        found = self.read("p.yaml", "--select=default,advice", *args, status=status)["results"][0]["findings"]
        return [(f["id"], f["line"], f["message"]) for f in found if f["severity"] == "advice"]

    def test_it_is_reported_unless_left_out(self):
        self.write("p.yaml", policy("true", variables=["1"]))
        answer = self.read("p.yaml", "--select=default")
        self.assertEqual((answer["results"][0]["findings"], answer.get("suppressed")), ([], None))
        for flags in ([], ["--select=advice"], ["--select=unused-variable"], ["--select=default,advice"]):
            answer = self.read("p.yaml", *flags)
            self.assertEqual([f["id"] for f in answer["results"][0]["findings"]], ["unused-variable"])
        self.assertEqual(self.read("p.yaml", "--select=undefined-field")["results"][0]["findings"], [])
        self.write(".vapcheck.yaml", "select: [default]\n")
        self.assertEqual(self.read("p.yaml")["results"][0]["findings"], [])

    def test_it_is_in_no_baseline(self):
        self.write("p.yaml", policy("object.spec.paused == true"))
        self.check("p.yaml", "--write-baseline=b.json")
        answer = self.read("p.yaml", "--baseline=b.json")
        self.assertEqual([f["id"] for f in answer["results"][0]["findings"]], ["optional-field"])

    def test_places(self):
        self.write("p.yaml", policy("variables.v1", variables=["1", "true"]))
        _, out, _ = self.check("p.yaml", "--select=advice")
        first, place, *_ = out.splitlines()
        self.assertEqual(first, "advice[unused-variable]: no expression uses the variable 'v0'")
        self.assertEqual(place, f"  --> p.yaml:{LINE + 1}:29   policy p, spec.variables[0].expression")

    def test_each(self):
        self.assertEqual(
            self.advice(policy("variables.v1", variables=["1", "true"])),
            [("unused-variable", LINE + 1, "no expression uses the variable 'v0'")],
        )
        self.assertEqual(self.advice(policy("variables.v0 > 0", variables=["1"])), [])

    def fields(self, *validations, variables=()):
        """The names of the fields that advice says may be missing."""
        found = self.advice(policy(*validations, variables=variables))
        return [message.split("'")[1] for identifier, _, message in found if identifier == "optional-field"]

    def test_optional_fields(self):
        spec = "object.spec.template.spec"
        self.assertEqual(
            self.fields(f"{spec}.containers.all(c, c.securityContext.privileged == false)"),
            ["securityContext"],
        )
        self.assertEqual(self.fields(f"{spec}.hostNetwork == false"), ["hostNetwork"])
        self.assertEqual(self.fields("object.metadata.labels['a'] == 'x'"), ["labels"])
        self.assertEqual(self.fields("size(variables.v0) < 3", variables=[f"{spec}.volumes"]), ["volumes"])

    def test_a_request_and_a_corrected_expression(self):
        for expression, corrected in (
            ("object.spec.paused == true", "has(object.spec.paused) && object.spec.paused == true"),
            (
                "object.metadata.labels['a'] == 'x'",
                "has(object.metadata.labels) && has(object.metadata.labels.a) && object.metadata.labels['a'] == 'x'",
            ),
            (
                "object.metadata.name == 'x' || object.metadata.labels['a/b'] != 'x'",
                "object.metadata.name == 'x' || (!(has(object.metadata.labels) && 'a/b' in object.metadata.labels) || "
                "object.metadata.labels['a/b'] != 'x')",
            ),
            (
                "object.spec.template.spec.containers.all(c, c.securityContext.privileged == false)",
                "object.spec.template.spec.containers.all(c, (!(has(c.securityContext) && "
                "has(c.securityContext.privileged)) || c.securityContext.privileged == false))",
            ),
            (
                "object.spec.template.spec.nodeName != ''",
                "has(object.spec.template.spec.nodeName) && object.spec.template.spec.nodeName != ''",
            ),
            (
                "size(object.metadata.labels) < 3",
                "!has(object.metadata.labels) || size(object.metadata.labels) < 3",
            ),
            (
                "size(object.metadata.labels) > 0",
                "has(object.metadata.labels) && size(object.metadata.labels) > 0",
            ),
            (
                "object.spec.paused == object.spec.template.spec.hostNetwork",
                "has(object.spec.paused) == has(object.spec.template.spec.hostNetwork) && "
                "(!has(object.spec.paused) || object.spec.paused == object.spec.template.spec.hostNetwork)",
            ),
            (
                "object.spec.paused != object.spec.template.spec.hostNetwork",
                "has(object.spec.paused) != has(object.spec.template.spec.hostNetwork) || "
                "(has(object.spec.paused) && object.spec.paused != object.spec.template.spec.hostNetwork)",
            ),
            (
                "object.metadata.ownerReferences.all(o, o.kind != 'x')",
                "!has(object.metadata.ownerReferences) || object.metadata.ownerReferences.all(o, o.kind != 'x')",
            ),
        ):
            with self.subTest(expression):
                self.write("p.yaml", policy(expression))
                found = self.read("p.yaml")["results"][0]["findings"][0]
                self.assertEqual(found["hint"], f'write "{corrected}"')
                self.assertIn("\nfor example: CREATE of apps/v1 deployments, object {", found["message"])
                self.assertEqual(self.fields(corrected), [])

    def test_every_root(self):
        updated = offline.HEAD.replace("[CREATE]", "[UPDATE]")
        found = self.advice(policy("oldObject.spec.paused == true", head=updated))
        self.assertEqual([message.split("'")[1] for _, _, message in found], ["paused"])
        self.assertEqual(self.fields("request.userInfo.extra['a'] == ['b']"), ["extra"])
        self.assertEqual(self.fields("namespaceObject.metadata.labels['a'] == 'b'"), ["a"])
        self.assertEqual(self.fields("variables.v0.paused == true", variables=["object.spec"]), ["paused"])
        with_params = offline.HEAD.replace("spec:\n", "spec:\n  paramKind: {apiVersion: v1, kind: ConfigMap}\n", 1)
        found = self.advice(policy("params.data.max == 'a'", head=with_params))
        self.assertEqual([message.split("'")[1] for _, _, message in found], ["data"])
        self.assertIn(', params {"apiVersion":"v1","kind":"ConfigMap"', found[0][2])

    def test_two_operands_that_read_one_field(self):
        spec = "object.spec.template.spec"
        self.assertEqual(self.fields(f"{spec}.nodeName != 'a' && {spec}.nodeName != 'b'"), ["nodeName"])
        self.assertEqual(self.fields(f"{spec}.nodeName != null && {spec}.nodeName != 'b'"), ["nodeName"])

    def test_integers_or_strings(self):
        head = offline.HEAD.replace("apps", "policy").replace("deployments", "poddisruptionbudgets")
        some = "object.spec.maxUnavailable"
        for expression, corrected, value in (
            (f"{some}.endsWith('%')", f"string({some}).endsWith('%')", "1"),
            (f"quantity({some}).isLessThan(quantity('3'))", f"quantity(string({some})).isLessThan(quantity('3'))", "1"),
            (f"int({some}) < 3", f"type({some}) == int && int({some}) < 3", '"25%"'),
            (f"{some} > 0", f"type({some}) == int && {some} > 0", '"25%"'),
            (f"!({some} > 0)", f"type({some}) != int || !({some} > 0)", '"25%"'),
        ):
            with self.subTest(expression):
                self.write("p.yaml", policy(f"!has({some}) || " + expression, head=head))
                [found] = self.read("p.yaml")["results"][0]["findings"]
                self.assertEqual(found["id"], "int-or-string")
                self.assertIn(f'"maxUnavailable":{value}', found["message"])
                bracketed = f"({corrected})" if "type(" in corrected else corrected
                self.assertEqual(found["hint"], f'write "!has({some}) || {bracketed}"')
                self.assertEqual(self.advice(policy(f"!has({some}) || {bracketed}", head=head)), [])
        optional = "object.spec.?maxUnavailable.orValue(1)"
        for expression, corrected in (
            (f"int({optional}) > 0", f"type({optional}) == int && int({optional}) > 0"),
            (f"{optional} > 0", f"type({optional}) == int && {optional} > 0"),
            ("object.?spec.maxUnavailable.orValue('1').endsWith('%')",
             "string(object.?spec.maxUnavailable.orValue('1')).endsWith('%')"),
        ):  # fmt: skip
            self.write("p.yaml", policy(expression, head=head))
            [found] = self.read("p.yaml")["results"][0]["findings"]
            self.assertEqual((found["id"], found["hint"]), ("int-or-string", f'write "{corrected}"'))
            self.assertEqual(self.advice(policy(corrected, head=head)), [])
        for expression in (
            f"{some} == 1",
            f"{optional} == 1",
            f"type({some}) == int && {optional} > 0",
            "object.spec.?minAvailable.hasValue()",
            f"string({some}).endsWith('%')",
            f"type({some}) == string ? {some}.endsWith('%') : {some} > 0",
        ):
            self.assertEqual(self.advice(policy(f"!has({some}) || {expression}", head=head)), [], expression)
        head = offline.HEAD.replace("[apps]", "['']").replace("deployments", "services")
        ports = "!has(object.spec.ports) || object.spec.ports.all(p, p.targetPort > 9)"
        [(name, _, message)] = self.advice(policy(ports, head=head))
        self.assertEqual(name, "int-or-string")
        self.assertIn('"targetPort":"http"', message)
        head = head.replace("services", "pods")
        for use in ("port > 80", "port.matches('^[a-z]+$')"):
            probe = "!has(c.livenessProbe) || !has(c.livenessProbe.httpGet) || c.livenessProbe.httpGet." + use
            [(name, _, message)] = self.advice(policy(f"object.spec.containers.all(c, {probe})", head=head))
            self.assertEqual(name, "int-or-string")

    def test_order_of_quantities(self):
        head = offline.HEAD.replace("[apps]", "['']").replace("deployments", "persistentvolumeclaims")
        size = "object.spec.resources.requests['storage']"
        optional = "object.spec.resources.?requests[?'storage'].orValue('0')"
        for expression, corrected in (
            (f"{size} <= '10Gi'", f"quantity({size}).compareTo(quantity('10Gi')) <= 0"),
            (f"'10Gi' > {size}", f"quantity('10Gi').compareTo(quantity({size})) > 0"),
            (f"!({optional} < {size})", f"!(quantity({optional}).compareTo(quantity({size})) < 0)"),
        ):
            with self.subTest(expression):
                self.write("p.yaml", policy(expression, head=head))
                [found] = [f for f in self.read("p.yaml")["results"][0]["findings"] if f["id"] != "optional-field"]
                self.assertEqual((found["id"], found["hint"]), ("quantity-order", f'write "{corrected}"'))
                self.assertNotIn("quantity-order", [name for name, _, _ in self.advice(policy(corrected, head=head))])
        for expression in (f"{size} > '0'", f"{size} == '10Gi'", "object.metadata.name < '10'"):
            self.assertNotIn("quantity-order", [name for name, _, _ in self.advice(policy(expression, head=head))])

    def test_parents_of_patches(self):
        labels, escaped, pod = "/metadata/labels", "/spec/template/metadata/annotations", "/spec/template/spec"
        add = '[JSONPatch{op: "add", path: "%s", value: "b"}]'
        made = '(has(object%s) ? [] : [JSONPatch{op: "add", path: "%s", value: {}}]) + (%s)'
        for expression, hint in (
            (add % (labels + "/a"), made % (".metadata.labels", labels, add % (labels + "/a"))),
            (
                f'[JSONPatch{{op: "add", path: "{escaped}/" + jsonpatch.escapeKey("a/b"), value: "b"}}]',
                made % (escaped.replace("/", "."), escaped,
                        f'[JSONPatch{{op: "add", path: "{escaped}/" + jsonpatch.escapeKey("a/b"), value: "b"}}]'),
            ),
            (
                '[JSONPatch{op: "remove", path: "/spec/paused"}]',
                'has(object.spec.paused) ? ([JSONPatch{op: "remove", path: "/spec/paused"}]) : []',
            ),
            (
                add % f"{pod}/containers/0/securityContext/procMount",
                made % (".spec.template.spec.containers[0].securityContext", f"{pod}/containers/0/securityContext",
                        add % f"{pod}/containers/0/securityContext/procMount"),
            ),
            (
                add % f"{pod}/volumes/0/name",
                f"has(object.spec.template.spec.volumes) && size(object.spec.template.spec.volumes) > 0 ? "
                f"({add % f'{pod}/volumes/0/name'}) : []",
            ),
        ):  # fmt: skip
            with self.subTest(expression):
                self.write("p.yaml", MUTATION.format(json.dumps(expression)))
                [found] = self.read("p.yaml")["results"][0]["findings"]
                self.assertEqual((found["id"], found["hint"]), ("optional-field", f'write "{hint}"'))
                self.assertIn("\nfor example: CREATE of apps/v1 deployments, object {", found["message"])
                self.assertEqual(self.advice(MUTATION.format(json.dumps(hint))), [])
        for expression in (
            '[JSONPatch{op: "add", path: "/metadata/labels", value: {}}]',
            '[JSONPatch{op: "add", path: "/spec/replicas", value: 1}]',
            add % f"{pod}/containers/0/image",
            add % f"{pod}/containers/0/name",
            '[JSONPatch{op: "replace", path: "/spec/replicas", value: 1}]',
            "has(object.metadata.labels) ? " + add % (labels + "/a") + " : []",
        ):
            self.assertEqual(self.advice(MUTATION.format(json.dumps(expression))), [], expression)

    def test_rules_of_definitions(self):
        for index, (rule, name, hint) in enumerate(
            (
                ("self.a > 1", "a", "!has(self.a) || self.a > 1"),
                ("self.kind != 'x' || self.a > 1", "a", "self.kind != 'x' || (!has(self.a) || self.a > 1)"),
                ("self.kind == 'x' ? self.a > 1 : true", "a", "self.kind == 'x' ? (!has(self.a) || self.a > 1) : true"),
                ("self.a > 1 ? self.kind == 'x' : true", "a", "(has(self.a) && self.a > 1) ? self.kind == 'x' : true"),
                ("self.list.all(i, i.size > 1)", "list",
                 "!has(self.list) || self.list.all(i, (!has(i.size) || i.size > 1))"),
                ("has(self.list) && self.list.all(i, i.size > 1)", "size",
                 "has(self.list) && self.list.all(i, (!has(i.size) || i.size > 1))"),
                ("!(self.s == 'x' && size(self.list) > 0) || !has(self.list)", "s",
                 "!((has(self.s) && self.s == 'x') && size(self.list) > 0) || !has(self.list)"),
                ("has(self.list) && self.list.all(i, i.size == 0)", "size",
                 "has(self.list) && self.list.all(i, (!has(i.size) || i.size == 0))"),
            )
        ):  # fmt: skip
            with self.subTest(index):
                self.write("c.yaml", DEFINITION.format(f'            - rule: "{rule}"\n'))
                [found] = self.read("c.yaml")["results"][0]["findings"]
                self.assertEqual((found["id"], found["line"]), ("optional-field", FIRST_RULE))
                self.assertIn(f"the field '{name}' of '", found["message"])
                self.assertIn('\nfor example: {"', found["message"])
                self.assertEqual(found["hint"], f'write "{hint}"')
        for rule in (
            "!has(self.a) || self.a > 1",
            "self.b > 1",
            "self.c > 1",
            "self.kind == 'x'",
            "self.?a.orValue(1) > 1",
            # the author wants the field to be there: without it the rule refuses the resource as well
            "size(self.list) > 0",
            "self.kind != 'x' || self.a == 1",
        ):
            self.write("c.yaml", DEFINITION.format(f'            - rule: "{rule}"\n'))
            self.assertEqual(self.read("c.yaml")["results"][0]["findings"], [], rule)

    def test_strings_outside_an_enum(self):
        """A note, with any selection: an object that is older than the enum may have such a value."""
        for rule, wrong, hint in (
            ("self.mode == 'fast'", "fast", "did you mean 'Fast'?"),
            ("self.kind == 'x' || 'Fsat' != self.mode", "Fsat", "did you mean 'Fast'?"),
            ("self.mode in ['Fast', 'Sloww']", "Sloww", "did you mean 'Slow'?"),
            ("self.modes.all(m, m != 'None')", "None", None),
        ):
            with self.subTest(rule):
                modes = "{{type: string, enum: [Fast, Slow]}}"
                many = f"{{{{type: array, maxItems: 3, items: {modes}}}}}"
                more = f"              mode: {modes}\n              modes: {many}\n"
                text = DEFINITION.replace("              list:", more + "              list:")
                self.write("c.yaml", text.format(f'            - rule: "{rule}"\n'))
                [found] = self.read("c.yaml", "--select=default")["results"][0]["findings"]
                self.assertEqual((found["id"], found["severity"]), ("never-equal", "note"))
                self.assertIn(f" is '{wrong}': it is Fast or Slow", found["message"])
                self.assertEqual(found.get("hint"), hint)
        for rule in ("self.mode == 'Fast'", "self.mode != ''", "self.kind == 'fast'", "oldSelf.mode != 'Off'"):
            self.write("c.yaml", text.format(f'            - rule: "{rule}"\n'))
            self.assertEqual(self.read("c.yaml", "--select=default")["results"][0]["findings"], [], rule)

    def test_both_sides_are_the_same(self):
        for rule, identifier, hint in (
            ("self.a == self.a", "always-true", 'write "self.a == oldSelf.a"'),
            ("self.kind == 'x' || self.a != self.a", "always-false", None),
            ("self.list.all(i, i.size <= i.size)", "always-true", None),
            ("oldSelf.a == oldSelf.a", "always-true", None),
        ):
            with self.subTest(rule):
                self.write("c.yaml", DEFINITION.format(f'            - rule: "{rule}"\n'))
                [found] = self.read("c.yaml", "--select=default", status=1)["results"][0]["findings"]
                self.assertEqual((found["id"], found["severity"], found.get("hint")), (identifier, "warning", hint))
                self.assertIn("both sides are the same", found["message"])
        for rule in ("self.a == oldSelf.a", "1 == 1", "self.list.all(i, self.list.exists(j, i.size == j.size))"):
            self.write("c.yaml", DEFINITION.format(f'            - rule: "{rule}"\n'))
            self.assertEqual(self.read("c.yaml", "--select=default")["results"][0]["findings"], [], rule)

    def test_an_example_has_the_default_values(self):
        """The server sets d to false, and the rule is true of a resource that says nothing of it."""
        self.write("c.yaml", DEFINITION.format('            - rule: "!(size(self.list) > 0 && self.d == true)"\n'))
        [found] = self.read("c.yaml")["results"][0]["findings"]
        self.assertIn('"d":true', found["message"].partition("\nfor example: ")[2])

    def test_transitions_that_can_be_passed(self):
        immutable = "{{type: string, x-kubernetes-validations: [{{rule: self == oldSelf}}]}}"
        for required, more, wanted in (
            ("", "", ["transition-unset"]),
            ("            required: [once]\n", "", []),
            ("", '            - rule: "has(self.once) == has(oldSelf.once)"\n', []),
        ):
            text = DEFINITION.format('            - rule: "self.b > 1"\n' + more)
            text = text.replace("              kind:", f"              once: {immutable.format()}\n              kind:")
            text = text.replace(
                "            required: [kind, b]\n",
                required.replace("[once]", "[kind, b, once]") or "            required: [kind, b]\n",
            )
            self.write("c.yaml", text)
            self.assertEqual([f["id"] for f in self.read("c.yaml")["results"][0]["findings"]], wanted, text)

    def transition(self, rules=(), message="", required=(), more=None, top="spec"):
        """The hint about a field net.once that does not change, below spec; None: there is no advice."""
        rule = {"rule": "self == oldSelf", **({"message": message} if message else {})}
        net = {"type": "object", "properties": {"once": {"type": "string", "x-kubernetes-validations": [rule]}}}
        outer = {"type": "object", "required": [r for r in required if r != top], "properties": {"net": net}}
        outer["properties"]["kind"] = {"type": "string"}
        outer["x-kubernetes-validations"] = [{"rule": r} for r in rules]
        schema = {"type": "object", "required": [r for r in required if r == top], "properties": {top: outer}}
        version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
        names = {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"}
        versions = [{**version, **(more or {})}]
        spec = {"group": "example.com", "scope": "Namespaced", "names": names, "versions": versions}
        kind = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
        self.write("c.json", {**kind, "metadata": {"name": "widgets.example.com"}, "spec": spec})
        found = self.read("c.json", "--select=transition-unset")["results"][0]["findings"]
        return found[0]["hint"] if found else None

    def test_transitions_that_an_outer_rule_stops(self):
        for rule in (
            "!has(oldSelf.net) || !has(oldSelf.net.once) || (has(self.net) && has(self.net.once))",
            "self.kind == 'x' || !has(oldSelf.net.once) || has(self.net.once)",
            "oldSelf.?net.once.hasValue() == self.?net.once.hasValue()",
            "oldSelf.?net.optMap(n, has(n.once)).orValue(false) == self.?net.optMap(n, has(n.once)).orValue(false)",
            "self.net == oldSelf.net",
            "self.net.once == oldSelf.net.once",
        ):
            self.assertIsNone(self.transition([rule]), rule)
        for rule in ("has(self.net)", "!has(oldSelf.net) || has(self.net)", "self.kind == oldSelf.kind"):
            self.assertIsNotNone(self.transition([rule]), rule)

    def test_transitions_of_what_is_set_once(self):
        required = ("spec", "net")
        once = 'the rule "!has(oldSelf.once) || has(self.once)"'
        always = 'add the rule "has(self.once) == has(oldSelf.once)" to the object around it'
        self.assertEqual(self.transition(required=required), f"{always}; or, if the field may be set later, {once}")
        for message in ("Value is immutable once set", "once cannot be changed once it is set", "Can only be set once"):
            hint = self.transition(message=message, required=required)
            self.assertEqual(hint, f"add {once} to the object around it")
        hint = self.transition(required=("status", "net"), top="status", more={"subresources": {"status": {}}})
        self.assertEqual(hint, f"add {once} to the object around it")

    def test_transitions_of_what_an_optional_object_has(self):
        hint = self.transition(message="immutable once set", required=("spec",))
        self.assertEqual(
            hint,
            'add the rule "!(has(oldSelf.net) && has(oldSelf.net.once)) || (has(self.net) && has(self.net.once))" '
            "to the object around 'net', which is optional, too",
        )
        self.assertIsNone(self.transition([hint.split('"')[1]], required=("spec",)))
        hint = self.transition(message="immutable once set", required=("net",))
        self.assertIn("has(self.spec) && has(self.spec.net.once)", hint)

    def test_ephemeral_containers(self):
        head = offline.HEAD.replace("[apps]", "['']").replace("deployments", "pods")
        every = "object.spec.containers + object.spec.?ephemeralContainers.orValue([])"
        for expression, is_advised in (
            ("c.?ports.orValue([]).all(p, p.?hostPort.orValue(0) == 0)", False),
            ("c.name == 'proxy' || (has(c.livenessProbe) && has(c.resources))", False),
            ("c.image.startsWith('a/')", True),
            ("has(c.resources) && c.image != 'a'", True),
            ("c.?securityContext.?privileged.orValue(false) == false", True),
        ):
            text = policy(f"variables.v0.all(c, {expression})", variables=[every], head=head)
            found = [a for a in self.advice(text) if a[0] == "ephemeral-containers"]
            self.assertEqual(bool(found), is_advised, expression)
        found = self.advice(policy("size(object.spec.?ephemeralContainers.orValue([])) == 0", head=head))
        self.assertEqual([a[0] for a in found], ["ephemeral-containers"])

    def test_fields_that_are_asked_for(self):
        self.assertEqual(self.fields("!has(object.metadata.labels) || size(object.metadata.labels) < 3"), [])
        self.assertEqual(self.fields("size(object.metadata.?labels.orValue({})) < 3"), [])
        self.assertEqual(self.fields("size(object.metadata.labels) < 3", "has(object.metadata.labels)"), [])

    def test_fields_that_are_always_there(self):
        self.assertEqual(
            self.fields("object.spec.replicas < 5 && object.metadata.name != 'x' && object.kind == 'Deployment'"), []
        )
        self.assertEqual(
            self.fields("object.spec.template.spec.containers.all(c, c.image != 'x' && c.imagePullPolicy != 'Always')"),
            [],
        )
        self.assertEqual(self.fields("size(object.spec.template.metadata.labels) < 9"), [])

    def test_fields_that_no_request_lacks_when_they_are_read(self):
        """Another operand, or a match condition, keeps evaluation from an object without the field."""
        self.assertEqual(self.fields("object.spec.paused || true"), [])
        self.assertEqual(self.fields("false && object.spec.paused"), [])

    def test_a_search_that_is_too_much_work(self):
        """Each request that is tried pays for the nested macros; then the search ends, and says so."""
        numbers = str(list(range(1, 31)))
        costly = f"{numbers}.all(a, {numbers}.all(b, {numbers}.all(c, a + b + c > 0)))"
        text = policy(costly, *["object.spec.paused == true"] * 300)
        first, *found = self.advice(text)
        self.assertEqual(first, ("optional-field", 1, LIMIT))
        self.assertTrue(0 < len(found) < 300, len(found))
        self.assertEqual(self.advice(text, "--ignore=optional-field"), [])

    def test_types_that_are_not_known(self):
        foreign = (
            offline.HEAD
            + offline.HEAD.splitlines()[-1].replace("apps", "example.com").replace("deployments", "birds")
            + "\n"
        )
        self.assertIn("example.com", foreign)
        self.assertEqual(
            [a[0] for a in self.advice(policy("true", variables=["1"], head=foreign))], ["unused-variable"]
        )

    def test_what_is_refused_is_not_advised_about(self):
        self.assertEqual(self.advice(policy("true", variables=["1 +"]), status=1), [])

    def test_it_can_be_ignored(self):
        text = policy("true", variables=["1"])
        annotated = text.replace("{name: p}", "{name: p, annotations: {vapcheck/ignore: unused-variable}}")
        self.assertEqual(self.advice(annotated), [])
        self.assertEqual(self.advice(text, "--ignore=unused-variable"), [])
        self.assertEqual(self.advice(text.replace("  - {name", "  # vapcheck: ignore unused-variable\n  - {name")), [])


if __name__ == "__main__":
    unittest.main()
