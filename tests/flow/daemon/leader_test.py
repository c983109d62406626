#!/usr/bin/env python3
"""Leader election, in short: constants are a fifth of the real ones, Leases are kept by the proxies."""

import pathlib
import signal
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage

LEASE, DEADLINE, RETRY = 3.0, 2.0, 0.4
TIMES = [f"--leader-elect-lease-duration={LEASE}s", f"--leader-elect-renew-deadline={DEADLINE}s"]
TIMES += ["--leader-elect-retry-period=400ms", "--leader-elect-resource-namespace=kube-system"]
NAME = stage.Leases.PATH + "v1/namespaces/kube-system/leases/vapcheck-controller"


class LeaderTest(stage.Case):
    def setUp(self):
        super().setUp()
        self.leases, self.on = stage.Leases(), self.server()

    def candidate(self, *args):
        """(a process, the proxy that is its only way to the server)."""
        proxy = self.proxy(self.on.port)
        proxy.faults[stage.Leases.PATH] = self.leases
        process = self.controller(self.kubeconfig(proxy.url), "--leader-elect", *TIMES, *args)
        return process, proxy

    def leading(self, process):
        stage.wait_for("a leader", lambda: process.says("leading as "))

    def standing_by(self, process):
        stage.wait_for("a standby", lambda: process.says("standing by: "))

    def test_a_standby_is_warm_and_writes_nothing(self):
        self.on.create(stage.policy("before", "object.replicas > 1"))
        leader, to_leader = self.candidate()
        self.leading(leader)
        self.assertIn("undefined field", self.on.warnings("before")["spec.validations[0].expression"])
        standby, to_standby = self.candidate()
        self.standing_by(standby)
        self.assertTrue(standby.says("ready: 1 policies"))
        for process, is_leader in ((leader, 1), (standby, 0)):
            self.assertEqual(stage.ask(process, "/readyz"), (200, "ok"))
            self.assertIn("[+]leaderElection ok", stage.ask(process, "/livez?verbose")[1])
            found = stage.Metrics(process).read()
            self.assertEqual(found['leader_election_master_status{name="vapcheck-controller"}'], is_leader)
            self.assertEqual(found['workqueue_depth{name="policies"}'], 0)
        self.on.create(stage.policy("after", "object.replicas > 1"))
        self.on.settled("after")
        self.assertEqual(to_standby.count("PATCH"), 0)
        self.assertEqual(to_standby.count("PUT"), 0)
        self.assertEqual(to_leader.count("PATCH"), 2)
        # it has watched all along, and has the schemas: the next leader reads nothing anew
        documents = lambda: len([r for r in to_standby.requests if "/openapi/v3/" in r])
        stage.wait_for("the standby's schemas", documents)
        read = documents()
        lists = len([r for r in to_standby.requests if stage.POLICIES in r])
        leader.stop()
        self.leading(standby)
        self.on.create(stage.policy("later", "object.replicas > 1"))
        self.on.settled("later")
        self.assertEqual(to_standby.count("PATCH"), 1)
        self.assertEqual(documents(), read)
        self.assertEqual(len([r for r in to_standby.requests if stage.POLICIES in r and r.startswith("GET")]), lists)

    def test_sigterm_releases_after_the_last_write(self):
        leader, proxy = self.candidate()
        self.leading(leader)
        standby, _ = self.candidate()
        self.standing_by(standby)
        answered = []

        def slow(handler):
            time.sleep(1.5)
            answered.append(time.monotonic())
            del proxy.faults[stage.POLICIES + "/slow/"]
            proxy._forward(handler, handler.body)

        proxy.faults[stage.POLICIES + "/slow/"] = slow
        self.on.create(stage.policy("slow", "object.replicas > 1"))
        stage.wait_for("the write", lambda: proxy.count("PATCH"))
        leader.popen.send_signal(signal.SIGTERM)
        self.assertEqual(leader.wait(10), 0, leader.log())
        self.assertTrue(leader.says("the lease is released"))
        released = next(at for at, holder in self.leases.writes if holder == "")
        self.assertGreater(released, answered[0])
        self.leading(standby)
        self.assertLess(time.monotonic() - released, RETRY * 2.2 + 1)
        self.on.settled("slow")

    def test_sigterm_while_the_lease_is_written(self):
        """That write may arrive or not: afterwards nobody has the lease."""
        for what in ("a renewal", "the first write"):
            with self.subTest(what):
                self.leases.leases.clear()
                process, _ = self.candidate()
                if what == "a renewal":
                    self.leading(process)
                self.leases.delay, before = 0.8, len(self.leases.writes)
                stage.wait_for("the write", lambda: len(self.leases.writes) > before)
                process.popen.send_signal(signal.SIGTERM)
                time.sleep(0.1)
                self.leases.delay = 0
                self.assertEqual(process.wait(10), 0, process.log())
                self.assertEqual(self.leases.holder(), "", process.log())

    def test_sigterm_before_there_is_a_store(self):
        proxy = self.proxy(self.on.port)
        proxy.faults[stage.POLICIES] = stage.hang
        process = self.controller(self.kubeconfig(proxy.url), "--leader-elect", *TIMES)
        stage.wait_for("a list", lambda: proxy.count("GET " + stage.POLICIES))
        process.stop()
        self.assertEqual(proxy.count("GET " + stage.Leases.PATH), 0)

    def test_a_slow_server(self):
        """As long as each renewal is answered in half of the deadline."""
        process, _ = self.candidate()
        self.leading(process)
        self.leases.delay = 0.8
        time.sleep(2 * LEASE)
        self.assertIsNone(process.popen.poll(), process.log())
        self.assertFalse(process.says("warn"), process.log())

    def test_a_standby_leaves_nothing_behind(self):
        leader, _ = self.candidate()
        self.leading(leader)
        standby, to_standby = self.candidate()
        self.standing_by(standby)
        standby.stop()
        self.assertEqual(to_standby.count("PUT"), 0)
        self.assertTrue(self.leases.holder())

    def test_what_a_release_writes(self):
        leader, _ = self.candidate()
        self.leading(leader)
        held = dict(self.leases.leases[NAME]["spec"])
        self.assertRegex(
            held["holderIdentity"], r"^[^_]+_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"
        )
        self.assertRegex(held["renewTime"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$")
        self.assertEqual((held["leaseDurationSeconds"], held["leaseTransitions"]), (3, 0))
        leader.stop()
        spec = self.leases.leases[NAME]["spec"]
        self.assertEqual((spec["holderIdentity"], spec["leaseDurationSeconds"]), ("", 1))

    def lost(self, process, proxy, since, *wanted):
        """It ends in failure, and asks for nothing once the deadline is over."""
        self.assertEqual(process.wait(10), 1, process.log())
        self.assertLess(time.monotonic() - since, DEADLINE + 1)
        for text in wanted:
            self.assertIn(text, process.log().splitlines()[-1])
        self.assertNotEqual(self.leases.writes[-1][1], "")

    def test_a_lease_that_cannot_be_renewed(self):
        for code in (403, 429, 500, 503):
            with self.subTest(code):
                self.leases.leases.clear()
                leader, proxy = self.candidate()
                self.leading(leader)
                since, self.leases.code = time.monotonic(), code
                self.lost(leader, proxy, since, "it was not renewed within 2000 ms: ", f"HTTP {code}: no")
                self.leases.code = None

    def test_a_server_that_is_silent(self):
        leader, proxy = self.candidate()
        self.leading(leader)
        since = time.monotonic()
        proxy.faults[stage.Leases.PATH] = stage.hang
        self.lost(leader, proxy, since, "it was not renewed within 2000 ms: ")

    def test_somebody_else_takes_it(self):
        leader, proxy = self.candidate()
        self.leading(leader)
        lease = self.leases.leases[NAME]
        self.leases.put(
            NAME, {**lease, "metadata": dict(lease["metadata"]), "spec": {**lease["spec"], "holderIdentity": "thief"}}
        )
        self.lost(leader, proxy, time.monotonic(), "kube-system/vapcheck-controller was lost: thief holds it")

    def test_a_deleted_lease_is_created_again(self):
        leader, _ = self.candidate()
        self.leading(leader)
        self.leases.leases.clear()
        stage.wait_for("it again", lambda: self.leases.leases)
        leader.stop()

    def test_times_in_the_record_mean_nothing(self):
        """Of one that died long ago, by its text, it is waited out; likewise of one that says it lives on."""
        for text in ("2001-01-01T00:00:00.000000Z", "2999-01-01T00:00:00.000000Z"):
            with self.subTest(text):
                spec = {"holderIdentity": "dead", "leaseDurationSeconds": 3, "renewTime": text, "leaseTransitions": 4}
                self.leases.put(NAME, {"kind": "Lease", "metadata": {"name": "vapcheck-controller"}, "spec": spec})
                process, _ = self.candidate()
                self.standing_by(process)
                since = time.monotonic()
                self.leading(process)
                self.assertGreater(time.monotonic() - since, LEASE - 0.5)
                self.assertLess(time.monotonic() - since, LEASE + 1)
                self.assertEqual(self.leases.leases[NAME]["spec"]["leaseTransitions"], 5)
                process.stop()

    def test_paused_past_the_lease(self):
        """What was to be written when it was paused is not, once it runs again."""
        leader, proxy = self.candidate("--concurrent-writes=1")
        self.leading(leader)
        entered = []

        def held(handler):
            entered.append(handler)
            time.sleep(1)
            proxy._forward(handler, handler.body)

        proxy.faults[stage.POLICIES + "/p0/"] = held
        for i in range(20):
            self.on.create(stage.policy(f"p{i}", "object.replicas > 1"))
        stage.wait_for("the first write", lambda: entered)
        leader.popen.send_signal(signal.SIGSTOP)
        time.sleep(LEASE + 1)
        before = len(proxy.requests)
        leader.popen.send_signal(signal.SIGCONT)
        self.assertEqual(leader.wait(5), 1, leader.log())
        self.assertIn("was lost", leader.log().splitlines()[-1])
        self.assertEqual(proxy.requests[before:], [])

    def test_no_right_to_it(self):
        """It stays, says so once, and does not hammer."""
        self.leases.code = 403
        process, proxy = self.candidate()
        stage.wait_for("a word", lambda: process.says("HTTP 403"))
        self.assert_quiet(process, proxy)
        self.assertEqual(process.log().count("HTTP 403"), 1, process.log())
        refused = "[-]lease failed: the API server forbids the Lease kube-system/vapcheck-controller\n"
        self.assertIn(refused, stage.ask(process, "/readyz")[1])
        self.assertEqual(stage.ask(process, "/livez")[0], 200)
        self.leases.code = None
        self.leading(process)
        self.assertEqual(stage.ask(process, "/readyz"), (200, "ok"))

    def test_no_namespace(self):
        """The Lease is not there, and cannot be made: it says so once, with the remedy, and is not ready."""
        self.leases.code = 404
        process, proxy = self.candidate()
        wanted = "the namespace kube-system does not exist, so nothing is checked: create it, or name another one by " \
                 "--leader-elect-resource-namespace"  # fmt: skip
        stage.wait_for("a word", lambda: process.says(wanted))
        self.assert_quiet(process, proxy)
        self.assertEqual(process.log().count("does not exist"), 1, process.log())
        code, text = stage.ask(process, "/readyz")
        self.assertEqual(code, 500)
        self.assertIn("[-]lease failed: the namespace kube-system of the Lease does not exist\n", text)
        self.assertEqual(stage.ask(process, "/livez")[0], 200)
        self.leases.code = None
        self.leading(process)
        self.assertEqual(stage.ask(process, "/readyz"), (200, "ok"))


class FlagsTest(stage.Case):
    def test_wrong(self):
        for args, wanted in (
            (["--leader-elect-lease-duration=10s"], "must be greater than --leader-elect-renew-deadline"),
            (["--leader-elect-renew-deadline=2400ms"], "must be greater than --leader-elect-retry-period * 1.2"),
            (["--leader-elect-retry-period=0s"], "must be greater than zero"),
            (["--leader-elect-retry-period=1"], "'1' is not a duration"),
            (["--leader-elect-retry-period=1x"], "'1x' is not a duration"),
            (["--leader-elect-retry-period="], "'' is not a duration"),
            (["--leader-elect-retry-period=0x1s"], "'0x1s' is not a duration"),
            (["--leader-elect-lease-duration=61m"], "'61m' is not a duration"),
            (["--leader-elect=maybe"], "'maybe' is none of true, false"),
            (["--leader-elect-resource-name="], "a name is needed"),
        ):
            with self.subTest(args):
                process = self.controller("/nowhere", *args)
                self.assertEqual(process.wait(20), 2, process.log())
                self.assertIn(wanted, process.log())

    def test_good(self):
        """Past the flags it is the kubeconfig that is missing."""
        for args in (
            ["--leader-elect", "--leader-elect-lease-duration=1m0.5s"],
            ["--leader-elect=false", "--leader-elect-lease-duration=1s"],
            ["--leader-elect=true", "--leader-elect-resource-name=n", "--leader-elect-resource-namespace=ns"],
        ):
            with self.subTest(args):
                process = self.controller("/nowhere", *args)
                self.assertEqual(process.wait(20), 1, process.log())

    def test_a_kubeconfig_means_no_election(self):
        server = self.server()
        proxy = self.proxy(server.port)
        process = self.controller(self.kubeconfig(proxy.url))
        server.create(stage.policy("p", "true"))
        server.settled("p")
        self.assertEqual(proxy.count("GET " + stage.Leases.PATH), 0)
        process.stop()


stage.main()
