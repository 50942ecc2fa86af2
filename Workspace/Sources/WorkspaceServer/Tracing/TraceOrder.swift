import TributaryJSON
import WorkspaceCore

/// An order to devices: send traces of these events until a time.
struct TraceOrder: Sendable, Equatable {
    let subject: TraceSubject
    /// Milliseconds since 1970.
    let until: Int64

    /// The order as the administration shows it.
    var summary: JSON { [subject.member: .string(subject.id), "until": .time(until)] }

    /// The order in the answer to a device.
    func answer(at now: Int64) -> JSON {
        [subject.member: .string(subject.id), "seconds": .number((until - now + 999) / 1000)]
    }
}
