#!/usr/bin/env python3
"""cmd/demo --once prints what demo.golden holds; staying up, it shows a change, and Ctrl-C ends all of it.

UPDATE_GOLDENS=1 writes demo.golden again.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage

HERE = pathlib.Path(__file__).resolve().parent
DEMO = stage.SOURCE / "cmd/demo"


def constant(text):
    """Without what changes from run to run: ports, times, ages."""
    text = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", text)
    text = re.sub(r"(?m)(?<= )\d+s$", "AGE", text)
    return re.sub(r'lastTransitionTime: "[^"]*"', 'lastTransitionTime: "TIME"', text)


class DemoTest(stage.Case):
    def test_once(self):
        done = subprocess.run(
            [DEMO, "--once", "--bin", stage.BIN], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        golden = HERE / "demo.golden"
        if os.environ.get("UPDATE_GOLDENS"):
            golden.write_text(constant(done.stdout))
        self.assertEqual(constant(done.stdout).splitlines(), golden.read_text().splitlines())

    def test_change(self):
        """Neither kubectl nor curl is needed for it, and nothing is asked where nobody reads."""
        log = open(self.directory / "demo.log", "w+")
        demo = subprocess.Popen(
            [DEMO, "--bin", stage.BIN],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            env={**os.environ, "TMPDIR": str(self.directory), "PATH": "/usr/bin:/bin"},
        )
        self.addCleanup(log.close)
        self.addCleanup(demo.kill)

        def printed():
            return (self.directory / "demo.log").read_text()

        stage.wait_for("how to change a policy", lambda: "Now change a policy" in printed(), timeout=60)
        self.assertRegex(printed(), r"kubectl replace -f -|curl -X PUT")
        server = stage.Server.__new__(stage.Server)
        server.port = int(re.search(r"127\.0\.0\.1:(\d+)", printed())[1])
        example = (stage.SOURCE / "manifests/examples/match-condition.yaml").read_text()
        right = example.replace("object.metadata.label)", "object.metadata.labels)")
        status, answer = server.request(
            "PUT", stage.POLICIES + "/match-condition", right, Content_Type="application/yaml"
        )
        self.assertEqual(status, 200, answer)
        before = len(printed())
        stage.wait_for("the new status", lambda: "NoWarnings" in printed()[before:])
        self.assertIn("\nmatch-condition\nstatus:\n", printed()[before - 30 :])
        os.killpg(demo.pid, signal.SIGINT)
        self.assertEqual(demo.wait(30), 0)
        # Its directory and its children are gone.
        self.assertEqual([p.name for p in self.directory.iterdir()], ["demo.log"])
        with self.assertRaises(OSError):
            server.request("GET", "/version")


stage.main()
