import TributaryJSON

/// The reporter's facts, which the client keeps across launches.
struct HealthState: Sendable, Equatable {
    private static let formatVersion = 1

    var schedule = HealthSchedule()
    /// The counts since the last report.
    var totals = HealthTotals()
    /// The version of the app that made the counts, empty for an app without one; nil while there are none, or when several
    /// versions or an unknown one made them.
    private(set) var app: String?
    private(set) var isMixed = false
    /// Since when, in milliseconds of the wall clock.
    var since: Int64?
    /// Whether the server waits for a report, also when nothing was counted.
    var isAwaited = false
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
        json["app"] = app.map(JSON.string)
        json["since"] = since.map { .number(JSONNumber($0)) }
        json["outgoing"] = outgoing.map { .string($0.text) }
        return json
    }

    /// The state of a file; an empty one when the file makes no sense, because counts are no reason to fail.
    init(file bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes), json["format"]?.intValue == Self.formatVersion else { return }
        totals = HealthTotals(json["totals"] ?? .null)
        app = json["app"]?.stringValue
        isMixed = app == nil && !totals.isEmpty
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
    /// - Parameter version: the version of the app that made them, empty for none; nil when several or an unknown one did.
    mutating func add(_ other: HealthTotals, of version: String?, at now: Int64) {
        if !other.isEmpty {
            if totals.isEmpty {
                (app, isMixed) = (version, version == nil)
            } else if app != version {
                (app, isMixed) = (nil, true)
            }
        }
        totals.add(other)
        schedule.events = min(schedule.events + other.events, 1_000_000_000)
        if since == nil { since = now }
    }

    /// Counts of an earlier version of the app become a report of their own, if none is on its way.
    mutating func closeEarlier(
        than version: String, at now: Int64, _ makeReport: (HealthState, HealthSchedule.Kind, Int) -> HealthReport?
    ) {
        guard let app, app != version, outgoing == nil, !totals.isEmpty else { return }
        schedule.events = 0
        makeOutgoing(.regular, at: now, makeReport)
    }

    /// The totals become a report when one is due.
    /// - Parameter makeReport: nil when there is nothing that could be reported.
    mutating func prepare(
        at now: Int64, _ settings: HealthSettings,
        _ makeReport: (HealthState, HealthSchedule.Kind, Int) -> HealthReport?
    ) {
        guard outgoing == nil, let kind = schedule.due(at: now, settings) else { return }
        schedule.sent(kind, at: now)
        guard isAwaited || !totals.isEmpty else { return }
        isAwaited = false
        makeOutgoing(kind, at: now, makeReport)
    }

    private mutating func makeOutgoing(
        _ kind: HealthSchedule.Kind, at now: Int64,
        _ makeReport: (HealthState, HealthSchedule.Kind, Int) -> HealthReport?
    ) {
        let seconds = min(max(0, now - (since ?? now)) / 1000, 30 * 86_400)
        outgoing = makeReport(self, kind, Int(seconds))
        totals = HealthTotals()
        (app, isMixed) = (nil, false)
        since = now
    }
}
