"""Older watches have integers of 32 bits: a constant that is too large for them is found, whatever gives it its type."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = """let product = 4 * 1024 * 1024 * 1024
let ofItsOwn: Int64 = 1 << 40
func wait(_ nanoseconds: Int = 3_000_000_000) -> Double { Double(nanoseconds) + 5_000_000_000 }
var mask: UInt { 0xFFFF_FFFF_FF }
let shifted = 1 << 31
let smallest = -2_147_483_648
let largest = 2_147_483_647
let sum = [1, 2].count + 2_147_483_648
"""


@unittest.skipIf(shutil.which("swiftc") is None, "there is no Swift compiler")
class ConstantsTest(unittest.TestCase):
    def check(self, *sources, described=None):
        frontend = Path(shutil.which("swiftc")).resolve().parent / "swift-frontend"
        names = [f"{chr(ord('A') + at)}.swift" for at in range(len(sources))]
        with tempfile.TemporaryDirectory() as folder:
            for name, source in zip(names, sources):
                (Path(folder) / name).write_text(source)
            files = [word for name in names for word in (["-primary-file", name] if described is None or name in described else [name])]
            ast = Path(folder) / "A.json"
            with ast.open("w") as output:
                subprocess.run([frontend, "-dump-ast", "-dump-ast-format", "json", "-module-name", "A", "-parse-as-library", *files],
                               cwd=folder, stdout=output, check=True)
            return subprocess.run([sys.executable, ROOT / "scripts/support/constants.py", frontend, ast, str(len(sources))], cwd=folder,
                                  capture_output=True, text=True, check=False)

    def test_what_is_too_large_is_found_with_its_place(self):
        done = self.check(SOURCE, "struct B {\n    static let most = 1_000_000_000_000\n}\n")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertEqual([line.split(" error:")[0] for line in done.stdout.splitlines()[:-1]],
                         ["A.swift:1:", "A.swift:3:", "A.swift:4:", "A.swift:5:", "A.swift:8:", "B.swift:2:"])

    def test_what_fits_or_has_a_type_of_its_own_is_right(self):
        done = self.check("let a: Int64 = 1 << 40\nlet b = 2_147_483_647\nlet c: Double = 5_000_000_000\n")
        self.assertEqual((done.returncode, done.stdout), (0, "2 constants, 0 too large for 32 bits\n"))

    def test_a_file_that_the_compiler_does_not_describe_is_an_error(self):
        done = self.check("let a = 1\n", "let b = 2\n", described=["A.swift"])
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 of 2 files", done.stderr)
