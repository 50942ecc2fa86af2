"""Copies of Swift sources without Objective-C keep everything else, line by line."""

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/support"))
from without_objc import without  # noqa: E402


class WithoutObjCTest(unittest.TestCase):
    def test_nothing_of_objective_c_is_left_and_no_line_moves(self):
        files = sorted((ROOT / "Sources").glob("AnalyticsCompat*/**/*.swift"))
        files += sorted((ROOT / "Sources/AnalyticsLive/Signals/UIKit").glob("*.swift"))
        seen = 0
        for file in files:
            source = file.read_text()
            copy = without(source)
            with self.subTest(file=file.name):
                self.assertEqual(source.count("\n"), copy.count("\n"))
                for word in ("@objc", "#selector", "optional func"):
                    self.assertNotIn(word, copy)
                if not any(word in source for word in ("@objc", "#selector")):
                    self.assertEqual(source, copy)
            seen += source.count("@objc")
        self.assertGreater(seen, 100)

    def test_what_stands_beside_it_stays(self):
        self.assertEqual(
            'public func track(_ event: String) { client.track(event) }',
            without('@objc(track:) public func track(_ event: String) { client.track(event) }'))
        self.assertEqual(
            'class_getInstanceMethod(A.self, Selector("viewDidAppear:"))',
            without("class_getInstanceMethod(A.self, #selector(A.viewDidAppear(_:)))"))
        self.assertEqual('Selector("tabBar:")', without("#selector(A.B.tabBar(_:didSelect:))"))
        self.assertEqual(
            "integration.track(payload) ?? other?.reset()", without("integration.track?(payload) ?? other?.reset()"))
