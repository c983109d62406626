#!/usr/bin/env python3
"""The alert rules do what they say, and they and the dashboard ask for metrics that there are."""

import json
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage

PROMTOOL = stage.SOURCE / "tests/support/promtool"
RULES = stage.SOURCE / "manifests/prometheus/alerts.yaml"
DASHBOARD = stage.SOURCE / "manifests/prometheus/dashboard.json"
CASES = stage.SOURCE / "tests/flow/daemon/prometheus/alerts.yaml"
MANUAL = stage.SOURCE / "manifests/OPERATING.md"
METRIC = re.compile(r"\b(?:vapcheck|workqueue|rest_client|leader_election|process)_[a-z_]+\b")
VARIABLES = {"$__rate_interval": "5m", "$job": ".*", "$instance": ".*"}


def alerts():
    return re.findall(r"^  - alert: (\w+)$", RULES.read_text(), re.M)


class PrometheusTest(stage.Case):
    def promtool(self, *args):
        done = subprocess.run([PROMTOOL, *map(str, args)], capture_output=True, text=True)
        if done.returncode == 77:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_rules(self):
        self.promtool("check", "rules", RULES)
        self.promtool("test", "rules", self.file("cases.yaml", CASES.read_text().replace("ALERTS", str(RULES))))

    def test_every_alert_fires_and_rests_somewhere(self):
        """In the cases, and stands in the manual."""
        cases = CASES.read_text()
        for alert in alerts():
            self.assertRegex(cases, rf"(?m)^  - {{eval_time: \w+, alertname: {alert}}}$")
            self.assertRegex(cases, rf"(?m)^    alertname: {alert}\n    exp_alerts:$")
            anchor = alert.lower()
            self.assertIn(f'| <a id="{anchor}"></a>`{alert}` |', MANUAL.read_text())
            self.assertIn(f"/blob/main/manifests/OPERATING.md#{anchor}\n", RULES.read_text())

    def expressions(self):
        dashboard = json.loads(DASHBOARD.read_text())
        self.assertEqual(len({p["id"] for p in dashboard["panels"]}), len(dashboard["panels"]))
        return [t["expr"] for p in dashboard["panels"] for t in p.get("targets", [])]

    def test_the_dashboards_expressions(self):
        rules = []
        for i, expression in enumerate(self.expressions()):
            for name, value in VARIABLES.items():
                expression = expression.replace(name, value)
            rules.append({"record": f"dashboard:{i}", "expr": expression})
        self.assertGreater(len(rules), 15)
        self.promtool(
            "check", "rules", self.file("rules.yaml", json.dumps({"groups": [{"name": "d", "rules": rules}]}))
        )

    def test_metrics_exist(self):
        there = {re.split("[{ ]", line)[0] for line in self.all_metrics().splitlines()}
        asked = set(METRIC.findall("\n".join(self.expressions()) + RULES.read_text()))
        self.assertEqual(asked - there, set())


stage.main()
