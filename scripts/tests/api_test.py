"""scripts/api, on a symbol graph that the test writes: it finds each change of the interface."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[1]


def symbol(path, text):
    return {"identifier": {"precise": path}, "pathComponents": path.split("."), "declarationFragments": [{"spelling": text}]}


class APITest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-api-")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name in ("api", "support/api.py"):
            (self.root / "scripts" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SCRIPTS / name, self.root / "scripts" / name)
        script = self.root / "scripts/api"
        script.write_text(re.sub(r'(?m)^readonly modules=.*$', 'readonly modules="Tributary"', script.read_text()))
        self.write(symbol("Client", "class Client"), symbol("Client.track()", "func  track()"))
        self.program("swiftc", "echo '  \"unversionedTriple\": \"x\",'")
        # The folder also has the symbols of a module that the client uses.
        self.program("swift-symbolgraph-extract", (
            'while (($# > 1)); do case $1 in -module-name) name=$2;; -output-dir) out=$2;; esac; shift; done\n'
            f'cp "{self.root}/graph" "$out/$name.symbols.json"; cp "{self.root}/other" "$out/Other.symbols.json"'))
        (self.root / "other").write_text(json.dumps({"symbols": [symbol("Foreign", "class Foreign")], "relationships": []}))

    def program(self, name, body):
        path = self.root / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/usr/bin/env bash\n{body}\n")
        path.chmod(0o755)

    def write(self, *symbols):
        relations = [{"kind": "conformsTo", "source": "Client", "target": f"s:{name}", "targetFallback": f"Swift.{name}"}
                     for name in ("Sendable", "Hashable")]
        (self.root / "graph").write_text(json.dumps({"symbols": symbols, "relationships": relations}))

    def run_api(self, *options):
        run = subprocess.run(
            [self.root / "scripts/api", *options], capture_output=True, text=True, check=False,
            env=os.environ | {"PATH": f"{self.root / 'bin'}:{os.environ['PATH']}"})
        return run.returncode, run.stdout + run.stderr

    def test_a_change_of_the_interface_fails_until_it_is_written_down(self):
        self.assertEqual(self.run_api()[0], 69)
        (self.root / ".build/debug/Modules").mkdir(parents=True)
        self.assertEqual(self.run_api("--update"), (0, ""))
        self.assertEqual((self.root / "docs/api/Tributary.txt").read_text(), (
            "Client  : Swift.Hashable\nClient  class Client\nClient.track()  func track()\n"))
        self.assertEqual(self.run_api("--check"), (0, ""))
        self.write(symbol("Client", "class Client"), symbol("Client.track()", "func track() throws"))
        status, output = self.run_api()
        self.assertEqual(status, 1)
        self.assertIn("+Client.track()  func track() throws", output)
        self.assertEqual(self.run_api("--all")[0], 64)

    def test_the_script_looks_at_each_interface_that_is_written_down(self):
        modules = re.search(r'^readonly modules="(.*)"$', (SCRIPTS / "api").read_text(), re.M)[1].split()
        self.assertEqual(sorted(modules), sorted(path.stem for path in (SCRIPTS.parent / "docs/api").glob("*.txt")))
