/// Events of a queue that a source stage has not decided on yet.
///
/// The inbox has each as a record of its own (`InboxRecord.Form.deferred`), behind the one that was tracked, so that the
/// tracked one can be given up and what came after it, too. The record is carried to the end of the inbox before its place
/// is given up, until there is a decision: another record (`decided`) with what became of the event. Both name the event by
/// the sequence under which it was tracked. So after a crash an event is found that is open, and none that was decided on.
///
/// Only used on the client's executor.
struct DeferredEvents {
    /// What a decision is about.
    enum Claim {
        /// Nothing any more: it was given up, or decided on before.
        case nothing
        /// An event that the inbox has as open.
        case event
        /// An event that the server had before a crash, whose destinations on the device may not have had it.
        case repetition
    }

    private struct Open {
        let record: InboxRecord
        /// Where the inbox has it, as far as it was read; nil while that is ahead of the reader, or nowhere.
        var sequence: UInt64?
        var isRepetition: Bool
        /// An earlier process left it, and no source stage has it.
        var isLeft = false
    }

    private var open: [UInt64: Open] = [:]
    /// The end of the inbox when this process opened it.
    private let opened: UInt64
    /// Events up to that one were processed by an earlier process; what comes after it is this one's to decide on.
    private let processedBefore: UInt64
    /// It was told that there are too many.
    private var isFull = false

    init(opened: UInt64, processedBefore: UInt64) {
        self.opened = opened
        self.processedBefore = processedBefore
    }

    var isEmpty: Bool { open.isEmpty }

    // MARK: A source stage has not decided

    /// What became of an attempt to keep an event.
    enum Attempt: Equatable {
        case kept
        /// There are too many already; the first time since there were fewer.
        case refused(isNews: Bool)
    }

    /// Keeps an event.
    /// - Parameters:
    ///   - tracked: the sequence under which it was tracked.
    ///   - isRepetition: whether this is the second time, after a crash.
    mutating func add(_ record: InboxRecord, tracked: UInt64, isRepetition: Bool) -> Attempt {
        guard open.count < Limits.deferredEvents else {
            defer { isFull = true }
            return .refused(isNews: !isFull)
        }
        open[tracked] = Open(record: record, sequence: nil, isRepetition: isRepetition)
        return .kept
    }

    /// There is a decision.
    mutating func close(_ tracked: UInt64) -> Claim {
        guard let event = open.removeValue(forKey: tracked) else { return .nothing }
        if open.count <= Limits.deferredEvents / 2 { isFull = false }
        return event.isRepetition ? .repetition : .event
    }

    // MARK: Reading

    /// The reader has come to an event that was open when it was written there.
    mutating func met(_ record: InboxRecord, tracked: UInt64, at sequence: UInt64) {
        if open[tracked] != nil {
            open[tracked]?.sequence = sequence
            open[tracked]?.isRepetition = false
        } else if sequence <= opened, tracked <= processedBefore {
            open[tracked] = Open(record: record, sequence: sequence, isRepetition: false, isLeft: true)
        }
    }

    /// The reader has come to a decision.
    /// - Returns: whether it holds: not when this process has decided itself.
    mutating func metDecision(_ tracked: UInt64, at sequence: UInt64) -> Bool {
        guard sequence <= opened else { return true }
        let wasOpen = open.removeValue(forKey: tracked) != nil
        return wasOpen || tracked <= processedBefore
    }

    /// The events that an earlier process left without a decision, oldest first, once the reader is where those would be.
    mutating func takeLeft(at position: UInt64) -> [(tracked: UInt64, record: InboxRecord)] {
        guard !open.isEmpty, position >= opened else { return [] }
        let left = open.keys.sorted().filter { open[$0]?.isLeft ?? false }
        for tracked in left { open[tracked]?.isLeft = false }
        return left.compactMap { tracked in open[tracked].map { (tracked: tracked, record: $0.record) } }
    }

    // MARK: Giving up places

    /// How far the inbox can be given up without an open event.
    func limit(_ watermark: UInt64) -> UInt64 {
        guard let first = open.values.compactMap(\.sequence).min(), first <= watermark else {
            return watermark
        }
        return first - 1
    }

    /// The events that have to be written again before the inbox is given up to there. None while that would cost more
    /// than what was tracked since.
    mutating func takeCarried(_ watermark: UInt64) -> [InboxRecord] {
        guard let first = open.values.compactMap(\.sequence).min(), first <= watermark,
            watermark - first >= UInt64(open.count)
        else { return [] }
        return take { $0 <= watermark }
    }

    /// All events whose places are gone.
    mutating func takeRead() -> [InboxRecord] { take { _ in true } }

    private mutating func take(_ isTaken: (UInt64) -> Bool) -> [InboxRecord] {
        let taken = open.keys.sorted().filter { open[$0]?.sequence.map(isTaken) ?? false }
        for tracked in taken { open[tracked]?.sequence = nil }
        return taken.compactMap { open[$0]?.record }
    }

    /// What was tracked up to there is given up.
    /// - Returns: whether there was anything.
    mutating func purge(through end: UInt64) -> Bool {
        let count = open.count
        open = open.filter { $0.key > end }
        return open.count < count
    }
}
