#!/usr/bin/env python3
"""The options: what is documented is what is done, and a wrong value is told so.

UPDATE_GOLDENS=1 writes the flags' table into manifests/OPERATING.md instead of comparing it.
"""

import os
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage

MANUAL = stage.SOURCE / "manifests/OPERATING.md"
BEGIN, END = "<!-- flags: vapcheck-controller --help-markdown -->\n", "<!-- end of flags -->\n"


def run(*args, **environment):
    """(status, stdout, stderr)."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("KUBE", "VAPCHECK_"))}
    done = subprocess.run(
        [stage.BIN / "vapcheck-controller", *args],
        capture_output=True,
        text=True,
        timeout=30,
        env={**kept, **environment},
    )
    return done.returncode, done.stdout, done.stderr


def table():
    """[{"flag": ..., "environment": ...}] of --help-markdown."""
    lines = run("--help-markdown")[1].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [dict(zip(rows[0], row)) for row in rows[2:]]


class DocumentsTest(stage.Case):
    def test_manual(self):
        text = MANUAL.read_text()
        before, rest = text.split(BEGIN)
        _, after = rest.split(END)
        wanted = f"{before}{BEGIN}{run('--help-markdown')[1]}{END}{after}"
        if os.environ.get("UPDATE_GOLDENS"):
            MANUAL.write_text(wanted)
        self.assertEqual(text, wanted)

    def test_help_has_every_flag(self):
        status, text, _ = run("--help")
        self.assertEqual(status, 0)
        self.assertEqual(run("-h")[1], text)
        for row in table():
            self.assertIn("  " + row["flag"].strip("`"), text)
            self.assertIn(row["environment"].strip("`"), text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_man_page_has_every_flag(self):
        status, page, _ = run("--help-man")
        self.assertEqual(status, 0)
        text = re.sub(r"\\f[BIR]", "", page).replace("\\-", "-").replace("\\&", "")
        for row in table():
            self.assertIn("\n" + row["flag"].strip("`"), text)
            self.assertIn("\n" + row["meaning"], text)
        self.assertNotRegex(page, r"(?m)^\.(?!TH |SH |TP$)")

    def test_manual_names_every_metric(self):
        """And none that there is not."""
        there = {line.split()[2] for line in self.all_metrics().splitlines() if line.startswith("# TYPE")}
        documented = set(re.findall(r"^\| `([a-z]+_[a-z_]+)", MANUAL.read_text(), re.M))
        self.assertEqual(there - documented, set())
        self.assertEqual(documented - there, set())

    def source(self, *paths):
        return "".join((stage.SOURCE / path).read_text() for path in paths)

    def section(self, title):
        return MANUAL.read_text().split(f"\n## {title}\n")[1].split("\n## ")[0]

    def test_manual_names_every_reason(self):
        """Of conditions, Events and health checks."""
        conditions = self.source("controller/findings/conditions.c", "controller/apiserver/crd/crdconditions.c")
        reasons = set(re.findall(r'"((?:[A-Z][a-z]+){2,}|Found)"', conditions))
        reasons -= {"MutatingAdmissionPolicyBinding", "ValidatingAdmissionPolicyBinding"}
        documented = self.section("Conditions")
        self.assertEqual([r for r in sorted(reasons) if f"`{r}`" not in documented], [])
        self.assertGreater(len(reasons), 12)
        events = set(re.findall(r'"((?:[A-Z][a-z]+){2,})"', self.source("controller/findings/conditionnews.c")))
        for columns in re.findall(r"EVENT\((.*?)\)", self.source("controller/findings/conditions.def")):
            events |= set(re.findall(r'"(\w+)"', columns))
        events |= set(
            re.findall(
                r'"((?:Status|Condition)[A-Z][a-z]+(?:[A-Z][a-z]+)*)"', self.source("controller/reconcile/reconcile.c")
            )
        )
        self.assertEqual([e for e in sorted(events) if f"`{e}`" not in self.section("Events")], [])
        self.assertGreater(len(events), 8)
        checks = set(
            re.findall(
                r'health_add\(\w*&?\w+, "(\w+)"', self.source("controller/overview.c", "controller/observe/endpoints.c")
            )
        )
        self.assertEqual({c for c in checks if f"| `{c}` |" not in self.section("Health")}, set())
        self.assertEqual(set(re.findall(r"(?m)^\| `(\w+)` \|", self.section("Health"))) - checks, set())

    def test_manual_names_every_warning(self):
        """The first words of each constant text that is logged as an error or a warning."""
        sources = [path.read_text() for folder in ("controller", "client", "cmd/vapcheck-controller")
                   for path in sorted((stage.SOURCE / folder).rglob("*.c")) if path.name != "log.c"]  # fmt: skip
        texts = set()
        for text in sources:
            for call in re.findall(r'log_(?:error|warn)\(\s*[^"]*?(?:"\w+",\s*)?"([^"]+)"', text):
                texts.add(call)
            texts.update(re.findall(r'log_(?:error|warn), (?:NULL|"\w+"), "([^"]+)"', text))
        words = {re.split(r"[%:;,(]", text)[0].strip() for text in texts}
        missing = [w for w in sorted(words) if len(w) > 8 and w not in self.section("Logs")]
        self.assertEqual(missing, [])
        self.assertGreater(len(words), 20)


class ValuesTest(stage.Case):
    WRONG = {
        "warnings-scope": (("", "half", "full,"), "is none of full, upstream"),
        "cel-go-version": (
            ("0.16", "1.26", "26", f"0.{stage.NEWEST_CEL_GO + 1}", "0.26.", "0.26.x", "latest"),
            f"is none of 0.17 to 0.{stage.NEWEST_CEL_GO}",
        ),
        "also-check": (("", "1", "1.30", "1.99", "1.37.x", "latest"), f"is none of 1.31 to 1.{stage.NEWEST}"),
        "max-types-per-policy": (
            ("0", "-1", "1e3", "100001", "", "7 ", "99999999999999999999"),
            "is not a number from 1 to 100000",
        ),
        "concurrent-writes": (("0", "1001", "many"), "is not a number from 1 to 1000"),
        "own-status": (("none", "al"), "is none of all, conditions"),
        "policy-selector": (("a in b", "=", "a,,b"), ""),
        "leader-elect": (("maybe", "1"), "is none of true, false"),
        "find-params": (("yes", "", "True"), "is none of true, false"),
        "watch-webhooks": (("yes", "", "True"), "is none of true, false"),
        "watch-mutating-policies": (("0", "on"), "is none of true, false"),
        "watch-crds": (("1", "truth"), "is none of true, false"),
        "leader-elect-lease-duration": (
            ("15", "-1s", "1d", "2h"),
            "is not a duration of at most 3600s, such as 15s or 500ms",
        ),
        "leader-elect-renew-deadline": (("x", "s"), "is not a duration of at most 3600s, such as 15s or 500ms"),
        "leader-elect-retry-period": (("1s2", " 1s"), "is not a duration of at most 3600s, such as 15s or 500ms"),
        "leader-elect-resource-name": (("",), "a name is needed"),
        "leader-elect-resource-namespace": (("",), "a name is needed"),
        "metrics-bind-address": (("8080", "localhost:1", ":99999"), "'"),
        "health-probe-bind-address": (("::", "1.2.3.4.5:1"), "'"),
        "logging-format": (("xml", "JSON"), "is none of text, json"),
        "v": (("4", "trace"), "is none of error, warn, info, debug"),
    }

    def test_wrong(self):
        """By the flag and by the variable: status 2, and one line that names it."""
        rows = {row["flag"].strip("`-"): row for row in table()}
        for name, (values, wanted) in self.WRONG.items():
            flag, variable = rows[name]["flag"].strip("`"), rows[name]["environment"].strip("`")
            for value in values:
                argument = [flag, value] if name == "v" else [f"{flag}={value}"]
                runs = [(flag, run(*argument))]
                if value:  # an empty variable is none
                    runs.append((f"${variable}", run(**{variable: value})))
                for source, (status, out, problem) in runs:
                    with self.subTest(source=source, value=value):
                        self.assertEqual((status, out), (2, ""))
                        self.assertTrue(problem.startswith(f"vapcheck-controller: {source}: "), problem)
                        self.assertIn(wanted, problem)
                        self.assertEqual(problem.count("\n"), 2, problem)

    def test_every_bounded_option_is_tested(self):
        bounded = {row["flag"].strip("`-") for row in table() if row["allowed"]}
        self.assertEqual(bounded - set(self.WRONG), set())

    def test_unknown(self):
        for args, wanted in (
            (["--nope"], "unknown flag --nope"),
            (["-x"], "unknown flag -x"),
            (["--context"], "--context needs a value"),
            (["-v"], "-v needs a value"),
            (["word"], "unexpected argument 'word'"),
        ):
            with self.subTest(args):
                self.assertEqual(
                    run(*args), (2, "", f"vapcheck-controller: {wanted}\nTry vapcheck-controller --help.\n")
                )

    def test_the_flag_wins_over_the_variable(self):
        """A word each that only the log tells: its format."""
        for environment, args, is_json in (
            ({}, [], False),
            ({"VAPCHECK_LOGGING_FORMAT": "json"}, [], True),
            ({"VAPCHECK_LOGGING_FORMAT": ""}, [], False),
            ({"VAPCHECK_LOGGING_FORMAT": "json"}, ["--logging-format", "text"], False),
            ({"VAPCHECK_LOGGING_FORMAT": "text"}, ["--logging-format", "json"], True),
        ):
            with self.subTest(environment=environment, args=args):
                status, _, log = run("--kubeconfig", "/nowhere", *args, **environment)
                self.assertEqual(status, 1)
                self.assertEqual(log.startswith("{"), is_json, log)

    def test_a_variable_for_each_kind(self):
        server = self.server()
        server.create(stage.policy("p", "true"))
        kept = {k: v for k, v in os.environ.items() if not k.startswith("KUBE")}
        os.environ.update(
            VAPCHECK_KUBECONFIG=str(server.kubeconfig),
            VAPCHECK_MAX_TYPES_PER_POLICY="7",
            VAPCHECK_LEADER_ELECT="true",
            VAPCHECK_LEADER_ELECT_RESOURCE_NAME="by-variable",
            VAPCHECK_LEADER_ELECT_LEASE_DURATION="20s",
            VAPCHECK_METRICS_BIND_ADDRESS="127.0.0.1:0",
            VAPCHECK_WATCH_CRDS="true",
            VAPCHECK_LOG_LEVEL="debug",
        )
        try:
            process = stage.Process("controller", [stage.BIN / "vapcheck-controller"], self.directory)
        finally:
            os.environ.clear()
            os.environ.update(kept)
        self.addCleanup(process.stop)
        stage.wait_for(
            "the Lease's metric",
            lambda: 'leader_election_master_status{name="by-variable"}' in stage.Metrics(process).read(),
        )
        self.assertTrue(process.says(" debug "))
        self.assertIn('vapcheck_kind_readable{kind="CustomResourceDefinition"}', stage.Metrics(process).read())


stage.main()
