import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Times as clients send them") struct EventTimeTests {
    /// The JSON that a client sends, and the time that it means.
    private static let readable: [(sent: String, time: String)] = [
        (#""2026-11-01T10:00:00.123Z""#, "2026-11-01T10:00:00.123Z"),
        (#""2026-11-01T10:00:00Z""#, "2026-11-01T10:00:00.000Z"),
        (#""2026-11-01T10:00:00.123456789Z""#, "2026-11-01T10:00:00.123Z"),
        (#""2026-11-01T10:00:00,5Z""#, "2026-11-01T10:00:00.500Z"),
        (#""2026-11-01T10:00:00+01:00""#, "2026-11-01T09:00:00.000Z"),
        (#""2026-11-01T10:00:00-0130""#, "2026-11-01T11:30:00.000Z"),
        (#""2026-11-01T10:00:00+01""#, "2026-11-01T09:00:00.000Z"),
        (#""2026-11-01T10:00Z""#, "2026-11-01T10:00:00.000Z"),
        (#""2026-11-01T10:00""#, "2026-11-01T10:00:00.000Z"),
        (#""2026-11-01T10:00:00""#, "2026-11-01T10:00:00.000Z"),
        (#""2026-11-01T10:00:00.5""#, "2026-11-01T10:00:00.500Z"),
        (#""2026-11-01""#, "2026-11-01T00:00:00.000Z"),
        (#""2026/11/01""#, "2026-11-01T00:00:00.000Z"),
        (#""2026-11-01 10:00""#, "2026-11-01T10:00:00.000Z"),
        (#""2026-11-01 10:00:00""#, "2026-11-01T10:00:00.000Z"),
        (#""2026/11/01 10:00:00 UTC""#, "2026-11-01T10:00:00.000Z"),
        (#""2026-11-01 10:00:00 GMT""#, "2026-11-01T10:00:00.000Z"),
        (#""2026-11-01 10:00:00 +0100""#, "2026-11-01T09:00:00.000Z"),
        (#"" 2026-11-01T10:00:00Z\n""#, "2026-11-01T10:00:00.000Z"),
        (#""20261101T100000Z""#, "2026-11-01T10:00:00.000Z"),
        (#""20261101T100000.123Z""#, "2026-11-01T10:00:00.123Z"),
        (#""20261101t1000+0100""#, "2026-11-01T09:00:00.000Z"),
        (#""20261101T100000""#, "2026-11-01T10:00:00.000Z"),
        (#""Sun, 01 Nov 2026 10:00:00 GMT""#, "2026-11-01T10:00:00.000Z"),
        (#""sun, 1 nov 2026 10:00:00 UTC""#, "2026-11-01T10:00:00.000Z"),
        (#""1 Nov 2026 11:00 +0100""#, "2026-11-01T10:00:00.000Z"),
        ("1793527200", "2026-11-01T10:00:00.000Z"),
        (#""1793527200""#, "2026-11-01T10:00:00.000Z"),
        ("1793527200.25", "2026-11-01T10:00:00.250Z"),
        ("1.7935272E9", "2026-11-01T10:00:00.000Z"),
        ("1793527200123", "2026-11-01T10:00:00.123Z"),
        (#""1793527200123""#, "2026-11-01T10:00:00.123Z"),
        ("1793527200123.9", "2026-11-01T10:00:00.123Z"),
        ("100000000", "1973-03-03T09:46:40.000Z"),
    ]

    private static let unreadable = [
        #""""#, #"" ""#, #""now""#, #""2026""#, #""2026-11""#, #""2026-13-01""#, #""2026-02-29""#, #""01/11/2026""#,
        #""20/11/2026""#, #""11-01-2026""#, #""2026-11-01T""#, #""2026-11-01T10""#, #""2026-11-01T24:00:00Z""#,
        #""2026-11-01T10:60Z""#, #""2026-11-01T10:00:00 CET""#, #""2026-11-01T10:00:00+25:00""#,
        #""2026-11-01T10:00:00Zjunk""#, #""2026-11-01X10:00:00Z""#, #""2026-11-01T١٠:٠٠:٠٠Z""#,
        #""20261101T""#, #""20261101T10Z""#, #""20261101T10000Z""#, #""20261301T100000Z""#, #""20260229T100000Z""#,
        #""2026110T100000Z""#, #""20261101 100000Z""#, #""20261101T100000Zjunk""#, #""Sun, 31 Feb 2026 10:00:00 GMT""#,
        #""Son, 01 Nov 2026 10:00:00 GMT""#, #""01 Okt 2026 10:00:00 GMT""#, #""01 Nov 26 10:00:00 GMT""#,
        #""Sun, 01 Nov 2026 10:00:00""#, #""Sun, 01 Nov 2026 25:00:00 GMT""#, #""Sun, 01 Nov 2026 10:00:00 CET""#,
        #""2026-11-01T10:00:00Z\u0000""#, #""1793527200x""#, #""1793527200.""#, #"".5""#, #""1e9""#, #""NaN""#,
        #""0x6ae7f4e0""#, #""-1793527200""#, "0", "5", "-1793527200", "20261101", "99999999", "10000000000",
        "99999999999", "10000000000000", "1793527200123456", "1e400", "123456789012345678901234567890", "true", "null",
        "{}", "[1793527200]",
    ]

    @Test("Every form that clients of the field use is read", arguments: readable)
    func reads(sent: String, time: String) throws {
        let milliseconds = try #require(EventTime.milliseconds(JSON.parse(Array(sent.utf8))))
        #expect(ISO8601.string(milliseconds: milliseconds) == time)
    }

    @Test("Texts that are no time or an ambiguous time are refused", arguments: unreadable)
    func refuses(sent: String) throws {
        #expect(EventTime.milliseconds(try JSON.parse(Array(sent.utf8))) == nil)
    }

    @Test("A long text is refused without a look at its content")
    func limit() {
        let padding = String(repeating: " ", count: Limits.timeBytes - 20)
        #expect(EventTime.milliseconds("2026-11-01T10:00:00Z" + padding) != nil)
        #expect(EventTime.milliseconds("2026-11-01T10:00:00Z " + padding) == nil)
        #expect(EventTime.milliseconds(String(repeating: "1", count: 1 << 20)) == nil)
    }

    @Test("Every text is refused or read as a time that the protocol can write")
    func hostile() {
        var number: UInt64 = 22
        let pieces = [
            "2026", "-", "11", "/", "01", "T", " ", "10", ":", "00", ".", ",", "5", "Z", "+", "UTC", "é", "\0",
            "1793527200", "20261101", "Sun,", "Nov", "1000",
        ]
        for _ in 0..<20_000 {
            var text = ""
            for _ in 0..<Int(number >> 33) % 14 {
                number = number &* 6_364_136_223_846_793_005 &+ 1
                text += pieces[Int(number >> 33) % pieces.count]
            }
            number = number &* 6_364_136_223_846_793_005 &+ 1
            guard let time = EventTime.milliseconds(text) else { continue }
            #expect(ISO8601.milliseconds(ISO8601.string(milliseconds: time)) == time, "\(text)")
        }
    }

    @Test("An event with an unreadable time keeps its text, has a timeProblem and is counted")
    func event() async throws {
        let now = try #require(ISO8601.milliseconds("2026-11-21T01:10:00.000Z"))
        var environment = WorkspaceEnvironment.system
        environment.now = { now }
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let times: [JSON] = ["20/11/2026", 1_793_527_200, "2026-11-01", .null]
            try await workspace.client.batch(
                times.enumerated().map { index, time in
                    [
                        "type": "track", "event": "E", "userId": "u", "messageId": .string("m-\(index)"),
                        "timestamp": time,
                    ]
                })
            let events = try await workspace.client.events()
            #expect(events.map { $0["event"]?["timestamp"] } == times)
            #expect(
                events.map { $0["timestamp"] } == [
                    "2026-11-21T01:10:00.000Z", "2026-11-01T10:00:00.000Z", "2026-11-01T00:00:00.000Z",
                    "2026-11-21T01:10:00.000Z",
                ])
            #expect(
                events.map { $0["timeProblem"]?.stringValue } == [
                    #"timestamp is "20/11/2026", which is no time of a known form; the time of arrival stands for it"#,
                    nil, nil, nil,
                ])
            let metrics = try await workspace.client.get(
                "/metrics", headers: ["Authorization": "Bearer \(TestClient.token)"])
            #expect(metrics.text.contains("\ntributary_unreadable_times_total 1\n"))
        }
    }

    @Test("Queries accept the same forms of times")
    func query() throws {
        for text in ["2026-11-01T10:00:00Z", "2026-11-01T10:00", "1793527200", "1793527200000"] {
            #expect(try QueryReader(query: "since=\(text)").time("since") == 1_793_527_200_000, "\(text)")
        }
        #expect(try QueryReader(query: "since=0").time("since") == 0)
    }
}
