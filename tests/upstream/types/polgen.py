"""Generates ValidatingAdmissionPolicies: mutations of others, and from the kinds of a cluster."""

import copy

import celgen
import celtypes
import celvars

RECENT = 300  # policies that are kept for mutations

COMMON = {
    "request": ("object", "kubernetes.AdmissionRequest"),
    "namespaceObject": ("object", "kubernetes.Namespace"),
    "authorizer": ("object", celtypes.AUTHORIZER),
}
OPERATORS = ["==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "&&", "||", "in"]
WRONG_GROUPS = [
    "",
    "apps",
    "core",
    "extensions",
    "APPS",
    "example.com",
    "*",
    "batch*",
    " apps",
    "app",
    "nope.example.com",
    "kubernetes.io",
]
WRONG_VERSIONS = ["", "v1", "v2", "v1beta1", "v1alpha1", "*", "__internal", "V1", "v1*", "nope", " "]
WRONG_RESOURCES = [
    "",
    "*",
    "*/*",
    "*/status",
    "pods/*",
    "nope",
    "po",
    "deploy",
    "pod s",
    "widgets.shop.example.com",
    "deployments.apps",
    "podlist",
    "KINDS",
]
WRONG_PARAMS = [
    ("", ""),
    ("v1", ""),
    ("", "ConfigMap"),
    ("v1", "Nope"),
    ("nope/v1", "Nope"),
    ("apps/v1", "ConfigMap"),
    ("a/b/c", "ConfigMap"),
    ("v1", "ConfigMapList"),
    ("v1", "DeleteOptions"),
    ("/v1", "ConfigMap"),
    ("v1/", "ConfigMap"),
    ("apps/", "Deployment"),
    ("/", "X"),
    ("v1", "configmap"),
    ("apps/v1", "Scale"),
    ("autoscaling/v1", "Scale"),
    ("meta.k8s.io/v1", "Status"),
    ("v1", "Status"),
    ("v1", "List"),
    (" v1", "ConfigMap"),
]
NAMES = [
    "a",
    "b",
    "c",
    "x",
    "name",
    "containers",
    "size",
    "object",
    "params",
    "variables",
    "in",
    "namespace",
    "if",
    "_",
    "A1",
    "a-b",
    "a.b",
    "1a",
    "",
    "\xe9",
    "true",
    "int",
]
LINES = ["\n", "\r\n", "\n\t", "\t", "\n\n", " // \u65e5\u672c\n", "\n  ", "\r", "\x0c", "\n\t\t// why\n"]
BEFORE = [
    "'\u65e5\u672c\u8a9e' != '\xe9' && ",
    "'\U0001f600' == '' || ",
    "'\t' != '\\t' && ",
    "/**/",
    "// first\n",
    "  ",
    "\n",
    "\xa0",
    "\ufeff",
    "'a\\u0301' + 'a\u0301' != '' && ",
    "(",
    "!(",
]
PHRASES = [
    "request.kind.kind",
    "request.userInfo.groups",
    'request.userInfo.extra["a"][0]',
    "request.options.foo",
    "request.object",
    "request.namespace.size()",
    "request.dryRun",
    "request.requestKind.group + 1",
    "request.userInfo.name",
    'namespaceObject.metadata.labels["a"]',
    "namespaceObject.metadata.ownerReferences",
    "namespaceObject.spec.finalizers",
    "namespaceObject.status.phase == 1",
    "namespaceObject.status.conditions",
    'namespaceObject.metadata.creationTimestamp + duration("1h")',
    'authorizer.group("apps").resource("deployments").subresource("x").namespace("n").name("a").check("get").allowed()',
    'authorizer.path("/x").check("get").reason()',
    'authorizer.requestResource.check("get")',
    'authorizer.serviceAccount("a","b").group("").resource("r").check("v").errored()',
    'authorizer.group("a").resource("b").fieldSelector("a=b").labelSelector("c").check(1)',
    'authorizer.check("x")',
    "authorizer.group(1)",
    "object.metadata.labels.exists(k, k == 1)",
    "object == oldObject",
    "object == params",
    "[object, oldObject]",
    "[object, params]",
    "object.spec == oldObject.spec",
    "type(object) == type(params)",
    "params == null",
    "oldObject != null ? oldObject.metadata.name : 1",
    "object.?spec.?nope.orValue(1)",
    "has(object.nope)",
    "object.metadata.managedFields[0].fieldsV1",
    'object.metadata.creationTimestamp > timestamp("x")',
    "variables",
    "variables.nope",
    "has(variables.a)",
    "variables == variables",
    'variables["a"]',
    "variables.?a",
    "object.status.conditions.all(c, c.lastTransitionTime < now)",
    '{"a": object, "b": params}',
    "object.spec.selector.matchLabels == params.data",
    "Object{}",
    "Deployment{}",
    "kubernetes.Namespace{metadata: 1}",
    "kubernetes.AdmissionRequest{}",
    "kubernetes.variables{}",
    "dyn(object).a.b.c",
    "string(object)",
    "size(object)",
    "object in [params]",
    "object.spec in object.spec",
    "[object.spec].map(s, s.nope)",
    "object + object",
    "-object",
    "!object",
    "object ? 1 : 2",
    "object && true",
    "object.a()",
    'quantity(object.spec.resources.requests["storage"])',
    'object.spec.template.spec.containers.map(c, c.resources.limits["cpu"])',
    "object.apiVersion.kind",
    'object["kind"]',
]


class Scope:
    """What is declared, to the generator of expressions: names with their types."""

    def __init__(self, types):
        self.types = types


class Policies:
    """Makes policies about the kinds of `cluster`; `seeds` are expressions to mutate."""

    def __init__(self, rng, cluster, seeds, minor):
        self.rng, self.cluster, self.seeds = rng, cluster, seeds
        self.generator = celgen.Generator(rng, celgen.Functions(minor))
        self.recent = []
        self.pool = cluster.kinds

    def chance(self, p):
        return self.rng.random() < p

    def narrow(self, count):
        """Takes `count` of the kinds for what is made from now on: upstream needs long to read a schema first."""
        self.pool = self.rng.sample(self.cluster.kinds, min(count, len(self.cluster.kinds)))

    def policy(self, name):
        """(class, policy)"""
        if self.recent and self.chance(0.4):
            what, made = "mutated", self.mutated(copy.deepcopy(self.rng.choice(self.recent)))
        else:
            what, made = "made", self.made()
            self.recent = (self.recent + [copy.deepcopy(made)])[-RECENT:]
        return what, {
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingAdmissionPolicy",
            "metadata": {"name": name},
            "spec": made,
        }

    # ------------------------------------------------------------ expressions

    def expression(self, variables, wanted="bool"):
        rng = self.rng
        pick = rng.random()
        if pick < 0.4:
            text = self.typed(variables, wanted)
        elif pick < 0.55:
            text = self.slipped(self.typed(variables, wanted))
        elif pick < 0.7:
            text = rng.choice(PHRASES)
            if self.chance(0.5):
                text = f"{text}{rng.choice([' == ', ' != ', ' + ', ' in ', ' && '])}{self.typed(variables, wanted)}"
        elif pick < 0.8:
            text = self.slipped(rng.choice(self.seeds))
        else:
            what, text = self.generator.expression(variables, self.seeds)
            if what == "shape" and self.chance(0.9):
                text = self.typed(variables, wanted)
        return self.laid_out(text) if self.chance(0.15) else text

    def typed(self, variables, wanted):
        generator, scope = self.generator, list(variables.types.items())
        generator.layout, generator.wrong = 0, self.rng.choice([0, 0, 0.05, 0.2])
        if self.chance(0.3):
            return generator.field(None, scope) or "object"
        return generator.typed(wanted, scope, self.rng.choice([1, 2, 2, 3, 3, 4]))[0]

    def slipped(self, text):
        """Wrong in a place or two, as a person would be."""
        rng = self.rng
        tokens = celgen.TOKEN.findall(text)
        names = [i for i, t in enumerate(tokens) if t[:1].isalpha()]
        operators = [i for i, t in enumerate(tokens) if t in OPERATORS]
        literals = [i for i, t in enumerate(tokens) if t[:1].isdigit() or t[:1] in "'\""]
        for _ in range(rng.choice([1, 1, 2])):
            pick = rng.randrange(4)
            if pick < 2 and names:
                at = rng.choice(names)
                tokens[at] = self.misspelt(tokens[at]) if pick == 0 else tokens[rng.choice(names)]
            elif pick == 2 and operators:
                tokens[rng.choice(operators)] = rng.choice(OPERATORS)
            elif pick == 3 and literals:
                tokens[rng.choice(literals)] = rng.choice(
                    ["1", "'a'", "1.5", "2u", "null", "true", "[]", "{}", "b'x'", "duration('1h')", "object"]
                )
        return "".join(tokens)

    def misspelt(self, name):
        at = self.rng.randrange(len(name))
        return (
            self.rng.choice(
                [
                    name[:at] + name[at + 1 :],
                    name + "s",
                    name[:at] + name[at].swapcase() + name[at + 1 :],
                    name[:at] + "x" + name[at:],
                ]
            )
            or "x"
        )

    def laid_out(self, text):
        """On several lines, in several alphabets, or on a very long line."""
        rng = self.rng
        if self.chance(0.4):
            text = rng.choice(BEFORE) + text
        if self.chance(0.06):
            length = rng.choice([15000, 16000, 16384, 16400]) - len(text.encode())
            text = rng.choice(["'%s' != '' && ", "['%s'].size() == 1 && "]) % ("x" * max(length, 0)) + text
        spaces = [i for i, c in enumerate(text) if c == " "]
        for at in sorted(rng.sample(spaces, min(len(spaces), rng.randrange(4))), reverse=True):
            text = text[:at] + rng.choice(LINES) + text[at + 1 :]
        return text + rng.choice(["", "", "\n", " ", "\r\n", " // end"])

    # ------------------------------------------------------------ rules

    def rules(self, kinds):
        rng = self.rng
        rules = []
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            some = rng.sample(kinds, rng.randrange(1, len(kinds) + 1))
            rule = {
                "apiGroups": [k.group for k in some],
                "apiVersions": [k.version for k in some],
                "resources": [self.resource(k) for k in some],
                "operations": rng.choice([["*"], ["CREATE"], ["CREATE", "UPDATE"], ["DELETE"], ["CONNECT"]]),
            }
            for key, wrong in (
                ("apiGroups", WRONG_GROUPS),
                ("apiVersions", WRONG_VERSIONS),
                ("resources", WRONG_RESOURCES),
            ):
                if self.chance(0.5):
                    rule[key] = list(dict.fromkeys(rule[key]))
                if self.chance(0.12):
                    rule[key].insert(rng.randrange(len(rule[key]) + 1), rng.choice(wrong))
                if self.chance(0.04):
                    rule[key] = rng.choice([[], [rng.choice(wrong)], rule[key] * 3])
                rng.shuffle(rule[key])
            if self.chance(0.1):
                rule["resourceNames"] = ["a", "b"]
            if self.chance(0.1):
                rule["scope"] = rng.choice(["*", "Cluster", "Namespaced"])
            rules.append(rule)
        return rules

    def resource(self, kind):
        rng = self.rng
        plural = kind.resource["resource"]
        if self.chance(0.8):
            return plural
        return rng.choice(
            [
                kind.resource["singularResource"],
                kind.kind,
                kind.kind.lower(),
                plural.upper(),
                plural.title(),
                kind.kind + "List",
                kind.kind.lower() + "list",
                kind.kind.lower() + "lists",
                plural + "/status",
                plural + "/scale",
                plural + "/*",
                plural + "s",
                plural[:-1],
                plural + " ",
                rng.choice(kind.resource.get("shortNames", ["po"])),
            ]
        )

    def params(self):
        rng = self.rng
        if self.chance(0.5):
            kind = rng.choice(self.pool)
            return {"apiVersion": kind.api_version, "kind": kind.kind}, self.cluster.declare(kind)
        api_version, kind = rng.choice(WRONG_PARAMS)
        return {"apiVersion": api_version, "kind": kind}, "dyn"

    # ------------------------------------------------------------ from scratch

    def made(self):
        rng = self.rng
        kinds = rng.sample(self.pool, rng.choice([1, 1, 1, 2, 2, 3, 5]))
        if self.chance(0.03):
            kinds = rng.sample(self.pool, min(14, len(self.pool)))
        object_type = self.cluster.declare(kinds[0])
        types = {"object": object_type, "oldObject": object_type, **COMMON}
        spec = {"matchConstraints": {"resourceRules": self.rules(kinds)}}
        if self.chance(0.1):
            spec["matchConstraints"]["excludeResourceRules"] = self.rules(kinds)
        if self.chance(0.35):
            spec["paramKind"], types["params"] = self.params()
        variables = Scope(types)
        declared = [self.variable(variables) for _ in range(rng.choice([0, 0, 1, 2, 3, 6]))]
        if declared:
            if self.chance(0.1):
                rng.shuffle(declared)
            spec["variables"] = declared
        spec["validations"] = [self.validation(variables) for _ in range(rng.choice([1, 1, 2, 3, 5]))]
        if self.chance(0.1):
            spec["validations"] += rng.choices(spec["validations"], k=2)
        if self.chance(0.15):
            spec["matchConditions"] = [{"name": f"c{i}", "expression": self.expression(variables)} for i in range(2)]
        if self.chance(0.15):
            spec["auditAnnotations"] = [
                {"key": f"k{i}", "valueExpression": self.expression(variables, "string")} for i in range(2)
            ]
        if self.chance(0.02):
            del spec["matchConstraints"]
        return spec

    def variable(self, variables):
        rng = self.rng
        name = rng.choice(NAMES)
        wanted = rng.choice(list(variables.types.values())) if self.chance(0.3) else celvars.random_type(rng)
        text = self.expression(variables, wanted)
        fields = celvars.FIELDS["variables"] = (
            dict(celvars.FIELDS["variables"]) if "variables" in variables.types else {}
        )
        fields[name] = wanted
        variables.types["variables"] = ("object", "variables")
        return {"name": name, "expression": text}

    def validation(self, variables):
        made = {"expression": "" if self.chance(0.01) else self.expression(variables)}
        if self.chance(0.25):
            made["messageExpression"] = "" if self.chance(0.05) else self.expression(variables, "string")
        if self.chance(0.1):
            made.update(message="text", reason="Invalid")
        return made

    # ------------------------------------------------------------ mutations

    def mutated(self, spec):
        rng = self.rng
        kinds = rng.sample(self.pool, rng.choice([1, 2, 3]))
        variables = Scope({"object": self.cluster.declare(kinds[0]), "params": "dyn", **COMMON})
        ways = [self.mutate_expression] * 5 + [
            self.mutate_variables,
            self.mutate_rules,
            self.mutate_params,
            self.mutate_validations,
        ]
        for _ in range(rng.choice([1, 1, 2, 3, 5])):
            rng.choice(ways)(spec, kinds, variables)
        return spec

    def mutate_expression(self, spec, kinds, variables):
        rng = self.rng
        holders = [
            (h, k)
            for part in ("validations", "validations", "variables", "matchConditions", "auditAnnotations")
            for h in spec.get(part) or []
            for k in ("expression", "messageExpression", "valueExpression")
            if h.get(k)
        ]
        if not holders:
            return
        holder, key = rng.choice(holders)
        pick = rng.random()
        if pick < 0.6:
            holder[key] = self.slipped(holder[key])
        elif pick < 0.7:
            holder[key] = self.laid_out(holder[key])
        elif pick < 0.85:
            holder[key] = self.generator.mutation([holder[key]])
        else:
            holder[key] = self.expression(variables)

    def mutate_variables(self, spec, kinds, variables):
        rng = self.rng
        declared = spec.get("variables") or []
        if not declared or self.chance(0.2):
            declared.append(
                {"name": rng.choice(NAMES), "expression": self.expression(variables, celvars.random_type(rng))}
            )
            spec["variables"] = declared
        at = rng.randrange(len(declared))
        pick = rng.randrange(5)
        if pick == 0:
            del declared[at]
        elif pick == 1:
            declared[at]["name"] = rng.choice(NAMES + [v["name"] for v in declared])
        elif pick == 2:
            rng.shuffle(declared)
        elif pick == 3:
            declared[at]["expression"] = rng.choice(declared)["expression"]
        else:
            declared.insert(at, {"name": rng.choice(declared)["name"], "expression": rng.choice(PHRASES)})

    def mutate_rules(self, spec, kinds, variables):
        constraints = spec.setdefault("matchConstraints", {})
        old = constraints.get("resourceRules") or []
        new = self.rules(kinds)
        constraints["resourceRules"] = self.rng.choice([new, old + new, new + old])

    def mutate_params(self, spec, kinds, variables):
        if self.chance(0.3):
            spec.pop("paramKind", None)
        else:
            spec["paramKind"] = self.params()[0]

    def mutate_validations(self, spec, kinds, variables):
        rng = self.rng
        validations = spec.get("validations") or []
        validations.insert(rng.randrange(len(validations) + 1), self.validation(variables))
        if self.chance(0.3):
            validations += rng.choices(validations, k=3)
        spec["validations"] = validations
