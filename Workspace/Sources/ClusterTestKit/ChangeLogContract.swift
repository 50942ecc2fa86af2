package import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// The rules that every log of changes has to follow. The suite of a log checks each rule with an empty log.
package struct ChangeLogContract: Sendable {
    /// A rule that a log breaks.
    package struct Violation: Error, CustomStringConvertible {
        /// The expected and the actual result.
        package let description: String
    }

    /// One behaviour.
    package enum Rule: String, CaseIterable, Sendable {
        case recordsAreReadInOrder, anAppendNeedsTheEnd, aRecordStandsOnceWhenItIsRepeated, nothingIsAtTheEnd,
            ofAppendsAtOnceOneIsThere, aReadBehindTheEndIsRefused, theStandingFollows,
            whatIsTrimmedIsGone, aTrimBehindTheEndChangesNothing
    }

    private let log: any ChangeLog

    /// - Parameter log: empty.
    package init(_ log: any ChangeLog) { self.log = log }

    /// - Throws: `Violation` when the log breaks the rule.
    package func check(_ rule: Rule) async throws {
        switch rule {
        case .recordsAreReadInOrder: try await recordsAreReadInOrder()
        case .anAppendNeedsTheEnd: try await anAppendNeedsTheEnd()
        case .aRecordStandsOnceWhenItIsRepeated: try await aRecordStandsOnceWhenItIsRepeated()
        case .nothingIsAtTheEnd: try await nothingIsAtTheEnd()
        case .ofAppendsAtOnceOneIsThere: try await ofAppendsAtOnceOneIsThere()
        case .aReadBehindTheEndIsRefused: try await aReadBehindTheEndIsRefused()
        case .theStandingFollows: try await theStandingFollows()
        case .whatIsTrimmedIsGone: try await whatIsTrimmedIsGone()
        case .aTrimBehindTheEndChangesNothing: try await aTrimBehindTheEndChangesNothing()
        }
    }

    private func recordsAreReadInOrder() async throws {
        // One is larger than a single read, and one has every possible byte.
        let records = [
            [1], [UInt8](repeating: 2, count: 600_000), [UInt8](repeating: 3, count: 600_000), Array(0...255),
        ]
        for (index, record) in records.enumerated() {
            let place = try await log.append(record, id: "r-\(index)", after: UInt64(index))
            try expect(place, UInt64(index + 1), "the place")
        }
        try expect(try await read().map(\.bytes), records, "all records")
        try expect(try await read().map(\.place), [1, 2, 3, 4], "their places")
        try expect(try await log.read(from: 3, atMost: 1).map(\.place), [3], "one record")
    }

    private func anAppendNeedsTheEnd() async throws {
        try expect(try await log.append([1], id: "1", after: 0), 1, "the first place")
        try expect(try await log.append([2], id: "2", after: 1), 2, "the second place")
        try expect(try await log.append([3], id: "3", after: 0), nil, "an append to an empty log that is not empty")
        try expect(try await log.append([4], id: "4", after: 1), nil, "an append behind the last but one")
        try expect(try await read().map(\.bytes), [[1], [2]], "the records")
    }

    private func aRecordStandsOnceWhenItIsRepeated() async throws {
        try expect(try await log.append([1], id: "1", after: 0), 1, "the first place")
        try expect(try await log.append([1], id: "1", after: 0), 1, "the place of the repetition")
        try expect(try await log.append([2], id: "2", after: 1), 2, "the place behind")
        try expect(try await log.append([1], id: "1", after: 0), 1, "the place of a late repetition")
        try expect(try await read().map(\.bytes), [[1], [2]], "the records")
    }

    private func nothingIsAtTheEnd() async throws {
        try expect(try await log.read(from: 1, atMost: 9), [], "an empty log")
        _ = try await log.append([1], id: "1", after: 0)
        try expect(try await log.read(from: 2, atMost: 9), [], "the end of the log")
    }

    private func ofAppendsAtOnceOneIsThere() async throws {
        for round in 0..<20 {
            let places = try await withThrowingTaskGroup(of: UInt64?.self) { group in
                for index in 0..<4 {
                    group.addTask {
                        try await log.append(
                            [UInt8(round), UInt8(index)], id: "\(round)-\(index)", after: UInt64(round))
                    }
                }
                return try await group.reduce(into: [UInt64]()) { places, place in places += [place].compactMap(\.self)
                }
            }
            try expect(places, [UInt64(round) + 1], "the places of four appends at once")
        }
        try expect(try await read().map { $0.bytes[0] }, Array(0..<20), "the rounds")
    }

    private func aReadBehindTheEndIsRefused() async throws {
        _ = try await log.append([1], id: "1", after: 0)
        do {
            _ = try await log.read(from: 3, atMost: 1)
        } catch LogError.wentBack(last: 1, known: 2) {
            return
        }
        throw Violation(description: "a log that is too short is read without an error")
    }

    private func theStandingFollows() async throws {
        let empty = try await log.standing()
        try expect(empty.last, 0, "the last place of an empty log")
        _ = try await log.append([1], id: "1", after: 0)
        let standing = try await log.standing()
        try expect(standing, LogRange(incarnation: empty.incarnation, first: 1, last: 1), "the standing")
    }

    private func whatIsTrimmedIsGone() async throws {
        for index in 0..<5 { _ = try await log.append([UInt8(index)], id: "\(index)", after: UInt64(index)) }
        let before = try await log.standing()
        for place: UInt64 in [3, 3, 2] { try await log.trim(before: place) }
        try expect(
            try await log.standing(), LogRange(incarnation: before.incarnation, first: 3, last: 5), "the standing")
        try expect(try await log.read(from: 3, atMost: 9).map(\.bytes), [[2], [3], [4]], "the records that are left")
        for place: UInt64 in [1, 2] {
            do {
                _ = try await log.read(from: place, atMost: 1)
                throw Violation(description: "the record \(place), which is gone, is read without an error")
            } catch LogError.trimmed(first: 3, asked: place) {}
        }
        try expect(try await log.append([5], id: "5", after: 5), 6, "the place behind")
        try await log.trim(before: 6)
        try expect(try await log.read(from: 6, atMost: 9).map(\.place), [6], "the last record")
        try expect(try await log.append([6], id: "6", after: 6), 7, "the place behind it")
    }

    private func aTrimBehindTheEndChangesNothing() async throws {
        for index in 0..<2 { _ = try await log.append([UInt8(index)], id: "\(index)", after: UInt64(index)) }
        do {
            try await log.trim(before: 3)
            throw Violation(description: "a log is emptied without an error")
        } catch LogError.refused {}
        try expect(try await read().map(\.place), [1, 2], "the records")
        try expect(try await log.append([2], id: "2", after: 2), 3, "the place behind")
    }

    private func read() async throws -> [LogRecord] {
        var records: [LogRecord] = []
        while true {
            let more = try await log.read(from: UInt64(records.count) + 1, atMost: 100)
            if more.isEmpty { return records }
            records += more
        }
    }

    private func expect<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) throws {
        guard found != expected else { return }
        throw Violation(
            description: "\(what): expected \("\(expected)".prefix(300)), found \("\(found)".prefix(300))")
    }
}
