import ArgumentParser
import Foundation
import TributaryJSON

/// Which events a command is about.
struct EventFilterOptions: ParsableArguments {
    @Option(help: "Only events of the source with this write key.")
    var writeKey: String?

    @Option(help: "Only events of this type: track, identify, screen, page, group or alias.")
    var type: String?

    @Option(help: "Only events of this name.")
    var name: String?

    @Option(help: "Only events of the user with this id.")
    var user: String?

    @Option(help: "Only events of the device with this anonymous id.")
    var anonymous: String?

    /// The members of an event as the server lists it, and what they must be.
    private var wanted: [(name: String, value: String)] {
        [
            ("writeKey", writeKey), ("type", type), ("name", name), ("userId", user), ("anonymousId", anonymous),
        ].compactMap { name, value in value.map { (name, $0) } }
    }

    var query: [URLQueryItem] { wanted.map { URLQueryItem(name: $0.name, value: $0.value) } }

    /// Whether an event of the stream, which is not filtered, is meant.
    func matches(_ event: JSON) -> Bool { wanted.allSatisfy { event[$0.name]?.stringValue == $0.value } }
}

/// When events were received.
struct TimeRangeOptions: ParsableArguments {
    @Option(help: "Only what was received then or later: 2026-11-21T01:00:00Z, or a day.")
    var since: String?

    @Option(help: "Only what was received before then.")
    var until: String?

    var query: [URLQueryItem] {
        [("since", since), ("until", until)].compactMap { name, value in
            value.map { URLQueryItem(name: name, value: $0) }
        }
    }
}
