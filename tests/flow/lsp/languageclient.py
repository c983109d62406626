"""An editor, as far as `kubectl-vapcheck lsp` sees one: messages of the Language Server Protocol."""

import os
import pathlib
import subprocess

from lspstream import Stream, frame

PROGRAM = str(pathlib.Path(os.environ["VAPCHECK_BIN"]) / "kubectl-vapcheck")


class Editor(Stream):
    """A server and its messages. It is ended by the `with` statement."""

    def __init__(self, *flags, cwd=None, env=None):
        super().__init__(
            subprocess.Popen(
                [PROGRAM, "lsp", *flags],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=cwd,
                env={**os.environ, **(env or {})},
            )
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()

    def notify(self, method, params=None):
        self.write(frame({"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})}))

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
