#!/usr/bin/env python3
"""The daemon as a pod runs it: no kubeconfig, but the service account's files where the kubelet mounts
them, put there by a mount namespace of its own; the files are rotated under it as the kubelet does."""

import asyncio
import base64
import contextlib
import json
import os
import pathlib
import shutil
import ssl
import subprocess
import threading

import harness

NAMESPACE = "vapcheck-system"
MOUNTED = "/run/secrets/kubernetes.io/serviceaccount"
# $1: the files; a pod's /run has nothing else. What follows is the program.
ENTER = f'mount -t tmpfs tmpfs /run && mkdir -p {MOUNTED} && mount --bind "$1" {MOUNTED} && shift && exec "$@"'
UNSHARE = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"])]


class Volume:
    """A projected volume: each version in a directory of its own, and one link that says which counts."""

    def __init__(self, directory, **files):
        self.directory, self.version, self.files = directory, 0, {}
        directory.mkdir()
        self.rotate(**files)
        for name in self.files:
            (directory / name).symlink_to(f"..data/{name}")

    def rotate(self, **files):
        self.files.update({name.replace("_", "."): text for name, text in files.items()})
        before, self.version = self.version, self.version + 1
        fresh = self.directory / f"..{self.version}"
        fresh.mkdir()
        for name, text in self.files.items():
            (fresh / name).write_text(text)
        link = self.directory / "..data_tmp"
        link.symlink_to(fresh.name)
        link.rename(self.directory / "..data")
        if before:
            shutil.rmtree(self.directory / f"..{before}")


class Authority:
    """A CA, and a server's certificate of it."""

    def __init__(self, directory, name):
        self.name = name
        ca, server = directory / f"{name}-ca", directory / f"{name}-server"
        self.openssl("req", "-x509", "-nodes", "-keyout", f"{ca}.key", "-out", f"{ca}.crt", "-subj", f"/CN={name}")
        self.openssl(
            "req",
            "-x509",
            "-nodes",
            "-keyout",
            f"{server}.key",
            "-out",
            f"{server}.crt",
            "-subj",
            "/CN=server",
            "-CA",
            f"{ca}.crt",
            "-CAkey",
            f"{ca}.key",
            "-addext",
            "subjectAltName=IP:127.0.0.1",
            "-addext",
            "basicConstraints=critical,CA:FALSE",
        )
        self.text = pathlib.Path(f"{ca}.crt").read_text()
        self.pair = f"{server}.crt", f"{server}.key"

    def openssl(self, *args):
        subprocess.run(["openssl", *args, "-newkey", "rsa:2048"], check=True, capture_output=True)


class Front:
    """The API server behind a certificate of another authority, which may change at any time."""

    def __init__(self, plane, authority):
        self.upstream = plane.port()
        self.trust = ssl.create_default_context(cafile=plane.directory / "ca.crt")
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.set_alpn_protocols(["http/1.1"])
        # A session that is taken up again would show no certificate.
        self.context.options |= ssl.OP_NO_TICKET
        self.context.num_tickets = 0
        self.context.load_cert_chain(*authority.pair)
        self.writers = set()
        self.loop = asyncio.new_event_loop()
        server = self.loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self.context))
        self.port = server.sockets[0].getsockname()[1]
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def present(self, authority):
        """From now on; the connections of before end."""
        asyncio.run_coroutine_threadsafe(self._present(authority), self.loop).result(10)

    async def _present(self, authority):
        self.context.load_cert_chain(*authority.pair)
        for writer in self.writers:
            writer.transport.abort()
        self.writers = set()

    async def _serve(self, reader, writer):
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self.upstream, ssl=self.trust)
        self.writers |= {writer, server_writer}
        await asyncio.gather(self._forward(reader, server_writer), self._forward(server_reader, writer))

    async def _forward(self, reader, writer):
        with contextlib.suppress(OSError):  # one of the two ended
            while piece := await reader.read(65536):
                writer.write(piece)
                await writer.drain()
        writer.close()


class InClusterTest(harness.Case):
    def setUp(self):
        super().setUp()
        if subprocess.run([*UNSHARE, "true"], capture_output=True).returncode != 0:
            self.skipTest("no mount namespace may be made here")
        self.plane.apply(harness.SOURCE / "manifests/base/namespace.yaml")
        self.plane.kubectl("apply", "-k", harness.SOURCE / "manifests/base")
        self.ca = (self.plane.directory / "ca.crt").read_text()
        token = self.token("first")
        self.volume = Volume(self.plane.directory / self.id(), token=token, ca_crt=self.ca, namespace=NAMESPACE)
        self.daemon = self.start_pod()

    def token(self, secret):
        """A token that is good for as long as this Secret is there, as a pod's is as long as the pod."""
        obj = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": secret, "namespace": NAMESPACE}}
        self.plane.apply(obj)
        self.addCleanup(self.plane.delete, "secret", secret, "-n", NAMESPACE)
        bound = ("--bound-object-kind=Secret", f"--bound-object-name={secret}")
        token = self.plane.kubectl("create", "token", "vapcheck-controller", "-n", NAMESPACE, *bound).strip()
        self.plane.secrets.add(token)
        return token

    def start_pod(self, port=None, flags=("--metrics-bind-address=127.0.0.1:0",)):
        environment = [
            "KUBERNETES_SERVICE_HOST=127.0.0.1",
            f"KUBERNETES_SERVICE_PORT={port or self.plane.port()}",
            "HOME=/",
        ]
        argv = [*UNSHARE, "sh", "-c", ENTER, "sh", self.volume.directory, "env", *environment, harness.CONTROLLER]
        return self.start("pod", [*argv, *flags, "-v", "debug"])

    def works(self, name, timeout=30):
        """It writes the status of a new policy."""
        self.plane.apply(harness.policy(name, "object.replicas > 1"))
        harness.wait_for(f"the status of {name}", lambda: self.plane.warnings(name), timeout=timeout)

    def credential(self, name):
        """Returns the identity of the token that wrote the status of a policy, as the audit log has it."""
        found = [e for e in self.plane.writes() if e["objectRef"].get("name") == name]
        return found[-1]["user"]["extra"]["authentication.kubernetes.io/credential-id"]

    def identity(self):
        payload = self.volume.files["token"].split(".")[1]
        return ["JTI=" + json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))["jti"]]

    def test_the_account_of_the_pod(self):
        """Its configuration is the pod's; it leads by default, with a Lease in its namespace."""
        self.works("first")
        self.assertIn("configuration: in-cluster", self.daemon.log())
        self.assertEqual(self.credential("first"), self.identity())
        lease = self.plane.get("lease", "vapcheck-controller", "-n", NAMESPACE)
        self.assertTrue(lease["spec"]["holderIdentity"])
        writes = self.plane.writes()
        self.assertEqual(
            {e["user"]["username"] for e in writes}, {f"system:serviceaccount:{NAMESPACE}:vapcheck-controller"}
        )

    def test_the_kubelet_may_probe_the_pod(self):
        """Without the flag: every address of the pod, at a port that another program here may have."""
        daemon = self.start_pod(flags=())
        harness.wait_for("it listens", lambda: ":8080" in daemon.log())
        self.assertNotIn("127.0.0.1:8080", daemon.log())

    def test_a_token_that_is_rotated(self):
        """The old one is refused soon; the daemon goes on with the new one, and never stops leading."""
        self.works("before")
        self.volume.rotate(token=self.token("second"))
        self.plane.delete("secret", "first", "-n", NAMESPACE)
        # The API server remembers for some seconds that it knew the old one.
        harness.wait_for("a renewal with the new one", self.renewed, timeout=60)
        self.works("after")
        self.assertEqual(self.credential("after"), self.identity())
        self.assertEqual(self.daemon.log().count("leading as "), 1)

    def renewed(self):
        """The Lease is renewed with the token of now."""
        users = [
            e["user"] for e in self.plane.requests() if e["verb"] == "update" and e["objectRef"]["resource"] == "leases"
        ]
        # One that was refused is nobody.
        return users and users[-1].get("extra", {}).get("authentication.kubernetes.io/credential-id") == self.identity()

    def test_a_ca_that_is_rotated(self):
        """The API server has a certificate of a new CA from one moment to the next, and the pod's file has
        that CA: with the old one at first, alone in the end."""
        a, b = Authority(self.plane.directory, "a"), Authority(self.plane.directory, "b")
        front = Front(self.plane, a)
        self.volume.rotate(ca_crt=a.text)
        self.daemon.stop()
        self.daemon = self.start_pod(port=front.port)
        self.works("before")
        for bundle, authority in ((a.text + b.text, b), (a.text, a)):
            self.volume.rotate(ca_crt=bundle)
            front.present(authority)
            self.works(f"with-{authority.name}")
        front.present(b)
        harness.wait_for("it notices", lambda: "certificate" in self.daemon.log())
        self.volume.rotate(ca_crt=b.text)
        self.works("after")
        self.assertEqual(self.daemon.log().count("leading as "), 1)


harness.main()
