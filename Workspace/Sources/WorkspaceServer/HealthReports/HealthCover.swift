package import TributaryJSON
import WorkspaceCore

/// Which reports the sums of a server have.
package struct HealthCover: Sendable, Equatable {
    /// From then on they have all reports, in milliseconds since 1970; nil when nothing is missing.
    package var since: Int64?
    /// Whether they have every report that was acknowledged before the question.
    var isCurrent = true

    package init(since: Int64? = nil, isCurrent: Bool = true) { (self.since, self.isCurrent) = (since, isCurrent) }

    package var json: JSON { ["since": .time(since), "isCurrent": .bool(isCurrent)] }
}
