import Foundation
import Testing
import TributaryJSON
import TributaryScript

@testable import AnalyticsLive

/// Values that JavaScript cannot hold must leave scripts unchanged.
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

    @Test(
        "A number that a script leaves alone keeps its spelling",
        arguments: [
            "9007199254740993", "-9223372036854775808", "18446744073709551615", "1.50", "1e2", "1E400", "-0", "0.1e-7",
            "123456789012345678901234567890", "1.0",
        ])
    func unchangedNumbers(number: String) throws {
        let text = #"{"n":\#(number),"in":[{"n":\#(number)}]}"#
        #expect(try properties(text, after: "p.other = 7.25") == text.dropLast() + #","other":7.25}"#)
        #expect(try properties(text, after: "p.n = p.n") == text)
    }

    @Test("A number that a script copies or moves keeps its spelling")
    func copiedNumbers() throws {
        #expect(
            try properties(#"{"id":9007199254740993,"x":1.50}"#, after: "p.copy = p.id; p.moved = [p.x]; delete p.x")
                == #"{"id":9007199254740993,"copy":9007199254740993,"moved":[1.50]}"#)
        #expect(
            try properties(#"{"ids":[9007199254740993,9007199254740995,5]}"#, after: "p.ids.shift()")
                == #"{"ids":[9007199254740995,5]}"#)
    }

    @Test("A number that a script changes has the script's value")
    func changedNumbers() throws {
        #expect(try properties(#"{"n":9007199254740993}"#, after: "p.n = 2") == #"{"n":2}"#)
        #expect(try properties(#"{"n":1.50}"#, after: "p.n += 1") == #"{"n":2.5}"#)
        #expect(try properties(#"{"n":1.50}"#, after: "p.n = null") == #"{"n":null}"#)
    }

    @Test("Two numbers that are equal in JavaScript keep their digits in their places")
    func equalNumbers() throws {
        let text = #"{"a":9007199254740993,"b":9007199254740992}"#
        #expect(try properties(text, after: "p.c = 1") == #"{"a":9007199254740993,"b":9007199254740992,"c":1}"#)
        #expect(
            try properties(text, after: "p.c = p.a")
                == #"{"a":9007199254740993,"b":9007199254740992,"c":9007199254740992}"#)
    }

    @Test("A moved number keeps its digits when an equal number of JavaScript stayed")
    func movedNumbers() throws {
        #expect(
            try properties(#"{"a":9007199254740993,"b":9007199254740992}"#, after: "p.c = p.a; delete p.a")
                == #"{"b":9007199254740992,"c":9007199254740993}"#)
        #expect(
            try properties(#"{"a":9007199254740993,"b":[9007199254740992]}"#, after: "p.c = p.b; delete p.b")
                == #"{"a":9007199254740993,"c":[9007199254740992]}"#)
    }

    @Test("A copied number that could be either of two originals is reported as a collision")
    func collisions() throws {
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

    @Test("A number beyond a double can be moved and copied")
    func hugeNumbers() throws {
        #expect(try properties(#"{"a":1E400}"#, after: "p.b = p.a; delete p.a") == #"{"b":1E400}"#)
        #expect(try properties(#"{"a":-1E400}"#, after: "p.b = [p.a]") == #"{"a":-1E400,"b":[-1E400]}"#)
        #expect(
            try properties(#"{"a":1E400,"b":-1E400}"#, after: "p.c = p.b; delete p.b") == #"{"a":1E400,"c":-1E400}"#)
        #expect(try properties(#"{"a":1}"#, after: "p.b = null") == #"{"a":1,"b":null}"#)
    }

    @Test("Numbers that scripts track, store and read are exact")
    func sentAndStored() throws {
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

    @Test("Lone surrogates in a script's texts become the replacement character")
    func loneSurrogates() throws {
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

    @Test("Strange keys and texts pass scripts without a change")
    func strangeKeys() throws {
        let text = #"{"__proto__":{"a":1},"constructor":2,"":3,"\u0000":"\u0000\u2028","ü":"👩‍👧"}"#
        let parsed = try JSON.parse(text)
        let after = try #require(try properties(text, after: "p.n = 1"))
        var expected = parsed
        expected["n"] = 1
        #expect(try JSON.parse(after) == expected)
    }

    /// Most events are passed on without a look at their numbers. The result must be the same as with the look.
    @Test("Events that pass without a look at their numbers are the same as with the look")
    func quickPath() throws {
        let engine = try ScriptEngine()
        let change = try engine.function(Self.changing, name: "changing.js")
        var (untouched, plain, searched) = (0, 0, 0)
        for seed in 1...4_000 {
            let texts = try #require(try engine.call(change, [.number(Double(seed))]).text).split(separator: "\n")
            let original = try JSON.parse(String(texts[0]))
            let read = try Array(texts[1].utf8).withUnsafeBytes { bytes in
                try JSON.parse(bytes, like: original)
            }
            let quick = EventRestoration.restore(read, from: original, remembered: [])
            let whole = EventRestoration.restore(read.value, from: original)
            #expect("\(quick.value)" == "\(whole.value)", "\(texts)")
            #expect(quick.collision == whole.collision, "\(texts)")
            if !read.hasNewNumbers {
                untouched += 1
            } else if original.hasOnlyPlainNumbers {
                plain += 1
            } else {
                searched += 1
            }
        }
        #expect(untouched > 200 && plain > 200 && searched > 200, "\(untouched) \(plain) \(searched)")
    }

    /// Makes the text of an event out of a number, and changes the event; returns both texts.
    private static let changing = """
        (seed) => {
            const random = (below) => {
                seed = (seed * 1103515245 + 12345) % 2147483648;
                return Math.floor(seed / 2147483648 * below);
            };
            const plain = ["0", "1", "-7", "59.9", "-0.25", "1234567890123", "0.001", "9007199254740992"];
            const strange = ["9007199254740993", "1.50", "1e2", "1E400", "-0", "0.00001", "18446744073709551615", "2.0"];
            const numbers = random(2) ? plain : plain.concat(strange);
            const keys = ["a", "b", "key", "2", "1", "nested", "list"];
            const pick = (list) => list[random(list.length)];
            const value = (depth) => {
                switch (random(depth > 7 ? 4 : 7)) {
                case 0: return "null";
                case 1: return '"text"';
                case 2: case 3: return pick(numbers);
                case 4: return "[" + Array.from({ length: random(3) }, () => value(depth + 1)).join() + "]";
                default: return object(depth);
                }
            };
            const object = (depth) => {
                const chosen = keys.filter(() => random(2));
                return "{" + chosen.map((key) => '"' + key + '":' + value(depth + 1)).join() + "}";
            };
            const text = object(0);
            const event = JSON.parse(text);
            for (let count = random(4); count > 0; count--) {
                let place = event;
                for (let depth = random(9); depth > 0; depth--) {
                    const inner = Object.values(place).filter((value) => typeof value === "object" && value !== null);
                    if (inner.length > 0) place = pick(inner);
                }
                const from = pick(Object.keys(place).concat("none"));
                switch (random(5)) {
                case 0: delete place[from]; break;
                case 1: place[pick(keys)] = place[from]; break;
                case 2: event.copy = place[from]; delete place[from]; break;
                case 3: place[from] = pick([1, 59.9, null, "text", 9007199254740992]); break;
                default: place.text = "text";
                }
            }
            return text + "\\n" + JSON.stringify(event);
        }
        """

    @Test("Plain numbers are those that JavaScript writes with the same spelling")
    func plainNumbers() throws {
        let engine = try ScriptEngine()
        let again = try engine.function("(text) => JSON.stringify(JSON.parse(text))", name: "again.js")
        let digits = ["0", "1", "5", "9", "10", "25", "100", "999999999999999", "123456789012345", "9007199254740992"]
        var numbers = digits + ["9007199254740993", "18446744073709551615", "1e5", "1E400", "-0", "0.0"]
        for whole in digits {
            for fraction in ["0", "1", "50", "05", "001", "0001", "00001", "0000001", "99999", "123456789"] {
                numbers.append("\(whole).\(fraction)")
            }
        }
        var plain = 0
        for number in numbers + numbers.map({ "-" + $0 }) where !number.hasPrefix("--") {
            let written = try engine.call(again, [.string(number)]).text
            let parsed = try JSON.parse(number)
            if parsed.hasOnlyPlainNumbers {
                plain += 1
                #expect(written == number)
            }
            if let double = parsed.doubleValue.flatMap({ JSONNumber($0) }), JSON.number(double).hasOnlyPlainNumbers {
                #expect(written == double.description)
            }
        }
        #expect(plain > numbers.count / 2)
        #expect(!JSON.array([["a": ["b", .number(JSONNumber(9_007_199_254_740_993))]]]).hasOnlyPlainNumbers)
    }

    @Test("An event that no script changes has the same text")
    func unchangedEvent() throws {
        let text = #"{"a":1.50,"2":1,"1":1E400}"#
        #expect(try properties(text, after: "") == text)
    }
}
