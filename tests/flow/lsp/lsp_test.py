#!/usr/bin/env python3
"""kubectl-vapcheck lsp: the Language Server Protocol, and the findings of check as diagnostics."""

import json
import pathlib
import sys
import time
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import offline
import stage
from languageclient import Editor, frame

ROOT = pathlib.Path(__file__).resolve().parents[3]
URI = "file:///nowhere/p.yaml"
WRONG = offline.HEAD + "  validations:\n  - expression: object.spec.replica < 5\n"
RIGHT = offline.HEAD + "  validations:\n  - expression: object.spec.replicas < 5\n"
# The lines of a document whose time is compared with that of a quarter of it.
LINES = 8000
# What is linear takes four times as long then, and what is quadratic sixteen times.
LINEAR_RATIO_MAX = 9


def place(text, needle):
    """(line, column) of a part of an ASCII text."""
    before = text[: text.index(needle)]
    return {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}


def policies(lines):
    """A document of so many lines: policies without a mistake."""
    return "".join(RIGHT.replace("name: p", f"name: p{i}") + "---\n" for i in range(lines // (RIGHT.count("\n") + 1)))


class SessionTest(offline.Case):
    def test_life(self):
        with Editor() as e:
            result = e.initialize()
            self.assertEqual(result["serverInfo"]["name"], "kubectl-vapcheck")
            self.assertEqual(result["capabilities"]["textDocumentSync"], {"openClose": True, "change": 2, "save": True})
            self.assertEqual(e.end(), 0)

    def test_position_encodings(self):
        for offered, chosen in ((None, "utf-16"), ([], "utf-16"), (["utf-8"], "utf-8"), (["utf-32", "utf-8"], "utf-32"),
                                (["utf-7", "utf-16", "utf-8"], "utf-16")):  # fmt: skip
            with self.subTest(offered), Editor() as e:
                self.assertEqual(e.initialize(encodings=offered)["capabilities"]["positionEncoding"], chosen)

    def test_order(self):
        with Editor() as e:
            self.assertEqual(e.request("shutdown")["error"]["code"], -32002)
            e.open(URI, WRONG)  # before initialize: nothing
            e.initialize()
            self.assertEqual(e.request("initialize", {"capabilities": {}})["error"]["code"], -32600)
            e.open(URI, WRONG)
            self.assertEqual(len(e.diagnostics(URI)), 1)
            self.assertIsNone(e.request("shutdown")["result"])
            self.assertEqual(e.request("shutdown")["error"]["code"], -32600)
            e.notify("exit")
            self.assertEqual(e.process.wait(timeout=30), 0)

    def test_ends_without_shutdown(self):
        with Editor() as e:
            e.notify("exit")
            self.assertEqual(e.process.wait(timeout=30), 1)
        with Editor() as e:
            e.initialize()
            e.process.stdin.close()
            self.assertEqual(e.process.wait(timeout=30), 1)

    def test_flags(self):
        for flags in (["--no-such"], ["file.yaml"], ["--kube-version=1.2"]):
            with self.subTest(flags), Editor(*flags) as e:
                self.assertEqual(e.process.wait(timeout=30), 2)
                self.assertTrue(e.process.stderr.read())
                self.assertEqual(e.process.stdout.read(), b"")
        with Editor("--help") as e:
            self.assertIn(b"Language Server Protocol", e.process.stdout.read())
            self.assertEqual(e.process.wait(timeout=30), 0)


class BadMessageTest(offline.Case):
    def check(self, message, code, number=None):
        """The server says so, and goes on."""
        with self.subTest(str(message)[:80]), Editor() as e:
            e.initialize()
            e.write(frame(message))
            answer = e.read()
            self.assertEqual((answer["error"]["code"], answer["id"]), (code, number))
            self.assertTrue(answer["error"]["message"])
            e.open(URI, WRONG)
            self.assertEqual(len(e.diagnostics(URI)), 1)

    def test_codes(self):
        self.check(b"{", -32700)
        self.check(b"", -32700)
        self.check(b"[" * 100000, -32700)
        self.check(b"\xff\xfe", -32700)
        self.check([], -32600)
        self.check({"id": 9, "method": "shutdown"}, -32600, 9)
        self.check({"jsonrpc": "2.0", "id": 9, "method": 1}, -32600, 9)
        self.check({"jsonrpc": "2.0", "id": {}, "method": "shutdown"}, -32600)
        self.check({"jsonrpc": "2.0", "id": 9, "method": "shutdown", "params": 1}, -32600, 9)
        self.check({"jsonrpc": "2.0", "id": "x", "method": "textDocument/rename", "params": {}}, -32601, "x")
        self.check({"jsonrpc": "2.0", "id": 9, "method": "$/other"}, -32601, 9)
        self.check({"jsonrpc": "2.0", "id": 9, "method": "textDocument/didOpen", "params": {}}, -32601, 9)

    def test_params_of_initialize(self):
        with Editor() as e:
            self.assertEqual(e.request("initialize", [])["error"]["code"], -32602)
            self.assertIn("capabilities", e.initialize())

    def test_headers(self):
        """Behind a header that nobody can read the next message begins anywhere."""
        for header in (b"Length: 2\r\n\r\n{}", b"Content-Length: -2\r\n\r\n{}", b"x" * 5000):
            with self.subTest(header[:20]), Editor() as e:
                e.initialize()
                e.write(header)
                self.assertEqual(e.read()["error"]["code"], -32700)
                self.assertEqual(e.process.wait(timeout=30), 1)

    def test_too_large(self):
        with Editor() as e:
            e.initialize()
            size = 64 * 1024 * 1024 + 1
            e.write(b"Content-Length: %d\r\n\r\n" % size)
            for _ in range(size // 65536):
                e.write(b"x" * 65536)
            e.write(b"x" * (size % 65536))
            self.assertEqual(e.read()["error"]["code"], -32600)
            e.open(URI, WRONG)
            self.assertEqual(len(e.diagnostics(URI)), 1)

    def test_notifications(self):
        """What cannot be done is shown, and the document stays as it was."""
        document = {"textDocument": {"uri": URI, "version": 2}}
        text = {"text": "x"}
        for method, params in (
            ("textDocument/didOpen", {}), ("textDocument/didOpen", {"textDocument": {"uri": URI, "text": 1}}),
            ("textDocument/didClose", {"textDocument": {"uri": "file:///other"}}), ("textDocument/didChange", []),
            ("textDocument/didChange", {**document}), ("textDocument/didChange", {**document, "contentChanges": [1]}),
            ("textDocument/didChange", {**document, "contentChanges": [{"range": {}, **text}]}),
            ("textDocument/didChange", {**document, "contentChanges": [
                {"range": {"start": {"line": -1, "character": 0}, "end": {"line": 0, "character": 0}}, **text}]}),
            ("textDocument/didChange", {**document, "contentChanges": [
                {"range": {"start": {"line": 2**40, "character": 0}, "end": {"line": 0, "character": 0}}, **text}]}),
        ):  # fmt: skip
            with self.subTest(f"{method} {params}"), Editor() as e:
                e.initialize()
                e.open(URI, WRONG)
                self.assertEqual(len(e.diagnostics(URI)), 1)
                e.notify(method, params)
                self.assertIn(method, e.shown())
                e.save(URI)
                self.assertEqual(len(e.diagnostics(URI)), 1)

    def test_cancellation(self):
        """What waits and is canceled gets an answer that says so."""
        with Editor() as e:
            e.initialize()
            asked = {"jsonrpc": "2.0", "id": "a", "method": "shutdown"}
            cancel = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "a"}}
            e.write(frame(asked) + frame(cancel))
            answer = e.read()
            self.assertEqual((answer["id"], answer["error"]["code"]), ("a", -32800))
            self.assertEqual(e.end(), 0)


class DiagnosticsTest(offline.Case):
    def test_what_check_finds(self):
        """All examples, and what must not be there: the same identifiers and places as check has."""
        for path in sorted((ROOT / "manifests/examples").glob("*.yaml")) + sorted(
            (ROOT / "tests/golden/policies").glob("*.yaml")
        ):
            report = json.loads(self.check("-o", "json", "--no-config", "-f", str(path))[1])
            found = [f for r in report["results"] for f in r["findings"]]
            want = sorted((f["id"], f["line"] - 1, f["column"] - 1) for f in found)
            with self.subTest(path.name), Editor("--no-config") as e:
                e.initialize(encodings=["utf-32"])
                e.open(path.as_uri(), path.read_text())
                have = e.diagnostics(path.as_uri())
                self.assertEqual(sorted((d["code"], *d["range"]["start"].values()) for d in have), want)

    def test_shape(self):
        with Editor(env={"VAPCHECK_HOME_URL": "https://example.com/v"}) as e:
            e.initialize()
            e.open(URI, WRONG, version=7)
            (d,) = e.diagnostics(URI, version=7)
        start = place(WRONG, "replica <")
        self.assertEqual(
            d["range"], {"start": start, "end": {**start, "character": start["character"] + len("replica")}}
        )
        self.assertEqual((d["severity"], d["code"], d["source"]), (1, "undefined-field", "vapcheck"))
        self.assertTrue(d["codeDescription"]["href"].startswith("https://example.com/v/blob/"))
        self.assertTrue(d["codeDescription"]["href"].endswith("FINDINGS.md#undefined-field"))
        first, why, hint = d["message"].splitlines()
        self.assertTrue(first.startswith("no field 'replica' in Deployment"), first)
        self.assertIn("no such key: replica", why)
        self.assertEqual(hint, "did you mean 'replicas'?")

    def test_severities(self):
        """Of a refusal, an error, a note and an advice."""
        text = WRONG + "  failurePolicy: fail\n  variables: [{name: v, expression: '1'}]\n"
        with Editor("--select=default,advice") as e:
            e.initialize()
            e.open(URI, text)
            found = {d["code"]: d["severity"] for d in e.diagnostics(URI)}
        self.assertEqual(found, {"undefined-field": 1, "refused": 1, "unused-variable": 4})

    def test_places(self):
        """In characters of one, two and four bytes, in each unit, in a block of text."""
        text = offline.HEAD + (
            "  validations:\n  - expression: |\n      '\u00e4\u20ac\U0001f600' != 'x' &&\n      "
            "'\U0001f600' != '' && object.spec.replica < 5\n"
        )
        line = text.split("\n")[-2]
        before = line[: line.index("replica")]
        for unit, width in (
            ("utf-8", len(before.encode())),
            ("utf-16", len(before.encode("utf-16-le")) // 2),
            ("utf-32", len(before)),
        ):
            with self.subTest(unit), Editor() as e:
                e.initialize(encodings=[unit])
                e.open(URI, text)
                (d,) = e.diagnostics(URI)
                self.assertEqual(d["range"]["start"], {"line": text.count("\n") - 1, "character": width})

    def test_changes(self):
        with Editor() as e:
            e.initialize()
            e.open(URI, WRONG)
            self.assertEqual(len(e.diagnostics(URI, 1)), 1)
            at = place(WRONG, " < 5")
            e.change(URI, 2, {"range": {"start": at, "end": at}, "text": "s"})
            self.assertEqual(e.diagnostics(URI, 2), [])
            e.change(URI, 3, {"range": {"start": at, "end": {**at, "character": at["character"] + 1}}, "text": ""})
            self.assertEqual(len(e.diagnostics(URI, 3)), 1)
            e.change(
                URI,
                4,
                {"text": RIGHT},
                {"range": {"start": place(RIGHT, "replicas"), "end": place(RIGHT, "eplicas")}, "text": "x"},
            )
            (d,) = e.diagnostics(URI, 4)
            self.assertIn("xeplicas", d["message"])
            e.change(URI, 5, {"text": RIGHT})
            self.assertEqual(e.diagnostics(URI, 5), [])
            e.open(URI, WRONG, version=1)  # once more
            self.assertEqual(len(e.diagnostics(URI, 1)), 1)
            e.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
            self.assertEqual(e.diagnostics(URI), [])

    def test_no_yaml(self):
        with Editor() as e:
            e.initialize()
            for version, text in enumerate(
                ("a: b: c", "a:\n\t- b", "{{ if x }}", "a: 'b", "\x00", "\ufeffa: [", "- a\nb", "x: \ud83d\ude00: y"), 1
            ):
                e.open(URI, text, version)
                with self.subTest(text):
                    (d,) = e.diagnostics(URI, version)
                    self.assertEqual((d["code"], d["severity"]), ("unreadable-file", 1))
                    self.assertTrue(d["message"])
            for text in ("", "\n", "# nothing", "a: 1", "---\n---\n"):
                e.open(URI, text, 99)
                with self.subTest(text):
                    self.assertEqual(e.diagnostics(URI, 99), [])
            e.open(URI, WRONG, 100)
            self.assertEqual(len(e.diagnostics(URI, 100)), 1)

    def test_suppressed(self):
        note = WRONG.replace("  - expression", "  # vapcheck: ignore undefined-field\n  - expression")
        annotated = WRONG.replace("{name: p}", "{name: p, annotations: {vapcheck/ignore: undefined-field}}")
        skipped = WRONG.replace("{name: p}", '{name: p, annotations: {vapcheck/skip: "true"}}')
        with Editor() as e:
            e.initialize()
            for text in (note, annotated, skipped):
                e.open(URI, text)
                self.assertEqual(e.diagnostics(URI), [])
        with Editor("--ignore=undefined-field") as e:
            e.initialize()
            e.open(URI, WRONG)
            self.assertEqual(e.diagnostics(URI), [])

    def test_newer_changes_win(self):
        """Of changes that come together the last one is checked."""
        with Editor() as e:
            e.initialize()
            e.open(URI, RIGHT)
            self.assertEqual(e.diagnostics(URI, 1), [])
            head = {"jsonrpc": "2.0", "method": "textDocument/didChange"}
            e.write(b"".join(frame({**head, "params": {"textDocument": {"uri": URI, "version": v},
                                                       "contentChanges": [{"text": WRONG + "#" * v}]}})
                             for v in range(2, 202)))  # fmt: skip
            versions = []
            while not versions or versions[-1] < 201:
                params = e.read()["params"]
                versions.append(params["version"])
                self.assertEqual(len(params["diagnostics"]), 1)
            self.assertLess(len(versions), 100)

    def keystroke(self, document):
        """The CPU seconds of ten keystrokes, each of which is checked."""
        at = place(document, "replicas < 5")
        with Editor() as e:
            e.initialize()
            e.open(URI, document)
            self.assertEqual(e.diagnostics(URI, 1), [])
            begin = e.cpu_seconds()
            for version in range(2, 12):
                e.change(URI, version, {"range": {"start": at, "end": at}, "text": "x"})
                self.assertEqual(len(e.diagnostics(URI, version)), 1)
            return e.cpu_seconds() - begin

    def test_keystrokes_in_a_long_document(self):
        """The time of a keystroke grows with the document, and not with its square."""
        whole, quarter = self.keystroke(policies(LINES)), self.keystroke(policies(LINES // 4))
        print(f"a keystroke in {LINES} lines: {whole / quarter:.1f} times as long as in a quarter of them")
        self.assertLess(whole, LINEAR_RATIO_MAX * quarter)

    def long_line(self, count):
        """(CPU seconds, the document, its diagnostics) for a document of one line, with characters of two bytes."""
        wrong = [f"'ä{i}{'x' * 200}' == object.spec.replicaz" for i in range(count)]
        document = json.dumps(stage.policy("p", *wrong), ensure_ascii=False)
        with Editor() as e:
            e.initialize()
            begin = e.cpu_seconds()
            e.open(URI, document)
            found = e.diagnostics(URI)
            return e.cpu_seconds() - begin, document, found

    def test_long_lines(self):
        """In a long line the places are right, and the time grows with it: not with its square, which would be 16."""
        seconds, document, found = self.long_line(3200)
        self.assertEqual(len(found), 3200)
        for d in found[:: len(found) // 20]:
            self.assertEqual(document[d["range"]["start"]["character"] : d["range"]["end"]["character"]], "replicaz")
        quarter, _, _ = self.long_line(800)
        self.assertLess(seconds, LINEAR_RATIO_MAX * quarter)

    def changes(self, count):
        """The CPU seconds of a message with so many changes, each at a place that those before it made."""
        document, changes = f"a: {'bcd' * 20}\n" * (4 * count), []
        for i in range(count):
            at = {"line": i * 7919 % (4 * count), "character": 3}
            changes.append({"range": {"start": at, "end": at}, "text": "ä"})
        changes.append({"range": {"start": {"line": 0, "character": 0}, "end": {"line": 4 * count, "character": 0}},
                        "text": json.dumps(stage.policy("p", "object.spec.replicaz == 1"))})  # fmt: skip
        with Editor() as e:
            e.initialize()
            e.open(URI, document)
            e.diagnostics(URI)
            begin = e.cpu_seconds()
            e.change(URI, 2, *changes)
            self.assertEqual(len(e.diagnostics(URI, 2)), 1)
            return e.cpu_seconds() - begin

    def test_many_changes(self):
        """The time of a message grows with its changes, and not with their square."""
        whole, quarter = self.changes(20000), self.changes(5000)
        print(f"20,000 changes: {whole:.2f} s, 5,000: {quarter:.2f} s")
        self.assertLess(whole, LINEAR_RATIO_MAX * quarter)

    def test_questions_end_a_check(self):
        """A question is answered before a check that takes long, which is done afterwards."""
        rows = "[" + ", ".join(map(str, range(60))) + "]"
        heavy = [f"{rows}.all(x, {rows}.all(y, x + y + {i} > -1)) && object.spec.replicaz == 1" for i in range(300)]
        document = json.dumps(stage.policy("p", *heavy))
        with Editor() as e:
            e.initialize()
            e.open(URI, document)
            time.sleep(0.1)  # the check has begun
            begin = e.cpu_seconds()
            e.request("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 5}})
            answered = e.cpu_seconds()
            self.assertTrue(e.diagnostics(URI))
            print(f"answered in {answered - begin:.2f} s, checked in {e.cpu_seconds() - answered:.2f} s")
            self.assertLess(answered - begin, (e.cpu_seconds() - answered) / 2)

    def test_many_findings(self):
        """Nobody looks at more than some thousands: a note says how many are not shown."""
        policy = stage.policy("p", "true")
        policy["metadata"]["labels"] = {f"not one {i}": "x" for i in range(6000)}
        with Editor() as e:
            e.initialize()
            e.open(URI, json.dumps(policy))
            found = e.diagnostics(URI)
            self.assertEqual((len(found), found[-1]["severity"]), (5001, 3))
            self.assertIn("1000 more findings are not shown", found[-1]["message"])

    def test_too_long(self):
        """A document that would take too long after each change says that it is not checked."""
        with Editor() as e:
            e.initialize()
            e.open(URI, WRONG + "---\n" + "# long\n" * 500000)
            [said] = e.diagnostics(URI)
            self.assertEqual((said["code"], said["severity"]), ("limit-reached", 3))
            self.assertIn("3 MiB", said["message"])
            e.change(URI, 2, {"text": WRONG})
            self.assertEqual([d["code"] for d in e.diagnostics(URI, 2)], ["undefined-field"])


def at_cursor(text):
    """(the text, the place) of a text with a ^."""
    return text.replace("^", "", 1), place(text, "^")


class Asking(offline.Case):
    def ask(self, method, text, *flags):
        text, cursor = at_cursor(text)
        with Editor(*flags) as e:
            e.initialize()
            e.open(URI, text)
            return e.request("textDocument/" + method, {"textDocument": {"uri": URI}, "position": cursor})[
                "result"
            ], cursor


class AssistTest(Asking):
    def labels(self, expression, *flags, head=offline.HEAD):
        items, _ = self.ask("completion", head + "  validations:\n  - expression: " + expression + "\n", *flags)
        return [i["label"] for i in items or []]

    def hover(self, expression, head=offline.HEAD):
        found, _ = self.ask("hover", head + "  validations:\n  - expression: " + expression + "\n")
        return found and found["contents"]["value"]

    def test_fields(self):
        """Of expressions that do not parse, in each style of YAML."""
        for expression in (
            "object.spec.^",
            "object.spec.re^",
            "'object.spec.^'",
            '"object.spec.^"',
            "|\n      a &&\n      object.spec.^",
            ">-\n      a &&\n\n      object.spec.^ &&",
            "has(object.spec.^",
            "object.spec.^ > 1 && (",
            "object.?spec.?^",
        ):
            with self.subTest(expression):
                found = self.labels(expression)
                self.assertIn("replicas", found)
                self.assertNotIn("object", found)
        self.assertIn("image", self.labels("object.spec.template.spec.containers.all(c, c.image != '' && c.^"))
        self.assertIn("userInfo", self.labels("request.^"))
        self.assertIn("labels", self.labels("namespaceObject.metadata.^"))
        self.assertEqual(self.labels("'object.^ is text' == '"), [])
        one_line = (
            offline.HEAD
            + "  validations: [{expression: 'object.spec.replicas > 1', messageExpression: object.metadata.^}]\n"
        )
        self.assertIn("labels", [i["label"] for i in self.ask("completion", one_line)[0]])

    def test_names(self):
        found = self.labels("^")
        for name in (
            "object",
            "oldObject",
            "request",
            "namespaceObject",
            "variables",
            "authorizer",
            "has",
            "size",
            "duration",
        ):
            self.assertIn(name, found)
        self.assertNotIn("params", found)
        self.assertNotIn("startsWith", found)
        self.assertIn(
            "params", self.labels("p^", head=offline.HEAD + "  paramKind: {apiVersion: v1, kind: ConfigMap}\n")
        )
        self.assertIn(
            "data", self.labels("params.^", head=offline.HEAD + "  paramKind: {apiVersion: v1, kind: ConfigMap}\n")
        )
        head = offline.HEAD + "  variables:\n  - {name: first, expression: object.spec.replicas}\n"
        self.assertIn("first", self.labels("variables.^", head=head))
        self.assertIn("item", self.labels("'[1].all(item, ^'", head=head))

    def test_functions(self):
        found = self.labels("object.metadata.name.^")
        for name in ("startsWith", "matches", "split"):
            self.assertIn(name, found)
        self.assertNotIn("getHours", found)
        self.assertNotIn("all", found)
        self.assertIn("all", self.labels("object.spec.template.spec.containers.^"))
        self.assertIn("contains", self.labels("sets.^"))

    def test_versions(self):
        """What came with a version is not offered before."""
        self.assertIn("named", self.labels("format.^"))
        self.assertEqual(self.labels("format.^", "--kube-version=1.30"), self.labels("nothing.^"))

    def test_edit(self):
        """The name at the cursor is replaced, wherever it stands."""
        items, cursor = self.ask(
            "completion",
            offline.HEAD + "  validations:\n  - expression: >-\n      '\u00e4' == '' ||\n      object.spec.rep^ > 1\n",
        )
        edit = next(i["textEdit"] for i in items if i["label"] == "replicas")
        self.assertEqual(edit["newText"], "replicas")
        self.assertEqual(edit["range"], {"start": {**cursor, "character": cursor["character"] - 3}, "end": cursor})

    def test_hover(self):
        for expression, shown in (
            ("object.spec.repli^cas > 1", "replicas: int"), ("obj^ect.spec", "object: Deployment"),
            ("object.metadata.la^bels", "labels: map(string, string)"),
            ("object.metadata.name.starts^With('a')", "string.startsWith(string) -> bool"),
            ("object.spec.template.spec.containers.all(c, c.ima^ge != '", "image: string"),
            ("object.spec.template.spec.containers.a^ll(c, true)", "all: macro"),
            ("object.spec.no^thing", None), ("1 ^+ 1", None),
        ):  # fmt: skip
            with self.subTest(expression):
                self.assertEqual(self.hover(expression), shown)
        several = self.hover("object.sp^ec", head=offline.HEAD.replace("deployments", "deployments, statefulsets"))
        self.assertEqual(
            several, "spec: Deployment.spec (apps/v1 Deployment)\nspec: StatefulSet.spec (apps/v1 StatefulSet)"
        )

    def test_definition(self):
        variables = "  variables:\n  - {name: a, expression: '1'}\n  - name: b\n    expression: variables.a\n"
        text = offline.HEAD + variables + "  validations:\n  - expression: variables.b == variables.c\n"
        with Editor() as e:
            e.initialize()
            e.open(URI, text)
            for needle, declared in (("a\n  val", "'1'"), ("b ==", "variables.a"), ("c\n", None), ("== v", None)):
                params = {"textDocument": {"uri": URI}, "position": place(text, needle)}
                found = e.request("textDocument/definition", params)["result"]
                at = None if declared is None else place(text, declared)
                wanted = None if at is None else {"uri": URI, "range": {"start": at, "end": at}}
                self.assertEqual(found, wanted, needle)

    def test_variables_have_the_types_of_their_values(self):
        head = offline.HEAD + (
            "  variables:\n"
            "  - {name: cs, expression: object.spec.template.spec.containers}\n"
            "  - {name: first, expression: 'variables.cs[0]'}\n"
        )
        self.assertEqual(self.hover("variables.first.im^age", head=head), "image: string")
        self.assertIn("imagePullPolicy", self.labels("variables.first.^", head=head))
        self.assertNotIn("getHours", self.labels("variables.first.^", head=head))

    def test_hover_in_markdown(self):
        text = offline.HEAD + "  validations:\n  - expression: object.spec.replicas > 1\n"
        with Editor() as e:
            hover = {"contentFormat": ["markdown", "plaintext"]}
            e.request("initialize", {"capabilities": {"textDocument": {"hover": hover}}})
            e.open(URI, text)
            params = {"textDocument": {"uri": URI}, "position": place(text, "replicas")}
            contents = e.request("textDocument/hover", params)["result"]["contents"]
        self.assertEqual((contents["kind"], contents["value"]), ("markdown", "```cel\nreplicas: int\n```"))

    def actions(self, text, needle):
        """The code actions at a part of the text, and the text after each."""
        with Editor() as e:
            e.initialize()
            e.open(URI, text)
            at = place(text, needle)
            params = {"textDocument": {"uri": URI}, "range": {"start": at, "end": at}, "context": {"diagnostics": []}}
            found = e.request("textDocument/codeAction", params)["result"]
        for action in found:
            after = text.split("\n")
            edits = action["edit"]["changes"][URI]
            for edit in sorted(edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]))[
                ::-1
            ]:
                start, end = edit["range"]["start"], edit["range"]["end"]
                self.assertEqual(start["line"], end["line"])
                line = after[start["line"]]
                after[start["line"]] = line[: start["character"]] + edit["newText"] + line[end["character"] :]
            yield action, "\n".join(after)

    def test_code_actions(self):
        text = offline.HEAD + "  validations:\n  - expression: object.replicas < 5 and true\n    message: m\n"
        right = offline.HEAD + "  validations:\n  - expression: object.spec.replicas < 5 && true\n    message: m\n"
        [(action, after)] = self.actions(text, "object.replicas")  # what is refused cannot be ignored
        self.assertEqual((after, action["kind"], action["isPreferred"]), (right, "quickfix", True))
        self.assertIn("did you mean", action["title"])
        [(fix, fixed), (ignore, ignored)] = self.actions(WRONG, "object.spec.replica")
        self.assertEqual(fixed, RIGHT)
        self.assertEqual(ignore["title"], "Ignore undefined-field here")
        self.assertIn("  # vapcheck: ignore undefined-field\n  - expression:", ignored)
        self.assertEqual([d["code"] for d in ignore["diagnostics"]], ["undefined-field"])
        with Editor() as e:
            e.initialize()
            e.open(URI, ignored)
            self.assertEqual(e.diagnostics(URI), [])
        self.assertEqual(list(self.actions(RIGHT, "object.spec")), [])

    def test_code_action_of_advice(self):
        """What is only likely has a change as well, which is not the preferred one."""
        part = "object.spec.template.spec.containers.all(c, c.securityContext.runAsNonRoot)"
        text = offline.HEAD + f"  validations:\n  - expression: {part}\n    message: m\n"
        [(change, after), (ignore, _)] = self.actions(text, "c.securityContext")
        self.assertEqual((change["title"].split(":")[0], change["isPreferred"]), ("Change", False))
        self.assertEqual(ignore["title"], "Ignore optional-field here")
        with Editor() as e:
            e.initialize()
            e.open(URI, after)
            self.assertEqual(e.diagnostics(URI), [])

    def test_no_expression(self):
        for text in (
            "^",
            "a: ^b\n",
            "a: [^",
            offline.HEAD.replace("name: p", "name: ^p"),
            offline.HEAD + "  validations: ^\n",
        ):
            for method in ("hover", "completion"):
                with self.subTest(f"{method} {text}"):
                    self.assertIsNone(self.ask(method, text)[0])

    def test_bad_params(self):
        with Editor() as e:
            e.initialize()
            e.open(URI, WRONG)
            for params in (
                None,
                {},
                [],
                {"textDocument": {"uri": "file:///other"}, "position": {"line": 0, "character": 0}},
                {"textDocument": {"uri": URI}},
                {"textDocument": {"uri": URI}, "position": {"line": "0", "character": 0}},
            ):
                for method in ("hover", "completion"):
                    with self.subTest(f"{method} {params}"):
                        self.assertEqual(e.request("textDocument/" + method, params)["error"]["code"], -32602)
            far = {"textDocument": {"uri": URI}, "position": {"line": 10**6, "character": 10**6}}
            self.assertIsNone(e.request("textDocument/hover", far)["result"])

    def test_definitions(self):
        """Fields of a definition in another open document."""
        examples = ROOT / "manifests/examples"
        text, cursor = at_cursor(
            (examples / "typed-by-crd.yaml").read_text().replace("object.spec.retentionDays", "object.spec.^", 1)
        )
        with Editor() as e:
            e.initialize()
            e.open("file:///nowhere/crd.yaml", (examples / "backups-crd.yaml").read_text())
            e.open(URI, text)
            for _ in range(2):
                items = e.request("textDocument/completion", {"textDocument": {"uri": URI}, "position": cursor})[
                    "result"
                ]
                self.assertIn("retention", [i["label"] for i in items])

    def questions(self, method, turns, document):
        """The CPU seconds of so many questions about one place."""
        asked = {"textDocument": {"uri": URI}, "position": place(document, "replicas < 5")}
        with Editor() as e:
            e.initialize()
            e.open(URI, document)
            e.diagnostics(URI)
            begin = e.cpu_seconds()
            for _ in range(turns):
                self.assertTrue(e.request("textDocument/" + method, asked)["result"])
            return e.cpu_seconds() - begin

    def test_questions_in_a_long_document(self):
        """An answer takes no longer in a long document; the test would notice a square."""
        for method, turns in (("hover", 100), ("completion", 500)):
            with self.subTest(method):
                whole, quarter = (self.questions(method, turns, policies(n)) for n in (LINES, LINES // 4))
                print(f"{method} in {LINES} lines: {whole / quarter:.1f} times as long as in a quarter of them")
                self.assertLess(whole, LINEAR_RATIO_MAX * quarter)


DEFINITION = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: birds.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Bird, plural: birds}
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
            properties:
              wings: {type: integer, description: how many it has}
              a.b: {type: string}
              nests:
                type: array
                items:
                  type: object
                  properties: {eggs: {type: integer, description: in the nest}}
                  x-kubernetes-validations:
                  - rule: %s
              home:
                type: object
                additionalProperties:
                  type: object
                  properties: {tree: {type: string}}
                  x-kubernetes-validations:
                  - {rule: 'true', messageExpression: %s}
            x-kubernetes-validations:
            - rule: %s
              optionalOldSelf: true
        not:
          x-kubernetes-validations:
          - rule: %s
"""
CONFIGURATION = """\
apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: 'https://example.com', audiences: [%s]}
  claimMappings:
    username: {expression: %s}
  userValidationRules:
  - expression: %s
"""
SELECTOR = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: %s}
spec:
  selectors:
  - cel:
      expression: %s
"""


class ElsewhereTest(Asking):
    """Expressions that stand in no policy."""

    def complete(self, text, *wanted, lacks="object"):
        found = [i["label"] for i in self.ask("completion", text)[0] or []]
        for name in wanted:
            self.assertIn(name, found)
        self.assertNotIn(lacks, found)

    def test_rules(self):
        self.complete(DEFINITION % ("true", "''", "^", "true"), "self", "oldSelf", "has")
        self.complete(DEFINITION % ("true", "''", "self.^", "true"), "wings", "nests", "a__dot__b", lacks="eggs")
        self.complete(DEFINITION % ("true", "''", "oldSelf.^", "true"), "hasValue", "wings")
        self.complete(DEFINITION % ("self.^ > 1 &&", "''", "true", "true"), "eggs", lacks="wings")
        self.complete(DEFINITION % ("true", "self.^", "true", "true"), "tree", lacks="wings")
        self.complete(DEFINITION % ("true", "''", "self.nests.all(n, n.^", "true"), "eggs", lacks="wings")
        self.assertIsNone(self.ask("completion", DEFINITION % ("true", "''", "true", "self.^"))[0])
        plain = DEFINITION % ("true", "''", "true", "true")
        self.assertIsNone(self.ask("completion", plain.replace("type: integer,", "type: int^eger,", 1))[0])

    def test_other_objects(self):
        self.complete(CONFIGURATION % ("a", "^", "true"), "claims")
        self.complete(CONFIGURATION % ("a", "claims.sub", "user.^"), "username", "extra")
        self.assertIsNone(self.ask("completion", CONFIGURATION % ("^a", "claims.sub", "true"))[0])
        self.complete(SELECTOR % ("a", "device.^"), "driver", "attributes")
        self.complete(SELECTOR % ("a", "device.capacity['a'].b.^"), "isGreaterThan")
        self.assertIsNone(self.ask("completion", SELECTOR % ("^a", "true"))[0])

    def test_descriptions(self):
        hover = self.ask("hover", DEFINITION % ("self.eg^gs > 1", "''", "true", "true"))[0]
        self.assertEqual(hover["contents"]["value"], "eggs: int\n\nin the nest")
        hover = self.ask("hover", DEFINITION % ("true", "''", "self.nests.all(n, n.egg^s > 1)", "true"))[0]
        self.assertEqual(hover["contents"]["value"], "eggs: int\n\nin the nest")
        self.assertEqual(
            self.ask("hover", DEFINITION % ("true", "''", "self.nes^ts == []", "true"))[0]["contents"]["value"].count(
                "\n"
            ),
            0,
        )


class WorkspaceTest(offline.Case):
    def test_configuration(self):
        self.write(".vapcheck.yaml", "ignore: undefined-field\n")
        self.write("p.yaml", WRONG)
        uri = (self.directory / "p.yaml").as_uri()
        with Editor(cwd="/") as e:
            e.initialize(root=self.directory)
            e.open(uri, WRONG)
            self.assertEqual(e.diagnostics(uri), [])
            self.write(".vapcheck.yaml", "select: default\n")
            e.save(uri)
            self.assertEqual(len(e.diagnostics(uri)), 1)
            self.write(".vapcheck.yaml", "excludes: p.yaml\n")
            e.notify("workspace/didChangeWatchedFiles", {"changes": []})
            self.assertEqual(e.diagnostics(uri), [])

    def test_wrong_configuration(self):
        """It is shown with its place; once it is right, all is checked."""
        self.write(".vapcheck.yaml", "ignored: x\n")
        with Editor(cwd=self.directory) as e:
            e.request("initialize", {"capabilities": {}})
            e.save(URI)
            self.assertIn(".vapcheck.yaml:1:1: unknown key", e.shown())
            e.open(URI, WRONG)
            self.write(".vapcheck.yaml", "")
            e.save(URI)
            self.assertEqual(len(e.diagnostics(URI)), 1)

    def test_files_beside(self):
        """A definition in another file gives its schema, until it is open: then the editor's text counts."""
        examples = ROOT / "manifests/examples"
        crd, policy = (examples / "backups-crd.yaml").read_text(), (examples / "typed-by-crd.yaml").read_text()
        self.write("crd.yaml", crd)
        uri, other = (self.directory / "p.yaml").as_uri(), (self.directory / "crd.yaml").as_uri()
        with Editor(cwd=self.directory) as e:
            e.initialize()
            e.open(uri, policy)
            self.assertEqual([d["code"] for d in e.diagnostics(uri)], ["not-fully-checked"])
        with Editor("-f", "crd.yaml", cwd=self.directory) as e:
            e.initialize()
            e.open(uri, policy)
            self.assertEqual([d["code"] for d in e.diagnostics(uri)], ["undefined-field"])
            e.open(other, crd.replace("retention:", "retentionDays:"))
            self.assertEqual(e.diagnostics(other), [])
            e.change(uri, 2, {"text": policy + "\n"})
            self.assertEqual([d["code"] for d in e.diagnostics(uri, 2)], ["no-such-overload"])  # there it is a text
            e.notify("textDocument/didClose", {"textDocument": {"uri": other}})
            e.change(uri, 3, {"text": policy})
            self.assertEqual([d["code"] for d in e.diagnostics(uri, 3)], ["undefined-field"])

    def test_charts(self):
        """The templates of a chart are no YAML yet, and nobody says that they are wrong."""
        self.write("chart/Chart.yaml", "")
        self.write("chart/templates/p.yaml", "{{ x }}")
        uri = (self.directory / "chart/templates/p.yaml").as_uri()
        with Editor(cwd=self.directory) as e:
            e.initialize()
            e.open(uri, "{{ x }}")
            self.assertEqual(e.diagnostics(uri), [])

    def test_standard_input(self):
        with Editor("-f", "-") as e:
            e.request("initialize", {"capabilities": {}})
            e.save(URI)
            self.assertIn("standard input", e.shown())

    def test_no_such_root(self):
        with Editor() as e:
            e.write(
                frame(
                    {
                        "jsonrpc": "2.0",
                        "id": 1,
                        "method": "initialize",
                        "params": {"capabilities": {}, "rootUri": "file:///no/such"},
                    }
                )
            )
            self.assertIn("/no/such", e.shown())


if __name__ == "__main__":
    unittest.main()
