import TributaryJSON

/// Which reports the sums of a server have.
struct HealthCover: Sendable, Equatable {
    /// From then on they have all reports, in milliseconds since 1970; nil when nothing is missing.
    var since: Int64?
    /// Whether they have every report that was acknowledged before the question.
    var isCurrent = true

    var json: JSON {
        [
            "since": since.map { .string(ISO8601.string(milliseconds: $0)) } ?? .null, "isCurrent": .bool(isCurrent),
        ]
    }
}
