import Foundation
import Testing
import TributaryJSON

@testable import AnalyticsLive

/// What JavaScript cannot hold and must come out as it went in.
@Suite struct EventRestorationTests {
    /// The text of an event's properties after a plugin with the given body.
    private func properties(_ text: String, after body: String) throws -> String? {
        let world = try LiveWorld(
            """
            class Change extends LivePlugin { track(event) { const p = event.properties; \(body); return event; } }
            analytics.add(new Change(LivePluginType.enrichment));
            """)
        let event = try JSON.parse(#"{"type":"track","event":"E","properties":\#(text)}"#)
        return world.enrich(event).event?["properties"]?.description
    }

    @Test(arguments: [
        "9007199254740993", "-9223372036854775808", "18446744073709551615", "1.50", "1e2", "1E400", "-0", "0.1e-7",
        "123456789012345678901234567890", "1.0",
    ])
    func numberThatIsLeftAloneKeepsItsText(number: String) throws {
        let text = #"{"n":\#(number),"in":[{"n":\#(number)}]}"#
        #expect(try properties(text, after: "p.other = 7.25") == text.dropLast() + #","other":7.25}"#)
        #expect(try properties(text, after: "p.n = p.n") == text)
    }

    @Test func numberThatIsCopiedOrMovedKeepsItsText() throws {
        #expect(
            try properties(#"{"id":9007199254740993,"x":1.50}"#, after: "p.copy = p.id; p.moved = [p.x]; delete p.x")
                == #"{"id":9007199254740993,"copy":9007199254740993,"moved":[1.50]}"#)
        #expect(
            try properties(#"{"ids":[9007199254740993,9007199254740995,5]}"#, after: "p.ids.shift()")
                == #"{"ids":[9007199254740995,5]}"#)
    }

    @Test func numberThatIsChangedIsTheScripts() throws {
        #expect(try properties(#"{"n":9007199254740993}"#, after: "p.n = 2") == #"{"n":2}"#)
        #expect(try properties(#"{"n":1.50}"#, after: "p.n += 1") == #"{"n":2.5}"#)
        #expect(try properties(#"{"n":1.50}"#, after: "p.n = null") == #"{"n":null}"#)
    }

    @Test func twoOriginalsThatLookAlikeAreToldApartByTheirPlace() throws {
        let text = #"{"a":9007199254740993,"b":9007199254740992}"#
        #expect(try properties(text, after: "p.c = 1") == #"{"a":9007199254740993,"b":9007199254740992,"c":1}"#)
        #expect(
            try properties(text, after: "p.c = p.a")
                == #"{"a":9007199254740993,"b":9007199254740992,"c":9007199254740992}"#)
    }

    @Test func numberThatWasMovedIsToldFromOneThatStayed() throws {
        #expect(
            try properties(#"{"a":9007199254740993,"b":9007199254740992}"#, after: "p.c = p.a; delete p.a")
                == #"{"b":9007199254740992,"c":9007199254740993}"#)
        #expect(
            try properties(#"{"a":9007199254740993,"b":[9007199254740992]}"#, after: "p.c = p.b; delete p.b")
                == #"{"a":9007199254740993,"c":[9007199254740992]}"#)
    }

    @Test func collisionIsTold() throws {
        let world = try LiveWorld(
            """
            class Copy extends LivePlugin { track(event) { const p = event.properties; p.c = p.a; return event; } }
            analytics.add(new Copy(LivePluginType.enrichment));
            """)
        let two = try JSON.parse(#"{"type":"track","properties":{"a":9007199254740993,"b":9007199254740992}}"#)
        #expect(world.enrich(two).collision == "9007199254740993 and 9007199254740992")
        let same = try JSON.parse(#"{"type":"track","properties":{"a":1.50,"b":1.5}}"#)
        #expect(world.enrich(same).collision == nil)
        let one = try JSON.parse(#"{"type":"track","properties":{"a":9007199254740993}}"#)
        #expect(world.enrich(one).collision == nil)
    }

    @Test func numberBeyondADoubleIsMovedAndCopied() throws {
        #expect(try properties(#"{"a":1E400}"#, after: "p.b = p.a; delete p.a") == #"{"b":1E400}"#)
        #expect(try properties(#"{"a":-1E400}"#, after: "p.b = [p.a]") == #"{"a":-1E400,"b":[-1E400]}"#)
        #expect(
            try properties(#"{"a":1E400,"b":-1E400}"#, after: "p.c = p.b; delete p.b") == #"{"a":1E400,"c":-1E400}"#)
        #expect(try properties(#"{"a":1}"#, after: "p.b = null") == #"{"a":1,"b":null}"#)
    }

    @Test func whatScriptsSendAndStoreIsExact() throws {
        let world = try LiveWorld(
            """
            class Send extends LivePlugin {
                track(event) {
                    analytics.track("Copy", { id: event.properties.id, nested: [event.properties] });
                    storage.setValue("id", event.properties.id);
                    event.properties.stored = storage.getValue("old");
                    event.properties.plan = analytics.traits.number;
                    return event;
                }
            }
            analytics.add(new Send(LivePluginType.enrichment));
            """)
        world.bridge.storage["old"] = try JSON.parse("9007199254740997")
        world.bridge.traits = try JSON.parse(#"{"number":9007199254740999}"#)
        let event = try JSON.parse(#"{"type":"track","event":"E","properties":{"id":9007199254740993}}"#)
        let text = world.enrich(event).event?["properties"]?.description
        #expect(text == #"{"id":9007199254740993,"stored":9007199254740997,"plan":9007199254740999}"#)
        #expect(
            world.bridge.calls.first?["properties"]?.description
                == #"{"id":9007199254740993,"nested":[{"id":9007199254740993}]}"#)
        #expect(world.bridge.storage["id"]?.description == "9007199254740993")
    }

    @Test func loneSurrogatesBecomeTheReplacementCharacter() throws {
        let after = try #require(try properties(#"{"a":"x\uD83Dy","b":"\u0000"}"#, after: #"p.c = "\uDC00" + p.a"#))
        let expected: JSON = ["a": "x\u{FFFD}y", "b": "\u{0}", "c": "\u{FFFD}x\u{FFFD}y"]
        #expect(try JSON.parse(after) == expected)
    }

    @Test func orderOfKeysIsKept() throws {
        let text = #"{"z":1,"10":2,"b":{"2":1,"1":2},"a":3}"#
        #expect(try properties(text, after: "p.n = 4") == text.dropLast() + #","n":4}"#)
        #expect(try properties(text, after: "delete p.b; p.b = 1") == #"{"z":1,"10":2,"b":1,"a":3}"#)
        #expect(try properties(#"{"c":1,"b":2,"a":3}"#, after: "delete p.b; p.b = 1") == #"{"c":1,"a":3,"b":1}"#)
    }

    @Test func strangeKeysAndTextsSurvive() throws {
        let text = #"{"__proto__":{"a":1},"constructor":2,"":3,"\u0000":"\u0000\u2028","ü":"👩‍👧"}"#
        let parsed = try JSON.parse(text)
        let after = try #require(try properties(text, after: "p.n = 1"))
        var expected = parsed
        expected["n"] = 1
        #expect(try JSON.parse(after) == expected)
    }

    @Test func withoutAChangeTheEventIsTheSame() throws {
        let text = #"{"a":1.50,"2":1,"1":1E400}"#
        #expect(try properties(text, after: "") == text)
    }
}
