"""Scripts that build a program and run it stop at a build that fails, and show why."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[1]


class ProgramsTest(unittest.TestCase):
    def test_a_build_that_fails_ends_the_script_with_its_errors(self):
        with tempfile.TemporaryDirectory(prefix="tributary-programs-") as folder:
            for name, body in (("swift", "echo 'error: it does not compile'; exit 1"), ("uname", "echo Linux")):
                (Path(folder) / name).write_text(f"#!/usr/bin/env bash\n{body}\n")
                (Path(folder) / name).chmod(0o755)
            for script in ("crash-test", "server-crash-test", "operator-test", "power-test", "fault-sweep", "soak"):
                with self.subTest(script):
                    run = subprocess.run(
                        [SCRIPTS / script], capture_output=True, text=True, check=False, timeout=60,
                        env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"})
                    self.assertEqual((run.returncode, run.stdout, run.stderr), (70, "", "error: it does not compile\n"))
