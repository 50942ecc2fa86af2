/// Where a client that begins learns who the user is. Identity belongs to the write key; lanes only carry it, so the one
/// that a client happens to get makes no difference.
struct IdentityOrigin {
    private let writer: EventWriter
    private let lane: Lane
    /// What was said last, in whatever lane; nil when nothing ever was.
    let newest: IdentitySnapshot?
    /// The lane that it stands in.
    private let place: UInt64

    /// - Throws: when something of it cannot be read now: that may be the newest.
    init(lane: Lane, writer: EventWriter) throws {
        (self.lane, self.writer) = (lane, writer)
        var newest = writer.snapshot.flatMap(IdentitySnapshot.init)
        var place = lane.number
        for number in try lane.store.allNumbers() where number != lane.number || !lane.inbox.disk.isLasting {
            guard let other = try lane.store.storedIdentity(of: number), other.changedAt > newest?.changedAt ?? -1
            else {
                continue
            }
            (newest, place) = (other, number)
        }
        (self.newest, self.place) = (newest, place)
    }

    /// Who the user is from now on, in this client's lane too.
    /// - Parameter fresh: makes somebody about whom nothing is known.
    /// - Throws: when it cannot be read with whom the write key began.
    func begin(_ fresh: () -> UserInfo) throws -> UserInfo {
        if let newest { writer.saw(newest) }
        if let newest, let info = newest.info {
            if place != lane.number { takeOver(newest) }
            return info
        }
        // Without consent, nothing is stored about the user.
        guard writer.target != .nowhere else { return fresh() }
        let proposal = writer.stamped(fresh())
        let settled = try lane.store.firstIdentity?.settle(proposal, by: lane.number) ?? proposal
        writer.saw(settled)
        writer.append(snapshot: settled.encoded)
        return settled.info ?? fresh()
    }

    private func takeOver(_ newest: IdentitySnapshot) {
        writer.append(snapshot: newest.encoded)
        lane.store.report(
            Diagnostic(
                .configuration, "who the user is was last said in lane \(place), and holds here too", severity: .notice)
        )
    }
}
