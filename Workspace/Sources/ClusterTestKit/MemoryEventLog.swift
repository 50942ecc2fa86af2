package import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// A log in this process. A test decides when it fails.
package actor MemoryEventLog: EventLog {
    private struct Partition {
        var first: UInt64 = 1
        var records: [[UInt8]] = []
        var places: [String: UInt64] = [:]

        var last: UInt64 { first + UInt64(records.count) - 1 }
    }

    package nonisolated let partitions: Int
    private var content: [Partition]
    private var incarnation = "first"
    private var isAway = false
    private var losesAnswers = false

    package init(partitions: Int) {
        self.partitions = partitions
        content = Array(repeating: Partition(), count: partitions)
    }

    @discardableResult
    package func append(_ record: [UInt8], id: String, to partition: Int) throws -> UInt64 {
        if isAway { throw LogError.unavailable("it is away") }
        let place = content[partition].places[id] ?? content[partition].last + 1
        if content[partition].places.updateValue(place, forKey: id) == nil { content[partition].records.append(record) }
        if losesAnswers { throw LogError.unavailable("planted") }
        return place
    }

    package func read(_ partition: Int, from place: UInt64, atMost count: Int, bytes: Int) throws -> [LogRecord] {
        if isAway { throw LogError.unavailable("it is away") }
        let (first, last) = (content[partition].first, content[partition].last)
        guard place <= last + 1 else { throw LogError.wentBack(last: last, known: place - 1) }
        guard place >= first else { throw LogError.trimmed(first: first, asked: place) }
        var (found, size): ([LogRecord], Int) = ([], 0)
        for (index, record) in content[partition].records.enumerated().dropFirst(Int(place - first)).prefix(count)
        where size < bytes {
            found.append(LogRecord(place: first + UInt64(index), bytes: record))
            size += record.count
        }
        return found
    }

    package func standing(of partition: Int) throws -> LogRange {
        if isAway { throw LogError.unavailable("it is away") }
        return LogRange(incarnation: incarnation, first: content[partition].first, last: content[partition].last)
    }

    package func trim(_ partition: Int, through place: UInt64) {
        let count = min(place + 1, content[partition].last + 1) - min(place + 1, content[partition].first)
        content[partition].records.removeFirst(Int(count))
        content[partition].first += count
    }

    package func close() {}

    // MARK: Tests

    /// Lets all calls fail while the log is away.
    package func setAway(_ isAway: Bool) { self.isAway = isAway }

    /// Lets appends fail after they were carried out.
    package func setLosesAnswers(_ losesAnswers: Bool) { self.losesAnswers = losesAnswers }

    /// Removes the records after a place.
    package func cut(_ partition: Int, behind place: UInt64) {
        content[partition].records.removeLast(Int(content[partition].last - place))
    }

    /// Deletes the log and makes an empty one.
    package func replace() {
        (content, incarnation) = (Array(repeating: Partition(), count: partitions), incarnation + " again")
    }
}
