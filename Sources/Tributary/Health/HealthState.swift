import TributaryJSON

/// The reporter's facts, which the client keeps across launches.
struct HealthState: Sendable, Equatable {
    private static let formatVersion = 1

    var schedule = HealthSchedule()
    /// The counts since the last report.
    var totals = HealthTotals()
    /// Since when, in milliseconds of the wall clock.
    var since: Int64?
    /// A report that is on its way.
    var outgoing: HealthReport?

    init() {}

    var json: JSON {
        var json: JSON = [
            "format": .number(JSONNumber(Self.formatVersion)), "totals": .object(totals.members),
            "events": .number(JSONNumber(schedule.events)), "isUrgent": .bool(schedule.isUrgent),
        ]
        json["regularAt"] = schedule.regularAt.map { .number(JSONNumber($0)) }
        json["refusedAt"] = schedule.refusedAt.map { .number(JSONNumber($0)) }
        json["since"] = since.map { .number(JSONNumber($0)) }
        json["outgoing"] = outgoing.map { .string($0.text) }
        return json
    }

    /// The state of a file; an empty one when the file makes no sense, because counts are no reason to fail.
    init(file bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes), json["format"]?.intValue == Self.formatVersion else { return }
        totals = HealthTotals(json["totals"] ?? .null)
        schedule.events = json["events"]?.count ?? 0
        schedule.isUrgent = json["isUrgent"] == .bool(true)
        schedule.regularAt = Self.time(json["regularAt"])
        schedule.refusedAt = Self.time(json["refusedAt"])
        since = Self.time(json["since"])
        outgoing = HealthReport(kept: json["outgoing"])
    }

    /// Times are within what a sum with a week cannot overflow.
    private static func time(_ json: JSON?) -> Int64? {
        guard let time = json?.numberValue?.int64, (0...1_000_000_000_000_000).contains(time) else { return nil }
        return time
    }

    /// Adds counts.
    mutating func add(_ other: HealthTotals, at now: Int64) {
        totals.add(other)
        schedule.events = min(schedule.events + other.events, 1_000_000_000)
        if since == nil { since = now }
    }

    /// The totals become a report when one is due.
    /// - Parameter makeReport: nil when there is nothing that could be reported.
    mutating func prepare(
        at now: Int64, _ settings: HealthSettings,
        _ makeReport: (HealthTotals, HealthSchedule.Kind, Int) -> HealthReport?
    ) {
        guard outgoing == nil, let kind = schedule.due(at: now, settings) else { return }
        schedule.sent(kind, at: now)
        guard !totals.isEmpty else { return }
        let seconds = min(max(0, now - (since ?? now)) / 1000, 30 * 86_400)
        outgoing = makeReport(totals, kind, Int(seconds))
        totals = HealthTotals()
        since = now
    }
}
