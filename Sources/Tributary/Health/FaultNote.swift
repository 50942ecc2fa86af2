import TributaryJSON

/// The first fault of a plugin or a filter rule since the last report: where it was, and nothing of the event but its name.
package struct FaultNote: Sendable, Equatable {
    /// Bytes of a message, and of a name.
    static let messageBytes = 160
    static let nameBytes = 60

    /// The script's message, without values of the event.
    let message: String
    let file: String?
    let line: Int?
    /// The name of the event: of a track or screen event its own, else its type.
    let event: String?
    /// The destination of a filter rule.
    let destination: String?

    /// - Parameter message: must not contain values of the event; see `FaultText`.
    package init(message: String, file: String?, line: Int?, event: String?, destination: String? = nil) {
        self.message = message.cut(to: Self.messageBytes)
        self.file = file?.cut(to: Self.nameBytes)
        self.line = line
        self.event = event?.cut(to: Self.nameBytes)
        self.destination = destination?.cut(to: Self.nameBytes)
    }

    var json: JSON {
        var json: JSON = ["message": .string(message)]
        json["file"] = file.map(JSON.string)
        json["line"] = line.map { .number(JSONNumber($0)) }
        json["event"] = event.map(JSON.string)
        json["destination"] = destination.map(JSON.string)
        return json
    }

    init?(_ json: JSON?) {
        guard let message = json?["message"]?.stringValue else { return nil }
        self.init(
            message: message, file: json?["file"]?.stringValue, line: json?["line"]?.intValue,
            event: json?["event"]?.stringValue, destination: json?["destination"]?.stringValue)
    }
}
