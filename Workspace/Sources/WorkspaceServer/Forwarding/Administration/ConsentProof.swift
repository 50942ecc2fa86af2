import Foundation
import GRDB
import TributaryJSON
import WorkspaceCore

/// Where events went and why: for each event and each destination of its source, by the event's own consent.
struct ConsentProof: Sendable {
    let store: Store
    let sources: SourceRegistry

    /// The outcome of an event for a destination, with the reason for people.
    enum Outcome: Sendable, Equatable {
        case sent
        /// It will be sent: it was not tried yet, or is tried again.
        case waiting(String, NotSentCause)
        case notSent(String, NotSentCause)

        var json: JSONObject {
            switch self {
            case .sent: ["state": "sent", "reason": .null, "cause": .null, "rule": .null]
            case .waiting(let reason, let cause): Self.json("waiting", reason, cause)
            case .notSent(let reason, let cause): Self.json("not sent", reason, cause)
            }
        }

        private static func json(_ state: String, _ reason: String, _ cause: NotSentCause) -> JSONObject {
            [
                "state": .string(state), "reason": .string(reason), "cause": .string(cause.name),
                "rule": .string(cause.rule),
            ]
        }
    }

    /// A destination, as far as this is about it.
    private struct Way {
        let destination: Destination
        let rules: ForwardingRules
        let position: Int64
        /// The events that it did not take at once, by their numbers.
        let undelivered: [Int64: Undelivered]
    }

    /// The events with their destinations, in the order in which they are given.
    /// - Parameter rows: of the list of events, newest first.
    func events(_ rows: [[UInt8]]) async throws -> [JSON] {
        let stored = try rows.map { try JSON.parse($0) }
        let numbers = stored.compactMap { $0["sequence"]?.intValue.map { Int64($0) } }
        var ways: [String: [Way]] = [:]
        for writeKey in Set(stored.compactMap { $0["writeKey"]?.stringValue }) {
            ways[writeKey] = try await self.ways(of: writeKey, numbers)
        }
        let decided = Self.decisionTimes(stored)
        return try zip(stored, decided).map { event, since in
            let destinations = try (ways[event["writeKey"]?.stringValue ?? ""] ?? []).map { way in
                try Self.json(way, event)
            }
            return Self.json(event, since: since, destinations)
        }
    }

    private func ways(of writeKey: String, _ numbers: [Int64]) async throws -> [Way] {
        guard let source = try? await sources.known(writeKey) else { return [] }
        var ways: [Way] = []
        for destination in try await store.destinations(of: source.id) {
            let figures = try await store.figures(of: destination.id)
            let undelivered = try await store.undelivered(of: destination.id, numbers)
            ways.append(
                Way(
                    destination: destination,
                    rules: ForwardingRules(
                        destination: destination.name, categories: destination.categories,
                        consent: source.policy.consent, routingRules: source.filters),
                    // Written together with the events that were not taken, so the two belong together.
                    position: figures.position, undelivered: undelivered))
        }
        return ways
    }

    private static func json(_ way: Way, _ event: JSON) throws -> JSON {
        var json = try outcome(way, event).json
        json["name"] = .string(way.destination.name)
        json["needs"] = .strings(way.destination.categories)
        // The rules may have been others when the event was dealt with.
        let received = event["receivedAt"]?.stringValue.flatMap { ISO8601.milliseconds($0) } ?? 0
        json["changedSince"] = .bool(way.destination.updatedAt > received)
        return .object(json)
    }

    private static func outcome(_ way: Way, _ event: JSON) throws -> Outcome {
        let sequence = Int64(event["sequence"]?.intValue ?? 0)
        if let reason = beforeReason(way.destination, event, sequence) { return .notSent(reason, .age) }
        if let waiting = way.undelivered[sequence] {
            let reason = waiting.reason ?? "it waits behind another event of the same user"
            guard waiting.deadAt == nil else { return .notSent("given up: \(reason)", .refused) }
            return .waiting(reason, way.destination.isEnabled ? .receiver : .paused)
        }
        if case .leaveOut(let reason) = way.rules.decide(event, sequence) {
            return .notSent(reason.text, NotSentCause(reason))
        }
        guard sequence > way.position else { return .sent }
        guard way.destination.isEnabled else { return .waiting("the destination is paused", .paused) }
        return .waiting("it was not tried yet", .queue)
    }

    /// A destination that does not begin from the start never gets events from before it was made.
    private static func beforeReason(_ destination: Destination, _ event: JSON, _ sequence: Int64) -> String? {
        if let beginsAfter = destination.beginsAfter {
            return sequence <= beginsAfter ? "the event came before the destination was made" : nil
        }
        let received = event["receivedAt"]?.stringValue.flatMap { ISO8601.milliseconds($0) } ?? 0
        guard received < destination.createdAt else { return nil }
        return
            "the event came before the destination was made; it was only sent if the destination began from the start"
    }

    private static func json(_ event: JSON, since: JSON?, _ destinations: [JSON]) -> JSON {
        var json = JSONObject()
        for name in [
            "sequence", "writeKey", "messageId", "type", "name", "userId", "anonymousId", "timestamp", "receivedAt",
        ] {
            json[name] = event[name] ?? .some(.null)
        }
        let consent = EventConsent(of: event["event"] ?? [:])
        json["consent"] = [
            "preferences": consent.preferences.map { .object(preferences($0)) } ?? .null,
            "globalPrivacyControl": .bool(consent.asksForPrivacy), "since": since ?? .null,
        ]
        json["destinations"] = .array(destinations)
        return .object(json)
    }

    private static func preferences(_ preferences: [String: Bool]) -> JSONObject {
        var json = JSONObject()
        for (name, value) in preferences.sorted(by: { $0.key < $1.key }) { json[name] = .bool(value) }
        return json
    }

    /// Since when the device says what each event says: the time of the oldest event in the list that, like all of the device
    /// between the two, says the same. Nil where the event says nothing.
    private static func decisionTimes(_ newestFirst: [JSON]) -> [JSON?] {
        var known: [String: (consent: EventConsent, since: JSON?)] = [:]
        var times: [JSON?] = []
        for event in newestFirst.reversed() {
            let consent = EventConsent(of: event["event"] ?? [:])
            let device = event["anonymousId"]?.stringValue ?? event["userId"]?.stringValue ?? ""
            guard consent.preferences != nil || consent.asksForPrivacy else {
                times.append(nil)
                continue
            }
            if known[device]?.consent != consent { known[device] = (consent, event["timestamp"]) }
            times.append(known[device]?.since)
        }
        return times.reversed()
    }
}

extension Store {
    /// The events that a destination did not take.
    fileprivate func undelivered(of destination: Int64, _ numbers: [Int64]) async throws -> [Int64: Undelivered] {
        guard let first = numbers.min(), let last = numbers.max() else { return [:] }
        let wanted = Set(numbers)
        return try await pool.read { db in
            let rows = try Self.undelivered(of: destination, in: first...last, db)
            return Dictionary(
                rows.filter { wanted.contains($0.sequence) }.map { ($0.sequence, $0) },
                uniquingKeysWith: { _, last in last })
        }
    }
}
