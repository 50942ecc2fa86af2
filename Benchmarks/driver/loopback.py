"""A server on the loopback address that takes batches and keeps them; what they hold is looked at afterwards."""

import gzip
import json
import socket
import threading

SETTINGS = b'{"integrations":{"Segment.io":{"apiKey":"KEY"}}}'


class LoopbackServer:
    """Keeps connections open, as clients expect. A thread for each connection, so that none waits for another."""

    def __init__(self, settings=True, keeps_bodies=True):
        # Whether the settings host answers; a silent one takes requests all the same.
        self.settings = settings
        self.keeps_bodies = keeps_bodies
        self.bodies = []  # (body, whether it is compressed), in the order of arrival
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.connections = set()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def host(self):
        """Host and path as a client is configured with them."""
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        with self.lock:
            for connection in self.connections:
                connection.close()

    def events(self):
        """All events of all batches, in their order."""
        with self.lock:
            bodies = list(self.bodies)
        return [
            event for body, is_compressed in bodies
            for event in json.loads(gzip.decompress(body) if is_compressed else body)["batch"]
        ]

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self.lock:
                self.connections.add(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            with connection, connection.makefile("rb", buffering=1 << 20) as stream:
                while self._serve_request(connection, stream):
                    pass
        except OSError:
            pass  # the client went away, as clients that are killed do
        finally:
            with self.lock:
                self.connections.discard(connection)

    def _serve_request(self, connection, stream):
        request = stream.readline()
        if not request:
            return False
        headers = {}
        while (line := stream.readline().strip()):
            name, _, value = line.partition(b":")
            headers[name.lower()] = value.strip()
        if headers.get(b"expect", b"").lower() == b"100-continue":
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        body = stream.read(int(headers.get(b"content-length", 0)))
        if request.startswith(b"POST"):
            self._keep(body, headers)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        elif self.settings:
            head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(SETTINGS)}\r\n\r\n"
            connection.sendall(head.encode() + SETTINGS)
        return True

    def _keep(self, body, headers):
        if self.keeps_bodies:
            with self.lock:
                self.bodies.append((body, headers.get(b"content-encoding") == b"gzip"))
