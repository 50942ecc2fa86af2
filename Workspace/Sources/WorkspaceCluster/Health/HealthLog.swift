import Foundation
import WorkspaceCore
import WorkspaceServer

/// The log of a cluster's health reports, and this node's progress in it. All nodes count the log.
///
/// A record has reports that one node received. The log has one partition and drops old records by itself.
struct HealthLog: Sendable {
    let log: any EventLog
    /// The id of this node.
    let node: String
    package let progress = HealthProgress()

    /// Appends a record. When this returns, it is as safe as the log makes it, and this node looks at the log.
    func append(_ record: [UInt8]) async throws {
        try await log.append(record, id: UUID().uuidString, to: 0)
        progress.wake()
    }

    /// Waits until this node has counted all reports that any node acknowledged before, but not longer than that.
    func cover(within patience: Duration) async -> HealthCover {
        let isCurrent: Bool
        do {
            let standing = try await log.standing(of: 0)
            progress.wake()
            isCurrent = await progress.reach(standing, within: patience)
        } catch {
            // The reader gets the present sums, and learns that they may not be complete.
            isCurrent = false
        }
        return HealthCover(since: await progress.since, isCurrent: isCurrent)
    }
}
