import TributaryJSON

/// Sessions of stored events and signals: the records of one device without a long pause.
struct StoredSessions: Sendable {
    /// A stored event or signal.
    struct Record: Sendable, Equatable {
        enum Kind: String, Sendable { case event, signal }

        let kind: Kind
        /// Its place in the order in which records of its kind were stored.
        let sequence: Int64
        /// When it happened, in milliseconds since 1970.
        let time: Int64
        let content: JSON

        /// - Parameter received: the time when the workspace got it, which counts when it has no time of its own.
        init(_ kind: Kind, sequence: Int64, received: Int64, content: JSON) {
            (self.kind, self.sequence, self.content) = (kind, sequence, content)
            time = content["timestamp"]?.stringValue.flatMap { ISO8601.milliseconds($0) } ?? received
        }

        /// The device, or the user of a server's event.
        var device: String {
            content["anonymousId"]?.stringValue ?? content["userId"]?.stringValue ?? ""
        }
    }

    /// Milliseconds without a record that end a session, as on the page.
    static let pause: Int64 = 30 * 60_000

    /// The newest sessions, the oldest of them first.
    let sessions: [[Record]]

    /// - Parameters:
    ///   - records: in any order.
    ///   - most: how many sessions are kept. Those that ended last stay.
    ///   - mostRecords: how many records are kept; older sessions are left out as a whole.
    init(_ records: [Record], most: Int, mostRecords: Int) {
        var open: [String: Int] = [:]
        var sessions: [[Record]] = []
        for record in records.sorted(by: Self.isBefore) {
            if let place = open[record.device], let last = sessions[place].last, record.time - last.time <= Self.pause {
                sessions[place].append(record)
            } else {
                open[record.device] = sessions.count
                sessions.append([record])
            }
        }
        var kept: [[Record]] = []
        var count = 0
        for session in sessions.sorted(by: { Self.isBefore($1[$1.count - 1], $0[$0.count - 1]) }) {
            guard kept.count < most, count + session.count <= mostRecords else { break }
            kept.append(session)
            count += session.count
        }
        self.sessions = kept.reversed()
    }

    /// A signal comes before an event of the same time, which may have been made of it.
    private static func isBefore(_ one: Record, _ other: Record) -> Bool {
        (one.time, one.kind == .signal ? 0 : 1, one.sequence) < (
            other.time, other.kind == .signal ? 0 : 1, other.sequence
        )
    }
}
