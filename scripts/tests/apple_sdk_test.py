"""The programs behind `scripts/check-apple --sdk`: what they change in an SDK's texts, what they leave out, what they compare."""

import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/support"))
import apple_sdk  # noqa: E402
import check_sdk  # noqa: E402
import compare_wrappers  # noqa: E402


def in_file(text, read, *arguments):
    """Calls a function with the path of an interface that has this text."""
    with tempfile.NamedTemporaryFile("w", suffix=".swiftinterface") as file:
        file.write(text)
        file.flush()
        return read(file.name, *arguments)


class IsolationTest(unittest.TestCase):
    def test_a_view_is_on_the_main_actor_and_its_members_are_not(self):
        text = apple_sdk.isolated(
            "public protocol View {\n}\nextension SwiftUI.View {\n  public func padding() -> some SwiftUI.View\n}\n"
            "public struct Button<Label> : SwiftUI.View {\n"
            "  public init(action: @escaping () -> Swift.Void, label: () -> Label)\n}\n"
            "@propertyWrapper public struct FocusState<Value> {\n  public var wrappedValue: Value {\n    get\n  }\n}\n"
            "public protocol Sequence {\n}\n")
        for part in (
            "@_Concurrency.MainActor @preconcurrency public protocol View {", "  nonisolated public func padding()",
            "  nonisolated public init(action: @escaping @_Concurrency.MainActor () -> Swift.Void,",
            "\n  public var wrappedValue: Value {", "\npublic protocol Sequence {",
        ):
            self.assertIn(part, text)


class BetaTest(unittest.TestCase):
    BUTTON = (
        "@available(iOS 17.0, *)\nextension SwiftUI.Button where Label == SwiftUI.Text {\n"
        "  public init(_ title: Swift.String, image: Swift.String, action: @escaping () -> Swift.Void)\n}\n")

    def test_what_a_beta_lacks_comes_from_a_release_of_its_year(self):
        beta = "extension SwiftUI.Button {\n  public init(action: @escaping () -> Swift.Void)\n}\n"
        text, names = apple_sdk.completed(beta, self.BUTTON)
        self.assertEqual(text, beta + self.BUTTON)
        self.assertEqual(len(names), 1)
        self.assertIn("image: Swift.String", names[0])
        self.assertEqual(apple_sdk.completed(text, self.BUTTON), (text, []))

    def test_the_release_is_a_later_sdk_of_the_same_year(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, version in (("Old", "4.9.9"), ("Beta", "5.0.59"), ("Release", "5.4.38"), ("Next", "6.0.1")):
                place = Path(folder) / f"{name}.sdk/System/Library/Frameworks/SwiftUI.framework/Modules/SwiftUI.swiftmodule"
                place.mkdir(parents=True)
                (place / "arm64-apple-ios.swiftinterface").write_text(f"// -user-module-version {version} -module-name SwiftUI\n")
            given = Path(folder) / "Beta.sdk"
            self.assertEqual(apple_sdk.release_beside(given, [5, 0, 59]).name, "Release.sdk")
            self.assertIsNone(apple_sdk.release_beside(given, [5, 4, 38]))
            self.assertIsNone(apple_sdk.release_beside(given, [4, 9, 9]))


class HiddenTest(unittest.TestCase):
    SOURCE = """public import SwiftUI

extension SignalPicker {
    /// A picker.
    public init(_ title: String) {
        self.init(title)
    }

    /// A newer picker.
    @available(iOS 18.0, macOS 15.0, *)
    public init(
        _ title: String, label: () -> Label
    ) where Label == Text {
        self.init(title, label)
    }

    @available(iOS 16.0, macOS 13.0, *)
    public func known() { step() }
}
"""

    def hide(self, source, version=(17, 4), system="iOS"):
        with tempfile.TemporaryDirectory(dir=ROOT / "Tests") as folder:
            compiler = SimpleNamespace(system=SimpleNamespace(name=system), sdk_version=version, out=Path(folder))
            hidden = check_sdk.Hidden(compiler)
            file = Path(folder) / "Source.swift"
            file.write_text(source)
            shown = hidden.file(file)
            return (shown.read_text() if shown else None), hidden.found

    def test_a_declaration_that_is_newer_than_the_sdk_is_left_out_and_listed(self):
        text, found = self.hide(self.SOURCE)
        self.assertNotIn("label: () -> Label", text)
        self.assertIn("public func known()", text)
        self.assertIn("public init(_ title: String) {", text)
        # The others keep their numbers.
        self.assertEqual(len(text.splitlines()), len(self.SOURCE.splitlines()))
        self.assertEqual(len(found), 1)
        # A file of newer declarations alone is not compiled.
        self.assertIsNone(self.hide("import SwiftUI\n\n@available(iOS 26.0, *)\nextension View {\n    func newer() {}\n}\n")[0])

    def test_a_declaration_stays_for_a_newer_sdk_another_system_and_without_a_framework(self):
        without_tvos = self.SOURCE.replace("macOS 15.0, *)\n", "macOS 15.0, *)\n    @available(tvOS, unavailable)\n")
        without_macos = self.SOURCE.replace(
            "@available(iOS 18.0, macOS 15.0, *)\n", "@available(iOS 18.0, *)\n    @available(macOS, unavailable)\n")
        for source, system, version, stays in [
            (self.SOURCE, "iOS", (18, 0), True), (self.SOURCE, "tvOS", (17, 4), True),
            (self.SOURCE.replace("public import SwiftUI\n", ""), "iOS", (17, 4), True),
            # A declaration that a system never had came with that of iOS.
            (without_tvos, "tvOS", (17, 0), False), (without_tvos, "tvOS", (18, 0), True), (without_macos, "macOS", (14, 0), False),
        ]:
            with self.subTest(source=source[:20], system=system, version=version):
                text, found = self.hide(source, version=version, system=system)
                self.assertEqual((text == source, found == []), (stays, stays))
                self.assertEqual("label: () -> Label" in text, stays)

    def test_a_branch_for_a_newer_system_leaves_the_branch_for_older_ones(self):
        source = (
            "import SwiftUI\n\nfunc change() {\n    if #available(iOS 18.0, macOS 15.0, *) {\n        newer {\n        }\n"
            "    } else {\n        older()\n    }\n    if #available(iOS 18.0, *) {\n        newest()\n    }\n    after()\n}\n")
        text, found = self.hide(source)
        self.assertEqual([line.strip() for line in text.splitlines() if line.strip()],
                         ["import SwiftUI", "func change() {", "older()", "after()", "}"])
        self.assertEqual(len(text.splitlines()), len(source.splitlines()))
        self.assertEqual(len(found), 2)
        self.assertEqual(self.hide(source, version=(18, 0)), (source, []))


class TableTest(unittest.TestCase):
    def test_the_table_has_a_row_for_each_module_and_a_column_for_each_run(self):
        with tempfile.TemporaryDirectory() as folder:
            for target, module, errors in (("arm64-apple-ios13.0", "Tributary", []), ("arm64-apple-tvos13.0", "Example", ["a"])):
                out = Path(folder) / target
                out.mkdir()
                compiler = SimpleNamespace(out=out, target=target, copy=Path("A17.0.sdk"))
                check_sdk.keep(compiler, [check_sdk.Result(module, errors, ["b"], not errors)])
            with mock.patch.object(check_sdk, "OUT", Path(folder)):
                rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in check_sdk.table().splitlines()]
        self.assertEqual(rows[0], ["errors, warnings", "ios13.0", "tvos13.0"])
        self.assertEqual(rows[2:], [["SDK", "A17.0", "A17.0"], ["Tributary", "0, 1", "-"], ["Example", "-", "1, 1"]])


class WrappersTest(unittest.TestCase):
    def test_the_same_initialiser_is_found_under_other_names(self):
        [ours] = in_file(
            "extension AnalyticsLive.SignalSlider where ValueLabel == SwiftUI.EmptyView {\n"
            "  nonisolated public init<V>(value: SwiftUI.Binding<V>, in bounds: Swift.ClosedRange<V> = 0...1) where "
            "V : Swift.BinaryFloatingPoint\n}\n", compare_wrappers.read, "Signal")
        theirs, another = in_file(
            "extension SwiftUI.Slider where ValueLabel == SwiftUI.EmptyView {\n"
            "  @_disfavoredOverload public init<Number>(value: SwiftUI.Binding<Number>, in range: Swift.ClosedRange<Number> = 0...1) "
            "where Number : Swift.BinaryFloatingPoint\n"
            "  public init<Number>(of value: SwiftUI.Binding<Number>, in range: Swift.ClosedRange<Number> = 0...1) "
            "where Number : Swift.BinaryFloatingPoint\n}\n", compare_wrappers.read, "")
        self.assertEqual(ours.key, theirs.key)
        self.assertEqual(len(ours.differs(theirs)), 1)
        self.assertNotEqual(theirs.key, another.key)

    def test_a_control_without_a_wrapper_is_listed(self):
        text = (
            "public struct DatePicker<Label> : SwiftUI.View where Label : SwiftUI.View {\n}\n"
            "extension SwiftUI.DatePicker {\n  public init(selection: SwiftUI.Binding<Foundation.Date>)\n}\n"
            "public struct Button<Label> : SwiftUI.View where Label : SwiftUI.View {\n  public init(action: @escaping () -> Swift.Void)\n}\n"
            "public struct Scenes<Content> : SwiftUI.Scene where Content : SwiftUI.View {\n  public init(action: @escaping () -> Swift.Void)\n}\n")
        self.assertEqual(in_file(text, lambda name: compare_wrappers.without_wrapper([name])), ["DatePicker"])


class SystemsTest(unittest.TestCase):
    def test_every_product_is_compiled_for_the_oldest_systems(self):
        self.assertEqual(set(check_sdk.products()) - set(check_sdk.MODULES), set())
        targets = {system.name: system.target(system.oldest) for system in check_sdk.SYSTEMS}
        self.assertEqual(
            [targets[name] for name in ("iOS", "macOS", "Catalyst")],
            ["arm64-apple-ios13.0", "x86_64-apple-macosx10.15", "x86_64-apple-ios13.1-macabi"])
