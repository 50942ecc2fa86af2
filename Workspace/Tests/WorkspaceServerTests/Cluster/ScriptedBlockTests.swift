import Testing
import TributaryJSON

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The block of a range that went through scripts") struct ScriptedBlockTests {
    private static let now: Int64 = 1_790_000_000_000

    private func record(_ place: UInt64, _ ids: [String]) -> LogRecord {
        let events = ids.map { #"{"type":"track","event":"E","messageId":"\#($0)","userId":"u"}"# }.joined(
            separator: ",")
        let body = Array(#"{"batch":[\#(events)]}"#.utf8)
        return LogRecord(
            place: place,
            bytes: ClusterRecord.batch(source: 1, receivedAt: Self.now, events: ids.count, body: body))
    }

    /// What scripts do with the events of a record: the ids that are left, each with the event and the number that it was made as.
    private func outcome(
        _ record: LogRecord, _ left: [(id: String, event: Int, made: Int)], events: Int
    ) throws -> BlockScripts.Outcome {
        var batch = IncomingBatch(source: 1, receivedAt: Self.now)
        for event in left { batch.events.append(StoredEvents.event(event.id)) }
        let origins = left.map { ScriptedOrigins.Origin(event: $0.event, made: $0.made) }
        return BlockScripts.Outcome(batch, ScriptedOrigins(events: origins), events: events)
    }

    private func numbers(
        _ records: [LogRecord], _ outcomes: [UInt64: BlockScripts.Outcome], made: MadeEvents?
    ) throws -> [RowIdentity: Int64] {
        let range = PartitionLease.RecordRange(to: 2, storedAt: Self.now, next: Self.now + 1, made: made)
        let place = PartitionLease(owner: "me", incarnation: "log")
        let block = try PartitionBlock(records, of: 3, at: place, range, outcomes: outcomes)
        let rows = try block.made(PartitionIndex([:], window: 900_000), stored: [:]).block.rows
        let first = try ClusterNumber.ordinal(ofBlockAt: Self.now)
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.identity, ($0.number >> 6) - first) })
    }

    private func id(_ id: String) -> RowIdentity { RowIdentity(kind: .event, source: 1, id: id) }

    @Test("A row has the same number when the range is stored once more and the scripts do something else")
    func stable() throws {
        let records = [record(1, ["a", "b"]), record(2, ["c"])]
        let first = try outcome(
            records[0], [("a", 0, 0), ("a-1", 0, 1), ("a-2", 0, 2), ("b", 1, 0)], events: 2)
        var made = MadeEvents()
        made.add(first.origins, of: 0)
        #expect(made.text == "0.0x2")
        let before = try numbers(records, [1: first], made: made)
        #expect(
            before == [id("a"): 0, id("a-1"): 1, id("a-2"): 2, id("b"): 3, id("c"): 4])
        // Another version drops the first event, makes one of the second, and fewer of the first.
        let second = try outcome(records[0], [("a-1", 0, 1), ("b", 1, 0), ("b-1", 1, 1)], events: 2)
        let dropped = try outcome(records[1], [], events: 1)
        let after = try numbers(records, [1: second, 2: dropped], made: made)
        #expect(after == [id("a-1"): 1, id("b"): 3])
        // Without scripts, because they were switched off meanwhile.
        #expect(try numbers(records, [:], made: made) == [id("a"): 0, id("b"): 3, id("c"): 4])
    }

    @Test("A range that was announced without scripts has the numbers that it always had")
    func plain() throws {
        let records = [record(1, ["a", "b", "a"]), record(2, ["c"])]
        #expect(try numbers(records, [:], made: nil) == [id("a"): 0, id("b"): 1, id("c"): 2])
        // With scripts, an event that is known leaves its place empty.
        #expect(try numbers(records, [:], made: MadeEvents()) == [id("a"): 0, id("b"): 1, id("c"): 3])
    }

    @Test("A rejected event that scripts made is behind its cause, and those of the client are behind the events")
    func rejected() throws {
        func rejected(_ id: String) -> RejectedEvent {
            RejectedEvent(index: 0, messageId: id, madeId: id, rejection: Rejection(.notAnObject, "none"), body: [])
        }
        var batch = IncomingBatch(source: 1, receivedAt: Self.now)
        batch.events = [StoredEvents.event("a"), StoredEvents.event("b")]
        batch.rejected = [rejected("own"), rejected("a-1")]
        batch.signals = []
        let origins = ScriptedOrigins(
            events: [.init(event: 0), .init(event: 1)], rejected: [.init(event: 0, made: 1)])
        let outcome = BlockScripts.Outcome(batch, origins, events: 2)
        var made = MadeEvents()
        made.add(origins, of: 0)
        let found = try numbers([record(1, ["a", "b"])], [1: outcome], made: made)
        let kind = RowIdentity.Kind.rejected
        #expect(
            found == [
                id("a"): 0, RowIdentity(kind: kind, source: 1, id: "a-1"): 1, id("b"): 2,
                RowIdentity(kind: kind, source: 1, id: "own"): 3,
            ])
    }

    @Test("The counts of made events are read as they were written, and other texts are refused")
    func text() throws {
        var made = MadeEvents()
        made.add(ScriptedOrigins(events: [.init(event: 7, made: 2), .init(event: 0, made: 1)]), of: 12)
        made.add(ScriptedOrigins(events: [.init(event: 1, made: 3)], rejected: [.init(event: 1, made: 4)]), of: 2)
        #expect(made.text == "2.1x4 12.0x1 12.7x2")
        #expect(made.sum == 7)
        #expect(MadeEvents(text: made.text) == made)
        #expect(MadeEvents(text: "") == MadeEvents())
        for text in ["1", "1.2", "1.2x", "1x2.3x4", "a.bxc", "1.2x0", "-1.2x3", "1.2x-3"] {
            #expect(MadeEvents(text: text) == nil, "\(text)")
        }
    }
}
