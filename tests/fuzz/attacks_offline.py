"""Hostile input whose cost is not that of checking expressions. For tests/fuzz/adversary --command offline.

It is input of what reads YAML, of what keeps definitions, of what searches for witnesses and advice, of the server for
editors, and of what reads the objects of a cluster. An attack here runs itself: run() answers (status, seconds of CPU,
megabytes, what was printed). The seconds of a session with `kubectl-vapcheck lsp` are those of the slowest answer, the
seconds of a command are all that it takes.
"""

import contextlib
import json
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

import attacks

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/flow"), str(ROOT / "tests/flow/lsp")]
import lspstream

URI = "file:///nowhere/hostile.yaml"
TURN_SECONDS = 0.2  # after which a check has begun
WAIT_SECONDS = 60
KILL_BYTES = 8 << 30


class Command(attacks.Attack):
    """A command that reads the text."""

    command = "offline"

    def __init__(self, text, *argv, names=attacks.WRONG_NAME):
        super().__init__(text=text)
        self.argv, self.name = argv or ("check", "-f", "-"), names

    def fits(self):
        return len(self.text) <= attacks.OBJECT_BYTES

    def shown(self):
        return " ".join(self.argv)

    def run(self, program, kill):
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (kill, kill))
            if "asan" not in program:
                resource.setrlimit(resource.RLIMIT_AS, (KILL_BYTES, KILL_BYTES))

        with (
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as source,
            tempfile.TemporaryDirectory() as folder,
        ):
            source.write(self.text.encode())
            source.seek(0)
            child = subprocess.Popen(
                [program, *self.argv], stdin=source, stdout=out, stderr=subprocess.STDOUT, cwd=folder, preexec_fn=limit
            )
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            return (
                child.returncode,
                usage.ru_utime + usage.ru_stime,
                usage.ru_maxrss / 1024,
                out.read().decode(errors="replace"),
            )

    def read(self, text):
        """Returns what the output is about: a limit, the error that is in the input, or neither."""
        if "at most" in text or "beyond" in text or "too much work" in text or "nested too deeply" in text:
            return "limit"
        return "found" if not self.name or self.name in text else "silent"


def yaml_of(policy):
    return f"---\n{attacks.compact(policy)}\n"


WRONG_POLICY = yaml_of(attacks.policy().objects[0])
WIDE_POLICY = yaml_of(attacks.policy(wide=1).objects[0])


# ---------------------------------------------------------------- YAML


@attacks.family(
    "offline",
    count=(0, 90_000, 40),
    uses=(0, 150_000, 100),
    prefix=(1, 900_000, 10),
    documents=(1, 1000, 1),
    comments=(0, 1, 0),
)
def yaml_directives(count, uses, prefix, documents, comments):
    """%TAG directives, and tags that use the last one."""
    between = "# c\n" if comments else ""
    head = "".join(f"%TAG !a{i}! x\n{between}" for i in range(count)) + f"%TAG !l! {'x' * prefix}\n"
    return Command((head + "---\na:\n" + "- !l!t\n" * uses + "...\n") * documents + WRONG_POLICY)


KEYS = [
    ("- &a {key}\n", "- {{*a : b}}\n"),
    ("- &a\n  ? {key}\n  : 1\n", "- {{<<: *a}}\n"),
    ("- &a {key}\n", "- *a\n"),
    ("- &a [{key}]\n", "- *a\n"),
    ("- &a\n  ? {key}\n  : 1\n", "- &b{i} {{<<: *a, c: {{<<: *a}}}}\n"),
]


@attacks.family("offline", length=(1, 1_000_000, 10), uses=(1, 150_000, 10), shape=(0, len(KEYS) - 1, 0))
def yaml_keys(length, uses, shape):
    """A long text that stands in many places."""
    first, use = KEYS[shape]
    return Command(first.format(key="k" * length) + "".join(use.format(i=i) for i in range(uses)) + WRONG_POLICY)


SHAPES = [
    "- &a{i} x\n",
    "- [a, b]\n",
    "k{i}: v\n",
    "---\na: b\n",
    "---\n\ufeffa: b\n",
    "# c\n",
    "\n",
    "- |\n  b\n",
    "- >\n  b\n\n  c\n",
    '- "a\\\n  b"\n',
    "- !!str é\n",
    "- {{a: b, c: d}}\n",
    "---\nkind: a{i}\napiVersion: v1\nmetadata: {{name: b}}\n",
    "? a{i}\n: b\n",
    '- "é\u2028"\n',
]


@attacks.family("offline", count=(1, 120_000, 100), shape=(0, len(SHAPES) - 1, 0), depth=(0, 98, 0), is_flow=(0, 1, 0))
def yaml_shapes(count, shape, depth, is_flow):
    """Many of the same, on many lines or in one, deep or flat."""
    if is_flow:
        item = ("é, ", "a, ", "{a: b}, ", '"q", ', "!!str é, ")[shape % 5]
        return Command(
            "[" * depth + item * count + "]" * depth + "\n" + WRONG_POLICY
            if depth
            else f"[{item * count}]\n" + WRONG_POLICY
        )
    return Command("".join(SHAPES[shape].format(i=i) for i in range(count)) + WRONG_POLICY)


# ---------------------------------------------------------------- definitions


def definition(versions, number=0, group="hostile.example.com", **names):
    names = {"plural": f"hostiles{number}", "kind": f"Hostile{number}", **names}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{names['plural']}.{group}"},
        "spec": {"group": group, "scope": "Namespaced", "names": names, "versions": versions},
    }


def version(name, shape, size):
    schemas = [
        {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        {"type": "object", "properties": {f"p{i}": {"type": "string"} for i in range(size)}},
        {
            "type": "object",
            "properties": {
                "spec": {
                    "type": "object",
                    "properties": {
                        f"p{i}": {
                            "type": "string",
                            "x-kubernetes-validations": [{"rule": f"self.{attacks.WRONG_NAME} == 1"}],
                        }
                        for i in range(size)
                    },
                }
            },
        },
        {"type": "object", "required": [f"p{i}" for i in range(size)]},
        {"type": "object", "properties": {"p": {"type": "string", "enum": [f"v{i}" for i in range(size)]}}},
    ]
    return {"name": name, "served": True, "storage": name == "v1", "schema": {"openAPIV3Schema": schemas[shape]}}


@attacks.family(
    "offline",
    versions=(1, 12_000, 3),
    count=(1, 6000, 1),
    groups=(0, 1, 0),
    names=(0, 40_000, 0),
    shape=(0, 4, 0),
    size=(1, 18_000, 2),
    is_alone=(0, 1, 0),
)
def definitions(versions, count, groups, names, shape, size, is_alone):
    """Definitions of many versions, names and groups, beside a policy about all types."""
    short = (
        {"shortNames": [f"s{i}" for i in range(names)], "categories": [f"c{i}" for i in range(names)]} if names else {}
    )
    made = "".join(
        yaml_of(
            definition(
                [version(f"v{v}", shape, size) for v in range(1, versions + 1)],
                i,
                f"g{i if groups else 0}.example.com",
                **short,
            )
        )
        for i in range(count)
    )
    return Command(made + ("" if is_alone else WIDE_POLICY), names=None if is_alone else attacks.WRONG_NAME)


# ---------------------------------------------------------------- witnesses and advice

FAILING = [
    "object.metadata.name == 'x{i}' && object.spec.replicaz > 1",
    "object.spec.replicas > {i} || object.spec.replicaz > 1",
    "object.spec.template.spec.securityContext.runAsUser == {i}",
    "object.metadata.labels['x{i}'] == 'a'",
    "variables.v == 'x{i}' || object.spec.replicaz == 1",
    "object.metadata.name.matches('(a+)+b{i}') && object.spec.replicaz == 1",
    "[1, 2, 3, 4, 5, 6, 7].all(x, [1, 2, 3, 4, 5, 6, 7].all(y, x + y > {i})) || object.spec.replicaz == 1",
    "object.spec.replicaz == {i}",
]


@attacks.family(
    "offline",
    validations=(1, 6000, 3),
    shape=(0, len(FAILING) - 1, 0),
    refused=(0, 5000, 0),
    message=(0, 1000, 0),
    annotations=(0, 3000, 0),
    conditions=(0, 60, 0),
    text=(1, 90_000, 1),
    wide=(0, 1, 0),
    advice=(0, 1, 0),
)
def witnesses(validations, shape, refused, message, annotations, conditions, text, wide, advice):
    """Warnings, for each of which requests are made and evaluated."""
    said = {"message": "m" * message} if message else {}
    made = attacks.policy(
        wide=wide, variables=attacks.variables([f"'{'a' * text}' + object.metadata.name"], "v")
    ).objects[0]
    spec = made["spec"]
    spec["variables"][0]["name"] = "v"
    spec["validations"] = (
        [{"expression": f"object.spec.replicas > {i + 1000}", **said} for i in range(refused)]
        + [{"expression": FAILING[shape].format(i=i), **said} for i in range(validations)]
        + spec["validations"]
    )
    spec["auditAnnotations"] = [
        {"key": f"k{i}", "valueExpression": f"object.metadata.name + 'x{i}'"} for i in range(annotations)
    ]
    spec["matchConditions"] = [
        {"name": f"c{i}", "expression": f"object.metadata.name != 'y{i}'"} for i in range(conditions)
    ]
    flags = ("--select", "default,advice") if advice else ("--witness",)
    return Command(yaml_of(made), "check", *flags, "-f", "-")


# ---------------------------------------------------------------- an editor


class Editor(lspstream.Stream):
    """As far as a session needs one: it measures what the server's process takes."""

    def __init__(self, program, folder):
        command, pipe = [program, "lsp"], subprocess.PIPE
        super().__init__(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, cwd=folder))
        self.slowest, self.last = 0.0, 0.0
        self.published = {}  # by version

    def send(self, method, params, **more):
        data = lspstream.frame({"jsonrpc": "2.0", "method": method, "params": params, **more})
        writer = threading.Thread(target=self.write, args=(data,), daemon=True)  # the server may be busy
        writer.start()
        writer.join(WAIT_SECONDS)

    def write(self, data):
        with contextlib.suppress(OSError):
            super().write(data)

    def cpu(self):
        with contextlib.suppress(OSError):
            self.last = self.cpu_seconds()
        return self.last

    def measure(self, wait):
        """What the server takes until the message comes for which it waits."""
        begin = self.cpu()
        while (message := self.read(WAIT_SECONDS)) is not None:
            if message.get("method") == "textDocument/publishDiagnostics":
                self.published[message["params"]["version"]] = message["params"]["diagnostics"]
            if wait(message):
                break
        self.slowest = max(self.slowest, self.cpu() - begin)
        return message

    def request(self, method, params):
        self.number += 1
        number = self.number
        self.send(method, params, id=number)
        return self.measure(lambda m: m.get("id") == number)

    def diagnostics(self, version):
        if version not in self.published:
            self.measure(lambda m: version in self.published)
        return self.published.get(version)


class Session(Command):
    """A document is opened, asked about, changed and asked about while it is checked, and closed."""

    def __init__(self, text, place, changes=(), names=attacks.WRONG_NAME):
        super().__init__(text, names=names)
        self.place, self.changes = place, list(changes)

    def shown(self):
        return f"lsp, at {self.place}, {len(self.changes)} changes"

    def run(self, program, kill):
        with tempfile.TemporaryDirectory() as folder:
            editor = Editor(program, folder)
            try:
                said = self.play(editor)
            finally:
                pid, status, usage = os.wait4(editor.process.pid, os.WNOHANG)
                if pid == 0:
                    os.kill(editor.process.pid, signal.SIGKILL)
                    _, _, usage = os.wait4(editor.process.pid, 0)
                editor.process.returncode = 0
                with contextlib.suppress(OSError):
                    editor.process.stdin.close()
                editor.process.stdout.close()
            return os.waitstatus_to_exitcode(status), editor.slowest, usage.ru_maxrss / 1024, json.dumps(said)

    def play(self, editor):
        at = {"textDocument": {"uri": URI}, "position": self.place}
        editor.request("initialize", {"processId": None, "capabilities": {}, "rootUri": None})
        editor.slowest = 0.0  # what the start takes is no answer about the document
        editor.send(
            "textDocument/didOpen",
            {"textDocument": {"uri": URI, "languageId": "yaml", "version": 1, "text": self.text}},
        )
        editor.diagnostics(1)
        here = {"start": self.place, "end": self.place}
        editor.send(
            "textDocument/didChange",
            {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"range": here, "text": ""}]},
        )
        time.sleep(TURN_SECONDS)
        editor.request("textDocument/hover", at)
        editor.request("textDocument/completion", at)
        said = editor.diagnostics(2)
        if self.changes:
            editor.send(
                "textDocument/didChange", {"textDocument": {"uri": URI, "version": 3}, "contentChanges": self.changes}
            )
            editor.request("textDocument/hover", at)
        return said


@attacks.family(
    "offline", findings=(1, 5000, 10), length=(1, 3000, 100), wide=(0, 1, 0), is_block=(0, 1, 0), elsewhere=(0, 1, 0)
)
def session_findings(findings, length, wide, is_block, elsewhere):
    """Many findings in one line, or on many."""
    filler = ("é" if wide else "a") * length
    expressions = [f"object.spec.replicaz == '{i}{filler}'" for i in range(findings)]
    made = attacks.policy(expressions).objects[0]
    text = json.dumps(made, ensure_ascii=False) if not is_block else json.dumps(made, ensure_ascii=False, indent=1)
    lines = text.split("\n")
    line = len(lines) // 2
    return Session(text, {"line": line, "character": 3 if elsewhere else len(lines[line]) // 2})


@attacks.family(
    "offline",
    changes=(1, 12_000, 20),
    lines=(1, 20_000, 100),
    length=(1, 1_000_000, 50),
    wide=(0, 1, 0),
    inserts=(0, 2, 0),
    seed=(0, 1000, 1),
)
def session_changes(changes, lines, length, wide, inserts, seed):
    """Many changes in one message."""
    rng = random.Random(seed)
    length = min(length, attacks.OBJECT_BYTES)
    lines = min(lines, attacks.OBJECT_BYTES // length + 1)
    text = ((("é" if wide else "a") * length + ": b\n") * lines)[: attacks.OBJECT_BYTES]
    rows = text.split("\n")
    made = []
    for i in range(changes):
        line = rng.randrange(len(rows))
        start = {"line": line, "character": rng.randrange(len(rows[line]) + 1)}
        end = {"line": line, "character": start["character"] + rng.randrange(2)}
        made.append({"range": {"start": start, "end": end}, "text": ("x", "é\n", "")[inserts] if i % 2 else "y"})
    return Session(text, {"line": 0, "character": 1}, made, names=None)


@attacks.family("offline", known=(0, len(attacks.KNOWN + attacks.WORST) - 1, 0), place=(0, 100, 50))
def session_known(known, place):
    """What is known to be worst for a check, while the editor asks."""
    _, name, numbers = (attacks.KNOWN + attacks.WORST)[known]
    text = attacks.make(name, **numbers).text
    lines = text.split("\n")
    line = len(lines) * place // 101
    return Session(text, {"line": line, "character": len(lines[line]) // 2}, names=None)


# ---------------------------------------------------------------- a cluster

ODD = [
    None,
    True,
    0,
    -1,
    1.5,
    1 << 70,
    "",
    "x",
    "\u0000",
    [],
    [None],
    [[]],
    [{}],
    ["x", 1],
    {},
    {"": None},
    {"x": []},
    {"name": 1},
]
CLUSTER_COMMANDS = [
    ("upgrade", "--to", "1.37", "--cluster"),
    ("status",),
    ("audit", "--cluster"),
    ("check", "--cluster", "-f", "-"),
    ("status", "-o", "yaml"),
    ("upgrade", "--to", "1.37", "--cluster", "-o", "json"),
    ("audit", "--cluster", "-o", "openreports"),
]
LISTS = {
    "validatingadmissionpolicies": "ValidatingAdmissionPolicy",
    "validatingadmissionpolicybindings": "ValidatingAdmissionPolicyBinding",
    "mutatingadmissionpolicies": "MutatingAdmissionPolicy",
    "validatingwebhookconfigurations": "ValidatingWebhookConfiguration",
}


def cluster_objects():
    policy = attacks.policy(
        ["has(object.spec)"],
        paramKind={"apiVersion": "v1", "kind": "ConfigMap"},
        matchConditions=[{"name": "c", "expression": "true"}],
        auditAnnotations=[{"key": "k", "valueExpression": "'v'"}],
    ).objects[0]
    policy["metadata"].update(
        labels={"a": "b"},
        annotations={"vapcheck/ignore": "undefined-field"},
        managedFields=[{"manager": "m"}],
        ownerReferences=[{"name": "o"}],
    )
    policy["status"] = {
        "conditions": [{"type": "TypeChecked", "status": "True"}],
        "typeChecking": {"expressionWarnings": [{"fieldRef": "f", "warning": "w"}]},
    }
    binding = {
        "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": {"name": "b"},
        "spec": {
            "policyName": "hostile",
            "validationActions": ["Deny"],
            "paramRef": {"name": "n", "namespace": "d", "parameterNotFoundAction": "Allow"},
            "matchResources": {"namespaceSelector": {"matchLabels": {"a": "b"}}},
        },
    }
    mutating = {
        "kind": "MutatingAdmissionPolicy",
        "metadata": {"name": "m"},
        "spec": {
            "matchConstraints": {"resourceRules": attacks.ONE_TYPE},
            "reinvocationPolicy": "Never",
            "mutations": [{"patchType": "JSONPatch", "jsonPatch": {"expression": "[]"}}],
        },
    }
    webhooks = {
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "w"},
        "webhooks": [
            {
                "name": "w.example.com",
                "clientConfig": {"service": {"name": "s", "namespace": "d"}},
                "rules": attacks.ONE_TYPE,
                "sideEffects": "None",
                "admissionReviewVersions": ["v1"],
                "matchConditions": [{"name": "c", "expression": "true"}],
            }
        ],
    }
    return {
        "validatingadmissionpolicies": policy,
        "validatingadmissionpolicybindings": binding,
        "mutatingadmissionpolicies": mutating,
        "validatingwebhookconfigurations": webhooks,
    }


def places(value, path=()):
    """The paths of all values in a tree."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in items:
        yield from places(below, (*path, key))


def put(value, path, odd):
    if not path:
        return odd
    try:
        copy = value.copy()
        copy[path[0]] = put(value[path[0]], path[1:], odd)
        return copy
    except (AttributeError, TypeError, KeyError, IndexError):
        return value  # what was put before stands there


class Cluster:
    """The server that answers with such objects: one for all attacks."""

    only = None

    def __init__(self, program):
        os.environ["VAPCHECK_BIN"] = os.path.dirname(program)
        import stage

        self.folder = tempfile.TemporaryDirectory()
        self.stage, self.server = stage, stage.Server(self.folder.name)
        self.proxy = stage.Proxy(self.server.port)
        self.kubeconfig = os.path.join(self.folder.name, "kubeconfig-of-the-proxy")
        pathlib.Path(self.kubeconfig).write_text(
            json.dumps(
                {
                    "apiVersion": "v1",
                    "kind": "Config",
                    "current-context": "c",
                    "clusters": [{"name": "c", "cluster": {"server": self.proxy.url}}],
                    "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
                    "users": [{"name": "u", "user": {}}],
                }
            )
        )

    @classmethod
    def get(cls, program):
        if cls.only is None:
            cls.only = cls(program)
        return cls.only

    def answer(self, lists):
        for resource_name, items in lists.items():
            body = json.dumps(
                {
                    "kind": LISTS[resource_name] + "List",
                    "apiVersion": attacks.API,
                    "metadata": {"resourceVersion": "1"},
                    "items": items,
                }
            )
            self.proxy.faults[f"/apis/{attacks.API}/{resource_name}"] = self.stage.reply(200, body.encode())

    @classmethod
    def end(cls):
        if cls.only is not None:
            cls.only.proxy.stop()
            cls.only.server.stop()
            cls.only.folder.cleanup()
            cls.only = None


class Live(Command):
    def __init__(self, lists, *argv):
        super().__init__(WRONG_POLICY, *argv, names=None)
        self.lists = lists

    def run(self, program, kill):
        cluster = Cluster.get(program)
        cluster.answer(self.lists)
        command, self.argv = self.argv, (*self.argv, "--kubeconfig", cluster.kubeconfig)
        try:
            return super().run(program, kill)
        finally:
            self.argv = command


@attacks.family(
    "offline", seed=(0, 1_000_000, 0), changed=(1, 6, 1), asked=(0, len(CLUSTER_COMMANDS) - 1, 0), is_all=(0, 1, 0)
)
def live_objects(seed, changed, asked, is_all):
    """Objects of a cluster with values of other types. is_all: one for each place of each object."""
    rng = random.Random(seed)
    lists = {}
    for name, good in cluster_objects().items():
        paths = list(places(good))
        odd = rng.choice(ODD)
        items = [put(good, path, odd) for path in paths] if is_all else [good]
        for _ in range(0 if is_all else changed):
            items[0] = put(items[0], rng.choice(paths), rng.choice(ODD))
        lists[name] = items
    return Live(lists, *CLUSTER_COMMANDS[asked])


# ---------------------------------------------------------------- the worst that are known

KNOWN = [
    ("60,000 %TAG directives", "yaml_directives", dict(count=60_000)),
    ("a long prefix of a tag", "yaml_directives", dict(prefix=700_000, uses=110_000)),
    ("a long key in many places", "yaml_keys", dict(length=100_000, uses=100_000)),
    ("one line, deep", "yaml_shapes", dict(count=120_000, depth=98, is_flow=1, shape=1)),
    ("10,000 versions", "definitions", dict(versions=10_000)),
    ("names at each version", "definitions", dict(versions=3000, names=30_000)),
    ("3,000 definitions in groups", "definitions", dict(count=3000, groups=1, versions=1)),
    ("a rule at each of 18,000 fields", "definitions", dict(versions=1, shape=2, size=16_000, is_alone=1)),
    ("4,000 wrong validations", "witnesses", dict(validations=4000)),
    ("messages of 4,000 refused validations", "witnesses", dict(validations=4000, shape=1, message=60)),
    ("annotations beside", "witnesses", dict(validations=300, annotations=3000)),
    ("4,000 optional fields", "witnesses", dict(validations=4000, shape=2, message=60, advice=1)),
    ("1,000 findings in a line", "session_findings", dict(findings=1000, length=1100)),
    ("4,000 findings in a line", "session_findings", dict(findings=4000, length=120, wide=1)),
    ("5,000 changes", "session_changes", dict(changes=5000, lines=16_000, length=60)),
    ("5,000 changes in a line", "session_changes", dict(changes=5000, lines=1, length=700_000, wide=1)),
    ("heavy webhooks in an editor", "session_known", dict(known=8)),
    ("costs of a definition in an editor", "session_known", dict(known=10)),
    ("values of other types, each", "live_objects", dict(is_all=1, seed=3)),
    ("values of other types, status", "live_objects", dict(is_all=1, seed=4, asked=1)),
    ("values of other types, audit", "live_objects", dict(is_all=1, seed=5, asked=2)),
]
