/// Decides when a health report is sent. Times are milliseconds of the wall clock, because they outlive the process.
struct HealthSchedule: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case regular
        /// Before its time, because of the first fault of a version.
        case early
    }

    /// After two hours a report is sent however few events it covers, unless the server wants reports less often.
    static let patience: Int64 = 7_200_000
    /// A server that does not know health reports is asked again after a week.
    static let refusal: Int64 = 7 * 86_400_000

    /// When the last regular report was sent, or the first one was waited for.
    var regularAt: Int64?
    /// When a server answered that it does not know health reports.
    var refusedAt: Int64?
    /// Events since the last regular report.
    var events = 0
    /// Whether a version had its first fault.
    var isUrgent = false

    /// The report that is due now; nil when none is. The first regular one waits for its time from the first look on.
    mutating func due(at now: Int64, _ settings: HealthSettings) -> Kind? {
        if let refusedAt, (refusedAt..<refusedAt + Self.refusal).contains(now) { return nil }
        refusedAt = nil
        // A clock that went back does not say how long ago it was.
        guard let last = regularAt, last <= now else {
            regularAt = now
            return isUrgent ? .early : nil
        }
        let pause = Int64(settings.minimumSeconds) * 1000
        let isWorthIt = events >= settings.minimumEvents || (events > 0 && now - last >= Self.patience)
        return isWorthIt && now - last >= pause ? .regular : isUrgent ? .early : nil
    }

    /// A report is on its way.
    mutating func sent(_ kind: Kind, at now: Int64) {
        isUrgent = false
        guard kind == .regular else { return }
        regularAt = now
        events = 0
    }
}
