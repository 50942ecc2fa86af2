import Dispatch

/// Tells who works on a queue: the executor of a client, or one of its destinations.
///
/// Asked when an event is tracked, because one that is made while another is processed gets an id that follows from it.
final class Seat: Sendable {
    static let key = DispatchSpecificKey<Seat>()

    let pipeline: ObjectIdentifier
    /// Nil on the executor.
    private let destination: LockBox<WeakLine>?

    private struct WeakLine { weak var line: DestinationLine? }

    init(of pipeline: Pipeline) {
        self.pipeline = ObjectIdentifier(pipeline)
        destination = nil
    }

    init(of pipeline: ObjectIdentifier, line: DestinationLine) {
        self.pipeline = pipeline
        destination = LockBox(WeakLine(line: line))
    }

    var isExecutor: Bool { destination == nil }
    var line: DestinationLine? { destination?.withLock { $0.line } }
}
