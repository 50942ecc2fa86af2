"""What scripts/support/graph.py says of the packages that an app gets."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

import graph  # noqa: E402


def package(identity, *dependencies):
    return {"identity": identity, "name": identity, "dependencies": list(dependencies)}


class GraphTest(unittest.TestCase):
    def test_the_client_brings_what_is_allowed(self):
        client = package("tributary", package("swift-log"))
        self.assertEqual([], graph.problems(package("consumer", client)))

    def test_anything_else_is_noticed_however_deep(self):
        client = package("tributary", package("swift-log", package("swift-nio")), package("swift-crypto"))
        self.assertEqual(["an app would get swift-crypto", "an app would get swift-nio"], graph.problems(package("consumer", client)))

    def test_what_is_missing_is_noticed(self):
        self.assertEqual(
            ["swift-log is missing"],
            graph.problems(package("consumer", package("tributary"))))
