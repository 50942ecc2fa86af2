// Mistakes that only an SDK shows, one a line. Each line that has one says a part of the compiler's error behind `mistake:`, and
// `scripts/check-apple --sdk FOLDER --self-test` fails when one of them is taken for right, or another line is not. Compiled for
// the oldest iOS, in Swift 6 mode and with `-application-extension`. "(stubs)" marks those that the stubs once let pass.
import AnalyticsLive
import AppIntents
import BackgroundTasks
import Compression
import CryptoKit
import Foundation
import JavaScriptCore
import Network
import StoreKit
import SwiftUI
import Tributary
import UIKit
import os

struct Row: Identifiable { var id = 0; var name = ""; var isOn = false }

// MARK: Newer than the oldest system

func newer(_ file: FileHandle, _ text: String, _ locale: Locale, _ view: UIView, _ url: URL) throws {
    _ = try file.read(upToCount: 1)  // mistake: only available in (stubs)
    _ = try file.readToEnd()  // mistake: only available in
    try file.seek(toOffset: UInt64(1)); try file.write(contentsOf: Data())  // mistake: only available in
    _ = locale.currency  // mistake: only available in
    _ = url.appending(path: "a")  // mistake: only available in
    _ = Date.now  // mistake: only available in
    _ = text.contains(/a/)  // mistake: only available in
    _ = UUID().uuidString.split(separator: "-").map { Int64($0) ?? 0 }.formatted()  // mistake: cannot convert
    _ = Duration.seconds(1)  // mistake: only available in
    _ = ContinuousClock()  // mistake: only available in
    _ = Logger(subsystem: "a", category: "b")  // mistake: only available in
    _ = OSAllocatedUnfairLock(initialState: 0)  // mistake: only available in
    _ = AttributedString("a")  // mistake: only available in
    _ = ProcessInfo.processInfo.isiOSAppOnMac  // mistake: only available in
    _ = LocalizedStringResource("a")  // mistake: only available in
    _ = UIButton(configuration: .plain())  // mistake: only available in
    _ = UISheetPresentationController.Detent.medium()  // mistake: only available in
    _ = view.window?.windowScene?.effectiveGeometry  // mistake: only available in
    _ = UIApplication.openNotificationSettingsURLString  // mistake: only available in
    _ = SHA256.hash(data: Data()).withUnsafeBytes { _ in HPKE.KDF.HKDF_SHA256 }  // mistake: only available in
    _ = Curve25519.Signing.PrivateKey().hashValue  // mistake: has no member
    _ = Product.products(for: [])  // mistake: only available in
    _ = NWPath.UnsatisfiedReason.notAvailable  // mistake: only available in
    _ = BGContinuedProcessingTaskRequest.self  // mistake: cannot find
}

@MainActor func newerViews(_ text: Binding<String>, _ isOn: Binding<Bool>, _ rows: Binding<[Row]>) {
    _ = NavigationStack { Text("A") }  // mistake: only available in
    _ = SignalNavigationStack { Text("A") }  // mistake: only available in
    _ = Text("A").task {}  // mistake: only available in
    _ = Text("A").onSubmit {}  // mistake: only available in
    _ = Text("A").searchable(text: text)  // mistake: only available in
    _ = SignalButton("A", role: .cancel) {}  // mistake: only available in
    _ = SignalButton("A", systemImage: "star") {}  // mistake: only available in
    _ = SignalTextField("A", text: text, prompt: nil)  // mistake: only available in
    _ = SignalTextField("A", text: text, axis: .vertical)  // mistake: only available in
    _ = SignalToggle("A", systemImage: "star", isOn: isOn)  // mistake: only available in
    _ = SignalList(rows, editActions: .all) { $row in Text(row.name) }  // mistake: only available in
    _ = Label("A", systemImage: "star")  // mistake: only available in
    _ = Color.accentColor.gradient  // mistake: only available in
    _ = FocusState<Bool>()  // mistake: only available in
    _ = Text("A").onChange(of: 1) { _ in }  // mistake: only available in
}

// MARK: Isolation

nonisolated func offMain() {
    _ = Text("A").body  // mistake: has no member
    _ = SignalButton("A") {}.body  // mistake: main actor-isolated
}

// MARK: What the SDK does not have, or has otherwise

@MainActor func other(
    _ value: Binding<Int>, _ level: Binding<Double>, _ rows: Binding<[Row]>, _ one: Binding<Int>,
    _ many: Binding<Set<Int>>,
    _ application: UIApplication, _ text: Binding<String>, _ isOn: Binding<Bool>, _ done: @escaping (Bool) -> Void
) {
    _ = Stepper(onIncrement: nil, onDecrement: nil, label: { Text("A") }, onEditingChanged: done)  // mistake: (stubs)
    _ = SignalStepper(onIncrement: nil, onDecrement: nil, label: { Text("A") }, onEditingChanged: done)  // mistake:
    _ = List(rows, selection: one) { $row in Text(row.name) }  // mistake: only available in (stubs)
    application.applicationState = .background  // mistake: get-only (stubs)
    UIDevice.current.name = "A"  // mistake: get-only (stubs)
    _ = WindowGroup { Text("A") }  // mistake: only available in (stubs)
    _ = UIScene()  // mistake: unavailable (stubs)
    _ = UIScene.ConnectionOptions()  // mistake: unavailable (stubs)
    _ = UIApplication.shared  // mistake: unavailable
    _ = UIApplication.shared.windows  // mistake: unavailable
    UIPasteboard.general.text = "A"  // mistake: has no member
    _ = Slider(value: level, step: 1)  // mistake: missing argument
    _ = SignalSlider(value: level, step: 1)  // mistake: missing argument
    _ = Toggle("A", value: isOn)  // mistake: incorrect argument
    _ = SignalToggle("A", value: isOn)  // mistake: incorrect argument
    _ = SignalButton("A", image: "star") {}  // mistake: cannot convert
    _ = SignalPicker("A", value: value) { Text("A") }  // mistake: incorrect argument
    _ = SignalSecureField("A", text: text, axis: .vertical)  // mistake: extra argument
    _ = SignalScrollView(.diagonal) { Text("A") }  // mistake: has no member
    _ = NSApplication.shared  // mistake: cannot find
    _ = WKExtension.shared()  // mistake: cannot find
    _ = NSWorkspace.shared  // mistake: cannot find
    _ = IOServiceGetMatchingService(0, nil)  // mistake: cannot find
    _ = SKPaymentTransactionState.bought  // mistake: has no member
    _ = UIDevice.current.uniqueIdentifier  // mistake: has no member
    _ = Process()  // mistake: cannot find
    _ = compression_encode_buffer(nil, 0)  // mistake: missing argument
    _ = gnu_get_libc_version()  // mistake: cannot find
}

// MARK: Objective-C

final class Named: NSObject {
    @objc(version) static func version() -> String { "1" }  // mistake: conflicts (stubs)
    @objc func pair() -> (Int, Int) { (1, 2) }  // mistake: cannot be represented
    @objc func number() -> Int? { nil }  // mistake: cannot be represented
    @objc func row() -> Row { Row() }  // mistake: cannot be represented
    @objc func items<T>(_ items: [T]) {}  // mistake: @objc
}
@objc final class Plain {}  // mistake: @objc
@objc enum Kind: String { case one }  // mistake: @objc
let wrongSelector = #selector(UIApplication.sendEvents(_:))  // mistake: has no member
let requirement: any UITabBarDelegate.Type = Named.self  // mistake: cannot convert
