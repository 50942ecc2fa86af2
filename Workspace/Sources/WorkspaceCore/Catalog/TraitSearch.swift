import Foundation
import Synchronization
package import TributaryJSON

/// Finds people by what their identify events say of them: a mail address, a name.
///
/// It looks at the identify events, which an index finds, newest first, and ends when it has found enough. Nothing is prepared,
/// so an erased person is not found any more.
package struct TraitSearch: SteppingSearch {
    private var days: DayScan
    private let found: Found

    /// The result so far.
    private final class Found: Sendable {
        let people: Mutex<FoundPeople>

        init(_ people: FoundPeople) { self.people = Mutex(people) }
    }

    /// - Parameters:
    ///   - text: a part of a trait or of the id of the user.
    ///   - limit: how many people are wanted.
    ///   - query: the identify events of the source; its times are set here.
    package init(
        _ text: String, limit: Int, on days: ClosedRange<Day>, _ query: RowQuery, storage: any EventStorage,
        scans: Scans
    ) async throws {
        self.days = try await DayScan(query, days: days, storage: storage, scans: scans)
        found = Found(FoundPeople(text, limit: limit))
    }

    package mutating func step() async throws -> Bool {
        let goesOn = try await days.step { [found] rows in
            found.people.withLock { people in
                for row in rows { people.take(row.body, at: row.times?.received ?? 0) }
            }
        }
        return goesOn && !found.people.withLock { $0.isCut }
    }

    package var progress: JSON { days.progress(looked: found.people.withLock { $0.looked }) }

    package func part(limit: Int) -> JSON? { found.people.withLock { $0.json } }

    package func result(limit: Int) -> JSON { found.people.withLock { $0.json } }
}

/// The people that a search has found. A value that takes identify events, newest first.
struct FoundPeople {
    private let text: String
    /// The bytes that an event has to have to be read at all; empty when an event may write the text in another way.
    private let bytes: [UInt8]
    private let limit: Int
    private var known: Set<ExactText> = []
    private var people: [JSON] = []
    private(set) var looked = 0
    /// Whether there are more people than are wanted.
    private(set) var isCut = false

    init(_ text: String, limit: Int) {
        self.text = text.lowercased()
        self.limit = limit
        // JSON may write such signs in several ways.
        let isPlain = text.utf8.allSatisfy { 0x20..<0x7f ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        bytes = isPlain && !text.contains("/") ? Array(self.text.utf8) : []
    }

    mutating func take(_ event: [UInt8], at receivedAt: Int64) {
        looked += 1
        guard !isCut, mayHaveText(event), let event = try? JSON.parse(event) else { return }
        let user = event["userId"]?.stringValue ?? ""
        let device = event["anonymousId"]?.stringValue ?? ""
        let traits = event["traits"] ?? event["context"]?["traits"] ?? [:]
        guard has(.string(user), 0) || has(traits, 0) else { return }
        let key = user.isEmpty ? "d" + device : "u" + user
        guard !known.contains(ExactText(key)) else { return }
        guard people.count < limit else {
            isCut = true
            return
        }
        known.insert(ExactText(key))
        people.append([
            "userId": user.isEmpty ? .null : .string(user), "anonymousId": device.isEmpty ? .null : .string(device),
            "traits": traits, "seenAt": .time(receivedAt),
        ])
    }

    var json: JSON { ["people": .array(people), "isCut": .bool(isCut), "looked": .number(looked)] }

    /// Whether a value, or one in it, has the text.
    private func has(_ value: JSON, _ depth: Int) -> Bool {
        switch value {
        case .string(let value): return value.lowercased().contains(text)
        case .number: return String(decoding: value.encoded(), as: UTF8.self).contains(text)
        case .object(let object): return depth < Limits.traitDepth && object.contains { has($0.value, depth + 1) }
        case .array(let elements): return depth < Limits.traitDepth && elements.contains { has($0, depth + 1) }
        default: return false
        }
    }

    /// Passes an event that cannot have the text by its bytes, which costs little.
    private func mayHaveText(_ event: [UInt8]) -> Bool {
        guard let first = bytes.first else { return true }
        return event.withUnsafeBufferPointer { event in
            var place = 0
            while place < event.count {
                let byte = event[place]
                // The event may write each sign as a number.
                if byte == UInt8(ascii: "\\") { return true }
                if Self.small(byte) == first, place + bytes.count <= event.count,
                    bytes.indices.allSatisfy({ Self.small(event[place + $0]) == bytes[$0] })
                {
                    return true
                }
                // Some letters beyond ASCII become two when they are written small.
                if byte >= 0x80, byte != 0xc3, byte != 0xc2 { return true }
                place += 1
            }
            return false
        }
    }

    private static func small(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
