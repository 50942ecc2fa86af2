/// The undecided events of a queue: a source stage has not decided on them yet.
///
/// The inbox has a second record of each such event (`InboxRecord.Form.deferred`), after the tracked one. So the
/// tracked record and the records after it can be removed. Before the place of the second record is removed, the record
/// is written again at the end of the inbox. A decision is another record (`decided`), with the event in its new form.
/// Both records name the event by the sequence of its tracked record. So after a crash, the client finds each event
/// without a decision, and none with one.
///
/// Only used on the client's executor.
struct DeferredEvents {
    /// The event of a decision.
    enum Claim {
        /// No event: it was removed, or was decided on before.
        case nothing
        /// An event that is undecided in the inbox.
        case event
        /// An event that the server got before a crash. The destinations on the device may not have got it.
        case repetition
    }

    private struct Open {
        let record: InboxRecord
        /// The sequence of its second record; nil while the reader has not reached it, or when there is none.
        var sequence: UInt64?
        var isRepetition: Bool
        /// Whether an earlier process left the event, so no source stage has it.
        var isLeft = false
    }

    private var open: [UInt64: Open] = [:]
    /// The end of the inbox when this process opened it.
    private let opened: UInt64
    /// Events up to this sequence were processed by an earlier process; later ones are new.
    private let processedBefore: UInt64
    /// Whether the limit was reported.
    private var isFull = false

    init(opened: UInt64, processedBefore: UInt64) {
        self.opened = opened
        self.processedBefore = processedBefore
    }

    var isEmpty: Bool { open.isEmpty }

    // MARK: Adding and deciding

    /// The result of an attempt to keep an event.
    enum Attempt: Equatable {
        case kept
        /// Too many events wait. `isNews` is true for the first refusal since there was room.
        case refused(isNews: Bool)
    }

    /// Keeps an event.
    /// - Parameters:
    ///   - tracked: the sequence of the event's tracked record.
    ///   - isRepetition: whether the event is processed for the second time, after a crash.
    mutating func add(_ record: InboxRecord, tracked: UInt64, isRepetition: Bool) -> Attempt {
        guard open.count < Limits.deferredEvents else {
            defer { isFull = true }
            return .refused(isNews: !isFull)
        }
        open[tracked] = Open(record: record, sequence: nil, isRepetition: isRepetition)
        return .kept
    }

    /// Takes a decision.
    mutating func close(_ tracked: UInt64) -> Claim {
        guard let event = open.removeValue(forKey: tracked) else { return .nothing }
        if open.count <= Limits.deferredEvents / 2 { isFull = false }
        return event.isRepetition ? .repetition : .event
    }

    // MARK: Reading

    /// Takes a second record that the reader has reached.
    mutating func met(_ record: InboxRecord, tracked: UInt64, at sequence: UInt64) {
        if open[tracked] != nil {
            open[tracked]?.sequence = sequence
            open[tracked]?.isRepetition = false
        } else if sequence <= opened, tracked <= processedBefore {
            open[tracked] = Open(record: record, sequence: sequence, isRepetition: false, isLeft: true)
        }
    }

    /// Takes a decision that the reader has reached.
    /// - Returns: whether the decision counts. It does not when this process has decided itself.
    mutating func metDecision(_ tracked: UInt64, at sequence: UInt64) -> Bool {
        guard sequence <= opened else { return true }
        let wasOpen = open.removeValue(forKey: tracked) != nil
        return wasOpen || tracked <= processedBefore
    }

    /// The events that an earlier process left undecided, oldest first, once the reader is past all their records.
    mutating func takeLeft(at position: UInt64) -> [(tracked: UInt64, record: InboxRecord)] {
        guard !open.isEmpty, position >= opened else { return [] }
        let left = Array(open.keys).inOrder().filter { open[$0]?.isLeft ?? false }
        for tracked in left { open[tracked]?.isLeft = false }
        return left.compactMap { tracked in open[tracked].map { (tracked: tracked, record: $0.record) } }
    }

    // MARK: Removing records

    /// The sequence up to which the inbox can be removed without losing an undecided event.
    func limit(_ watermark: UInt64) -> UInt64 {
        guard let first = open.values.compactMap(\.sequence).min(), first <= watermark else {
            return watermark
        }
        return first - 1
    }

    /// The events to write again before the inbox is removed up to a sequence. There are none while writing them would
    /// cost more than was tracked since.
    mutating func takeCarried(_ watermark: UInt64) -> [InboxRecord] {
        guard let first = open.values.compactMap(\.sequence).min(), first <= watermark,
            watermark - first >= UInt64(open.count)
        else { return [] }
        return take { $0 <= watermark }
    }

    /// All events that no longer have a second record.
    mutating func takeRead() -> [InboxRecord] { take { _ in true } }

    private mutating func take(_ isTaken: (UInt64) -> Bool) -> [InboxRecord] {
        let taken = Array(open.keys).inOrder().filter { open[$0]?.sequence.map(isTaken) ?? false }
        for tracked in taken { open[tracked]?.sequence = nil }
        return taken.compactMap { open[$0]?.record }
    }

    /// Drops the events up to a sequence.
    /// - Returns: whether there were any.
    mutating func purge(through end: UInt64) -> Bool {
        let count = open.count
        open = open.filter { $0.key > end }
        return open.count < count
    }
}
