package import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// The rules that every log of a cluster has to follow. The suite of a log checks each rule with an empty log of two
/// partitions.
package struct EventLogContract: Sendable {
    /// A rule that a log breaks.
    package struct Violation: Error, CustomStringConvertible {
        /// The expected and the actual result.
        package let description: String
    }

    /// One behaviour.
    package enum Rule: String, CaseIterable, Sendable {
        case recordsAreReadInOrder, partitionsAreApart, aRepeatedAppendIsOneRecord, nothingIsAtTheEnd, readingIsBounded,
            trimmedRecordsAreRefused, aLogThatIsTooShortWentBack, manyAppendsAtOnceAreAllThere
    }

    private let log: any EventLog

    /// - Parameter log: empty, with at least two partitions.
    package init(_ log: any EventLog) { self.log = log }

    /// - Throws: `Violation` when the log breaks the rule.
    package func check(_ rule: Rule) async throws {
        switch rule {
        case .recordsAreReadInOrder: try await recordsAreReadInOrder()
        case .partitionsAreApart: try await partitionsAreApart()
        case .aRepeatedAppendIsOneRecord: try await aRepeatedAppendIsOneRecord()
        case .nothingIsAtTheEnd: try await nothingIsAtTheEnd()
        case .readingIsBounded: try await readingIsBounded()
        case .trimmedRecordsAreRefused: try await trimmedRecordsAreRefused()
        case .aLogThatIsTooShortWentBack: try await aLogThatIsTooShortWentBack()
        case .manyAppendsAtOnceAreAllThere: try await manyAppendsAtOnceAreAllThere()
        }
    }

    private func recordsAreReadInOrder() async throws {
        // The last one has every possible byte.
        let records = [[1], [2, 2], [UInt8](repeating: 3, count: 100_000), Array(0...255)]
        for (index, record) in records.enumerated() {
            try expect(try await log.append(record, id: "r-\(index)", to: 0), UInt64(index + 1), "the place")
        }
        try expect(try await read(from: 1).map(\.bytes), records, "all records")
        try expect(try await read(from: 3).map(\.place), [3, 4], "the places of the last records")
    }

    private func partitionsAreApart() async throws {
        try await fill(2)
        try expect(try await log.append([9], id: "other", to: 1), 1, "the first place of another partition")
        try expect(try await read(1, from: 1).map(\.bytes), [[9]], "the records of another partition")
        try expect(try await log.standing(of: 0).last, 2, "the last record")
    }

    private func aRepeatedAppendIsOneRecord() async throws {
        let first = try await log.append([1], id: "same", to: 0)
        try await log.append([2], id: "next", to: 0)
        try expect(try await log.append([1], id: "same", to: 0), first, "the place of the repetition")
        try expect(try await read(from: 1).map(\.bytes), [[1], [2]], "the records")
    }

    private func nothingIsAtTheEnd() async throws {
        try expect(try await read(from: 1), [], "an empty log")
        try await fill(2)
        try expect(try await read(from: 3), [], "the end of the log")
    }

    private func readingIsBounded() async throws {
        for index in 0..<10 { try await log.append([UInt8](repeating: 7, count: 1_000), id: "b-\(index)", to: 0) }
        try expect(try await read(from: 2, atMost: 3).map(\.place), [2, 3, 4], "three records")
        let some = try await log.read(0, from: 1, atMost: 10, bytes: 3_500)
        guard (1..<10).contains(some.count), some.map(\.place) == (1...UInt64(some.count)).map({ $0 }) else {
            throw Violation(description: "3,500 bytes are \(some.count) records of 1,000 bytes")
        }
    }

    private func trimmedRecordsAreRefused() async throws {
        try await fill(6)
        try await log.trim(0, through: 4)
        let first = try await log.standing(of: 0).first
        guard (1...5).contains(first) else {
            throw Violation(description: "after a trim through 4 the first is \(first)")
        }
        try expect(try await read(from: 5).map(\.place), [5, 6], "the records that stay")
        if first > 1 {
            try await fails(.trimmed(first: first, asked: 1)) { _ = try await read(from: 1) }
        }
        try await log.trim(0, through: 6)
        try expect(try await read(from: 7), [], "the end of a log that was trimmed to its end")
        try expect(try await log.append([1], id: "later", to: 0), 7, "the place behind a trim")
    }

    private func aLogThatIsTooShortWentBack() async throws {
        try await fill(3)
        try await fails(.wentBack(last: 3, known: 4)) { _ = try await read(from: 5) }
    }

    private func manyAppendsAtOnceAreAllThere() async throws {
        let count = 200
        let places = try await withThrowingTaskGroup(of: UInt64.self) { group in
            for index in 0..<count {
                group.addTask { try await log.append([UInt8(index)], id: "m-\(index)", to: 0) }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        try expect(places, Set(1...UInt64(count)), "the places")
        let records = try await read(from: 1, atMost: count)
        try expect(Set(records.map(\.bytes)).count, count, "different records")
    }

    // MARK: Helpers

    private func fill(_ count: UInt8) async throws {
        for index in 1...count { try await log.append([index], id: "f-\(index)", to: 0) }
    }

    private func read(_ partition: Int = 0, from place: UInt64, atMost count: Int = 1_000) async throws -> [LogRecord] {
        var records: [LogRecord] = []
        while records.count < count {
            let more = try await log.read(
                partition, from: place + UInt64(records.count), atMost: count - records.count, bytes: 1 << 20)
            if more.isEmpty { break }
            records += more
        }
        return records
    }

    private func fails(_ expected: LogError, _ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let error as LogError {
            try expect(error, expected, "the error")
            return
        }
        throw Violation(description: "there is no error, where \(expected) is expected")
    }

    private func expect<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) throws {
        guard found != expected else { return }
        throw Violation(
            description: "\(what): expected \("\(expected)".prefix(300)), found \("\(found)".prefix(300))")
    }
}
