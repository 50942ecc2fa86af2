import Testing
import TributaryJSON
import TributaryTesting

@Suite("Files of golden sessions")
struct GoldenSessionsTests {
    private static let head =
        #"{"tributaryGolden":1,"version":7,"plan":[{"type":"track","name":"Paid"},{"type":"group"}]}"#

    private static func read(_ lines: String...) throws -> GoldenSessions {
        try GoldenSessions(Array(lines.joined(separator: "\n").utf8))
    }

    @Test("A file has sessions with events and signals, and what is left out is as without plugins")
    func read() throws {
        let golden = try Self.read(
            Self.head, #"{"session":"a","event":{"type":"track","event":"Paid"}}"#, "",
            #"{"session":"a","event":{"type":"track","event":"Seen"},"after":null,"made":[{"type":"group"}]}"# + "\r",
            #"{"session":"b","signal":{"type":"navigation"},"made":[{"type":"screen","name":"Home"}]}"#)
        #expect(golden.version == 7)
        #expect(golden.plan == [GoldenEventName(type: "track", name: "Paid"), GoldenEventName(type: "group")])
        #expect(golden.sessions.map(\.name) == ["a", "b"])
        let paid: JSON = ["type": "track", "event": "Paid"]
        #expect(golden.sessions[0].records[0] == GoldenRecord(.event(paid)))
        #expect(golden.sessions[0].records[0].outcome == GoldenOutcome(after: paid))
        #expect(golden.sessions[0].records[1].outcome == GoldenOutcome(after: nil, made: [["type": "group"]]))
        #expect(golden.sessions[1].records[0].input == .signal(["type": "navigation"]))
        #expect(golden.sessions[1].records[0].outcome.made == [["type": "screen", "name": "Home"]])
    }

    @Test("A file comes out as it went in, with large numbers and unusual texts")
    func written() throws {
        let golden = GoldenSessions(
            plan: [GoldenEventName(type: "track", name: "\u{1F389} \"x\"\n")],
            sessions: [
                GoldenSession(
                    name: "\u{202E}",
                    records: [
                        GoldenRecord(
                            .event(["type": "track", "n": 9_007_199_254_740_993]),
                            outcome: GoldenOutcome(after: nil, made: [["type": "track"]])),
                        GoldenRecord(.signal(["type": "x"])),
                    ])
            ])
        let again = try GoldenSessions(golden.encoded)
        #expect(again == golden)
        #expect(again.encoded == golden.encoded)
    }

    @Test(
        "A fault names its line and what is wrong",
        arguments: [
            (["{"], 1, "not JSON"), (["[]"], 1, "object"), (["{}"], 1, "tributaryGolden"),
            ([#"{"tributaryGolden":2}"#], 1, "version 2"), ([#"{"tributaryGolden":1,"x":1}"#], 1, "\"x\""),
            ([#"{"tributaryGolden":1,"plan":{}}"#], 1, "plan"), ([#"{"tributaryGolden":1,"plan":[1]}"#], 1, "plan[0]"),
            ([#"{"tributaryGolden":1,"version":"7"}"#], 1, "version"),
            ([head, #"{"event":{"type":"track"}}"#], 2, "session"),
            ([head, #"{"session":"","event":{"type":"track"}}"#], 2, "session"),
            ([head, "", #"{"session":"a","event":{}}"#], 3, "type"),
            ([head, #"{"session":"a"}"#], 2, "event or a signal"),
            ([head, #"{"session":"a","event":{"type":"x"},"signal":{"type":"x"}}"#], 2, "event or a signal"),
            ([head, #"{"session":"a","signal":{"type":"x"},"after":null}"#], 2, "no after"),
            ([head, #"{"session":"a","event":{"type":"x"},"after":1}"#], 2, "after"),
            ([head, #"{"session":"a","event":{"type":"x"},"made":[1]}"#], 2, "made"),
            ([head, #"{"session":"a","event":{"type":"x"},"evnt":1}"#], 2, "\"evnt\""),
            (
                [head] + ["a", "b", "a"].map { #"{"session":"\#($0)","event":{"type":"x"}}"# }, 4, "between"
            ),
        ] as [([String], Int, String)])
    func faults(_ lines: [String], _ line: Int, _ words: String) throws {
        let fault = try #require(throws: GoldenFault.self) {
            try GoldenSessions(Array(lines.joined(separator: "\n").utf8))
        }
        #expect(fault.line == line)
        #expect(fault.message.contains(words), "\(fault)")
    }

    @Test("An empty file, and bytes that are no text, are faults")
    func noFile() {
        #expect(throws: GoldenFault.self) { try GoldenSessions([]) }
        #expect(throws: GoldenFault.self) { try GoldenSessions([0xFF, 0xFE, 0x0A, 0x00]) }
        #expect(throws: GoldenFault.self) { try GoldenSessions(Array(repeating: UInt8(ascii: "\n"), count: 100)) }
    }

    @Test("A file beyond a limit is refused: sessions, records, bytes of a line, depth, made events")
    func limits() {
        let event = #""event":{"type":"x"}"#
        func refuses(_ lines: [String], _ words: String) {
            let bytes = Array((["{\"tributaryGolden\":1}"] + lines).joined(separator: "\n").utf8)
            do {
                _ = try GoldenSessions(bytes)
                Issue.record("\(words) is no limit")
            } catch { #expect(error.message.contains(words), "\(error)") }
        }
        refuses((0...GoldenSessions.Limits.sessions).map { #"{"session":"\#($0)",\#(event)}"# }, "sessions")
        refuses(
            Array(repeating: #"{"session":"a",\#(event)}"#, count: GoldenSessions.Limits.records + 1),
            "events and signals")
        refuses([String(repeating: " ", count: GoldenSessions.Limits.lineBytes + 1)], "bytes")
        let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        refuses([#"{"session":"a","event":{"type":"x","d":\#(deep)}}"#], "JSON")
        let made = Array(repeating: #"{"type":"x"}"#, count: GoldenSessions.Limits.madeEvents + 1).joined(
            separator: ",")
        refuses([#"{"session":"a",\#(event),"made":[\#(made)]}"#], "made")
        refuses([#"{"session":"\#(String(repeating: "a", count: 201))",\#(event)}"#], "session")
    }

    @Test("Any cut and any changed byte of a file is read or is a fault with a line", arguments: 0..<8)
    func damaged(_ seed: UInt64) throws {
        let text = [
            Self.head, #"{"session":"a","event":{"type":"track","event":"Paid","properties":{"n":1.50}},"after":null}"#,
            #"{"session":"b","signal":{"type":"navigation"},"made":[{"type":"screen","name":"Home"}]}"#,
        ].joined(separator: "\n")
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func next(_ bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(bound))
        }
        for _ in 0..<300 {
            var bytes = Array(text.utf8)
            if next(2) == 0 { bytes.removeLast(next(bytes.count)) }
            if !bytes.isEmpty { bytes[next(bytes.count)] = UInt8(next(256)) }
            do {
                let golden = try GoldenSessions(bytes)
                #expect(try GoldenSessions(golden.encoded) == golden, "seed \(seed)")
            } catch {
                #expect((1...5).contains(error.line ?? 1), "seed \(seed): \(error)")
            }
        }
    }
}
