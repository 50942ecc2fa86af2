import TributaryJSON

/// The latest session, in a file that is replaced as a whole.
struct SessionFile: Sendable {
    struct Stored: Equatable {
        var session: AnalyticsSession
        var isOver: Bool
    }

    let file: KeptFile

    /// - Returns: nil when there is no session yet.
    func load() throws -> Stored? {
        guard let bytes = try file.read() else { return nil }
        let json = try JSON.parse(bytes)
        guard let id = json["id"]?.stringValue, let index = json["index"]?.intValue, index > 0, index < Int.max,
            let startedAt = json["startedAt"]?.numberValue?.int64,
            let lastEventAt = json["lastEventAt"]?.numberValue?.int64,
            Self.times.contains(startedAt), Self.times.contains(lastEventAt)
        else { throw JSONError(.mismatch, "the file is not a session") }
        let session = AnalyticsSession(id: id, index: index, startedAt: startedAt, lastEventAt: lastEventAt)
        return Stored(session: session, isOver: json["isOver"]?.boolValue ?? false)
    }

    /// Milliseconds since 1970, for the years that a timestamp can have.
    private static let times: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    func store(_ stored: Stored) throws {
        let session = stored.session
        let json: JSON = [
            "id": .string(session.id), "index": .number(JSONNumber(session.index)),
            "startedAt": .number(JSONNumber(session.startedAt)),
            "lastEventAt": .number(JSONNumber(session.lastEventAt)), "isOver": .bool(stored.isOver),
        ]
        try file.replace(with: json.encoded())
    }
}
