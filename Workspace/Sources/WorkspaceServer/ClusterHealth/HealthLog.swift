import Foundation

/// The log of the health reports of a cluster, which all nodes count, and how far this node is.
///
/// A record has reports that one node received. The log has one partition and drops old records by itself.
struct HealthLog: Sendable {
    let log: any EventLog
    /// The id of this node.
    let node: String
    let progress = HealthProgress()

    /// Appends a record. When this returns, it is as safe as the log makes it, and this node looks at the log.
    func append(_ record: [UInt8]) async throws {
        try await log.append(record, id: UUID().uuidString, to: 0)
        progress.wake()
    }

    /// Waits until this node has counted what any node acknowledged before, but not longer than that.
    func cover(within patience: Duration) async -> HealthCover {
        let isCurrent: Bool
        do {
            let standing = try await log.standing(of: 0)
            progress.wake()
            isCurrent = await progress.reach(standing, within: patience)
        } catch {
            // Somebody who looks gets what there is, and learns that it may not be all.
            isCurrent = false
        }
        return HealthCover(since: await progress.since, isCurrent: isCurrent)
    }
}
