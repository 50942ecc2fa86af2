import Testing
import TributaryJSON

@testable import TributaryCommand

@Suite("Sentences about what apps allow to scripts") struct RestrictionTextTests {
    private static func app(_ change: (inout JSON) -> Void) -> JSON {
        var app: JSON = [
            "versions": ["5.1.0"], "devices": 38, "allows": ["rename"], "isCut": false, "events": 200, "complete": true,
            "different": 0, "unchanged": 0, "unseen": 0, "refused": [], "refusedAtStart": [], "lacksSignals": false,
            "fault": .null, "untried": .null,
        ]
        change(&app)
        return app
    }

    private static func lines(_ change: (inout JSON) -> Void) -> [String] {
        RestrictionText(["devices": 100, "apps": [app(change)]]).lines
    }

    @Test("A refused change is named with its version, share and events") func refused() {
        let lines = Self.lines { app in
            app["refused"] = [
                ["action": "change properties.price", "events": 120, "unchanged": 120],
                ["action": "drop Debug\u{1B}", "events": 3, "unchanged": 1],
            ]
        }
        #expect(
            lines.first
                == "in app 5.1.0 (38 % of devices) scripts may not change properties.price: 120 of 200 events would stay as they are"
        )
        #expect(lines.last?.hasSuffix("3 of 200 events would go on without that") == true)
        #expect(!lines.contains { $0.contains("\u{1B}") })
    }

    @Test("The other differences have a sentence each, and no difference has none") func others() {
        #expect(Self.lines { _ in } == [])
        #expect(RestrictionText([:]).lines == [])
        let prefix = "in app 5.1.0 (38 % of devices)"
        #expect(Self.lines { $0["fault"] = "broken" } == ["\(prefix) it would not run: broken"])
        #expect(Self.lines { $0["untried"] = "too long" } == ["\(prefix) it was not tried: too long"])
        #expect(
            Self.lines { $0["lacksSignals"] = true } == [
                "\(prefix) scripts get no signals, so processSignal would make no events"
            ])
        #expect(
            Self.lines { $0["unseen"] = 12 } == [
                "\(prefix) scripts do not see all that they read: 12 of 200 events would come out differently"
            ])
        #expect(
            Self.lines { $0["refusedAtStart"] = ["store values"] } == [
                "\(prefix) scripts may not store values at their start"
            ])
        #expect(Self.lines { $0["complete"] = false } == ["\(prefix) only 200 events could be tried in the time"])
        let many = Self.lines { app in
            app["refused"] = .array((0..<8).map { ["action": .string("drop \($0)"), "events": 1, "unchanged": 0] })
        }
        #expect(many.last == "\(prefix) there are 3 more such actions")
    }

    @Test("Versions are joined, and a small share is not none") func places() {
        let answer = RestrictionText([
            "devices": 1000,
            "apps": [
                Self.app { app in
                    app["versions"] = ["5.1.0", .null]
                    app["devices"] = 1
                    app["unseen"] = 1
                }
            ],
        ])
        #expect(answer.lines.first?.hasPrefix("in app 5.1.0, without a version (below 1 % of devices) ") == true)
    }
}
