"""A package outside the repository finds the products that the documents tell it to depend on.

    /usr/bin/python3 -m unittest -v scripts/tests/consumer_test.py

It loads the graph of such a package, which is where a manifest that is wrong, a product that is missing or a dependency
that does not resolve shows; it builds nothing.
"""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 300  # seconds until a process that does not come to its end is a failure

MANIFEST = """
// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "app",
    platforms: [.macOS(.v10_15), .iOS(.v13)],
    dependencies: [
        .package(name: "tributary", path: "%(root)s"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
    ],
    targets: [
        .executableTarget(
            name: "App",
            dependencies: [
                .product(name: "Tributary", package: "tributary"),
                .product(name: "%(product)s", package: "tributary"),
            ]
        )
    ]
)
"""


@unittest.skipUnless(shutil.which("swift"), "there is no Swift toolchain")
class ConsumerTest(unittest.TestCase):
    def load(self, product):
        with tempfile.TemporaryDirectory(prefix="tributary-consumer-") as folder:
            sources = Path(folder) / "Sources/App"
            sources.mkdir(parents=True)
            (sources / "main.swift").write_text("import Tributary\n")
            manifest = MANIFEST % {"root": ROOT, "product": product}
            (Path(folder) / "Package.swift").write_text(manifest.lstrip())
            return subprocess.run(
                ["swift", "package", "--package-path", folder, "show-dependencies"], stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PATIENCE)

    def test_the_documented_products_are_there(self):
        process = self.load("AnalyticsLive")
        self.assertEqual(process.returncode, 0, process.stdout)
        self.assertIn("tributary", process.stdout)

    def test_a_product_that_is_not_there_is_noticed(self):
        process = self.load("AnalyticsDead")
        self.assertIn("AnalyticsDead", process.stdout)
        self.assertNotEqual(process.returncode, 0, process.stdout)


if __name__ == "__main__":
    unittest.main()
