import Testing
import Tributary

@testable import Storefront

@Suite struct RecordedEventTests {
    private let good: JSON = [
        "type": "track", "event": "Change Committed", "messageId": "m-1", "userId": "u",
        "timestamp": "2014-06-24T18:18:32.000Z", "properties": ["churn": 1], "extra": ["kept": true],
    ]

    @Test("A recorded event keeps all its members")
    func keepsMembers() throws {
        #expect(try JSON.object(RecordedEvent.event(good, size: 100).json) == good)
    }

    @Test(
        "Events of types other than track need no event name",
        arguments: ["identify", "screen", "page", "group", "alias"])
    func optionalName(_ type: String) throws {
        var event = good
        event["type"] = .string(type)
        event["event"] = nil
        #expect(try RecordedEvent.event(event, size: 100).type == type)
    }

    @Test("The refusal of a recorded event names the mistake")
    func namesMistakes() {
        let mistakes: [(String, JSON?, String)] = [
            ("type", nil, #""type" is missing"#),
            ("type", "sell", #"there are no events of type "sell""#),
            ("event", "", #"a track event has an "event" that is not empty"#),
            ("userId", nil, #"there is neither a "userId" nor an "anonymousId""#),
            ("userId", 7, #"there is neither a "userId" nor an "anonymousId""#),
            ("messageId", "", #""messageId" is a text of 1 to 99 bytes"#),
            ("messageId", .string(String(repeating: "m", count: 100)), #""messageId" is a text of 1 to 99 bytes"#),
            ("timestamp", "yesterday", #""timestamp" is no time of ISO 8601"#),
        ]
        for (key, value, reason) in mistakes {
            var event = good
            event[key] = value
            #expect(throws: InputProblem(reason)) { try RecordedEvent.event(event, size: 100) }
        }
        #expect(throws: InputProblem("an event is a JSON object")) { try RecordedEvent.event([], size: 2) }
        #expect(throws: InputProblem("the event has 32769 bytes, servers take 32768")) {
            try RecordedEvent.event(good, size: 32_769)
        }
    }
}
