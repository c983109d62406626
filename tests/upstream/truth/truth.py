"""What the truth tests stand on: policies, the types that their rules bring, both programs, the verdict.

policies = truth.read(tool, ["p.yaml"])            # every ValidatingAdmissionPolicy of the files
said = truth.ask_vapcheck(program, dump, policies) # {id: Said}, what our program warns about
seen = truth.evaluate(tool, dump, policies)        # {id: {type: Seen}}, what evaluation does
for finding in truth.judge(policies, said, seen, counts): ...
"""

import collections
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[2]
SHARED = SOURCE.parent / "shared"
SKIP = 77
KUBECTL_VAPCHECK = os.environ.get("VAPCHECK_KUBECTL") or str(SOURCE / "build/release/bin/kubectl-vapcheck")
ENOUGH = 8  # objects that reach a place, before it counts as missed

EVENTS = {("", "events"), ("events.k8s.io", "events")}  # one thing in two groups

# What the API server never asks policies about, and what connects.
NEVER = {
    ("admissionregistration.k8s.io", r)
    for r in (
        "validatingadmissionpolicies",
        "validatingadmissionpolicybindings",
        "mutatingadmissionpolicies",
        "mutatingadmissionpolicybindings",
    )
} | {
    ("authentication.k8s.io", "selfsubjectreviews"),
    ("authentication.k8s.io", "tokenreviews"),
    ("authorization.k8s.io", "localsubjectaccessreviews"),
    ("authorization.k8s.io", "selfsubjectaccessreviews"),
    ("authorization.k8s.io", "selfsubjectrulesreviews"),
    ("authorization.k8s.io", "subjectaccessreviews"),
}
CONNECTS = {"pods/exec", "pods/attach", "pods/portforward", "pods/proxy", "services/proxy", "nodes/proxy"}


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIP)


def tool(version="1.36"):
    """The truth tool of this Kubernetes, built; the test is skipped where there is no Go."""
    built = subprocess.run([HERE.parent / "build", "truth", version], stdout=subprocess.PIPE, text=True)
    if built.returncode == SKIP:
        skip("there is no Go to build the truth tool with")
    built.check_returncode()
    return built.stdout.strip()


def shared_dump(version="1.36"):
    """The dump of a real API server beside the checkout; skipped where it is missing."""
    dump = SHARED / f"cluster/v{version}"
    if not dump.is_dir():
        skip(f"there is no dump of an API server at {dump}")
    return dump


@dataclasses.dataclass
class Policy:
    id: str
    object: dict
    file: str = ""


def read(program, files):
    """The policies in YAML or JSON files."""
    out = subprocess.run([program, "-to-json", *map(str, files)], stdout=subprocess.PIPE, check=True)
    policies = []
    for line in out.stdout.splitlines():
        d = json.loads(line)
        if d["object"].get("kind") in ("ValidatingAdmissionPolicy", "MutatingAdmissionPolicy"):
            policies.append(Policy(f"{os.path.basename(d['file'])}#{d['document']}", d["object"], d["file"]))
    return policies


# Rules and the requests that they match.


@dataclasses.dataclass(frozen=True)
class Endpoint:
    group: str
    version: str
    resource: str
    subresource: str
    namespaced: bool
    kind: tuple  # group, version, kind
    operations: frozenset
    status: bool  # its resource has a subresource for the status


def endpoints(dump):
    """Every way in which an object can come to admission."""
    found = []
    for name in ("api.json", "apis.json"):
        for item in json.loads((pathlib.Path(dump) / name).read_text())["items"]:
            group = item["metadata"].get("name", "")
            for version in item["versions"]:
                for resource in version["resources"]:
                    if (group, resource["resource"]) not in NEVER:
                        found += _of_resource(group, version["version"], resource)
    return found


def _of_resource(group, version, resource):
    has_status = any(part["subresource"] == "status" for part in resource.get("subresources", []))
    for part in [resource, *resource.get("subresources", [])]:
        kind = part.get("responseKind") or {}
        sub = part.get("subresource", "")
        path = f"{resource['resource']}/{sub}" if sub else resource["resource"]
        verbs = part.get("verbs", [])
        operations = set()
        if path in CONNECTS and group == "":
            operations = {"CONNECT"}
        else:
            for operation, ways in (
                ("CREATE", {"create"}),
                ("UPDATE", {"update", "patch"}),
                ("DELETE", {"delete", "deletecollection"}),
            ):
                if ways & set(verbs):
                    operations.add(operation)
        yield Endpoint(
            group,
            version,
            resource["resource"],
            sub,
            resource["scope"] == "Namespaced",
            (
                kind.get("group") or ("" if kind.get("version") else group),
                kind.get("version") or version,
                kind.get("kind", ""),
            ),
            frozenset(operations),
            has_status,
        )


def _matches(rule, endpoint):
    def one_of(names, name):
        return "*" in names or name in names

    def resource(pattern):
        res, _, sub = pattern.partition("/")
        return res in ("*", endpoint.resource) and sub in ("*", endpoint.subresource)

    scope = rule.get("scope", "*")
    return (
        one_of(rule.get("apiGroups") or [], endpoint.group)
        and one_of(rule.get("apiVersions") or [], endpoint.version)
        and any(resource(r) for r in rule.get("resources") or [])
        and (scope == "*" or (scope == "Namespaced") == endpoint.namespaced)
    )


def _equivalents(endpoint, every):
    """The endpoint and the others by which the same objects come: other versions, and for events the other group."""
    of = (endpoint.group, endpoint.resource)
    same = EVENTS if of in EVENTS else {of}
    return [e for e in every if (e.group, e.resource) in same and e.subresource == endpoint.subresource]


def types_of(policy, every):
    """{type: [endpoint as the tool takes it]} that the policy's rules match."""
    constraints = policy["spec"].get("matchConstraints") or {}
    is_exact = constraints.get("matchPolicy") == "Exact"
    types = collections.defaultdict(list)
    is_mutating = "mutations" in policy["spec"]
    for endpoint in every:
        operations = set()
        for rule in constraints.get("resourceRules") or []:
            if _matches(rule, endpoint):
                wanted = set(rule.get("operations") or [])
                operations |= endpoint.operations if "*" in wanted else endpoint.operations & wanted
        for rule in constraints.get("excludeResourceRules") or []:
            others = [endpoint] if is_exact else _equivalents(endpoint, every)
            if any(_matches(rule, other) for other in others) and not rule.get("resourceNames"):
                unwanted = set(rule.get("operations") or [])
                operations -= endpoint.operations if "*" in unwanted else unwanted
        if is_mutating:  # which is not asked about it
            operations.discard("DELETE")
        if operations:
            types[endpoint.kind].append(
                {
                    "group": endpoint.group,
                    "version": endpoint.version,
                    "resource": endpoint.resource,
                    "subresource": endpoint.subresource,
                    "namespaced": endpoint.namespaced,
                    # cleared, too, of what comes by another version
                    "status": all(e.status for e in ([endpoint] if is_exact else _equivalents(endpoint, every))),
                    "operations": sorted(operations),
                }
            )
    return types


def type_name(kind):
    return "%s/%s, Kind=%s" % kind


# What evaluation does.


@dataclasses.dataclass
class Seen:
    """On the requests of one kind."""

    way: str  # "DELETE of pods"
    requests: int
    expressions: dict  # fieldRef -> {"problems": [...], "places": [...], ...}
    raw: dict


def way_name(way):
    """The kind of request, as our messages name it; empty for requests that are given."""
    return (
        f"{way['operation']} of {way['resource']}{'/' if way['subresource'] else ''}{way['subresource']}" if way else ""
    )


WEBHOOK = "webhooks[0].matchConditions"  # the tool takes its conditions for those of a policy


def as_policy(body):
    """What the tool evaluates: a policy, or the first webhook of a configuration as one."""
    if "webhooks" not in body:
        return body
    webhook = body["webhooks"][0]
    constraints = {"resourceRules": webhook["rules"], "matchPolicy": webhook.get("matchPolicy", "Equivalent")}
    return {
        "metadata": body["metadata"],
        "spec": {"matchConstraints": constraints, "matchConditions": webhook["matchConditions"]},
    }


def task(policy, every, requests=None):
    body = as_policy(policy.object)
    line = {"id": policy.id, "policy": body, "types": [], "before": policy.object["kind"].startswith("Mutating")}
    for kind, ways in types_of(body, every).items():
        line["types"].append({"group": kind[0], "version": kind[1], "kind": kind[2], "endpoints": ways})
    param = body["spec"].get("paramKind")
    if param:
        group, _, version = param.get("apiVersion", "").rpartition("/")
        line["param"] = [group, version, param.get("kind", "")]
    if requests is not None:
        line["requests"] = requests
    return line


def run_tool(program, dump, lines, *flags):
    """The tool's answers, in any order."""
    with tempfile.TemporaryFile() as sent:
        for line in lines:
            sent.write(json.dumps(line).encode() + b"\n")
        sent.seek(0)
        out = subprocess.run([program, "-dump", str(dump), *flags], stdin=sent, stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in out.stdout.splitlines()]


def evaluate(program, dump, policies, objects=100, seed=1, examples=False):
    """{id: {type: [Seen of each kind of request]}}."""
    every = endpoints(dump)
    flags = ["-objects", str(objects), "-seed", str(seed)] + (["-examples"] if examples else [])
    seen = collections.defaultdict(lambda: collections.defaultdict(list))
    for answer in run_tool(program, dump, [task(p, every) for p in policies], *flags):
        by_ref = {e["fieldRef"]: e for e in answer["expressions"]}
        seen[answer["id"]][answer["type"]].append(Seen(way_name(answer.get("way")), answer["requests"], by_ref, answer))
    return seen


# What our program says.

BLOCK = re.compile(r"^([A-Za-z0-9.-]*/[A-Za-z0-9]+, Kind=[A-Za-z0-9]+): ", re.M)
ISSUE = re.compile(r"ERROR: <input>:(-?\d+):(\d+): (.*)(?:\n \| (.*))?")
MORE = re.compile(r"^and \d+ more types with the same issues: (.*)$", re.M)


@dataclasses.dataclass(frozen=True)
class SaidWarning:
    line: int
    column: int
    message: str
    sign: str = ""  # what stands there in the expression


@dataclasses.dataclass(frozen=True)
class Claim:
    """What is so for every request that reaches its place."""

    ref: str
    line: int
    column: int
    id: str  # of the finding
    message: str


@dataclasses.dataclass
class Said:
    types: list
    warnings: dict  # (fieldRef, type) -> [SaidWarning]
    cut: set  # fieldRefs whose list of types was cut short
    refused: set  # fieldRefs that the API server refuses at create
    claims: set = dataclasses.field(default_factory=set)


def parse_warning(text, known):
    """({type: [SaidWarning]}, whether types were cut off).

    Types with the same issues share their blocks: ten, and a line each at the end for the groups that have more.
    """
    more = MORE.findall(text)
    text = MORE.sub("", text)
    groups = collections.defaultdict(list)  # issues -> types
    heads = list(BLOCK.finditer(text))
    for i, head in enumerate(heads):
        body = text[head.end() : heads[i + 1].start() if i + 1 < len(heads) else len(text)].strip()
        groups[body].append(head.group(1))
    long = [types for types in groups.values() if len(types) == 10]
    cut = len(more) != len(long) and bool(more)
    for types, names in zip(long, more):
        for name in names.split(", "):
            if name == "...":
                cut = True
            elif name.replace(" ", ", Kind=") in known:
                types.append(name.replace(" ", ", Kind="))
    found = collections.defaultdict(list)
    for body, types in groups.items():
        issues = [
            SaidWarning(int(m[1]), int(m[2]), m[3], (m[4] or "")[int(m[2]) - 1 : int(m[2])])
            for m in ISSUE.finditer(body)
        ]
        for name in types:
            found[name] += issues or [SaidWarning(0, 0, body)]
    return found, cut


def without_certain(entry, by_type):
    """Those issues of an entry of expressionWarnings that are failures; the others are true of every request."""
    certain = {(c["line"], c["column"], c["message"]) for c in entry.get("certain", [])}
    return {
        name: [w for w in issues if (w.line, w.column, w.message) not in certain] for name, issues in by_type.items()
    }


def ask_vapcheck(program, dump, policies, scope="full"):
    """{id: Said}."""
    said = {}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "policies.yaml"
        path.write_text(
            "".join("---\n" + json.dumps(p.object, ensure_ascii=False) + "\n" for p in policies), encoding="utf-8"
        )
        argv = [
            program,
            "check",
            "--schemas",
            str(dump),
            f"--warnings-scope={scope}",
            "--fail-on=never",
            "-o",
            "json",
            "-f",
            str(path),
        ]
        out = subprocess.run(argv, stdout=subprocess.PIPE, check=True)
    results = json.loads(out.stdout)["results"]
    if len(results) != len(policies):
        raise AssertionError(f"{len(policies)} policies, {len(results)} results")
    for policy, result in zip(policies, results):
        warnings, cut, claims = collections.defaultdict(list), set(), set()
        for entry in result.get("expressionWarnings") or []:
            by_type, short = parse_warning(entry["warning"], set(result["types"]))
            ref = entry["fieldRef"].replace(WEBHOOK, "spec.matchConditions")
            if short:
                cut.add(ref)
            claims |= {Claim(ref, c["line"], c["column"], c["id"], c["message"]) for c in entry.get("certain", [])}
            for name, issues in without_certain(entry, by_type).items():
                warnings[ref, name] += issues
        if any("left out for lack of room" in c.get("message", "") for c in result.get("conditions") or []):
            cut |= {ref for ref, _ in warnings}
        refused = {r["field"].replace(WEBHOOK, "spec.matchConditions") for r in result.get("refusals") or []}
        said[policy.id] = Said(result["types"], warnings, cut, refused, claims)
    return said


# The verdict.


def passes(place):
    return place["reached"] - sum(place.get(k, 0) for k in ("failed", "other", "variable", "unequal"))


def certain(place):
    """Every object fails there, of the classes that count, nothing always absorbs it, and no value decides over it."""
    unequal = place.get("unequal", 0)
    if place["reached"] != place.get("failed", 0) + unequal or place.get("otherwise"):
        return False
    if unequal:
        return bool(place.get("surfaced") or place.get("alone"))
    return bool(place.get("surfaced")) and not place.get("silent")


GATE = re.compile(r"spec\.(matchConditions|variables)")
OPERAND = "operand"  # what stands beside && or ||, as such
PATCH, STRUCTURE = "patch", "{}"  # a mutation's result, and an Object{...} or JSONPatch{...} in it
FIELD = re.compile(r"undefined field '([^']*)'")
OVERLOAD = re.compile(r"found no matching overload for '([^']*)'")


def places_of(expression, warning):
    """The places that a warning is about: those at its position, of its kind if there is one."""
    here = [
        p
        for p in expression.get("places") or []
        if (p["line"], p["column"]) == (warning.line, warning.column) and p["reached"]
    ]
    if warning.message.startswith("expected type 'bool'"):
        return [p for p in here if p["what"] == OPERAND] or here
    here = [p for p in here if p["what"] != OPERAND]
    match = FIELD.search(warning.message)
    wanted = ()
    if match:
        wanted = ("." + match[1], "has " + match[1], "_?._", "_[_]", "_[?_]")
    elif (match := OVERLOAD.search(warning.message)) is not None:
        wanted = (match[1],)
    return [p for p in here if p["what"] in wanted] or here


EVALUATED = re.compile("found no matching overload|expected type 'bool'")


def is_of_patch(expression, warning):
    """Returns true if the warning is about applying what a mutation makes, not about evaluating it."""
    if not is_mutation(expression) or EVALUATED.match(warning.message):
        return False
    here = [p for p in expression.get("places") or [] if (p["line"], p["column"]) == (warning.line, warning.column)]
    match = FIELD.match(warning.message)
    if match and warning.sign in (".", "["):
        return False
    selected = ("." + match[1], "has " + match[1], "_?._", "_[_]", "_[?_]") if match else ()
    return not any(p["what"] in selected or p["what"] not in ("", STRUCTURE, PATCH) and not match for p in here)


def is_mutation(expression):
    return expression["fieldRef"].startswith("spec.mutations")


def truth_of_patch(expression, warning):
    """fails if nothing could be applied in whose making evaluation came to the structure at the warning."""
    before = [
        p for p in expression.get("places") or []
        if p["what"] == STRUCTURE and (p["line"], p["column"]) <= (warning.line, warning.column)
    ]  # fmt: skip
    made = [p for p in before if p.get("applied") or p.get("refused")]
    if not made or made[-1] != before[-1]:
        return "unreached"
    return "ok" if made[-1].get("applied") else "fails"


def truth_of(expression, warning):
    """fails, ok (some object passes there), unreached or refused; on requests of one kind."""
    if expression.get("problems"):
        return "refused"
    if is_of_patch(expression, warning):
        return truth_of_patch(expression, warning)
    reached = places_of(expression, warning)
    if not reached:
        return "unreached"
    return "fails" if any(passes(p) == 0 for p in reached) else "ok"


OPERATION = "(?:CREATE|UPDATE|DELETE|CONNECT)"
RESOURCE = "[a-z0-9-]+s(?:/[a-z]+)?"  # a plural: messages end in "out of range" and in "for request", too


def _listed(word):
    return f"{word}(?:(?:, | and ){word})*"


KINDS = re.compile(f"(?: on ({_listed(OPERATION)}))?(?: (?:of|for) ({_listed(RESOURCE)}))?$")


def is_about(warning, way):
    """Returns true if its last words, which name the kinds of request that fail, name this one, or none and so all."""
    operations, resources = KINDS.search(warning.message).groups()
    operation, _, resource = way.partition(" of ")
    return (not operations or operation in re.split(", | and ", operations)) and (
        not resources or resource in re.split(", | and ", resources)
    )


def names_kinds(warning):
    return any(KINDS.search(warning.message).groups())


@dataclasses.dataclass
class Finding:
    sort: str  # a warning that is "false", or an error that was "missed"
    policy: Policy
    field_ref: str
    type: str
    way: str
    what: str  # the warning, or the error
    place: dict

    def __str__(self):
        at = "%(line)s:%(column)s" % self.place if self.place else "-"
        return f"{self.sort}: {self.policy.id} {self.field_ref} {self.type} on {self.way} at {at}: {self.what}"


def judge(policies, said, seen, counts, unreached=False):
    """The findings; counts (a Counter) gets warnings, true, refused, unreached, absorbed, false and missed.

    Where every object fails, but nothing is missed, counts gets "excuse: WHY", too.
    """
    findings = []
    for policy in policies:
        ours = said[policy.id]
        for name, ways in seen.get(policy.id, {}).items():
            for ref in ways[0].expressions:
                on = {s.way: s.expressions[ref] for s in ways}
                warned = ours.warnings.get((ref, name), [])
                findings += _false(policy, ref, name, on, warned, counts, unreached)
                if ref in ours.cut | ours.refused:
                    continue
                for seen_way in ways:
                    expression = on[seen_way.way]
                    if not any(is_about(w, seen_way.way) for w in warned) and not is_gated(seen_way, expression):
                        found = list(_missed(policy, ref, name, seen_way.way, expression, counts))
                        findings += found
                        if found:
                            break
    return findings


def is_gated(seen_way, expression):
    """Returns true if another expression is refused, and so has no value, on which what this one does might depend."""
    return not expression.get("problems") and any(
        e.get("problems") for r, e in seen_way.expressions.items() if GATE.match(r)
    )


def _false(policy, ref, name, on, warned, counts, unreached):
    """A warning is true if every object of one kind of request fails; if it names kinds, every one of each."""
    if not warned:
        return
    counts["warnings"] += 1
    verdicts = set()
    for warning in warned:
        about = {way: expression for way, expression in on.items() if is_about(warning, way)}
        verdict_on = {way: truth_of(expression, warning) for way, expression in about.items()}
        all_of_them = set(verdict_on.values())
        if "refused" in all_of_them:
            verdict = "refused"
        elif "fails" in all_of_them and not (names_kinds(warning) and "ok" in all_of_them):
            verdict = "fails"
        else:
            verdict = "ok" if "ok" in all_of_them else "unreached"
        verdicts.add(verdict)
        if verdict == "ok":
            way = next(w for w, v in verdict_on.items() if v == "ok")
            passing = next((p for p in places_of(on[way], warning) if passes(p)), None)
            yield Finding("false", policy, ref, name, way, warning.message, passing)
        elif verdict == "unreached" and unreached:
            place = dataclasses.asdict(warning) | {"what": "", "reached": 0}
            yield Finding("unreached", policy, ref, name, "any", warning.message, place)
        elif verdict == "fails":
            failing = [p for w, v in verdict_on.items() if v == "fails" for p in places_of(on[w], warning)]
            if not any(p.get("surfaced") or p.get("unequal") for p in failing):
                counts["absorbed"] += 1
            if "ok" in all_of_them:
                counts["unnamed"] += 1
    for verdict, count in (("ok", "false"), ("unreached", "unreached"), ("fails", "true"), ("refused", "true")):
        if verdict in verdicts:
            counts[count] += 1
            break


def _missed(policy, ref, name, way, expression, counts):
    for problem in expression.get("problems") or []:
        if problem["message"].startswith("the compiler panics"):
            return
        counts["missed"] += 1
        yield Finding("missed", policy, ref, name, way, "refused: " + problem["message"], None)
        return
    for place in expression.get("places") or []:
        if place["what"] in (OPERAND, STRUCTURE) or passes(place):
            continue
        why = excuse(place)
        if why:
            counts["excuse: " + why] += 1
            continue
        counts["missed"] += 1
        what = place.get("error") or "never equal: " + place["what"]
        yield Finding("missed", policy, ref, name, way, what, place)
        return


# What is claimed of every request.


@dataclasses.dataclass
class Judged:
    policy: Policy
    claim: Claim
    verdict: str  # "true", "false" or "untried"
    why: str = ""  # the kind of request that disproves it; what was not tried

    def __str__(self):
        c = self.claim
        return f"{self.verdict}: {self.policy.id} {c.ref} {c.line}:{c.column}: {c.message} [{c.id}] {self.why}"

    def as_dict(self):
        return {
            **dataclasses.asdict(self.claim),
            "policy": self.policy.id,
            "verdict": self.verdict,
            "why": self.why,
            "object": self.policy.object,
        }


PRESENCE = ("_?._", "_[_]", "_[?_]", "@in")
# What each comparison never is.
NEVER = {"_==_": "true", "@in": "true", "_!=_": "false"}
# What is claimed of a part of an expression, and not of the whole.
PART = ": this is always "


def claimed_places(expression, claim):
    """The places of the claim whose outcomes were seen."""
    here = [
        p
        for p in expression.get("places") or []
        if (p["line"], p["column"]) == (claim.line, claim.column) and p.get("true", 0) + p.get("false", 0)
    ]
    field = FIELD.search(claim.message)
    wanted = ("has " + field[1], *PRESENCE) if field else () if PART in claim.message else tuple(NEVER)
    return [p for p in here if p["what"] in wanted] or here


def disproof(claim, ways):
    """(how often the claim was tried, the kind of request that disproves it; None: none does)"""
    tried, outcomes = 0, set()
    for way in ways:
        expression = way.expressions[claim.ref]
        if claim.id == "never-applies":
            reached = [e for ref, e in way.expressions.items() if not GATE.match(ref)]
            tried += way.requests
            if any(e.get("true") or e.get("false") or e.get("fails") for e in reached):
                return tried, way.way
            continue
        if claim.id in ("always-true", "always-false") and PART not in claim.message:
            tried += expression.get("true", 0) + expression.get("false", 0)
            if expression.get("false" if claim.id == "always-true" else "true") or expression.get("fails"):
                return tried, way.way
            continue
        for place in claimed_places(expression, claim):
            tried += place.get("true", 0) + place.get("false", 0)
            never = "true" if FIELD.search(claim.message) else NEVER.get(place["what"])
            if PART in claim.message:
                never = "false" if claim.id == "always-true" else "true"
            outcomes |= {o for o in ("true", "false") if place.get(o)}
            if place.get(never) or (never is None and len(outcomes) == 2):
                return tried, way.way
    return tried, None


# Fields that the kind of request decides.
OF_THE_REQUEST = {".kind", ".apiVersion", ".operation", ".resource", ".group", ".version", ".subResource"}


def unvaried(claim, ways):
    """The fields of the claim's expression that had one value in all objects; maps and lists do not count."""
    values = collections.defaultdict(set)
    for way in ways:
        for place in way.expressions[claim.ref].get("places") or []:
            if place.get("values") and place["what"].startswith(".") and place["what"] not in OF_THE_REQUEST:
                key = place["line"], place["column"], place["what"]
                values[key] |= {"", "another"} if place["values"] > 1 else {place["value"]}
    return sorted(what for (_, _, what), of in values.items() if len(of) == 1 and next(iter(of)).startswith("="))


def judge_claims(policies, said, seen):
    for policy in policies:
        ways = [way for of_type in seen.get(policy.id, {}).values() for way in of_type]
        for claim in sorted(said[policy.id].claims, key=lambda c: (c.ref, c.line, c.column, c.message)):
            tried, against = disproof(claim, ways)
            same = unvaried(claim, ways)
            if against is not None:
                yield Judged(policy, claim, "false", "on " + against)
            elif not tried:
                yield Judged(policy, claim, "untried", "no object reaches it")
            elif same:
                yield Judged(policy, claim, "untried", "one value of " + ", ".join(same))
            else:
                yield Judged(policy, claim, "true")


UNPARSED = re.compile("illegal base64|quantities must match|parsing time|cannot parse|unable to parse|invalid duration")


def excuse(place):
    """Why a place at which no object passes is not called missed; None if it is."""
    if place.get("variable"):
        return "fails at a variable, which is judged there"
    if place["reached"] < ENOUGH:
        return f"fewer than {ENOUGH} objects reach it"
    if place.get("otherwise"):
        return "passes if values were otherwise"
    if place["what"] == PATCH and UNPARSED.search(place["error"]):
        return "a mutation's value that does not parse"
    if place.get("other"):
        return "an error of objects, not of types: " + re.split(r"[:'\"]|\d", place.get("error", ""))[0].strip()
    if certain(place):
        return None
    return "a null by chance" if place.get("silent") else "absorbed"
