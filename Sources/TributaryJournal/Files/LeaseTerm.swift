/// The content of the lock file of a leased folder: the time of the last renewal, and the owner.
///
///      0          8        16
///     +----------+--------+
///     | renewed  | owner  |     milliseconds since 1970; both are zero when the owner released the folder
///     +----------+--------+
struct LeaseTerm: Equatable {
    static let size = 16

    var renewed: Int64
    var owner: UInt64

    static let over = LeaseTerm(renewed: 0, owner: 0)

    init(renewed: Int64, owner: UInt64) {
        self.renewed = renewed
        self.owner = owner
    }

    /// A file of another size belongs to a lock, and the lock's owner has ended.
    init(_ bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { raw in
            guard raw.count == Self.size else { return .over }
            return LeaseTerm(
                renewed: raw.integer(at: 0, as: Int64.self), owner: raw.integer(at: 8, as: UInt64.self))
        }
    }

    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: renewed)
        bytes.append(littleEndian: owner)
        return bytes
    }

    /// Whether more than that many milliseconds lie between two times, whichever is first.
    static func isOver(_ milliseconds: Int64, since renewed: Int64, at now: Int64) -> Bool {
        let (difference, isBeyond) = now.subtractingReportingOverflow(renewed)
        return isBeyond || difference.magnitude >= UInt64(milliseconds)
    }

    /// Whether another process has the folder, from the candidate's point of view.
    func isLive(at now: Int64, for other: JournalOptions.Lease) -> Bool {
        // The candidate is the only process with its name, so the process before it has ended.
        if other.isOnlyProcess, owner == other.owner { return false }
        // A clock that was set back must not extend a lease without limit.
        return !Self.isOver(other.milliseconds, since: renewed, at: now)
    }
}
