"""The comparison of the stubs with an SDK finds what could let a mistake pass, and nothing else."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/support"))
import compare_stubs  # noqa: E402


def symbol(path, text, since=None, precise=None, kind="swift.method"):
    availability = [{"domain": "iOS", "introduced": {"major": since, "minor": 0}}] if since else []
    return {
        "identifier": {"precise": precise or f"{path} {text}"}, "kind": {"identifier": kind}, "pathComponents": path.split("."),
        "declarationFragments": [{"kind": "text", "spelling": text}], "availability": availability,
    }


def graph(*symbols, relationships=()):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "A.symbols.json"
        file.write_text(json.dumps({"symbols": list(symbols), "relationships": list(relationships)}))
        return compare_stubs.Graph([file])


class CompareTest(unittest.TestCase):
    def differences(self, stub, sdk, version=(17, 4)):
        stubs = stub if isinstance(stub, compare_stubs.Graph) else graph(*stub)
        return compare_stubs.compare(stubs, sdk if isinstance(sdk, compare_stubs.Graph) else graph(*sdk), "iOS", version)

    def test_the_same_declaration_is_found_and_another_is_named(self):
        generic = ("View.add(_:)", "nonisolated func add<S>(_: S) -> some View where S : StringProtocol")
        tap = ("Button.tap(at:)", "func tap(at: CGFloat)")
        read, write = ("Device.name", "var name: String { get }"), ("Device.name", "var name: String { get set }")
        for stub, sdk, difference in [
            (("View.add(_:)", "func add<T: StringProtocol>(_: T) -> some View"), generic, None),
            (("View.add(_:)", "func add(_: some StringProtocol) -> some View"), generic, None),
            (("Button.tap(at:)", "func tap(at: Double)"), tap, "otherwise in the SDK: Button.tap"),
            (("Button.press(at:)", "func press(at: CGFloat)"), tap, "not in the SDK: Button.press"),
            # A stub must not set what the SDK only reads, or be available earlier.
            (write, read, "Device.name"), (read, write, None),
            (("View.task()", "func task()"), ("View.task()", "func task()", 15), "too early: View.task(): 0.0, in the SDK 15.0"),
            (("View.task()", "func task()", 15), ("View.task()", "func task()", 15), None),
            (("View.task()", "func task()", 16), ("View.task()", "func task()", 15), None),
        ]:
            with self.subTest(stub=stub):
                found = self.differences([symbol(*stub)], [symbol(*sdk)])
                self.assertEqual(len(found), int(difference is not None), found)
                self.assertIn(difference or "", "".join(found))

    def test_what_is_newer_than_the_sdk_is_not_compared(self):
        for version, count in (((17, 4), 0), ((18, 0), 1)):
            self.assertEqual(len(self.differences([symbol("View.new()", "func new()", since=18)], [], version=version)), count)

    def test_a_conformance_that_the_sdk_lacks_is_found(self):
        def type_(*names):
            return graph(symbol("Key", "struct Key", precise="k", kind="swift.struct"), relationships=[
                {"kind": "conformsTo", "source": "k", "target": f"s:{name}", "targetFallback": f"Swift.{name}"} for name in names])
        self.assertEqual(self.differences(type_("Sendable", "Hashable"), type_("Hashable")), ["conforms to more: Key: Sendable"])
        self.assertEqual(self.differences(type_("Hashable"), type_("Hashable", "Sendable")), [])

    def test_a_member_that_the_sdk_inherits_is_found(self):
        sdk = graph(
            symbol("Item", "class Item", precise="i", kind="swift.class"), symbol("BarItem", "class BarItem", precise="b", kind="swift.class"),
            symbol("BarItem.title", "var title: String? { get set }"),
            relationships=[{"kind": "inheritsFrom", "source": "i", "target": "b", "targetFallback": "UIKit.BarItem"}])
        stubs = [symbol("Item", "class Item", kind="swift.class"), symbol("Item.title", "var title: String? { get set }")]
        self.assertEqual(self.differences(stubs, sdk), [])


class OursTest(unittest.TestCase):
    def test_types_for_tests_are_known_by_their_comment(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "SwiftUI").mkdir()
            (Path(folder) / "SwiftUI/A.swift").write_text(
                "// Ours: for a test.\n/// A view.\nnonisolated public struct Appearing: View {}\n// Not read: a\npublic struct Text {}\n")
            self.assertEqual(compare_stubs.ours(Path(folder)), {"Appearing"})
