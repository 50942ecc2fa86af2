import Foundation
import TributaryJournal

/// Where a client that begins learns who the user is. Identity belongs to the write key; queues only carry it, so the one
/// that a client happens to get makes no difference.
struct IdentityOrigin {
    private let writer: EventWriter
    private let eventQueue: EventQueue
    /// What was said last, in whatever queue; nil when nothing ever was.
    let newest: IdentitySnapshot?
    /// The queue that it stands in.
    private let place: UInt64

    /// - Throws: when something of it cannot be read now: that may be the newest.
    init(eventQueue: EventQueue, writer: EventWriter) throws {
        (self.eventQueue, self.writer) = (eventQueue, writer)
        var newest = writer.snapshot.flatMap(IdentitySnapshot.init)
        var place = eventQueue.number
        for number in try eventQueue.directory.allNumbers()
        where number != eventQueue.number || !eventQueue.inbox.hasDisk {
            guard let other = try eventQueue.directory.storedIdentity(of: number),
                other.changedAt > newest?.changedAt ?? -1
            else {
                continue
            }
            (newest, place) = (other, number)
        }
        (self.newest, self.place) = (newest, place)
    }

    /// Who the user is from now on, in this client's queue too.
    /// - Parameter fresh: makes somebody about whom nothing is known.
    /// - Throws: when it cannot be read with whom the write key began.
    func begin(_ fresh: () -> UserInfo) throws -> UserInfo {
        if let newest { writer.saw(newest) }
        if let newest, let info = newest.info {
            if place != eventQueue.number { takeOver(newest) }
            return info
        }
        // Without consent, nothing is stored about the user.
        guard writer.target != .nowhere else { return fresh() }
        let proposal = writer.stamped(fresh())
        let settled = try eventQueue.directory.firstIdentity?.settle(proposal, by: eventQueue.number) ?? proposal
        writer.saw(settled)
        writer.append(snapshot: settled.encoded)
        return settled.info ?? fresh()
    }

    private func takeOver(_ newest: IdentitySnapshot) {
        writer.append(snapshot: newest.encoded)
        eventQueue.directory.report(
            Diagnostic(
                .configuration, "who the user is was last said in queue \(place), and holds here too", severity: .notice
            )
        )
    }
}
