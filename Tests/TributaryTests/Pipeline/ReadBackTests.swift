import Foundation
import TestSupport
import Testing
import TributaryJournal

@testable import Tributary

/// The pipeline gets an event from memory when it is close behind the call, and reads the event from disk otherwise.
@Suite("Events that the pipeline takes from memory or reads back from disk")
struct ReadBackTests {
    private enum Way { case recent, readBack }

    private struct Order: Encodable {
        var id: Int
        var total: Double
        var ratio: Float
        var note: String?
        var when: Date
        var lines: [[String: Int]]
    }

    /// Asks every number what it is, so that two forms of one number that answer differently are noticed.
    private final class Asker: Plugin {
        let type = PluginType.enrichment
        weak var analytics: Analytics?

        func execute(event: BaseEvent) -> BaseEvent? {
            guard var event = event as? TrackEvent, let properties = event.properties?.objectValue else { return event }
            var answers = JSONObject()
            for (key, value) in properties { answers[key] = answer(value) }
            event.json["answers"] = .object(answers)
            event.json["isEqual"] = .bool(event.properties == (try? JSON.parse(JSON.object(properties).encoded())))
            return event
        }

        private func answer(_ value: JSON) -> JSON {
            switch value {
            case .number(let number):
                let integers = "\(String(describing: number.int64)) \(String(describing: number.uint64))"
                return .string("\(number) \(integers) \(number.double)")
            case .string(let text): return .string("\(text.utf8.count) \(text.uppercased())")
            case .array(let elements): return .array(elements.map(answer))
            case .object(let object): return .array(object.map { .array([.string($0.key), answer($0.value)]) })
            case .null, .bool: return value
            }
        }
    }

    private static func string(_ random: inout SeededRandom) -> String {
        let pieces = [
            "a", "Key", "\"", "\\", "\n", "\u{1}", "é", "e\u{301}", "😀", "\u{7F}", "0123456789", " ", "/", "",
        ]
        return (0..<Int.random(in: 0...4, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
    }

    private static func value(_ random: inout SeededRandom, depth: Int) -> Any {
        let bits = UInt64.random(in: .min ... .max, using: &random)
        switch Int.random(in: 0..<(depth < 3 ? 15 : 12), using: &random) {
        case 0: return Int(truncatingIfNeeded: bits)
        case 1: return UInt64.max - bits % 3
        case 2: return Int64.min
        case 3: return Double(bitPattern: bits)
        case 4:
            return [0.1, -0.0, 1e300, Double.leastNonzeroMagnitude, 0x1p62, -0x1p63, 0x1p64, .nan, .infinity][
                Int(bits % 9)]
        case 5: return Double(Int(bits % 2000)) / 8
        case 6: return Float(bitPattern: UInt32(truncatingIfNeeded: bits))
        case 7: return Decimal(string: ["1.50", "18446744073709551615", "-0.000001", "1e30"][Int(bits % 4)]) ?? 0
        case 8: return bits % 2 == 0
        case 9: return NSNull()
        case 10: return Date(timeIntervalSince1970: Double(bits % 4_000_000_000) / 3)
        case 11: return string(&random)
        case 12: return (0..<Int(bits % 4)).map { _ in value(&random, depth: depth + 1) }
        default: return dictionary(&random, depth: depth + 1)
        }
    }

    private static func dictionary(_ random: inout SeededRandom, depth: Int = 0) -> [String: Any] {
        var result: [String: Any] = [:]
        for _ in 0..<Int.random(in: 0...6, using: &random) { result[string(&random)] = value(&random, depth: depth) }
        return result
    }

    private static let recorded = [
        #"{"type":"track","event":"R","properties":{"a":1.50,"b":1e400,"c":-0,"d":1E5,"a":2.0,"e":0.10000000000000000001}}"#,
        #"{"type":"page","name":"P","properties":{"n":1234567890123456789012345678901234567890,"\u0061":1,"a":2}}"#,
        #"{"context":{"os":{"name":"own"},"é":1,"e\u0301":2},"type":"group","groupId":"g","messageId":"m-1"}"#,
    ]

    private func makeCalls(_ client: Client) throws {
        let analytics = client.analytics
        var random = SeededRandom(state: 20_261_121)
        for number in 0..<150 {
            analytics.track(name: "E\(number)", properties: Self.dictionary(&random))
            if number % 10 == 0 {
                analytics.identify(userId: "u\(number)", traits: Self.dictionary(&random))
                let order = Order(
                    id: number, total: Double(number) / 7, ratio: 0.1, note: number % 20 == 0 ? nil : "n\"",
                    when: Date(timeIntervalSince1970: Double(number)), lines: [["b": 1, "a": number]])
                analytics.track(name: "Order", properties: order)
            }
            if number % 25 == 0 {
                analytics.alias(newId: "n\(number)")
                analytics.track(name: "C", properties: [:], enrichments: [{ $0 }])
                analytics.screen(title: "S", category: "c", properties: Self.dictionary(&random))
            }
        }
        for text in Self.recorded {
            let object = try #require(try JSON.parse(text).objectValue)
            analytics.process(event: try #require(EventParser.event(object)))
        }
    }

    /// The records of the outbox, and the number of events that came from memory.
    private func outbox(_ way: Way) async throws -> (payloads: [[UInt8]], recent: Int) {
        let folder = try TemporaryFolder()
        let server = TestServer()
        server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        if way == .readBack { server.silenceSettings() }
        let ids = LockBox(0)
        let client = Client(server: server, folder: folder.url) { configuration in
            configuration.flushAt(.max).flushInterval(0).identifiers(
                Identifiers(next: {
                    ids.withLock { id in
                        id += 1
                        return "id-\(id)"
                    }
                }))
        }
        client.analytics.add(plugin: Asker())
        // More events than memory lends at once: until they were read back, no other event comes from memory.
        let filler = String(repeating: "x", count: Limits.recentEventBytes)
        client.analytics.track(name: "Large", properties: ["filler": filler])
        client.begin()
        if way == .recent { await client.processed() } else { client.begin() }
        try makeCalls(client)
        if way == .readBack { client.time.advance(by: 60) }
        await client.processed()
        let outbox = client.analytics.outbox
        let records = outbox.read(after: outbox.start, maxBytes: .max, maxCount: .max).records
        let recent = client.analytics.eventQueue.recentEvents.taken
        await client.ended()
        return (records.map(\.payload), recent)
    }

    @Test("Events from memory and from disk give the same bytes in the outbox")
    func sameBytes() async throws {
        let recent = try await outbox(.recent)
        let readBack = try await outbox(.readBack)
        #expect(readBack.payloads.count > 180)
        #expect(readBack.recent == 0)
        #expect(recent.recent > readBack.payloads.count / 2)
        for (left, right) in zip(recent.payloads, readBack.payloads) where left != right {
            Issue.record("\(String(decoding: left, as: UTF8.self)) is not \(String(decoding: right, as: UTF8.self))")
        }
        #expect(recent.payloads.count == readBack.payloads.count)
        #expect(!readBack.payloads.contains { String(decoding: $0, as: UTF8.self).contains(#""isEqual":false"#) })
    }

    @Test("Events from memory and from disk keep the order of each thread")
    func contention() async throws {
        let folder = try TemporaryFolder()
        let client = Client(folder: folder.url)
        await client.processed()
        let group = DispatchGroup()
        for thread in 0..<64 {
            group.enter()
            Thread {
                for number in 0..<40 { client.analytics.track(name: "\(thread) \(number)") }
                group.leave()
            }.start()
        }
        await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
        #expect(await client.flushed() == .sent)
        let arrived = client.server.names.map { $0.split(separator: " ").compactMap { Int($0) } }
        #expect(arrived.count == 64 * 40)
        for thread in 0..<64 {
            #expect(arrived.filter { $0[0] == thread }.map { $0[1] } == Array(0..<40))
        }
        await client.ended()
    }
}

/// The same numbers on every run.
private struct SeededRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
