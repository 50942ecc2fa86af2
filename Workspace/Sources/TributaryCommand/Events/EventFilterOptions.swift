import ArgumentParser
import Foundation
import TributaryJSON

/// The filter of the events that a command is about.
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

    /// The members that an event of the server's list must have, with their values.
    private var wanted: [(name: String, value: String)] {
        [
            ("writeKey", writeKey), ("type", type), ("name", name), ("userId", user), ("anonymousId", anonymous),
        ].compactMap { name, value in value.map { (name, $0) } }
    }

    var query: [URLQueryItem] { wanted.map { URLQueryItem(name: $0.name, value: $0.value) } }

    /// Whether an event of the stream matches; the server does not filter the stream.
    func matches(_ event: JSON) -> Bool { wanted.allSatisfy { event[$0.name]?.stringValue == $0.value } }
}
