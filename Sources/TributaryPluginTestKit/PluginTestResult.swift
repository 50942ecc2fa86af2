import AnalyticsLive
public import TributaryJSON
import TributaryScript

/// The result of one event.
public struct PluginTestResult: Sendable, Hashable {
    /// The event before the plugins.
    public let before: JSON
    /// The event after the last stage; nil when a plugin dropped it.
    public let after: JSON?
    /// The plugins that changed or dropped the event, by the names of their classes.
    public let changedBy: [String]
    /// The faults of the plugins.
    public let faults: [PluginTestFault]
    /// The processor time of the plugins, including the way into and out of JavaScript.
    public let microseconds: Double
    /// The events that scripts made meanwhile, as they left the plugins: those go through them, too. Events for other
    /// sources are as they were made.
    public let sent: [JSON]
    /// The actions that the app does not allow and that scripts tried, such as `change properties.price`.
    public let refused: [String]

    /// The form that `tributary plugin test --json` prints.
    public var json: JSON {
        [
            "before": before, "after": after ?? .null, "faults": .array(faults.map(\.json)),
            "microseconds": JSONNumber((microseconds * 10).rounded() / 10).map(JSON.number) ?? 0,
        ]
    }
}

/// A fault of a plugin. The event went on as it was before that plugin.
public struct PluginTestFault: Sendable, Hashable {
    /// The name of the plugin's class.
    public let plugin: String
    /// The text of the exception, or the fault of the result.
    public let message: String
    /// The script, when it is known.
    public let file: String?
    /// The line of the script, when it is known.
    public let line: Int?
    /// Whether the plugin is off from now on.
    public let isSwitchedOff: Bool

    init?(_ step: LivePluginStep) {
        guard case .failed(let fault) = step.outcome else { return nil }
        plugin = step.plugin
        message = fault.message
        file = fault.file
        line = fault.line
        isSwitchedOff = fault.isSwitchedOff
    }

    init(_ failure: ScriptError) {
        plugin = "LivePlugins"
        message = failure.message
        file = failure.file
        line = failure.line
        isSwitchedOff = true
    }

    /// The fault on one line.
    public var text: String {
        let place = [file, line.map(String.init)].compactMap { $0 }.joined(separator: ":")
        return "\(plugin): \(message)\(place.isEmpty ? "" : " (\(place))")"
            + (isSwitchedOff ? "; it is switched off from here on" : "")
    }

    var json: JSON {
        var json: JSON = ["plugin": .string(plugin), "message": .string(message)]
        json["file"] = file.map(JSON.string)
        json["line"] = line.map { .number(JSONNumber($0)) }
        json["off"] = .bool(isSwitchedOff)
        return json
    }
}

/// The reason why a bundle cannot be loaded.
public struct PluginTestError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of the failure: exception, refused, time_exceeded, memory_exceeded or unavailable.
    public let reason: String
    /// The fault, as a text for people.
    public let message: String
    /// The line of the script, when it is known.
    public let line: Int?
    /// The name of the script, or of the source from which it was generated, when it is known.
    public let file: String?
    /// The fault with its place, as far as it is known.
    public let description: String

    init(_ error: ScriptError) {
        reason = error.reason.description
        message = error.message
        line = error.line
        file = error.file
        description = error.description
    }
}

/// A plugin that a bundle added.
public struct TestedPlugin: Sendable, Hashable {
    /// The name of its class.
    public let name: String
    /// `before`, `enrichment`, `after` or `utility`.
    public let type: String
    /// The key of its destination; nil when it is in the client's own timeline.
    public let destination: String?
    /// Whether any event reaches it.
    public let handlesEvents: Bool
    /// Whether it handles updates of settings, reset or flush.
    public let hearsNotices: Bool

    init(_ registration: LivePluginRegistration) {
        name = registration.name
        type = registration.stage.type.rawValue
        destination = registration.stage.destination
        handlesEvents = !registration.events.isEmpty
        hearsNotices = !registration.notices.isEmpty
    }
}
