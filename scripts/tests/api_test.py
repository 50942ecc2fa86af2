"""docs/api has a snapshot of each product, and no other."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class APITest(unittest.TestCase):
    def test_each_product_has_a_snapshot(self):
        package = (ROOT / "Package.swift").read_text("utf-8")
        # The fuzzer is no product for apps, and only Apple's systems build the other.
        products = set(re.findall(r'\.library\(name: "(\w+)", targets', package)) - {"CFuzzer", "AnalyticsCompatObjC"}
        self.assertEqual({path.stem for path in (ROOT / "docs/api").glob("*.txt")}, products)
