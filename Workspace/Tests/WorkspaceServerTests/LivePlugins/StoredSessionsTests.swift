import Testing
import TributaryJSON

@testable import WorkspaceServer

@Suite("Sessions of stored events and signals") struct StoredSessionsTests {
    private static func event(_ device: String, minute: Int64, _ sequence: Int64 = 1) -> StoredSessions.Record {
        StoredSessions.Record(
            .event, sequence: sequence, received: minute * 60_000,
            content: ["type": "track", "anonymousId": .string(device)])
    }

    private static func sessions(
        _ records: [StoredSessions.Record], most: Int = 200, mostRecords: Int = 5_000
    ) -> [[String]] {
        StoredSessions(records, most: most, mostRecords: mostRecords).sessions.map { session in
            session.map { "\($0.device)\($0.time / 60_000)" }
        }
    }

    @Test("The records of a device without a pause of 30 minutes are a session, in the order of time")
    func pause() {
        let records = [
            Self.event("a", minute: 30), Self.event("a", minute: 0), Self.event("b", minute: 10),
            Self.event("a", minute: 61), Self.event("b", minute: 20),
        ]
        // The session that ended first comes first.
        #expect(Self.sessions(records) == [["b10", "b20"], ["a0", "a30"], ["a61"]])
        #expect(Self.sessions(records.reversed()) == Self.sessions(records))
        #expect(Self.sessions([]) == [])
    }

    @Test("The newest sessions stay, each as a whole")
    func newest() {
        let records = (0..<10).map { Self.event("d\($0)", minute: Int64($0)) }
        #expect(Self.sessions(records, most: 2) == [["d88"], ["d99"]])
        let long = [Self.event("a", minute: 0), Self.event("a", minute: 1), Self.event("b", minute: 2)]
        #expect(Self.sessions(long, mostRecords: 2) == [["b2"]])
        #expect(Self.sessions(long, mostRecords: 3).count == 2)
    }

    @Test("The time of a record counts, else its arrival; a signal comes before an event of the same time")
    func times() {
        let timed = StoredSessions.Record(
            .event, sequence: 9, received: 0,
            content: ["type": "track", "anonymousId": "a", "timestamp": "1970-01-01T00:05:00.000Z"])
        #expect(timed.time == 300_000)
        let signal = StoredSessions.Record(
            .signal, sequence: 10, received: 300_000, content: ["type": "navigation", "anonymousId": "a"])
        #expect(StoredSessions([timed, signal], most: 9, mostRecords: 9).sessions == [[signal, timed]])
        let server = StoredSessions.Record(.event, sequence: 1, received: 0, content: ["type": "track", "userId": "u"])
        #expect(server.device == "u")
    }
}
