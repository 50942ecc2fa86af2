/// Where a client that begins learns who the user is. Identity belongs to the write key; lanes only carry it, so the one
/// that a client happens to get makes no difference.
struct IdentityOrigin {
    private let writer: EventWriter
    private let lane: Lane
    /// What was said last, in whatever lane; nil when nothing ever was.
    let newest: IdentitySnapshot?
    /// The lane that it stands in.
    private let place: UInt64

    init(lane: Lane, writer: EventWriter) {
        (self.lane, self.writer) = (lane, writer)
        var newest = writer.snapshot.flatMap(IdentitySnapshot.init)
        var place = lane.number
        for number in lane.store.numbers() where number != lane.number || !lane.inbox.disk.isLasting {
            guard let other = lane.store.identity(of: number), other.changedAt > newest?.changedAt ?? -1 else {
                continue
            }
            (newest, place) = (other, number)
        }
        (self.newest, self.place) = (newest, place)
    }

    /// Who the user is from now on, in this client's lane too.
    /// - Parameter fresh: makes somebody about whom nothing is known.
    func begin(_ fresh: () -> UserInfo) -> UserInfo {
        if let newest { writer.saw(newest) }
        if let newest, let info = newest.info {
            if place != lane.number { takeOver(newest) }
            return info
        }
        // Nothing is kept of somebody who does not want it.
        guard writer.target != .nowhere else { return fresh() }
        let proposal = writer.stamped(fresh())
        let settled = lane.store.firstIdentity?.settle(proposal, by: lane.number) ?? proposal
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
