"""The exchange of methods that the capture of UIKit makes, run in a real runtime of Objective-C: that of GNU.

It needs clang and libobjc (libobjc-12-dev on Debian, or a newer one), and is skipped without them. The classes are our own; the
methods of UIKit itself run only on Apple's systems.
"""

import glob
import platform
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "Tests/ObjectiveCRuntime"
EXCHANGE = ROOT / "Sources/AnalyticsLive/Signals/UIKit/MethodExchange.swift"


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)


class MethodExchangeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        headers = sorted(glob.glob(f"/usr/lib/gcc/{platform.machine()}-linux-gnu/*/include/objc/runtime.h"))
        if not headers or shutil.which("clang") is None or shutil.which("swiftc") is None:
            raise unittest.SkipTest("there is no runtime of Objective-C (libobjc-12-dev)")
        include = Path(headers[-1]).parents[1]
        cls.place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.place.cleanup)
        folder = Path(cls.place.name)
        cls.compiled(
            "swiftc", "-emit-module", "-emit-library", "-static", "-parse-as-library", "-module-name", "ObjectiveC",
            "-emit-module-path", folder / "ObjectiveC.swiftmodule", "-o", folder / "libruntime.a",
            FOLDER / "ObjectiveC.swift")
        cls.compiled("clang", "-c", "-fobjc-runtime=gcc", "-Wall", "-Werror", f"-I{include}", FOLDER / "Controllers.m",
                     "-o", folder / "controllers.o")
        cls.compiled(
            "swiftc", "-parse-as-library", "-swift-version", "6", "-module-name", "Exchange", "-I", folder, EXCHANGE,
            FOLDER / "Exchange.swift", folder / "controllers.o", f"-L{folder}", "-lruntime", f"-L{include.parent}",
            "-lobjc", "-o", folder / "program")
        cls.result = run(folder / "program")

    @classmethod
    def compiled(cls, *command):
        result = run(*command)
        if result.returncode != 0:
            raise AssertionError(result.stderr)

    def test_the_replacement_runs_once_and_the_original_and_other_replacements_still_run(self):
        self.assertEqual(0, self.result.returncode)
        parts = {part.split("\n", 1)[0]: part.split("\n")[1:-1] for part in self.result.stdout.split("# ")[1:]}
        self.assertEqual(parts, {
            "missing": ["0", "original viewDidAppear 1"],
            "exchanged": ["1", "original viewDidAppear 1", "tributary viewDidAppear"],
            "overridden": ["app's viewDidAppear", "original viewDidAppear 0", "tributary viewDidAppear"],
            "with another library": ["other library", "original viewDidAppear 1", "tributary viewDidAppear"],
            # An inherited method is replaced in the subclass alone.
            "inherited": ["1", "tributary didSelectItem", "original didSelectItem"],
            "superclass": ["original didSelectItem"],
        })
