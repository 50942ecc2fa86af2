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

LINUX = """// swift-interface-format-version: 1.0
// swift-module-flags: -target x86_64-unknown-linux-gnu -disable-objc-interop -enable-library-evolution -static -module-name Swift
@frozen public struct Array<Element> {
}
@backDeployed(before: iOS 17.0)
public func without() -> Swift.Int
@backDeployed(before: iOS 17.0)
public func with() -> Swift.Int {
  return 1
}
"""
APPLE = """// swift-module-flags: -target arm64-apple-ios17.4
@frozen public struct Array<Element> {
  @inlinable public init(_immutableCocoaArray: Swift.AnyObject) {
    self = _bridgeCocoaArray(_immutableCocoaArray)
  }
  public var count: Swift.Int
}
@inlinable public func _isBridgedVerbatimToObjectiveC<T>(_: T.Type) -> Swift.Bool {
  return _isClassOrObjCExistential(T.self)
}
public func other() -> Swift.Int
"""


class StandardLibraryTest(unittest.TestCase):
    def test_declarations_for_objective_c_come_from_the_sdk_without_bodies(self):
        added = apple_sdk.objective_c_additions(APPLE, LINUX)
        self.assertIn("extension Swift.Array {\n  public init(_immutableCocoaArray: Swift.AnyObject)\n}", added)
        self.assertIn("public func _isBridgedVerbatimToObjectiveC<T>(_: T.Type) -> Swift.Bool", added)
        self.assertNotIn("return", added)
        self.assertNotIn("other", added)

    def test_the_flags_name_the_target(self):
        text = apple_sdk.for_apple(LINUX, "arm64-apple-ios26.0")
        flags = text.splitlines()[1]
        self.assertIn("-target arm64-apple-ios26.0 ", flags)
        self.assertIn("-enable-objc-interop", flags)
        self.assertNotIn("-disable-objc-interop", flags)
        self.assertNotIn("-static", flags)

    def test_a_declaration_without_a_body_is_not_deployed_back(self):
        text = apple_sdk.for_apple(LINUX, "arm64-apple-ios26.0")
        self.assertEqual(text.count("@backDeployed"), 1)
        self.assertIn("@backDeployed(before: iOS 17.0)\npublic func with()", text)


class IsolationTest(unittest.TestCase):
    def test_a_view_is_on_the_main_actor_and_its_members_are_not(self):
        text = apple_sdk.isolated(
            "public protocol View {\n}\nextension SwiftUI.View {\n  public func padding() -> some SwiftUI.View\n}\n"
            "public struct Button<Label> : SwiftUI.View {\n"
            "  public init(action: @escaping () -> Swift.Void, label: () -> Label)\n}\n"
            "@propertyWrapper public struct FocusState<Value> {\n  public var wrappedValue: Value {\n    get\n  }\n}\n"
            "public protocol Sequence {\n}\n")
        self.assertIn("@_Concurrency.MainActor @preconcurrency public protocol View {", text)
        self.assertIn("  nonisolated public func padding()", text)
        self.assertIn("  nonisolated public init(action: @escaping @_Concurrency.MainActor () -> Swift.Void,", text)
        self.assertIn("\n  public var wrappedValue: Value {", text)
        self.assertIn("\npublic protocol Sequence {", text)


class BetaTest(unittest.TestCase):
    def test_what_a_beta_says_otherwise_is_mended(self):
        text = apple_sdk.mended(
            "  public typealias Cache = SwiftUI._StackLayoutCache\n"
            "  public static func _makeView<S>(view: SwiftUI._GraphValue<SwiftUI._ShapeView<S, SwiftUI._AnchoredShapeStyle<S>>>,"
            " inputs: SwiftUI._ViewInputs) -> SwiftUI._ViewOutputs where S : SwiftUI.Shape\n")
        self.assertTrue(text.startswith("  @available(iOS 16.0, macOS 13.0, "))
        self.assertIn("_makeView<T>(view: SwiftUI._GraphValue<SwiftUI._ShapeView<T, SwiftUI._AnchoredShapeStyle<S>>>", text)
        self.assertTrue(text.endswith("where T : SwiftUI.Shape\n"))
        text = apple_sdk.mended(
            "@available(iOS 15.0, macOS 12.0, *)\nextension SwiftUI.ShapeStyle {\n"
            "  public static func _makeView<S>(view: SwiftUI._GraphValue<SwiftUI._ShapeView<S, Self>>) -> S\n"
            "  public func _apply()\n}\n")
        older, newer = text.split("@available(iOS 15.0, macOS 12.0, *)\n")
        self.assertIn("@available(iOS 13.0, macOS 10.15", older)
        self.assertIn("_makeView", older)
        self.assertEqual(newer, "extension SwiftUI.ShapeStyle {\n  public func _apply()\n}\n")
        self.assertEqual(apple_sdk.mended("public struct Text {\n}\n"), "public struct Text {\n}\n")


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

    def test_everything_is_there_for_a_newer_sdk_or_another_system(self):
        self.assertEqual(self.hide(self.SOURCE, version=(18, 0)), (self.SOURCE, []))
        self.assertEqual(self.hide(self.SOURCE, version=(17, 4), system="tvOS"), (self.SOURCE, []))

    def test_what_a_system_never_had_came_with_ios(self):
        source = self.SOURCE.replace("macOS 15.0, *)\n", "macOS 15.0, *)\n    @available(tvOS, unavailable)\n")
        self.assertNotIn("label: () -> Label", self.hide(source, version=(17, 0), system="tvOS")[0])
        self.assertEqual(self.hide(source, version=(18, 0), system="tvOS"), (source, []))
        source = self.SOURCE.replace("@available(iOS 18.0, macOS 15.0, *)\n", "@available(iOS 18.0, *)\n    @available(macOS, unavailable)\n")
        self.assertNotIn("label: () -> Label", self.hide(source, version=(14, 0), system="macOS")[0])

    def test_a_file_without_a_framework_stays(self):
        source = self.SOURCE.replace("public import SwiftUI\n", "")
        self.assertEqual(self.hide(source), (source, []))

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

    def test_a_file_of_newer_declarations_alone_is_not_compiled(self):
        source = "import SwiftUI\n\n@available(iOS 26.0, *)\nextension View {\n    func newer() {}\n}\n"
        self.assertIsNone(self.hide(source)[0])


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
    def read(self, text, prefix):
        with tempfile.NamedTemporaryFile("w", suffix=".swiftinterface") as file:
            file.write(text)
            file.flush()
            return compare_wrappers.read(file.name, prefix)

    def test_the_same_initialiser_is_found_under_other_names(self):
        [ours] = self.read(
            "extension AnalyticsLive.SignalSlider where ValueLabel == SwiftUI.EmptyView {\n"
            "  nonisolated public init<V>(value: SwiftUI.Binding<V>, in bounds: Swift.ClosedRange<V> = 0...1) where "
            "V : Swift.BinaryFloatingPoint\n}\n", "Signal")
        [theirs] = self.read(
            "extension SwiftUI.Slider where ValueLabel == SwiftUI.EmptyView {\n"
            "  @_disfavoredOverload public init<Number>(value: SwiftUI.Binding<Number>, in range: Swift.ClosedRange<Number> = 0...1) "
            "where Number : Swift.BinaryFloatingPoint\n}\n", "")
        self.assertEqual(ours.key, theirs.key)
        self.assertEqual(len(ours.differs(theirs)), 1)

    def test_another_label_is_another_initialiser(self):
        [one] = self.read("extension SwiftUI.Toggle {\n  public init(isOn: Swift.Bool)\n}\n", "")
        [two] = self.read("extension SwiftUI.Toggle {\n  public init(on isOn: Swift.Bool)\n}\n", "")
        self.assertNotEqual(one.key, two.key)


class SystemsTest(unittest.TestCase):
    def test_every_product_has_a_place_in_the_order(self):
        self.assertEqual(set(check_sdk.products()) - set(check_sdk.MODULES), set())

    def test_targets(self):
        targets = {system.name: system.target(system.oldest) for system in check_sdk.SYSTEMS}
        self.assertEqual(targets["iOS"], "arm64-apple-ios13.0")
        self.assertEqual(targets["macOS"], "x86_64-apple-macosx10.15")
        self.assertEqual(targets["Catalyst"], "x86_64-apple-ios13.1-macabi")


class WithoutWrapperTest(unittest.TestCase):
    def test_a_control_without_a_wrapper_is_listed(self):
        with tempfile.NamedTemporaryFile("w", suffix=".swiftinterface") as file:
            file.write(
                "public struct DatePicker<Label> : SwiftUI.View where Label : SwiftUI.View {\n}\n"
                "extension SwiftUI.DatePicker {\n  public init(selection: SwiftUI.Binding<Foundation.Date>)\n}\n"
                "public struct Button<Label> : SwiftUI.View where Label : SwiftUI.View {\n  public init(action: @escaping () -> Swift.Void)\n}\n"
                "public struct Scenes<Content> : SwiftUI.Scene where Content : SwiftUI.View {\n  public init(action: @escaping () -> Swift.Void)\n}\n")
            file.flush()
            self.assertEqual(compare_wrappers.without_wrapper([file.name]), ["DatePicker"])
