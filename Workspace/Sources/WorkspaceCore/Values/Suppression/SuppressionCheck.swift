import TributaryJSON

/// Says which rows of a request must not be stored, because of their users and devices.
///
/// It looks each of them up once. A digest takes microseconds, the events of a request often have the same user, and the
/// context of a batch can name a thousand users for each of its events.
package struct SuppressionCheck {
    private struct Subject: Hashable {
        let kind: SuppressionList.Kind
        let id: ExactText
    }

    private let list: SuppressionList
    private var marks: [Subject: SuppressionList.Mark?] = [:]

    package init(_ list: SuppressionList) { self.list = list }

    /// Whether something that happened at that time is not to be stored.
    /// - Parameters:
    ///   - userId: the user that it has a column for.
    ///   - anonymousId: the device that it came from. It counts when there is no user.
    ///   - names: all users that the text names.
    package mutating func refuses(userId: String?, anonymousId: String?, names: [String], at time: Int64) -> Bool {
        guard !list.isEmpty else { return false }
        if let userId, mark(.user, userId)?.refuses(time) == true { return true }
        for name in names where mark(.user, name)?.refuses(time) == true { return true }
        guard userId == nil, let anonymousId else { return false }
        return mark(.device, anonymousId)?.refuses(time) == true
    }

    private mutating func mark(_ kind: SuppressionList.Kind, _ id: String) -> SuppressionList.Mark? {
        let subject = Subject(kind: kind, id: ExactText(id))
        if let known = marks[subject] { return known }
        let mark = list.mark(kind, id)
        marks[subject] = .some(mark)
        return mark
    }
}

extension SuppressionCheck {
    package mutating func refuses(_ event: IncomingEvent) -> Bool {
        // The text of an event is JSON.
        refuses(
            userId: event.userId, anonymousId: event.anonymousId, names: (try? event.scanned())?.ids ?? [],
            at: event.times.timestamp)
    }

    package mutating func refuses(_ signal: IncomingSignal) -> Bool {
        refuses(
            userId: nil, anonymousId: signal.anonymousId, names: Self.names(signal.body), at: signal.timestamp)
    }

    package mutating func refuses(_ trace: IncomingTrace) -> Bool {
        refuses(userId: nil, anonymousId: nil, names: Self.names(trace.body), at: trace.trackedAt)
    }

    /// - Parameter receivedAt: when it came; the time of an event that says none.
    package mutating func refuses(_ rejected: RejectedEvent, receivedAt: Int64) -> Bool {
        // A text that is not JSON names no user.
        let item = try? JSON.parse(rejected.body)
        let time = item?["timestamp"].flatMap(EventTime.milliseconds)
        let names = Self.names(rejected.body)
        return refuses(
            userId: names.first, anonymousId: item?["anonymousId"]?.stringValue, names: names, at: time ?? receivedAt)
    }

    /// The users that a text names; none when it is no JSON.
    package static func names(_ body: [UInt8]) -> [String] { (try? ScannedBody.of(body))?.ids ?? [] }
}

extension IncomingBatch {
    /// Takes out what is not to be stored.
    /// - Returns: how much that was.
    package mutating func remove(by list: SuppressionList) -> Int {
        guard !list.isEmpty else { return 0 }
        let before = rowCount
        var check = SuppressionCheck(list)
        events.removeAll { check.refuses($0) }
        signals.removeAll { check.refuses($0) }
        traces.removeAll { check.refuses($0) }
        rejected.removeAll { check.refuses($0, receivedAt: receivedAt) }
        return before - rowCount
    }
}
