import Foundation
import TributaryJournal

/// Finds the identity with which a client begins. The identity belongs to the write key; the queues only store it. So
/// it does not matter which queue the client gets.
final class IdentityOrigin {
    private let writer: EventWriter
    private let eventQueue: EventQueue
    /// The latest identity in any queue; nil when there is none.
    let newest: IdentitySnapshot?
    /// The number of the queue that has it.
    private let place: UInt64

    /// - Throws: when a queue cannot be read now, because its identity may be the latest.
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

    /// Begins with the identity, and stores it in this client's queue too.
    /// - Parameter fresh: makes a new anonymous user.
    /// - Throws: when the first identity of the write key cannot be read.
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
                .configuration, "the latest identity of the user is in queue \(place), and this queue takes it over",
                severity: .notice
            )
        )
    }
}
