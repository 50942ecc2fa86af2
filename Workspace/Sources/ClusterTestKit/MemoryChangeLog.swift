package import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// A log of changes in this process. A test decides when it fails.
package actor MemoryChangeLog: ChangeLog {
    /// The failure of a call.
    package enum Fault: Sendable, Equatable {
        /// The call is not carried out.
        case unavailable
        /// The call is carried out, and the answer is lost.
        case lostAnswer
        /// An append is carried out after the call has failed, if its place is free then.
        case late
        /// Other calls are carried out first.
        case delay
    }

    private var records: [[UInt8]] = []
    /// The place of the first record that the log still has.
    package private(set) var first: UInt64 = 1
    private var incarnation = "first"
    private var late: (record: [UInt8], after: UInt64)?
    private var isAway = false
    /// The number of calls.
    package private(set) var calls = 0
    private let fault: @Sendable () -> Fault?

    /// - Parameter fault: gives the failure of each call; nil when the call succeeds.
    package init(fault: @escaping @Sendable () -> Fault? = { nil }) { self.fault = fault }

    package func append(_ record: [UInt8], id: String, after last: UInt64) async throws -> UInt64? {
        let fault = try await enter()
        if fault == .late {
            late = (record, last)
            throw LogError.unavailable("planted")
        }
        guard last == records.count else {
            return last < records.count && records[Int(last)] == record ? last + 1 : nil
        }
        records.append(record)
        if fault == .lostAnswer { throw LogError.unavailable("planted") }
        return last + 1
    }

    package func read(from place: UInt64, atMost count: Int) async throws -> [LogRecord] {
        guard try await enter() == nil else { throw LogError.unavailable("planted") }
        guard place <= records.count + 1 else {
            throw LogError.wentBack(last: UInt64(records.count), known: place - 1)
        }
        guard place >= first else { throw LogError.trimmed(first: first, asked: place) }
        return records.enumerated().dropFirst(Int(place) - 1).prefix(count).map { index, bytes in
            LogRecord(place: UInt64(index) + 1, bytes: bytes)
        }
    }

    package func standing() async throws -> LogRange {
        guard try await enter() == nil else { throw LogError.unavailable("planted") }
        return LogRange(incarnation: incarnation, first: first, last: UInt64(records.count))
    }

    package func trim(before place: UInt64) async throws {
        let fault = try await enter()
        if fault == .late { throw LogError.unavailable("planted") }
        guard place <= records.count else { throw LogError.refused("there is no record \(place)") }
        first = max(first, place)
        if fault == .lostAnswer { throw LogError.unavailable("planted") }
    }

    /// - Returns: a fault that the method itself has to produce.
    private func enter() async throws -> Fault? {
        calls += 1
        if isAway { throw LogError.unavailable("it is away") }
        let fault = fault()
        if fault == .delay { for _ in 0..<5 { await Task.yield() } }
        if let waiting = late {
            late = nil
            if waiting.after == records.count { records.append(waiting.record) }
        }
        if fault == .unavailable { throw LogError.unavailable("planted") }
        return fault == .delay ? nil : fault
    }

    // MARK: Tests

    /// All records, including trimmed ones.
    package var content: [[UInt8]] { records }

    /// Lets all calls fail while the log is away.
    package func setAway(_ isAway: Bool) { self.isAway = isAway }

    /// Puts other bytes at a place.
    package func replace(_ place: UInt64, by bytes: [UInt8]) { records[Int(place) - 1] = bytes }

    /// Removes the records after a place.
    package func cut(behind place: UInt64) { records.removeSubrange(Int(place)...) }

    /// Deletes the log and makes an empty one.
    package func replace() { (records, first, incarnation) = ([], 1, incarnation + " again") }
}
