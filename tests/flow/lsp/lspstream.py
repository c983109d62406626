"""A language server's process, and the messages to and from it."""

import json
import os
import pathlib
import select


def frame(message):
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


class Stream:
    """process: its standard input and output are pipes."""

    def __init__(self, process):
        self.process = process
        self.number = 0
        self.received = b""

    def cpu_seconds(self):
        """What the server has taken so far, ours and the system's; what its neighbours take is not in it."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

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
            data = os.read(self.process.stdout.fileno(), 1 << 20)
            if not data:
                return None
            self.received += data
