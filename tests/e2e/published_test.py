#!/usr/bin/env python3
"""What an API server publishes of CustomResourceDefinitions, and what we say it does."""

import json
import subprocess
import sys

import harness

sys.path.append(str(harness.SOURCE / "tests/golden"))
from corpus import published

CRDS = harness.HERE / "crds"


class PublishedTest(harness.Case):
    def get(self, path):
        return json.loads(self.plane.kubectl("get", "--raw", path))

    def documents(self, urls):
        """Each document of the server by URL; None before it has all of them."""
        paths = self.get("/openapi/v3")["paths"]
        links = {url: paths.get(url.removeprefix("/openapi/v3/")) for url in urls}
        return all(links.values()) and {url: self.get(link["serverRelativeURL"]) for url, link in links.items()}

    def test_the_servers_documents_and_ours(self):
        dump = self.plane.directory / "dump"
        command = [harness.KUBECTL_VAPCHECK, "dump", dump, "--kubeconfig", self.plane.kubeconfig]
        subprocess.run(command, check=True)
        files = sorted(CRDS.glob("*.yaml"))
        answer = subprocess.run([harness.PUBLISHED, dump, *files], check=True, stdout=subprocess.PIPE)
        ours = json.loads(answer.stdout)
        self.plane.kubectl("apply", "-f", CRDS)
        urls = [url for url in ours if url != "/apis"]
        self.assertGreaterEqual(len(urls), len(files))
        theirs = harness.wait_for("the schemas of all CRDs", lambda: self.documents(urls), timeout=60)
        subprocess.run(command, check=True)
        apis = json.loads((dump / "apis.json").read_text())
        self.assertEqual(published.compare(ours, theirs, apis), [])


harness.main()
