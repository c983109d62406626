"""A soak, from the first policy to the verdict, on whatever API server (see churn.py)."""

import time

import stage
from soak import churn

WARM_UP = 0.2  # of the events, and of the time: minute 2 of ten
SETTLED_S = 90
# of files: connections that are kept for the next writes, of which there are eight at once
MOST_GROWTH = {
    "vapcheck_heap_bytes": 256 * 1024,
    "process_resident_memory_bytes": 2 * 1024 * 1024,
    "process_open_fds": 9,
}
IDLE_S = 3


def rest(daemon):
    """The metrics of a daemon that has nothing to do."""
    metrics = stage.Metrics(daemon)
    stage.wait_for("a daemon at rest", metrics.quiet, timeout=SETTLED_S)
    time.sleep(IDLE_S)
    return metrics.read()


def total(metrics, family):
    return sum(value for name, value in metrics.items() if name.startswith(family + "{"))


def assert_steady(test, early, late, has_memory):
    """Memory and file descriptors, early and late, on the same number of policies."""
    for name, most in MOST_GROWTH.items():
        grown = late[name] - early[name]
        print(f"  {name}: {early[name]:.0f}, then {late[name]:.0f}: {grown:+.0f}", flush=True)
        if has_memory or name == "process_open_fds":
            test.assertLess(grown, most, name)


def run(test, target, start, events, seconds, restarts, is_long):
    """target: as Churn has it; start(name) starts a daemon; restarts: of the server."""
    began = time.monotonic()
    work = churn.Churn(target, seed=1)
    test.addCleanup(work.stop)
    daemon = start("daemon")
    early_events, early_restarts = int(events * WARM_UP), max(1, int(restarts * WARM_UP))
    work.run(early_events, seconds * WARM_UP, early_restarts)
    work.settle(SETTLED_S)
    early = rest(daemon)
    work.run(events - early_events, seconds * (1 - WARM_UP), restarts - early_restarts)
    work.settle(SETTLED_S)
    late = rest(daemon)
    eyes = work.eyes
    print(f"\n  {work.program.counts} in {time.monotonic() - began:.0f} s, {restarts} restarts")
    print(
        f"  {eyes.seen} states of policies seen, {eyes.checked} checked, {eyes.overtaken} overtaken; "
        f"the longest wait for a status {eyes.longest_s:.1f} s; {total(late, 'vapcheck_checks_total'):.0f} checks, "
        f"{total(late, 'vapcheck_status_writes_total'):.0f} writes, CPU {late['process_cpu_seconds_total']:.1f} s"
    )
    assert_steady(test, early, late, is_long)
    test.assertEqual(eyes.wrong[:3], [], "statuses that do not fit their policies")
    test.assertEqual(eyes.seen, eyes.checked + eyes.overtaken, "lost")
    daemon.stop()
    judge(test, start("fresh"))


def judge(test, fresh):
    """A daemon that knows nothing checks every policy, and finds nothing to write."""
    metrics = stage.Metrics(fresh)
    stage.wait_for(
        "fresh checks", lambda: total(metrics.read(), "vapcheck_checks_total") >= churn.LIVE, timeout=SETTLED_S
    )
    found = rest(fresh)
    test.assertEqual(total(found, "vapcheck_policies"), churn.LIVE)
    test.assertEqual(total(found, "vapcheck_status_writes_total"), 0, "a fresh computation differs")
