import Foundation
import TributaryJSON

/// Adds what is known of library, app, device and system to the context of each event.
///
/// Members that an event brings along stay as they are.
final class ContextPlugin: MemberPlugin {
    let type = PluginType.before
    let name = "Context"
    weak var analytics: Analytics?
    /// What is added, with its text.
    let rendered: RenderedObject
    private var members: JSONObject { rendered.object }

    /// - Parameter instanceId: identifies this client from its making to its end.
    init(instanceId: String) {
        rendered = RenderedObject(Self.members(instanceId: instanceId))
    }

    func execute<Event: RawEvent>(event: Event?) -> Event? {
        guard var event else { return nil }
        shape(&event.json)
        return event
    }

    /// An event without a context of its own shares this one, instead of having it built.
    func shape(_ event: inout JSONObject) {
        guard let own = event["context"]?.objectValue, !own.isEmpty else {
            event["context"] = .object(members)
            return
        }
        var context = own
        for (key, value) in members where context[key] == nil { context[key] = value }
        event["context"] = .object(context)
    }

    private static func members(instanceId: String) -> JSONObject {
        let process = ProcessInfo.processInfo
        let version = process.operatingSystemVersion
        var members: JSONObject = [
            "library": ["name": "tributary", "version": .string(Analytics.version())],
            "instanceId": .string(instanceId),
            "os": [
                "name": .string(systemName),
                "version": .string("\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"),
            ],
            "locale": .string(Locale.current.identifier.replacingOccurrences(of: "_", with: "-")),
            "timezone": .string(TimeZone.current.identifier),
        ]
        members["app"] = app
        return members
    }

    private static var app: JSON? {
        let info = Bundle.main.infoDictionary ?? [:]
        guard let name = info["CFBundleName"] as? String else {
            return ["name": .string(ProcessInfo.processInfo.processName)]
        }
        var app: JSONObject = ["name": .string(name)]
        for (key, member) in [("CFBundleShortVersionString", "version"), ("CFBundleVersion", "build")] {
            if let value = info[key] as? String { app[member] = .string(value) }
        }
        if let namespace = Bundle.main.bundleIdentifier { app["namespace"] = .string(namespace) }
        return .object(app)
    }

    private static var systemName: String {
        #if os(iOS)
        "iOS"
        #elseif os(tvOS)
        "tvOS"
        #elseif os(watchOS)
        "watchOS"
        #elseif os(visionOS)
        "visionOS"
        #elseif os(macOS)
        "macOS"
        #elseif os(Linux)
        "Linux"
        #else
        "unknown"
        #endif
    }
}
