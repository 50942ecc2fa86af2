"""What scripts/support/graph.py says of the packages that an app gets."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

import graph  # noqa: E402


def package(identity, *dependencies):
    return {"identity": identity, "name": identity, "dependencies": list(dependencies)}


class GraphTest(unittest.TestCase):
    def test_an_app_gets_exactly_the_packages_that_are_allowed(self):
        for packages, problems in [
            ([package("swift-log")], []),
            ([package("swift-log", package("swift-nio")), package("swift-crypto")],
             ["an app would get swift-crypto", "an app would get swift-nio"]),
            ([], ["swift-log is missing"]),
        ]:
            with self.subTest(problems=problems):
                self.assertEqual(problems, graph.problems(package("consumer", package("tributary", *packages))))
