"""A proxy that does to a client what networks and servers do, on purpose.

It stands before the embedded API server. rules, in their order, are asked first: each is called
with the request and may answer it. shape may change what is forwarded, wire what it is once it is
compressed: each piece is a gzip member, whether the client asked for that or not. What the server took
of status applies is in applied.
"""

import contextlib
import gzip
import http.client
import http.server
import json
import socket
import threading
import time


class Request(http.server.BaseHTTPRequestHandler):
    """One connection of the client, and the request that is on it."""

    protocol_version = "HTTP/1.1"
    body = b""
    is_gzip = False  # the answer in chunks

    def do_GET(self):
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError, AttributeError):
            self.server.proxy.serve(self)
            return
        self.close_connection = True  # one of the two ended

    do_PATCH = do_POST = do_PUT = do_DELETE = do_GET

    def log_message(self, *args):
        pass

    def begin(self, code=200, **headers):
        """The head of an answer in chunks."""
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.is_gzip = code == 200
        if self.is_gzip:
            self.send_header("Content-Encoding", "gzip")
        if code != 304:
            self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def chunk(self, piece):
        if self.is_gzip and piece:
            piece = gzip.compress(piece)
        wire = self.server.proxy.wire
        for part in wire(self, piece) if wire and piece else [piece]:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))

    def reply(self, code, value, **headers):
        text = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        for name, text_of in headers.items():
            self.send_header(name.replace("_", "-"), text_of)
        self.end_headers()
        self.wfile.write(text)

    def reset(self):
        """The connection ends in the middle of whatever it is."""
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)


class _Listener(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    block_on_close = False

    def finish_request(self, request, address):
        """In the connection's own thread: a handshake may take for ever."""
        with contextlib.suppress(OSError, ValueError):
            super().finish_request(self.proxy.greet(request), address)

    def handle_error(self, request, address):
        pass


class Proxy:
    def __init__(self, port):
        self.target = port
        self.rules = []
        self.shape = None  # (request, pieces) -> pieces
        self.wire = None  # (request, a compressed piece) -> pieces
        self.tls = None  # an ssl.SSLContext
        self.greeting = None  # (socket): instead of a handshake
        self.is_frozen = False
        self.requests = []  # "METHOD PATH"
        self.applied = []  # (policy, status) that the server took
        self._sockets = set()
        self._dead = set()
        self._http = _Listener(("127.0.0.1", 0), Request)
        self._http.proxy = self
        self.port = self._http.server_port
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        self._http.shutdown()
        self._http.server_close()
        self.drop()

    def drop(self):
        """Every connection ends at once."""
        for each in list(self._sockets):
            self._sockets.discard(each)
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def freeze(self):
        """No byte passes any more, and none will on the connections that are open now or are opened
        until thaw(); nothing says so."""
        self.is_frozen = True
        self._dead |= self._sockets

    def thaw(self):
        self.is_frozen = False

    def greet(self, connection):
        if self.greeting:
            self.greeting(connection)
            raise OSError("that was all")
        if self.is_frozen:
            time.sleep(3600)
        if self.tls:
            connection = self.tls.wrap_socket(connection, server_side=True)
        self._sockets.add(connection)
        return connection

    def _gate(self, request):
        while request.connection in self._dead:
            time.sleep(0.1)

    def serve(self, request):
        self._gate(request)
        self.requests.append(f"{request.command} {request.path}")
        for rule in list(self.rules):
            if rule(request):
                return
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.target)) as server:
            headers = {k: v for k, v in request.headers.items() if k != "Accept-Encoding"}
            server.request(request.command, request.path, request.body, headers)
            answer = server.getresponse()
            pieces = self._record(request, answer) if request.command == "PATCH" else _pieces(answer)
            self._forward(request, answer, pieces)

    def _forward(self, request, answer, pieces):
        headers = {name: answer.getheader(name) for name in ("Content-Type", "ETag") if answer.getheader(name)}
        if self.shape:
            pieces = self.shape(request, pieces)
        self._gate(request)
        request.begin(answer.status, **headers)
        if answer.status == 304:
            return
        for piece in pieces:
            self._gate(request)
            request.chunk(piece)
        request.chunk(b"")

    def _record(self, request, answer):
        text = answer.read()
        if answer.status == 200:
            name = request.path.split("?")[0].split("/")[-2]
            self.applied.append((name, json.loads(request.body).get("status", {})))
        return [text]


def _pieces(answer):
    while piece := answer.read1(65536):
        yield piece
