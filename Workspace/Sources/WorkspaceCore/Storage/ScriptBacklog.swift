/// Which requests of the journal are stored already, although older requests of other sources still wait for scripts.
///
/// The place in the journal is that before the oldest request that waits. So a restart reads everything behind it once more,
/// and this says what of it is done.
package struct ScriptBacklog: Sendable, Equatable {
    /// Requests up to this place are stored, but for those of the sources that wait.
    package let through: UInt64
    /// The oldest request of each source that waits for its scripts.
    package let waiting: [Int64: UInt64]

    package static let none = ScriptBacklog(through: 0, waiting: [:])

    package init(through: UInt64, waiting: [Int64: UInt64]) { (self.through, self.waiting) = (through, waiting) }

    /// Whether a request is stored.
    package func hasStored(_ sequence: UInt64, of source: Int64) -> Bool {
        guard sequence <= through else { return false }
        return waiting[source].map { sequence < $0 } ?? true
    }

    /// The requests that were stored since this start, and those of the start before.
    /// - Parameters:
    ///   - earlier: the requests that were stored before.
    ///   - main: how far the journal was read since.
    package func merged(with earlier: ScriptBacklog, reading main: UInt64) -> ScriptBacklog {
        guard earlier.through > main else { return self }
        var waiting = waiting
        for (source, first) in earlier.waiting where waiting[source] == nil { waiting[source] = max(first, main + 1) }
        return ScriptBacklog(through: earlier.through, waiting: waiting)
    }

    /// The text for the database; empty when nothing waits.
    var text: String {
        guard !waiting.isEmpty else { return "" }
        let first = waiting.map { "\($0.key):\($0.value)" }.sorted()
        return (["\(through)"] + first).joined(separator: " ")
    }

    /// The backlog of a text; none for a text that cannot be read, after which requests are read again and recognised.
    init(text: String) {
        let words = text.split(separator: " ")
        guard let through = words.first.flatMap({ UInt64($0) }) else {
            self = .none
            return
        }
        var waiting: [Int64: UInt64] = [:]
        for word in words.dropFirst() {
            let numbers = word.split(separator: ":")
            guard numbers.count == 2, let source = Int64(numbers[0]), let sequence = UInt64(numbers[1]) else {
                self = .none
                return
            }
            waiting[source] = sequence
        }
        self.init(through: through, waiting: waiting)
    }
}
