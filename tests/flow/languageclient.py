"""An editor, as far as `kubectl-vapcheck lsp` sees one: messages of the Language Server Protocol."""

import json
import os
import pathlib
import select
import subprocess

PROGRAM = str(pathlib.Path(os.environ["VAPCHECK_BIN"]) / "kubectl-vapcheck")


def frame(message):
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


class Editor:
    """A server and its messages. It is ended by the `with` statement."""

    def __init__(self, *flags, cwd=None, env=None):
        self.process = subprocess.Popen([PROGRAM, "lsp", *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, cwd=cwd, env={**os.environ, **(env or {})})  # fmt: skip
        self.number = 0
        self.received = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()

    def cpu_seconds(self):
        """What the server has taken so far, ours and the system's; what its neighbours take is not in it."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def notify(self, method, params=None):
        self.write(frame({"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})}))

    def read(self, seconds=30):
        """The next message; None: the server said nothing in that time, or is gone."""
        while True:
            head, end, rest = self.received.partition(b"\r\n\r\n")
            length = int(head.split(b":")[1]) if end else 0
            if end and len(rest) >= length:
                self.received = rest[length:]
                return json.loads(rest[:length])
            if not select.select([self.process.stdout], [], [], seconds)[0]:
                return None
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                return None
            self.received += data

    def request(self, method, params=None):
        """The whole answer; what the server says before it is forgotten."""
        self.number += 1
        self.write(frame({"jsonrpc": "2.0", "id": self.number, "method": method,
                          **({} if params is None else {"params": params})}))  # fmt: skip
        while (answer := self.read()) is not None and answer.get("id") != self.number:
            pass
        return answer

    def initialize(self, root=None, encodings=None):
        general = {} if encodings is None else {"general": {"positionEncodings": encodings}}
        answer = self.request("initialize", {"processId": None, "capabilities": general,
                                             "rootUri": root and pathlib.Path(root).as_uri()})  # fmt: skip
        self.notify("initialized", {})
        return answer["result"]

    def open(self, uri, text, version=1):
        self.notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": "yaml", "version": version, "text": text}},
        )

    def change(self, uri, version, *changes):
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)},
        )

    def save(self, uri):
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def diagnostics(self, uri, version=None):
        """Those that are published next for the document, or for that version of it."""
        while (m := self.read()) is not None:
            p = m.get("params", {})
            if (
                m.get("method") == "textDocument/publishDiagnostics"
                and p["uri"] == uri
                and version in (None, p["version"])
            ):
                return p["diagnostics"]
        raise AssertionError("the server is gone: " + self.process.stderr.read().decode())

    def shown(self):
        """The next message that the user sees."""
        while (m := self.read()) is not None:
            if m.get("method") == "window/showMessage":
                return m["params"]["message"]
        raise AssertionError("nothing is shown")

    def end(self):
        """Behind shutdown and exit: the status."""
        assert self.request("shutdown")["result"] is None
        self.notify("exit")
        return self.process.wait(timeout=30)
