import Foundation
import GzipReading
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Events that are written into an object together") struct ObjectRangeTests {
    private static let hour: Int64 = 1_763_726_400_000  // 2025-11-21T12:00:00Z

    private static func event(_ sequence: Int64, _ receivedAt: Int64) -> ForwardedEvent {
        ForwardedEvent(
            sequence: sequence, messageId: "m", partition: ForwardedEvent.Partition(digest: Data()),
            body: Array(#"{"n":\#(sequence)}"#.utf8), receivedAt: receivedAt)
    }

    /// A range behind number 41 with rows that came at these times after the beginning of the hour.
    private static func range(_ times: [Int64], skipping skipped: Set<Int> = [], format: ObjectFormat = .ndjson) throws
        -> ObjectRange
    {
        var range = ObjectRange(after: 41, writeKey: "WK", format: format)
        for (index, time) in times.enumerated() {
            let sequence = Int64(42 + index)
            try range.add(
                sequence, receivedAt: hour + time, bytes: 10,
                skipped.contains(index) ? .leftOut(sequence, .filtered("rule")) : .event(event(sequence, hour + time)))
        }
        return range
    }

    private static func text(_ object: ObjectRange.Object) throws -> String {
        String(decoding: try Gunzip.inflate(object.body, limit: 1 << 20), as: UTF8.self)
    }

    @Test("Each hour of a range is an object with a line for each event, named after the position before it")
    func objects() throws {
        let range = try Self.range([0, 1, 3_600_000, 2, -1], skipping: [1])
        let objects = try range.objects()
        #expect(
            objects.map(\.name) == [
                "2025-11-21T11-0000000000000042.ndjson.gz", "2025-11-21T12-0000000000000042.ndjson.gz",
                "2025-11-21T13-0000000000000042.ndjson.gz",
            ])
        #expect(try objects.map(Self.text) == ["{\"n\":46}\n", "{\"n\":42}\n{\"n\":45}\n", "{\"n\":44}\n"])
        #expect(range.through == 46)
        #expect((range.changes.delivered, range.changes.skipped) == (4, 1))
    }

    @Test("The same rows give the same bytes, whatever the filters left out before them")
    func same() throws {
        let bytes = try Self.range([0, 1, 2]).objects().map(\.body)
        #expect(try Self.range([0, 1, 2]).objects().map(\.body) == bytes)
        let fewer = try Self.range([0, 1, 2], skipping: [0])
        #expect(try fewer.objects().map(\.name) == ["2025-11-21T12-0000000000000042.ndjson.gz"])
        #expect(fewer.through == 44)
    }

    @Test("With the format Parquet each hour is a table, and the same rows give the same bytes")
    func tables() throws {
        let format = ObjectFormat.parquet(columns: "messageId,writeKey,n:int64")
        let objects = try Self.range([0, 1, 3_600_000], format: format).objects()
        #expect(
            objects.map(\.name) == [
                "2025-11-21T12-0000000000000042.parquet", "2025-11-21T13-0000000000000042.parquet",
            ])
        for object in objects {
            #expect(object.body.starts(with: Array("PAR1".utf8)))
            #expect(object.body.suffix(4) == Array("PAR1".utf8)[...])
        }
        #expect(try Self.range([0, 1, 3_600_000], format: format).objects().map(\.body) == objects.map(\.body))
    }

    @Test("A range ends before the first row that came later than a moment after the hour of its first row")
    func ends() throws {
        let range = try Self.range([5])
        #expect(!range.isBeyond(Self.hour + 3_600_000 + Limits.objectHourMoment - 1))
        #expect(range.isBeyond(Self.hour + 3_600_000 + Limits.objectHourMoment))
        #expect(!range.isBeyond(Self.hour - 1))
        #expect(!ObjectRange(after: 0, writeKey: "WK").isBeyond(.max))
    }

    @Test("A range is full after so many rows or bytes, also when the filters leave all of them out")
    func full() throws {
        var range = ObjectRange(after: 0, writeKey: "WK")
        for number in 1..<Int64(Limits.objectRows) {
            try range.add(number, receivedAt: Self.hour, bytes: 1, .leftOut(1, .filtered("rule")))
        }
        #expect(!range.isFull)
        try range.add(Int64(Limits.objectRows), receivedAt: Self.hour, bytes: 1, .leftOut(1, .filtered("rule")))
        #expect(range.isFull)
        #expect(try range.objects().isEmpty)
        var large = ObjectRange(after: 0, writeKey: "WK")
        try large.add(1, receivedAt: nil, bytes: Limits.objectBytes, .leftOut(1, .filtered("rule")))
        #expect(large.isFull)
    }

    @Test("Long text is compressed completely")
    func long() throws {
        let text = try GzipText()
        var whole: [UInt8] = []
        var numbers = SeededNumbers(seed: 27)
        for _ in 0..<300 {
            let piece = (0..<1_000).map { _ in UInt8.random(in: .min ... .max, using: &numbers) }
            whole += piece
            try text.append(piece)
        }
        #expect(try Gunzip.inflate(try text.finished(), limit: 1 << 20) == whole)
        #expect(try Gunzip.inflate(try GzipText().finished(), limit: 1) == [])
    }
}
