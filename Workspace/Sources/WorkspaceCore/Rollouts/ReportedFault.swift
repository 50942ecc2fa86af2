package import TributaryJSON

/// The first fault of a plugin in a report: where it was, without the content of the event.
package struct ReportedFault: Sendable, Hashable {
    package let plugin: String
    package let message: String
    package let file: String?
    package let line: Int?
    /// The name of the event.
    package let event: String?

    /// Bytes of a message and of a name. Devices send fewer.
    private static let messageBytes = 200
    private static let nameBytes = 80

    /// Nil when there is none.
    package init?(_ json: JSON?, plugin: String) {
        guard let message = Self.text(json?["message"], Self.messageBytes) else { return nil }
        (self.plugin, self.message) = (plugin, message)
        file = Self.text(json?["file"], Self.nameBytes)
        line = json?["line"]?.intValue
        event = Self.text(json?["event"], Self.nameBytes)
    }

    private static func text(_ json: JSON?, _ bytes: Int) -> String? {
        guard let text = json?.stringValue, text.utf8.count <= bytes else { return nil }
        return text
    }

    package var json: JSONObject {
        JSONObject(withoutNulls: [
            "plugin": .string(plugin), "message": .string(message), "file": .string(file), "line": .number(line),
            "event": .string(event),
        ])
    }
}
