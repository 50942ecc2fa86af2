"""Every product of the package has an interface in docs/api, a documentation catalogue, and a place in .spi.yml."""

import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Only Apple's systems build it, and the header for its users is written by the compiler.
WITHOUT_CATALOGUE = {"AnalyticsCompatObjC"}


def products():
    names = set(re.findall(r'\.library\(name: "(\w+)", targets', (ROOT / "Package.swift").read_text("utf-8")))
    return sorted(names - {"CFuzzer"} - WITHOUT_CATALOGUE)


class ProductsTest(unittest.TestCase):
    def test_each_product_has_a_snapshot_of_its_interface_and_no_other_is_there(self):
        self.assertGreater(len(products()), 10)
        self.assertEqual(sorted(path.stem for path in (ROOT / "docs/api").glob("*.txt")), products())

    def test_each_product_has_a_catalogue_of_names_that_exist(self):
        # A module also has the names of those that it exports.
        interfaces = "\n".join(file.read_text("utf-8") for file in (ROOT / "docs/api").glob("*.txt"))
        known = set(re.findall(r"^(\w+)", interfaces, re.M))
        for product in products():
            with self.subTest(product):
                text = (ROOT / f"Sources/{product}/{product}.docc/{product}.md").read_text("utf-8")
                self.assertTrue(text.startswith(f"# ``{product}``\n"))
                self.assertEqual(set(), set(re.findall(r"^- ``(\w+)", text, re.M)) - known)

    def test_the_package_index_builds_the_documentation_of_each_product(self):
        listed = re.findall(r"^ +- (\w+)$", (ROOT / ".spi.yml").read_text("utf-8"), re.M)
        self.assertEqual(products(), sorted(listed))

    def test_the_script_for_frameworks_says_what_it_would_do(self):
        script = ROOT / "scripts/xcframework"
        plan = subprocess.run([script, "--dry-run"], capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertEqual(2, sum("-create-xcframework" in line for line in plan))
        self.assertEqual(20, sum("xcodebuild archive" in line for line in plan))
        wrong = subprocess.run([script, "--dry-run", "TributaryJSON"], capture_output=True, text=True, check=False)
        self.assertEqual(64, wrong.returncode)
        self.assertIn("TributaryJSON", wrong.stderr)
