#!/usr/bin/env python3
"""kubectl-vapcheck as people happen to use it: odd files, slips, wrong flags, streams that fail."""

import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage
from offline import HEAD, PROGRAM, Case

POLICY = HEAD + "  validations:\n"
WRONG = "  - expression: object.replicas > 1\n"
NOBODY = 65534


def unreadable(message, file):
    return f"error[unreadable-file]: {message}\n  --> {file}\n\n"


class TextTest(Case):
    """However the text is written, the policy in it is found, or the error's place."""

    def write_bytes(self, name, content):
        (self.directory / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    def test_ways_to_write_it(self):
        one = POLICY + WRONG
        value = json.dumps({**stage.policy("p", "object.replicas == '\U0001f600'")})
        ways = {
            "CR LF": one.replace("\n", "\r\n"),
            "CR": one.replace("\n", "\r"),
            "byte order mark": "\ufeff" + one,
            "folded block in CR LF": (POLICY + "  - expression: >-\n      object.replicas >\n      1\n").replace(
                "\n", "\r\n"
            ),
            "alias": POLICY + "  - expression: &e object.replicas > 1\n    messageExpression: *e\n",
            "merge": POLICY + "  - &v {expression: object.replicas > 1}\n  - <<: *v\n    message: m\n",
            "empty documents": f"---\n---\n# nothing\n---\n{one}---\n...\n---\n",
            "directive": "%YAML 1.1\n---\n" + one,
            "tag": POLICY + "  - expression: !!str object.replicas > 1\n",
            "JSON": value,
            "JSON of Go": json.dumps(json.loads(value), ensure_ascii=False).replace(">", "\\u003e"),
            "JSON with tabs": json.dumps(json.loads(value), indent="\t"),
            "a byte order mark in the middle": f"kind: ConfigMap\n---\n\ufeff{one}",
            "JSON behind JSON": f'{{"kind": "ConfigMap"}}\n{value}\n{value}{value}',
            "JSON in CR LF": json.dumps(json.loads(value), indent="\t").replace("\n", "\r\n"),
        }
        for way, text in ways.items():
            self.write_bytes("p.yaml", text)
            with self.subTest(way):
                results = self.read("-f", "p.yaml", status=1)["results"]
                found = {w["warning"].splitlines()[0] for r in results for w in r["expressionWarnings"]}
                self.assertIn("undefined field 'replicas'", " ".join(found))

    def test_versions_that_are_no_path(self):
        for version in (" v1", "../v1", "a/../v1", "v1?x", "a/v1#"):
            self.write("p.yaml", f"{POLICY}{WRONG}  paramKind: {{apiVersion: '{version}', kind: ConfigMap}}\n")
            status, out, err = self.check("-f", "p.yaml")
            self.assertEqual((status, err), (1, ""), version)
            self.assertIn("no field 'replicas'", out)

    def test_nothing_in_it(self):
        for text in ("", "\n \n", "# nothing\n", "---\n---\n"):
            self.write_bytes("p.yaml", text)
            answer = self.read("-f", "p.yaml")
            self.assertEqual([f["id"] for f in answer.pop("findings")], ["nothing-checked"])
            self.assertEqual((answer.pop("kubeVersion"), answer.pop("schemas")), ("1.37", "bundle"))
            self.assertEqual(answer, {"version": 1, "results": [], "skipped": [], "errors": []})
        for text in ("null\n", "hello\n", "42\n", "- a\n- b\n", "a: {kind: 5}\nkind: [x]\n"):
            self.write_bytes("p.yaml", text)
            self.assertEqual(len(self.read("-f", "p.yaml")["skipped"]), 1, text)

    def test_errors_have_a_place(self):
        """(line, column, how the message begins); the place is not said twice."""
        rows = {
            POLICY + "\t- expression: 'true'\n": (9, 1, "a tab: YAML wants spaces"),
            POLICY + "  -\texpression: 'true'\n": (9, 4, "a tab: YAML wants spaces"),
            POLICY + WRONG + "kind: Other\n": (10, 1, "duplicate key kind"),
            POLICY + "  - expression: 'true'\n    expression: 'false'\n": (10, 5, "duplicate key expression"),
            POLICY + "  - *nobody\n": (9, 5, "unknown anchor nobody"),
            POLICY.replace("spec:", "spec: &s") + "  - *s\n": (9, 5, "an anchor that contains itself: s"),
            POLICY + "  - <<: 5\n": (9, 9, "<< needs a mapping"),
            POLICY.encode() + b'  - expression: "\xe9"\n': (9, 19, "the file is not UTF-8"),
            POLICY.encode() + b"  - expression: a\x00b\n": (9, 18, "a control character: this is no text"),
            "[" * 1000: (1, 101, "nested too deeply"),
            '{"a":1} x': (1, 9, "the file, or --- for the next document, is expected to end here"),
            "? [a]\n: b\n": (1, 3, "a key must be a string"),
            '{"a":1}\n{"\u00e9":1} {"b":[}': (2, 15, "a value is expected here, not }"),
            "a: b\n---\n\ufeffc: d\nc: e\n": (4, 1, "duplicate key c"),
        }
        for text, (line, column, message) in rows.items():
            self.write_bytes("p.yaml", text)
            [error] = self.read("-f", "p.yaml", status=1)["errors"]
            self.assertEqual((error["line"], error["column"]), (line, column), text)
            self.assertTrue(error["message"].startswith(message), error)
            status, out, err = self.check("-f", "p.yaml")
            self.assertEqual(status, 1)
            self.assertTrue(
                err.startswith(f"error[unreadable-file]: {error['message']}\n  --> p.yaml:{line}:{column}\n"), err
            )
            self.assertTrue(out.endswith(" 1 place could not be read.\n"), out)

    def test_slips(self):
        """What goes wrong so often that the way out is said."""
        helm = POLICY.replace("{name: p}", "\n  name: {{ .Release.Name }}")
        rows = {
            helm: "(is this a Helm template? check what `helm template` prints)",
            (POLICY + WRONG).encode("utf-16"): "(the file is UTF-16: save it as UTF-8)",
            POLICY + "  - expression: object.x ? true : false\n": "(quote the whole value)",
            POLICY + '  - expression: object.metadata.name == "a: b"\n': "(quote the whole value)",
            POLICY + "  - expression: 'a' == object.metadata.name\n": "(quote the whole value)",
            POLICY + "  - expression: !object.a.exists(x, x == 1)\n": (
                "(quote it: a value that begins with ! is a tag to YAML)"
            ),
            "a: b\n 2: c\n": "quote the whole value, or correct the indentation",
        }
        for text, end in rows.items():
            self.write_bytes("p.yaml", text)
            [error] = self.read("-f", "p.yaml", status=1)["errors"]
            self.assertTrue(error["message"].endswith(end), error)
        rows = {
            "!has(object.spec.x)": "quote it: a value that begins with ! is a tag to YAML",
            "true": "quote it: YAML does not read this as a string",
            "1": "quote it: YAML does not read this as a string",
            "[a]": None,
            "''": None,
            "!!str 1": None,
        }
        for text, hint in rows.items():
            self.write_bytes("p.yaml", f"{POLICY}  - expression: {text}\n")
            [refusal] = self.read("-f", "p.yaml", status=1)["results"][0]["refusals"]
            self.assertEqual(refusal.get("hint"), hint, text)

    def test_no_name(self):
        for metadata, title in (("{}", "(no name)"), ("{generateName: p-}", "p-"), ("{name: 5}", "(no name)")):
            self.write_bytes("p.yaml", POLICY.replace("{name: p}", metadata) + WRONG)
            self.assertIn(
                f"  --> p.yaml:9:24   policy {title}, spec.validations[0].expression\n",
                self.check("-f", "p.yaml")[1],
            )


class ListTest(Case):
    def test_typed(self):
        """An API server's list names its kind once; kubectl reads it so, too."""
        made = stage.policy("p", "object.replicas > 1")
        version = made.pop("apiVersion")
        kind = made.pop("kind")
        self.write(
            "l.json", {"apiVersion": version, "kind": kind + "List", "metadata": {}, "items": [made, made, None, 5]}
        )
        answer = self.read("-f", "l.json", status=1)
        self.assertEqual(
            [(r["apiVersion"], r["kind"], r["name"]) for r in answer["results"]], [(version, kind, "p")] * 2
        )
        self.assertEqual([r["refusals"] for r in answer["results"]], [[], []])
        self.assertEqual(len(answer["skipped"]), 2)

    def test_lists_in_lists(self):
        made = stage.policy("p", "object.replicas > 1")
        for _ in range(20):
            made = {
                "apiVersion": "v1",
                "kind": "List",
                "items": [made, {"apiVersion": "v1", "kind": "List", "items": []}],
            }
        self.write("l.json", made)
        self.assertEqual(self.names("-f", "l.json", status=1), [("l.json", "p")])

    def test_lists_of_nothing(self):
        for items in (None, 5, "x", {}, {"a": stage.policy("p", "true")}):
            self.write("l.json", {"apiVersion": "v1", "kind": "List", "items": items})
            self.assertEqual(len(self.read("-f", "l.json")["skipped"]), 1, items)


class FilesTest(Case):
    def setUp(self):
        super().setUp()
        for name in ("d/a.yaml", "d/b.yaml", "d/below/c.yaml"):
            self.write(name, stage.policy("p", "object.spec.replicas > 1"))

    def as_nobody(self, *args):
        """(status, stdout, stderr) of somebody who is not allowed everything."""
        prefix = ["setpriv", f"--reuid={NOBODY}", "--clear-groups"] if os.getuid() == 0 else []
        for directory in (self.directory, self.directory / "d"):
            directory.chmod(0o755)
        # a program in somebody's home may be out of reach
        program = shutil.copy(PROGRAM, self.directory)
        done = subprocess.run([*prefix, program, "check", *args], capture_output=True, text=True, cwd=self.directory)
        return done.returncode, done.stdout, done.stderr

    def test_unreadable(self):
        (self.directory / "d/b.yaml").chmod(0)
        (self.directory / "d/below").chmod(0)
        self.addCleanup((self.directory / "d/below").chmod, 0o755)
        status, out, err = self.as_nobody("-R", "-f", "d")
        self.assertEqual(
            (status, err), (2, unreadable("Permission denied", "d/b.yaml") + unreadable("Permission denied", "d/below"))
        )
        self.assertEqual(
            out,
            "nothing found in 1 policy: 1 policy is clean (Kubernetes 1.37, built-in schemas). "
            "2 places could not be read.\n",
        )

    def test_what_is_no_file(self):
        """A directory's pipes and sockets would be waited for forever."""
        os.mkfifo(self.directory / "d/pipe.yaml")
        (self.directory / "d/loop.yaml").symlink_to("loop.yaml")
        answer = self.read("-f", "d", status=1)
        self.assertEqual(len(answer["results"]), 3)
        self.assertEqual([e["file"] for e in answer["errors"]], ["d/loop.yaml"])

    def test_a_pipe_that_is_named(self):
        """As the shell's <(...) is one."""
        self.assertEqual(self.check("-f", "/dev/stdin", input=POLICY + WRONG)[0], 1)

    def test_too_large(self):
        with open(self.directory / "large.yaml", "wb") as file:
            file.truncate(64 * 1024 * 1024 + 1)
        [error] = self.read("-f", "large.yaml", "-f", "d/a.yaml", status=1)["errors"]
        self.assertEqual(error["message"], f"the file has more than {64 * 1024 * 1024} bytes")

    def test_definitions_that_are_read_twice(self):
        """Of many large ones the trees are not kept: each is reported once, in the order of the files."""
        (self.directory / "many").mkdir()
        for i in range(40):
            group = f"g{i:02}.example.com"
            schema = {
                "type": "object",
                "description": "x" * 500_000,
                "properties": {"spec": {"type": "object", "properties": {"n": {"type": "integer"}}}},
                "x-kubernetes-validations": [{"rule": "self.spec.m > 1"}],
            }
            names = {"plural": "xs", "singular": "x", "kind": "X", "listKind": "XList"}
            version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
            crd = {
                "apiVersion": "apiextensions.k8s.io/v1",
                "kind": "CustomResourceDefinition",
                "metadata": {"name": f"xs.{group}"},
                "spec": {"group": group, "scope": "Namespaced", "names": names, "versions": [version]},
            }
            self.write(f"many/{i:02}.yaml", json.dumps(crd))
        rule = "{apiGroups: [g39.example.com], apiVersions: [v1], operations: [CREATE], resources: [xs]}"
        head = f"  matchConstraints: {{resourceRules: [{rule}]}}\n"
        policy = HEAD[: HEAD.index("  matchConstraints")] + head
        self.write("many/00-first.yaml", policy + "  validations:\n  - expression: object.spec.k > 1\n")
        results = self.read("-f", "many", status=1)["results"]
        names = ["00-first", *(f"{i:02}" for i in range(40))]
        self.assertEqual([r["file"] for r in results], [f"many/{name}.yaml" for name in names])
        self.assertIn("undefined field 'k'", results[0]["expressionWarnings"][0]["warning"])
        for result in results[1:]:
            self.assertIn("undefined field 'm'", result["refusals"][0]["message"])

    def test_one_long_line(self):
        """The places are those of the line."""
        objects = [
            stage.policy(f"p{n}", "object.spec.replicas > 1", "request.userInfo.username != '\u00e9'")
            for n in range(5000)
        ]
        objects.append(stage.policy("p", "object.replicas > 1"))
        text = json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}, ensure_ascii=False)
        self.write("l.json", text)
        out = self.check("-f", "l.json")[1]
        self.assertIn(
            f"  --> l.json:1:{text.index('object.replicas') + 8}   policy p, spec.validations[0].expression\n", out
        )
        self.assertLess(len(out), 2000)  # of so long a line only a part is shown

    def test_many_documents(self):
        self.write("many.yaml", "---\n".join([POLICY + WRONG] + ["kind: ConfigMap\n"] * 20000))
        self.assertIn(" 20000 other objects were skipped", self.check("-f", "many.yaml")[1])


class StreamsTest(Case):
    """A stream that is closed, full or broken."""

    def setUp(self):
        super().setUp()
        self.write("p.yaml", POLICY + WRONG)
        self.write("bad.yaml", "[")

    def shell(self, text):
        """(status, stderr)"""
        done = subprocess.run(["bash", "-c", text, str(PROGRAM)], capture_output=True, text=True, cwd=self.directory,
                              timeout=60)  # fmt: skip
        return done.returncode, done.stderr

    def test_output(self):
        """What could not be written is no success."""
        commands = [f"check -f p.yaml -o {output}" for output in ("text", "json", "sarif", "junit", "github")]
        for command in [*commands, "check --help", "version", "man", "completion bash", "help"]:
            full = (2, "kubectl-vapcheck: standard output: No space left on device\n")
            self.assertEqual(self.shell(f'"$0" {command} > /dev/full'), full, command)
            closed = (2, "kubectl-vapcheck: standard output: Bad file descriptor\n")
            self.assertEqual(self.shell(f'"$0" {command} >&-'), closed, command)

    def test_a_reader_that_goes(self):
        self.write("many.yaml", "---\n".join([POLICY + WRONG] * 2000))
        status, err = self.shell('set -o pipefail; "$0" check -f many.yaml | head -n 1 > /dev/null')
        self.assertEqual((status, err), (128 + 13, ""))

    def test_input(self):
        self.assertEqual(self.shell('"$0" check -f - <&-'), (2, unreadable("Bad file descriptor", "stdin")))
        self.assertEqual(self.shell('"$0" check -f - < /'), (2, unreadable("Is a directory", "stdin")))

    def test_errors_that_nobody_reads(self):
        for away in ("2>&-", "2> /dev/full"):
            self.assertEqual(self.shell(f'"$0" check -f bad.yaml {away}')[0], 1)
            self.assertEqual(self.shell(f'"$0" check -f p.yaml {away}')[0], 1)
        self.assertEqual(self.shell('"$0" check -f p.yaml <&- >&- 2>&-')[0], 2)


class UntouchedTest(Case):
    def tree(self):
        return {p: (p.lstat().st_mode, p.lstat().st_mtime_ns, p.read_bytes() if p.is_file() else None)
                for p in [self.directory, *self.directory.rglob("*")]}  # fmt: skip

    def test_files(self):
        """What is checked stays as it was, and nothing is left beside it."""
        self.write("p.yaml", POLICY + WRONG)
        self.write("d/bad.yaml", "[")
        with gzip.open(stage.SCHEMAS) as bundle:
            for part in iter(bundle.readline, b""):
                path, length = part.rsplit(b" ", 1)
                document = bundle.read(int(length) + 1)
                if path in (b"/version", b"/api", b"/apis", b"/openapi/v3", b"/openapi/v3/apis/apps/v1"):
                    self.write(f"dump{path.decode()}.json", document.decode())
        before = self.tree()
        for form in ("text", "json", "sarif", "junit", "github"):
            for more in ([], ["--schemas", "dump"]):
                status, out, _ = self.check("-R", "-f", "p.yaml", "-f", "d", "-o", form, *more)
                self.assertEqual(status, 1)
                self.assertIn("replicas", out)
        self.assertEqual(self.tree(), before)


class FlagsTest(Case):
    """A wrong flag ends it with status 2, one line that names flag and value, and no output."""

    def say(self, *args):
        done = subprocess.run([PROGRAM, *args], capture_output=True, text=True, cwd=self.directory,
                              env={"HOME": str(self.directory), "PATH": os.environ["PATH"]})  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    def test_wrong(self):
        self.write("p.yaml", POLICY + WRONG)
        check = ("check", "-f", "p.yaml")
        values = "is not one of its values: "
        formats, severities = "text, json, sarif, junit, github, gitlab", "error, warning, advice, never, unchecked"
        rows = [
            ((*check, "--bogus"), "kubectl-vapcheck check: unrecognized option '--bogus'"),
            ((*check, "--selct=x"), "kubectl-vapcheck check: unrecognized option '--selct=x' (did you mean --select?)"),
            (
                (*check, "-o", "sarfi"),
                f'kubectl-vapcheck check: --output: "sarfi" {values}{formats} (did you mean sarif?)',
            ),
            (("chekc",), 'kubectl-vapcheck: unknown command "chekc", did you mean check?'),
            (("frobnicate",), 'kubectl-vapcheck: unknown command "frobnicate"; "kubectl vapcheck --help" lists them'),
            (
                ("explain", "undefined-feild"),
                'kubectl-vapcheck explain: there is no finding "undefined-feild", did you mean undefined-field?',
            ),
            ((*check, "-z"), "kubectl-vapcheck check: invalid option -- 'z'"),
            ((*check, "--fail-on"), "kubectl-vapcheck check: option '--fail-on' requires an argument"),
            ((*check, "--recursive=x"), "kubectl-vapcheck check: option '--recursive' doesn't allow an argument"),
            (
                (*check, "--fail-on", "eror"),
                f'kubectl-vapcheck check: --fail-on: "eror" {values}{severities} (did you mean error?)',
            ),
            (
                (*check, "--fail-on", "error,never"),
                f'kubectl-vapcheck check: --fail-on: "error,never" {values}{severities}',
            ),
            (
                (*check, "--fail-on", "error,"),
                f'kubectl-vapcheck check: --fail-on: "error," {values}{severities} (did you mean error?)',
            ),
            ((*check, "-o", "yaml"), f'kubectl-vapcheck check: --output: "yaml" {values}{formats}'),
            ((*check, "-o", ""), f'kubectl-vapcheck check: --output: "" {values}{formats}'),
            (
                (*check, "--warnings-scope", "FULL"),
                f'kubectl-vapcheck check: --warnings-scope: "FULL" {values}full, upstream (did you mean full?)',
            ),
            ((*check, "--schemas", "nowhere"), "kubectl-vapcheck check: nowhere: No such file or directory"),
            ((*check, "--schemas", "p.yaml"), "kubectl-vapcheck check: p.yaml: not a bundle, or a damaged one"),
            ((*check, "--schemas", ""), "kubectl-vapcheck check: the name of a file is empty"),
            (("check", "-f", ""), "kubectl-vapcheck check: the name of a file is empty"),
            (("check", ""), "kubectl-vapcheck check: the name of a file is empty"),
            (("version", "x"), 'kubectl-vapcheck version: unexpected argument "x"'),
            (("man", "--x"), 'kubectl-vapcheck man: unexpected argument "--x"'),
            (("completion",), "kubectl-vapcheck completion: name a shell: bash, fish, kubectl, zsh"),
            (("completion", "tcsh"), "kubectl-vapcheck completion: name a shell: bash, fish, kubectl, zsh"),
            (
                ("completion", "bsh"),
                "kubectl-vapcheck completion: name a shell: bash, fish, kubectl, zsh (did you mean bash?)",
            ),
            (("schema",), "kubectl-vapcheck schema: name one command: audit, check or test"),
            (("schema", "audti"), 'kubectl-vapcheck schema: there is no schema "audti", did you mean audit?'),
            (("dump",), "kubectl-vapcheck dump: one directory is required (see --help)"),
            (("dump", "a", "b"), "kubectl-vapcheck dump: one directory is required (see --help)"),
            (("dump", "a", "-x"), "kubectl-vapcheck dump: invalid option -- 'x'"),
            (("dump", "a", "--kubeconfig", "n"), "kubectl-vapcheck dump: kubeconfig: n: No such file or directory"),
            (("status", "-o", "x"), f'kubectl-vapcheck status: --output: "x" {values}table, wide, json, yaml'),
            (("status", "-w", "-o", "json"), "kubectl-vapcheck status: --watch needs --output table or wide"),
            (("status", "--kubeconfig", "n"), "kubectl-vapcheck status: kubeconfig: n: No such file or directory"),
        ]
        for number in ("0", "-1", " 5", "+5", "1e3", "", "99999999999999999999"):
            message = f'kubectl-vapcheck check: --max-types-per-policy: "{number}" is no number from 1 on'
            rows.append(((*check, "--max-types-per-policy", number), message))
        for args, message in rows:
            self.assertEqual(self.say(*args), (2, "", message + "\n"), args)

    def test_nul(self):
        """It ends no text: what stands behind it is shown, and the caret is in its place."""
        policy = stage.policy("p", "'a\u0000b' == nope")
        rule = {"rule": "'a\u0000b' == nope"}
        definition = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                      "metadata": {"name": "as.example.com"},
                      "spec": {"group": "example.com", "scope": "Cluster", "names": {"kind": "A", "plural": "as"},
                               "versions": [{"name": "v1", "served": True, "storage": True,
                                             "schema": {"openAPIV3Schema": {
                                                 "type": "object", "x-kubernetes-validations": [rule]}}}]}}  # fmt: skip
        for made in (policy, definition):
            self.write("p.json", made)
            snippet = "\n | 'a{}b' == nope\n | .........^"
            [result] = self.read("-f", "p.json", status=1)["results"]
            [refusal], [finding] = result["refusals"], result["findings"]
            self.assertTrue(refusal["message"].endswith(snippet.format("\0")), refusal)
            self.assertTrue(finding["message"].endswith(snippet.format("\\x00") + "\n"), finding)
            text = self.check("-v", "-f", "p.json")[1]
            self.assertRegex(text, r"\n +\| 'a\\x00b' == nope\n +\| \.{9}\^\n")

    def test_unknown_fields(self):
        """The server's answer names them alone; what is wrong besides is found all the same."""
        policy = stage.policy("p", "object.spec.replicas > 'a'")
        policy["spec"].update(failurePolcy="Fail", failurePolicy="Never")
        self.write("p.json", policy)
        [result] = self.read("-f", "p.json", status=1)["results"]
        self.assertEqual([r["field"] for r in result["refusals"]], ["spec.failurePolcy"])
        self.assertEqual(
            sorted((f["id"], f["field"]) for f in result["findings"]),
            [("no-such-overload", "spec.validations[0].expression"), ("refused", "spec.failurePolcy"),
             ("refused", "spec.failurePolicy")])  # fmt: skip
        policy["spec"]["validations"] = {}
        self.write("p.json", policy)
        [result] = self.read("-f", "p.json", status=1)["results"]
        self.assertEqual([(f["id"], f["field"]) for f in result["findings"]], [("refused", "spec.validations")])

    def test_versions(self):
        """A patch of a version is that version, and so is a vendor's build of it."""
        self.write("p.yaml", POLICY + WRONG)
        for version in ("1.36", "v1.36", "1.36.2", "v1.36.12", "v1.36.2+k3s1", "1.36.2-eks"):
            self.read("-f", "p.yaml", "--kube-version", version, status=1)
        for version in ("", "v", "1", "1.3", "1.360", "1.36.", "1.36.x", "1.99", "latest"):
            status, out, err = self.check("-f", "p.yaml", "--kube-version", version)
            self.assertEqual((status, out), (2, ""))
            self.assertRegex(
                err,
                f'--kube-version: the program has no schemas of "{version}"; it has those of: .*1.{stage.NEWEST}\n$',
            )

    def test_versions_of_other_objects(self):
        """A file without anything to check, beside one that has something."""
        self.write("p.yaml", POLICY + WRONG)
        self.write("c.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n")
        status, out, _ = self.check("--kube-version", "1.36,1.37", ".")
        self.assertEqual(status, 1)
        self.assertIn("(Kubernetes 1.36, 1.37)\n  --> p.yaml:9:", out)
        self.assertTrue(out.endswith(" 1 other object was skipped.\n"), out)

    def test_version_ranges(self):
        """Both ends are known versions: the rest of a range is no vendor's suffix of its first."""
        self.write("p.yaml", POLICY + WRONG)
        unknown = f"1.{stage.NEWEST + 1}"
        for versions, count in (
            ("1.30-1.32", 3),
            ("1.36-v1.37.2", 2),
            ("1.36.2-gke.100-1.37", 2),
            ("1.30-1.31,1.37", 3),
        ):
            _, out, _ = self.check("-f", "p.yaml", "--matrix", "--kube-version", versions)
            self.assertIn(f"1 object on {count} versions", out)
        self.read("-f", "p.yaml", "--kube-version", "1.36-1.36", status=1)
        for versions in (
            f"1.36-{unknown}",
            "1.29-1.31",
            "1.36-1.99",
            "1.36-v2.0",
            "1.3-1.36",
            f"1.30,1.36-{unknown}",
            "1.36-1.37-1.38",
        ):
            status, out, err = self.check("-f", "p.yaml", "--kube-version", versions)
            self.assertEqual((status, out), (2, ""))
            self.assertIn(f'--kube-version: the program has no schemas of "{versions}"; it has those of: ', err)
        status, out, err = self.check("-f", "p.yaml", "--kube-version", "1.37-1.36")
        self.assertEqual((status, out), (2, ""))
        self.assertIn('--kube-version: "1.37-1.36" ends before it begins\n', err)
        status, _, err = self.say("upgrade", "--to", "1.37-1.38", "-f", "p.yaml")
        self.assertEqual(status, 2)
        self.assertIn('--to: the program has no schemas of "1.37-1.38"', err)

    def test_commands(self):
        self.assertEqual(self.say("--version"), self.say("version"))
        self.assertEqual(self.say("help", "check"), self.say("check", "--help"))
        for args in (["nothing"], ["help", "nothing"]):
            status, out, err = self.say(*args)
            self.assertEqual((status, out), (2, ""))
            self.assertTrue(err.startswith('kubectl-vapcheck: unknown command "nothing"; '), err)


if __name__ == "__main__":
    unittest.main()
