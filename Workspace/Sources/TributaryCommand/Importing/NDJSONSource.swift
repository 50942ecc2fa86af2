import TributaryJSON

/// Lines of JSON: events of the protocol, or rows of an export.
struct NDJSONSource: ImportSource {
    private var lines: EventLines
    private let ids: LineIds

    init(_ path: String, identity: String) throws(Failure) {
        lines = try EventLines(path)
        ids = LineIds(identity)
    }

    var share: Double { lines.share }

    func close() { lines.close() }

    mutating func next() throws(Failure) -> ImportItem? {
        guard let line = try lines.next() else { return nil }
        do throws(Failure) {
            // In a row of an export, the event is one level deeper.
            let object = try line.object { bytes throws(JSONError) in
                try NestedLine.json(bytes, depth: JSONLimits.eventDepth + 1)
            }
            let event = ids.completed(Self.event(object), line: line.number)
            return ImportItem(line: line.number, content: .event(event))
        } catch {
            return ImportItem(line: line.number, content: .unreadable("it \(error)"))
        }
    }

    /// In a row of an export, the event is the member `event`; in a track event `event` is a text. A row does not say
    /// when the event was sent, so its corrected time replaces the device's.
    private static func event(_ object: JSONObject) -> JSONObject {
        guard var event = object["event"]?.objectValue else { return object }
        if let timestamp = object["timestamp"] { event["timestamp"] = timestamp }
        // With a time of its own when it was sent, the event needs the sign that its time was corrected.
        if event["sentAt"] != nil, event["receivedAt"] == nil, let received = object["receivedAt"] {
            event["receivedAt"] = received
        }
        return event
    }
}
