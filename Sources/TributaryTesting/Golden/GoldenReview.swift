import TributaryJSON

/// The differences between two versions of the plugins over the same sessions.
///
/// The review is made of outcomes alone, so the same outcomes always give the same review.
///
/// ```swift
/// var review = GoldenReview(plan: [GoldenEventName(type: "track", name: "Paid")])
/// let paid: JSON = ["type": "track", "event": "Paid"]
/// review.add(session: [GoldenComparison(before: GoldenOutcome(after: paid), after: GoldenOutcome(after: nil))])
/// print(review.broken.count)  // 1: a planned event vanishes
/// ```
public struct GoldenReview: Sendable, Hashable {
    /// The bounds of a review.
    public enum Limits {
        /// Names of events; those of further names are counted together.
        public static let names = 500
        /// Fields of events of one name; further fields are counted together.
        public static let fields = 50
        /// Characters of a value that is shown.
        public static let valueCharacters = 60
    }

    /// A field that has another value.
    public struct Field: Sendable, Hashable {
        /// The path of the field, such as `properties.products[].price`.
        public let path: String
        /// In how many events it differs.
        public internal(set) var events: Int
        /// The value before in the first such event, as JSON that may be cut; nil when the field is not there.
        public let before: String?
        /// The value after.
        public let after: String?
    }

    /// The differences in events of one name.
    public struct Difference: Sendable, Hashable {
        /// The name that the events had before. An event that is new has its own name.
        public let name: GoldenEventName
        /// The events that come out as before.
        public internal(set) var same = 0
        /// The events that come out with other fields.
        public internal(set) var changed = 0
        /// The events that came out before and do not any more.
        public internal(set) var dropped = 0
        /// The events that come out and did not before.
        public internal(set) var made = 0
        /// The events that differ from one run of the new version to the next, so nothing is known about them. They are in no
        /// other number.
        public internal(set) var unsteady = 0
        /// The fields that differ, by their paths.
        public internal(set) var fields: [Field] = []
        /// The number of differing fields that are not in the list.
        public internal(set) var moreFields = 0

        /// Whether anything differs.
        public var isDifferent: Bool { changed + dropped + made > 0 }
    }

    /// A rule that the new version breaks.
    public struct BrokenRule: Sendable, Hashable {
        /// A rule.
        public enum Rule: String, Sendable, Hashable {
            /// An event of the tracking plan must not vanish.
            case plannedEventVanishes
        }

        /// The rule.
        public let rule: Rule
        /// The events that break it.
        public let name: GoldenEventName
        /// How many of them came out before.
        public internal(set) var before: Int
        /// How many of them are missing now.
        public internal(set) var missing: Int
        /// In how many sessions some are missing.
        public internal(set) var sessions: Int
    }

    /// How many sessions were compared.
    public private(set) var sessions = 0
    /// How many events and signals were compared.
    public private(set) var records = 0
    private let plan: Set<GoldenEventName>
    private var byName: [GoldenEventName: Difference] = [:]
    private var planned: [GoldenEventName: BrokenRule] = [:]
    /// The differences in events of further names, counted together; nil when there are none.
    public private(set) var others: Difference?

    /// A review of no session.
    /// - Parameter plan: the events of the tracking plan. Default: none.
    public init(plan: [GoldenEventName] = []) { self.plan = Set(plan) }

    /// The events of each name, also those without a difference, by their names.
    public var names: [Difference] { byName.values.sorted { $0.name < $1.name } }

    /// The events of each name that differ, by their names.
    public var differences: [Difference] { (names + [others].compactMap(\.self)).filter(\.isDifferent) }

    /// The rules that are broken, by the names of the events.
    public var broken: [BrokenRule] { planned.values.filter { $0.missing > 0 }.sorted { $0.name < $1.name } }

    /// Whether no event differs.
    public var isSame: Bool { differences.isEmpty }

    /// Adds the outcomes of a session.
    public mutating func add(session: [GoldenComparison]) {
        sessions += 1
        records += session.count
        var counts = SessionCounts()
        for comparison in session {
            for event in comparison.events { add(event, &counts) }
        }
        for name in counts.before.keys.sorted() where plan.contains(name) {
            let before = counts.before[name, default: 0]
            let missing = max(0, before - counts.after[name, default: 0])
            var rule =
                planned[name]
                ?? BrokenRule(rule: .plannedEventVanishes, name: name, before: 0, missing: 0, sessions: 0)
            rule.before += before
            rule.missing += missing
            rule.sessions += missing > 0 ? 1 : 0
            planned[name] = rule
        }
    }

    /// How often events of a name came out of a session, under both versions.
    private struct SessionCounts {
        var before: [GoldenEventName: Int] = [:]
        var after: [GoldenEventName: Int] = [:]
    }

    private mutating func add(_ event: GoldenComparison.Event, _ counts: inout SessionCounts) {
        if let before = event.before { counts.before[GoldenEventName(of: before), default: 0] += 1 }
        // An event that comes out in one run of two has not vanished.
        if let after = event.after ?? event.again { counts.after[GoldenEventName(of: after), default: 0] += 1 }
        guard let shown = event.before ?? event.after ?? event.again else { return }
        change(GoldenEventName(of: shown)) { $0.add(event) }
    }

    private mutating func change(_ name: GoldenEventName, _ change: (inout Difference) -> Void) {
        if byName[name] != nil || byName.count < Limits.names {
            change(&byName[name, default: Difference(name: name)])
        } else {
            var rest = others ?? Difference(name: GoldenEventName(type: "events of other names"))
            change(&rest)
            others = rest
        }
    }
}

extension GoldenReview.Difference {
    fileprivate mutating func add(_ event: GoldenComparison.Event) {
        guard event.isSteady else { return unsteady += 1 }
        switch (event.before, event.after) {
        case (nil, nil): break
        case (nil, _?): made += 1
        case (_?, nil): dropped += 1
        case (let before?, let after?): add(before, after, again: event.again)
        }
    }

    private mutating func add(_ before: JSON, _ after: JSON, again: JSON?) {
        guard before != after else { return same += 1 }
        let chance = Set(again.map { JSONDifference.all(after, $0).map(\.path) } ?? [])
        let found = JSONDifference.all(before, after).filter { !chance.contains($0.path) }
        // All that differs also differs between two runs of the new version.
        guard !found.isEmpty else { return unsteady += 1 }
        changed += 1
        for difference in found { add(difference) }
    }

    private mutating func add(_ difference: JSONDifference) {
        let place = fields.firstIndex { $0.path >= difference.path } ?? fields.endIndex
        if place < fields.endIndex, fields[place].path == difference.path {
            fields[place].events += 1
        } else if fields.count < GoldenReview.Limits.fields {
            fields.insert(
                GoldenReview.Field(
                    path: difference.path, events: 1, before: Self.shown(difference.before),
                    after: Self.shown(difference.after)),
                at: place)
        } else {
            moreFields += 1
        }
    }

    private static func shown(_ value: JSON?) -> String? {
        value.map { value in
            let text = value.description
            return text.count <= GoldenReview.Limits.valueCharacters
                ? text : text.prefix(GoldenReview.Limits.valueCharacters) + "…"
        }
    }
}
