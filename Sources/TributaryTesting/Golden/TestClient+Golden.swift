public import Foundation
public import Tributary
import TributaryJSON

extension GoldenSessions {
    /// Reads a file.
    /// - Throws: ``GoldenFault`` that names the first line with a fault, or the error of the file system.
    public init(contentsOf url: URL) throws { try self.init([UInt8](try Data(contentsOf: url))) }
}

extension TestClient {
    /// Plays golden sessions through clients with the plugins of an app, and compares the results with those of the file.
    ///
    /// Each session has a client of its own, as a newly installed app. Each event goes through it as it was recorded, with its ids
    /// and its time, and is processed before the next one. Members that a client without plugins adds are not compared. Signals are
    /// left out: `tributary plugin test --against` plays them.
    ///
    /// ```swift
    /// let golden = try GoldenSessions(contentsOf: URL(fileURLWithPath: "golden.ndjson"))
    /// let review = try await TestClient.replay(golden) { $0.add(plugin: IdentifyDeduplication()) }
    /// try review.expectNoBrokenRule()
    /// ```
    /// - Parameters:
    ///   - golden: the sessions.
    ///   - configure: changes the configuration of each client. Default: it changes nothing.
    ///   - plugins: adds the plugins of the app to each client.
    /// - Returns: the differences.
    public static func replay(
        _ golden: GoldenSessions, configure: (Configuration) -> Void = { _ in },
        plugins: (Analytics) throws -> Void
    ) async throws -> GoldenReview {
        let added = await AddedMembers()
        var review = GoldenReview(plan: golden.plan)
        for session in golden.sessions {
            let client = TestClient(configure: configure)
            try plugins(client.analytics)
            var comparisons: [GoldenComparison] = []
            for record in session.records {
                guard case .event(let input) = record.input, let event = rawEvent(input) else { continue }
                let outcome = await client.outcome(of: event, added)
                let expected = added.removed(from: record.outcome, of: input)
                comparisons.append(GoldenComparison(before: expected, after: outcome))
            }
            review.add(session: comparisons)
            await client.shutdown()
        }
        return review
    }

    private func outcome(of event: any RawEvent, _ added: AddedMembers) async -> GoldenOutcome {
        await forget()
        analytics.process(event: event)
        var outcome = GoldenOutcome(after: nil)
        for result in await events() {
            // A plugin that makes an event gives it an id of its own.
            if outcome.after == nil, result.messageId == event.messageId {
                outcome.after = .object(result.json)
            } else {
                outcome.made.append(.object(result.json))
            }
        }
        return added.removed(from: outcome, of: .object(event.json))
    }

    private static func rawEvent(_ json: JSON) -> (any RawEvent)? {
        guard let json = json.objectValue else { return nil }
        return switch json["type"]?.stringValue {
        case "track": TrackEvent(json: json)
        case "identify": IdentifyEvent(json: json)
        case "screen", "page": ScreenEvent(json: json)
        case "group": GroupEvent(json: json)
        case "alias": AliasEvent(json: json)
        default: nil
        }
    }
}

/// The members that a client without plugins adds to an event.
private struct AddedMembers {
    private let members: Set<String>
    private let context: Set<String>

    init() async {
        let client = TestClient()
        client.analytics.process(event: TrackEvent(json: ["type": "track", "event": "Golden"]))
        let event = await client.events().first?.json ?? [:]
        members = Set(event.keys).subtracting(["type", "event"])
        context = Set(event["context"]?.objectValue?.keys ?? [])
        await client.shutdown()
    }

    /// The outcome without the members that the client added to the input.
    func removed(from outcome: GoldenOutcome, of input: JSON) -> GoldenOutcome {
        GoldenOutcome(after: outcome.after.map { removed(from: $0, of: input) }, made: outcome.made)
    }

    private func removed(from event: JSON, of input: JSON) -> JSON {
        guard var object = event.objectValue else { return event }
        if var inner = object["context"]?.objectValue {
            for key in context where input["context"]?[key] == nil { inner.removeValue(forKey: key) }
            object["context"] = inner.isEmpty ? nil : .object(inner)
        }
        for key in members where key != "context" && input[key] == nil { object.removeValue(forKey: key) }
        if object["context"] == [:] { object.removeValue(forKey: "context") }
        return .object(object)
    }
}

extension GoldenReview {
    /// Expects that no rule is broken.
    /// - Throws: ``GoldenDifference``.
    public func expectNoBrokenRule() throws {
        if !broken.isEmpty { throw GoldenDifference("no broken rule", self) }
    }

    /// Expects that no event differs.
    /// - Throws: ``GoldenDifference``.
    public func expectSame() throws {
        if !isSame { throw GoldenDifference("the same events as in the file", self) }
    }
}

/// The reason why golden sessions fail a test. Its description is the review.
public struct GoldenDifference: Error, Sendable, CustomStringConvertible {
    /// The expectation and the review.
    public let description: String

    init(_ expectation: String, _ review: GoldenReview) {
        description = "expected \(expectation)\n" + review.lines.joined(separator: "\n")
    }
}
