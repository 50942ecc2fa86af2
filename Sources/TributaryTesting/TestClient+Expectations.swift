public import Tributary
public import TributaryJSON

extension TestClient {
    /// Expects a track event with that name and at least these properties.
    /// - Parameters:
    ///   - name: the whole name.
    ///   - properties: members that it must have. Other members do not matter. Default: none.
    ///   - times: the number of such events. Default: at least one.
    /// - Returns: the first such event.
    /// - Throws: ``ExpectationFailure``.
    @discardableResult
    public func expectTracked(
        _ name: String, with properties: JSONObject = [:], times: Int? = nil
    ) async throws -> TrackEvent? {
        let events = await events()
        let matches = try Expectation(what: "track \"\(name)\"", members: properties, times: times, recorded: events)
            .check(events.tracked(name)) { $0.properties }
        return matches.first
    }

    /// Expects no track event with that name.
    /// - Throws: ``ExpectationFailure``.
    public func expectNotTracked(_ name: String) async throws {
        try await expectTracked(name, times: 0)
    }

    /// Expects these track events in this order, and no others.
    /// - Throws: ``ExpectationFailure``.
    public func expectTracked(inOrder names: [String]) async throws {
        let events = await events()
        guard events.names == names else {
            throw ExpectationFailure(
                "the track events \(names)", differences: ["they are \(events.names)"], recorded: events)
        }
    }

    /// Expects a screen event with that title and at least these properties.
    /// - Returns: the first such event.
    /// - Throws: ``ExpectationFailure``.
    @discardableResult
    public func expectScreen(
        _ title: String, category: String? = nil, with properties: JSONObject = [:], times: Int? = nil
    ) async throws -> ScreenEvent? {
        let events = await events()
        let what = "screen \"\(title)\"" + (category.map { " of \"\($0)\"" } ?? "")
        let candidates = events.screens.filter { $0.name == title && (category == nil || $0.category == category) }
        return try Expectation(what: what, members: properties, times: times, recorded: events)
            .check(candidates) { $0.properties }.first
    }

    /// Expects an identify event with at least these traits.
    /// - Parameter userId: the user; nil for an event with traits only. Other events do not matter.
    /// - Returns: the first such event.
    /// - Throws: ``ExpectationFailure``.
    @discardableResult
    public func expectIdentified(
        userId: String?, with traits: JSONObject = [:], times: Int? = nil
    ) async throws -> IdentifyEvent? {
        let events = await events()
        let what = "identify " + (userId.map { "\"\($0)\"" } ?? "without a user")
        return try Expectation(what: what, members: traits, times: times, recorded: events)
            .check(events.identifies.filter { $0.userId == userId }) { $0.traits }.first
    }

    /// Expects a group event with at least these traits of the group.
    /// - Returns: the first such event.
    /// - Throws: ``ExpectationFailure``.
    @discardableResult
    public func expectGroup(
        _ groupId: String, with traits: JSONObject = [:], times: Int? = nil
    ) async throws -> GroupEvent? {
        let events = await events()
        return try Expectation(what: "group \"\(groupId)\"", members: traits, times: times, recorded: events)
            .check(events.groups.filter { $0.groupId == groupId }) { $0.traits }.first
    }

    /// Expects that nothing was tracked, or that everything was dropped.
    /// - Throws: ``ExpectationFailure``.
    public func expectNoEvents() async throws {
        let events = await events()
        guard events.isEmpty else { throw ExpectationFailure("no events", recorded: events) }
    }
}

/// The members that an event with the right name must have.
private struct Expectation {
    let what: String
    let members: JSONObject
    let times: Int?
    let recorded: RecordedEvents

    /// - Returns: the events that have all members.
    func check<Event: RawEvent>(_ candidates: [Event], _ values: (Event) -> JSON?) throws -> [Event] {
        let matches = candidates.filter { differences(values($0)).isEmpty }
        let isMet = times.map { matches.count == $0 } ?? !matches.isEmpty
        guard !isMet else { return matches }
        var text = what
        if !members.isEmpty { text += " with \(JSON.object(members))" }
        if let times { text += times == 0 ? " not to be there" : " \(times) times" }
        var found = candidates.flatMap { differences(values($0)) }
        if times != nil { found.append("it is there \(matches.count) times") }
        throw ExpectationFailure(text, differences: found, recorded: recorded)
    }

    private func differences(_ values: JSON?) -> [String] {
        members.compactMap { key, expected in
            guard let actual = values?[key] else { return "\(key) is missing" }
            return actual == expected ? nil : "\(key) is \(actual), not \(expected)"
        }
    }
}

/// The reason why an expectation was not met, with everything that was recorded.
///
/// The `expect…` functions throw it. An error that leaves a test fails the test, in Swift Testing and in XCTest, and
/// its description is the message.
public struct ExpectationFailure: Error, Sendable, CustomStringConvertible {
    /// The expectation, similar events, and everything that was recorded.
    public let description: String

    init(_ expectation: String, differences: [String] = [], recorded: RecordedEvents) {
        let near = differences.isEmpty ? "" : differences.map { "\n  but \($0)" }.joined()
        description = "expected \(expectation)\(near)\nrecorded:\n\(recorded)"
    }
}
