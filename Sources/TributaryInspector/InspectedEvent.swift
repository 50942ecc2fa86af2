import TributaryJSON

/// An event that has been through the plugins of a client, as the inspector shows it.
public struct InspectedEvent: Sendable, Equatable, Identifiable {
    /// The effect of one plugin on the event.
    public struct Step: Sendable, Equatable {
        /// `before`, `enrichment`, `filter`, `destination` or `after`.
        public let stage: String
        /// The name of the plugin.
        public let plugin: String
        /// The key of the destination in which the plugin is; nil for the client's own plugins.
        public let destination: String?
        /// `unchanged`, `changed`, `dropped`, `failed` or `delivered`.
        public let outcome: String
        /// The keys that the plugin changed, in dots, each with the value before and after it. At most
        /// `InspectorLimits.changes` of them.
        public let changes: [Change]
        /// Why it failed or dropped the event, where the plugin said so.
        public let note: String?
    }

    /// One member of an event that a plugin changed.
    public struct Change: Sendable, Equatable {
        /// The keys, joined by dots.
        public let path: String
        /// The value before the plugin as JSON text; nil when there was none.
        public let before: String?
        /// The value after the plugin as JSON text; nil when the plugin removed it.
        public let after: String?
    }

    /// The number of the event since the inspector was made, from 1.
    public let id: Int
    /// The message id, which the app may choose.
    public let messageId: String
    /// `track`, `identify`, `screen`, `group` or `alias`.
    public let type: String
    /// The name of the event or screen; nil for types without one.
    public let name: String?
    /// When the app called the client, as a protocol timestamp.
    public let trackedAt: String
    /// Whether the client keeps the event for the server. False means that a plugin or a rule dropped it, or that the settings
    /// or the event itself do not enable the server.
    public let isKept: Bool
    /// The plugin or the rule that kept the event from the server last; nil when the event is kept, or when none did.
    public let droppedBy: String?
    /// The effects of the plugins, in order. At most `InspectorLimits.steps`.
    public let steps: [Step]

    /// Reads the client's trace of an event; nil for a trace without a message id.
    init?(trace: JSON, number: Int) {
        guard let messageId = trace["messageId"]?.stringValue else { return nil }
        id = number
        self.messageId = InspectorLimits.shortened(messageId)
        type = InspectorLimits.shortened(trace["type"]?.stringValue ?? "unknown")
        name = trace["event"]?.stringValue.map { InspectorLimits.shortened($0) }
        trackedAt = trace["trackedAt"]?.stringValue ?? ""
        isKept = trace["outcome"]?.stringValue == "sent"
        droppedBy = trace["droppedBy"]?["plugin"]?.stringValue.map { InspectorLimits.shortened($0) }
        steps = Self.elements(trace["stages"]).prefix(InspectorLimits.steps).map(Step.init)
    }

    fileprivate static func elements(_ value: JSON?) -> [JSON] {
        guard case .array(let elements)? = value else { return [] }
        return Array(elements)
    }
}

extension InspectedEvent.Step {
    fileprivate init(_ json: JSON) {
        stage = json["stage"]?.stringValue ?? ""
        plugin = InspectorLimits.shortened(json["plugin"]?.stringValue ?? "")
        destination = json["destination"]?.stringValue
        outcome = json["outcome"]?.stringValue ?? ""
        changes = InspectedEvent.elements(json["changes"]).prefix(InspectorLimits.changes).map(
            InspectedEvent.Change.init)
        note = json["note"]?.stringValue.map { InspectorLimits.shortened($0) }
    }
}

extension InspectedEvent.Change {
    fileprivate init(_ json: JSON) {
        path = InspectorLimits.shortened(json["path"]?.stringValue ?? "")
        before = json["before"].map { InspectorLimits.shortened($0.toString()) }
        after = json["after"].map { InspectorLimits.shortened($0.toString()) }
    }
}
