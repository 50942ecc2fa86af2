"""Every request that the description of the HTTP API allows, and many that it does not: the server answers none of them
with an error of its own, with a status that is not described, or with a body that is not as described.

TRIBUTARY_BIN is the program. Schemathesis makes the requests; `scripts/bootstrap schema` installs it.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from server import TOKEN, Server, track  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TRIBUTARY_BIN", "Workspace/.build/debug/tributary")
SCHEMATHESIS = ROOT / ".build-tools/schemathesis/bin/schemathesis"
# Seconds; what was found until then counts.
LIMIT = 75
# Seconds after which the run is taken to hang: on a busy machine its last request and its report take long.
HANGS = 400
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "unsupported_method", "allow_header_conformance", "ignored_auth",
]


class SchemaTest(unittest.TestCase):
    def test_the_server_answers_as_its_description_says(self):
        self.assertTrue(SCHEMATHESIS.exists(), "schemathesis is missing: scripts/bootstrap schema installs it")
        folder = tempfile.TemporaryDirectory(prefix="tributary-schema-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        server = Server(PROGRAM, folder.name, options=["--allow-reset", "--trusted-proxy", "127.0.0.1"])
        self.addCleanup(server.__exit__)
        self.assertEqual(server.post(track("m-1"), track("m-2", timestamp="20/11/2026"), {"type": "track"}), 200)
        server.settle()
        hooks = str(Path(__file__).resolve().parent)
        command = [
            str(SCHEMATHESIS), "run", str(ROOT / "Workspace/OpenAPI/openapi.json"), "--url", server.url,
            "--header", f"Authorization: Bearer {TOKEN}", "--checks", ",".join(CHECKS),
            # The stream never ends.
            "--exclude-path", "/api/stream", "--max-examples", "20", "--max-time", str(LIMIT),
            "--phases", "examples,coverage,fuzzing", "--seed", os.environ.get("TRIBUTARY_SEED", "22"),
            "--request-timeout", "30", "--workers", "1", "--continue-on-failure", "--no-color",
        ]
        run = subprocess.run(
            command, capture_output=True, text=True, cwd=folder.name, timeout=HANGS,
            env=os.environ | {"SCHEMATHESIS_HOOKS": "schema_hooks", "PYTHONPATH": hooks})
        self.assertEqual(run.returncode, 0, run.stdout[-20_000:] + run.stderr[-5_000:])
        self.assertEqual(server.send("GET", "/v1/health")[0], 200)
        # The requests may have removed the source: they use names that earlier answers had.
        self.assertIn("sources", server.get("/api/sources"))


if __name__ == "__main__":
    unittest.main()
