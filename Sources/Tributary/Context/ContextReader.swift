import Foundation
import TributaryJSON

/// Reads the members of the context.
struct ContextReader: Sendable {
    /// Facts that cannot change while the process lives: app, device, system.
    var fixed: @Sendable () -> JSONObject
    /// Facts that can change: language, time zone, network, screen.
    var changing: @Sendable () -> JSONObject

    /// The facts of this system.
    static var system: ContextReader {
        #if os(Linux)
        let linux = LinuxContext()
        return ContextReader(fixed: { linux.fixed }, changing: { linux.changing })
        #elseif canImport(Darwin)
        let device = AppleContext()
        return ContextReader(fixed: { AppleContext.fixed }, changing: { device.changing })
        #else
        return ContextReader(
            fixed: { app.map { ["app": .object($0)] } ?? [:] },
            changing: {
                ["locale": .string(Locale.current.identifier), "timezone": .string(TimeZone.current.identifier)]
            })
        #endif
    }

    /// Name, version, build and namespace, as far as the app's bundle has them; nil when it has none of them.
    static var app: JSONObject? {
        let info = Bundle.main.infoDictionary ?? [:]
        var app = JSONObject()
        app["name"] = (info["CFBundleDisplayName"] ?? info["CFBundleName"]).flatMap { $0 as? String }.map(JSON.string)
        app["version"] = (info["CFBundleShortVersionString"] as? String).map(JSON.string)
        app["build"] = (info["CFBundleVersion"] as? String).map(JSON.string)
        app["namespace"] = Bundle.main.bundleIdentifier.map(JSON.string)
        return app.isEmpty ? nil : app
    }
}
