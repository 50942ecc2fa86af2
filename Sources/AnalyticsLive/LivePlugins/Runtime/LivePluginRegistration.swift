/// The type of a live plugin, which is its place in the timeline.
package enum LivePluginType: String, Sendable, Hashable {
    case before, enrichment, after, utility
}

/// A stage of live plugins: a type, in the client's timeline or in that of a destination.
package struct LivePluginStage: Sendable, Hashable {
    package let type: LivePluginType
    /// The key of the destination; nil for the client's own timeline.
    package let destination: String?

    /// The name of the stage on the JavaScript side.
    var key: String { destination.map { "\(type.rawValue)/\($0)" } ?? type.rawValue }
}

/// The kinds of events that a plugin handles.
package struct LivePluginEvents: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package static let track = LivePluginEvents(rawValue: 1)
    package static let identify = LivePluginEvents(rawValue: 2)
    package static let screen = LivePluginEvents(rawValue: 4)
    package static let group = LivePluginEvents(rawValue: 8)
    package static let alias = LivePluginEvents(rawValue: 16)
    package static let page = LivePluginEvents(rawValue: 32)
    /// Types without a method of their own, which only reach `process`.
    package static let other = LivePluginEvents(rawValue: 64)
    package static let all = LivePluginEvents(rawValue: 127)

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The kind of an event, by its `type`.
    init(type: String) {
        switch type {
        case "track": self = .track
        case "identify": self = .identify
        case "screen": self = .screen
        case "page": self = .page
        case "group": self = .group
        case "alias": self = .alias
        default: self = .other
        }
    }
}

/// The notices that a plugin handles.
package struct LivePluginNotices: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package static let update = LivePluginNotices(rawValue: 1)
    package static let reset = LivePluginNotices(rawValue: 2)
    package static let flush = LivePluginNotices(rawValue: 4)

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The notice with that name; none for an unknown name.
    init(name: String) {
        switch name {
        case "update": self = .update
        case "reset": self = .reset
        case "flush": self = .flush
        default: self = []
        }
    }
}

/// A live plugin that a script added.
package struct LivePluginRegistration: Sendable, Hashable {
    /// The name of its class.
    package let name: String
    package let stage: LivePluginStage
    /// The events for which it has a handler. Other events do not enter JavaScript because of it.
    package let events: LivePluginEvents
    package let notices: LivePluginNotices
    /// Whether it failed too often or exceeded its budget. Then it stays off as long as the runtime lives.
    package var isOff = false
}
