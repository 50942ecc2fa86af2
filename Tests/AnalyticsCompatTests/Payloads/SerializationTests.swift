import Foundation
import Testing

@testable import AnalyticsCompat

@Suite("Serialization")
struct SerializationTests {
    private struct Money: SegmentSerializable {
        func serializeToAppropriateType() -> Any { ["amount": 3, "currency": "EUR"] }
    }

    private struct Endless: SegmentSerializable {
        func serializeToAppropriateType() -> Any { self }
    }

    private final class Thing {}

    @Test("Dates, addresses, numbers, null and an app's own types have a JSON form")
    func forms() throws {
        var serialization = Serialization()
        let json = serialization.object(
            [
                "date": Date(timeIntervalSince1970: 0), "later": Date(timeIntervalSince1970: 713_100_724.335),
                "url": try #require(URL(string: "https://a.test/b")), "own": Money(), "null": NSNull(), "n": 1.5,
                "list": [1, "a", [true]] as [Any], "nested": ["own": Money()],
            ], at: "properties")
        #expect(
            json == [
                "date": "1970-01-01T00:00:00.000Z", "later": "1992-08-06T11:32:04.335Z", "url": "https://a.test/b",
                "own": ["amount": 3, "currency": "EUR"], "null": .null, "n": 1.5, "list": [1, "a", [true]],
                "nested": ["own": ["amount": 3, "currency": "EUR"]],
            ])
        #expect(serialization.problems.isEmpty)
    }

    @Test("Classes, tuples and endless values are left out at any place, and reported")
    func leftOut() {
        var serialization = Serialization()
        let json = serialization.object(
            [
                "a": ["b": [(1, 2), 2, Thing()]], "endless": Endless(), "kept": 1, "data": Data([255]),
                "slice": [1, Thing()][...],
            ], at: "p")
        #expect(json == ["a": ["b": [2]], "kept": 1, "data": "/w==", "slice": [1]])
        #expect(
            serialization.problems.map { $0.prefix { $0 != ":" } }.sorted() == [
                "p.a.b.0", "p.a.b.2", "p.endless", "p.slice.1",
            ])
    }

    @Test("A payload does not change with the dictionary that it was made of")
    func copies() {
        let list = NSMutableArray(array: [1])
        let payload = TrackPayload(event: "a", properties: ["list": list], context: [:], integrations: [:])
        list.add(2)
        #expect((payload.properties?["list"] as? [Any])?.count == 1)
    }
}
