import ProgramSupport

/// Shows how much of a long file has been read.
struct Progress {
    private static let eventsBetween = 2_000

    private var calls = 0

    /// - Parameter share: the share of the file that has been read, from 0 to 1.
    mutating func show(_ share: Double, events: Int) {
        if calls.isMultiple(of: Self.eventsBetween) { Waiting.show("\(events.grouped) events", share: share) }
        calls += 1
    }

    /// Makes room for other lines.
    func clear() { Waiting.clear() }

    /// The file is read.
    func finish() { Waiting.finish() }
}
