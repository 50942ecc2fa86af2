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
        result = run(folder / "program")
        cls.status = result.returncode
        cls.parts = {
            part.split("\n", 1)[0]: part.split("\n")[1:-1] for part in result.stdout.split("# ")[1:]}

    @classmethod
    def compiled(cls, *command):
        result = run(*command)
        if result.returncode != 0:
            raise AssertionError(result.stderr)

    def test_the_program_does_not_crash(self):
        self.assertEqual(0, self.status)

    def test_without_a_replacement_nothing_is_changed(self):
        self.assertEqual(["0", "original viewDidAppear 1"], self.parts["missing"])

    def test_the_replacement_runs_once_and_calls_the_original(self):
        self.assertEqual(["1", "original viewDidAppear 1", "tributary viewDidAppear"], self.parts["exchanged"])

    def test_an_override_of_the_app_runs_as_before(self):
        self.assertEqual(
            ["app's viewDidAppear", "original viewDidAppear 0", "tributary viewDidAppear"], self.parts["overridden"])

    def test_another_library_that_exchanges_the_same_method_later_is_called_too(self):
        self.assertEqual(
            ["other library", "original viewDidAppear 1", "tributary viewDidAppear"],
            self.parts["with another library"])

    def test_an_inherited_method_is_replaced_in_the_subclass_alone(self):
        self.assertEqual(["1", "tributary didSelectItem", "original didSelectItem"], self.parts["inherited"])
        self.assertEqual(["original didSelectItem"], self.parts["superclass"])
