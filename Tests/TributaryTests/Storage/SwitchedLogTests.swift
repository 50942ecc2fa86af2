import Testing

@testable import Tributary

@Suite("A log that can be exchanged")
struct SwitchedLogTests {
    private struct Refusal: Error {}

    /// A log of two records, and the one below it.
    private func filled() throws -> (SwitchedLog, MemoryLog) {
        let old = MemoryLog(capacity: 10) { _ in }
        let log = SwitchedLog { old }
        for byte in [UInt8](1...2) { _ = try log.append([byte], origin: nil, snapshot: nil) }
        return (log, old)
    }

    private func payloads(_ log: any RecordLog) throws -> [[UInt8]] {
        try log.read(after: 0, maxBytes: .max, maxCount: .max).map(\.payload)
    }

    @Test("A new log takes over the records of the old one")
    func moves() throws {
        let (log, _) = try filled()
        let new = MemoryLog(capacity: 10) { _ in }
        try log.exchange { new }
        _ = try log.append([3], origin: nil, snapshot: nil)
        #expect(try payloads(new) == [[1], [2], [3]])
    }

    @Test("a new log that cannot be opened leaves the old one with all of its records")
    func refusedOpening() throws {
        let (log, old) = try filled()
        #expect(throws: Refusal.self) { try log.exchange { throw Refusal() } }
        _ = try log.append([3], origin: nil, snapshot: nil)
        #expect(try payloads(old) == [[1], [2], [3]])
        let new = MemoryLog(capacity: 10) { _ in }
        try log.exchange { new }
        #expect(try payloads(log) == [[1], [2], [3]])
    }

    @Test("a log that was never used takes the new place without being opened")
    func unused() throws {
        let log = SwitchedLog { throw Refusal() }
        let new = MemoryLog(capacity: 10) { _ in }
        try log.exchange { new }
        _ = try log.append([1], origin: nil, snapshot: nil)
        #expect(try payloads(new) == [[1]])
    }
}
