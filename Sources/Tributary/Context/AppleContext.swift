#if canImport(Darwin)
import Foundation
import Network
import TributaryJSON

#if canImport(UIKit) && !os(watchOS)
import UIKit
#elseif os(watchOS)
import WatchKit
#elseif os(macOS)
import AppKit
#endif

/// The context that Apple's systems report.
///
/// Device and screen can only be read on the main thread. They are known after its next turn, and the first events wait
/// for that turn. The context holds no hardware address and no advertising id.
///
/// Unchecked because changing state is behind locks, and the monitor may be started and cancelled on any thread.
final class AppleContext: @unchecked Sendable {
    private let network = LockBox<JSONObject?>(nil)
    private let visible = LockBox<JSONObject>([:])
    private let monitor = NWPathMonitor()

    init() {
        monitor.pathUpdateHandler = { [network] path in
            let members: JSONObject = [
                "wifi": .bool(path.status == .satisfied && path.usesInterfaceType(.wifi)),
                "cellular": .bool(path.status == .satisfied && path.usesInterfaceType(.cellular)),
            ]
            network.withLock { $0 = members }
        }
        monitor.start(queue: DispatchQueue(label: "tributary.network", qos: .utility))
        lookAtScreen()
    }

    deinit { monitor.cancel() }

    static var fixed: JSONObject {
        var members = JSONObject()
        members["app"] = ContextReader.app.map(JSON.object)
        members["os"] = ["name": .string(systemName), "version": .string(systemVersion)]
        return members
    }

    var changing: JSONObject {
        lookAtScreen()
        var members = visible.withLock { $0 }
        var device: JSONObject = members["device"]?.objectValue ?? [:]
        device["manufacturer"] = "Apple"
        device["type"] = .string(Self.systemName.lowercased())
        device["model"] = Self.model.map(JSON.string)
        members["device"] = .object(device)
        members["network"] = network.withLock { $0 }.map(JSON.object)
        let language = Locale.preferredLanguages.first ?? Locale.current.identifier
        members["locale"] = .string(language.replacingOccurrences(of: "_", with: "-"))
        members["timezone"] = .string(TimeZone.current.identifier)
        return members
    }

    private func lookAtScreen() {
        DispatchQueue.main.async { [visible] in
            let members = MainActor.assumeIsolated { Self.visibleMembers }
            visible.withLock { $0 = members }
        }
    }

    @MainActor private static var visibleMembers: JSONObject {
        var members = JSONObject()
        #if os(iOS) || os(tvOS) || os(visionOS)
        // Not `name`: before iOS 16 it is the name that the owner gave the device, often the owner's own. Since iOS 16
        // it is the model.
        var device: JSONObject = ["name": .string(UIDevice.current.model)]
        device["id"] = UIDevice.current.identifierForVendor.map { .string($0.uuidString) }
        members["device"] = .object(device)
        #endif
        #if os(iOS) || os(tvOS)
        // An extension has no scene, nor has an app that starts in the background.
        let screen = SharedApplication.scene?.screen ?? UIScreen.main
        members["screen"] = size(screen.bounds.size, density: screen.scale)
        #elseif os(visionOS)
        // visionOS has no screen. The size of the app's window takes its place.
        members["screen"] = SharedApplication.scene?.windows.first.map {
            size($0.bounds.size, density: $0.traitCollection.displayScale)
        }
        #elseif os(watchOS)
        let watch = WKInterfaceDevice.current()
        members["device"] = ["name": .string(watch.model)]
        members["screen"] = size(watch.screenBounds.size, density: watch.screenScale)
        #elseif os(macOS)
        members["screen"] = NSScreen.main.map { size($0.frame.size, density: $0.backingScaleFactor) }
        #endif
        return members
    }

    private static func size(_ size: CGSize, density: CGFloat) -> JSON {
        [
            "width": .number(JSONNumber(Int(clamping: Double(size.width)))),
            "height": .number(JSONNumber(Int(clamping: Double(size.height)))),
            "density": (try? JSON(Double(density))) ?? .null,
        ]
    }

    private static var systemVersion: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    }

    private static var systemName: String {
        #if targetEnvironment(macCatalyst)
        "macOS"  // the system reports the version of macOS here
        #elseif os(iOS)
        "iOS"
        #elseif os(tvOS)
        "tvOS"
        #elseif os(watchOS)
        "watchOS"
        #elseif os(visionOS)
        "visionOS"
        #else
        "macOS"
        #endif
    }

    /// The model as the hardware names it (`iPhone15,2`); in a simulator, the simulated model.
    private static var model: String? {
        if let simulated = ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"] { return simulated }
        #if os(macOS)
        let name = "hw.model"
        #else
        let name = "hw.machine"
        #endif
        var size = 0
        guard sysctlbyname(name, nil, &size, nil, 0) == 0, size > 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        guard sysctlbyname(name, &bytes, &size, nil, 0) == 0 else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
#endif
