"""Webhooks that see each object as the API server has it: before its strategy (what mutating policies see), and after
it (what validating policies see). They let every request pass."""

import base64
import http.server
import json
import ssl
import subprocess
import threading

HOOK = {
    "sideEffects": "None",
    "admissionReviewVersions": ["v1"],
    "failurePolicy": "Fail",
    "rules": [
        {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["CREATE", "UPDATE"], "resources": ["*"], "scope": "*"}
    ],
}


class Reviews:
    """seen: {"mutating": REQUEST, "validating": REQUEST} (AdmissionRequest) of the last dry run since forget()."""

    def __init__(self, directory):
        key, certificate = directory / "reviews.key", directory / "reviews.crt"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-keyout", key, "-out", certificate, "-days", "9", "-subj", "/CN=reviews",
             "-addext", "subjectAltName=IP:127.0.0.1"],
            check=True, capture_output=True,
        )  # fmt: skip
        self.seen = {}
        self.certificate = certificate.read_bytes()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def _handler(self):
        reviews = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if review["request"].get("dryRun"):  # the server writes objects of its own
                    reviews.seen[self.path.split("?")[0].strip("/")] = review["request"]
                answer = {**review, "response": {"uid": review["request"]["uid"], "allowed": True}}
                del answer["request"]
                body = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        return Handler

    def configurations(self):
        """The objects to create, so that the API server asks."""
        for stage in ("mutating", "validating"):
            url = f"https://127.0.0.1:{self.server.server_port}/{stage}"
            client = {"url": url, "caBundle": base64.b64encode(self.certificate).decode()}
            yield {
                "apiVersion": "admissionregistration.k8s.io/v1",
                "kind": f"{stage.capitalize()}WebhookConfiguration",
                "metadata": {"name": "reviews"},
                "webhooks": [{**HOOK, "name": "reviews.example.com", "clientConfig": client}],
            }

    def forget(self):
        self.seen = {}

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
