import WorkspaceCore

/// The open connections, and which one can be closed for a new one. A pure value; times are passed in.
///
/// Each connection costs an open file, and the number of these is limited. When they are used up, a new connection
/// replaces the one that has been idle for the longest time, or else a connection with a client that has taken nothing
/// of its answer for the longest time. When all are being answered, a new one gets one of a few places for
/// administrators.
struct ConnectionTable<ID: Hashable & Sendable>: Sendable {
    /// The places that a connection can have.
    enum Place: Equatable {
        case ordinary
        /// For a request with a token or a login only.
        case forAdministrators
    }

    enum Admission: Equatable {
        case admitted(Place)
        /// The new connection is admitted, and the named one has to be closed.
        case inPlace(of: ID, Place)
        /// All other connections are being answered.
        case refused

        /// Nil when the connection is refused.
        var place: Place? {
            switch self {
            case .admitted(let place), .inPlace(_, let place): place
            case .refused: nil
            }
        }
    }

    private struct Connection {
        let place: Place
        /// Negative while an answer was sent before the end of its request.
        var openRequests = 0
        /// The time of the last traffic.
        var movedAt: Int64
        /// The time since when its client has taken nothing of its answer; nil when it takes all.
        var blockedSince: Int64?
    }

    /// All places, those for administrators among them.
    let limit: Int
    let forAdministrators: Int
    private var connections: [ID: Connection] = [:]
    private var counts: [Place: Int] = [:]

    init(limit: Int, forAdministrators: Int = 0) { (self.limit, self.forAdministrators) = (limit, forAdministrators) }

    var count: Int { connections.count }

    mutating func open(_ id: ID, now: Int64) -> Admission {
        guard count(.ordinary) >= limit - forAdministrators else { return add(id, .ordinary, now, replacing: nil) }
        if let other = idlest(.ordinary) ?? longestBlocked(now) { return add(id, .ordinary, now, replacing: other) }
        guard forAdministrators > 0 else { return .refused }
        guard count(.forAdministrators) >= forAdministrators else {
            return add(id, .forAdministrators, now, replacing: nil)
        }
        return idlest(.forAdministrators).map { add(id, .forAdministrators, now, replacing: $0) } ?? .refused
    }

    /// A whole request has arrived: the connection is needed until its answer ended.
    mutating func requested(_ id: ID, now: Int64) { change(id, by: 1, now) }

    mutating func answered(_ id: ID, now: Int64) { change(id, by: -1, now) }

    /// A part of a request has arrived.
    mutating func moved(_ id: ID, now: Int64) { change(id, by: 0, now) }

    /// - Parameter time: since when the client has taken nothing; nil when it has taken all.
    mutating func blocked(_ id: ID, since time: Int64?) { connections[id]?.blockedSince = time }

    mutating func close(_ id: ID) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        counts[connection.place, default: 0] -= 1
    }

    private func count(_ place: Place) -> Int { counts[place] ?? 0 }

    private func idlest(_ place: Place) -> ID? {
        connections.lazy.filter { $0.value.place == place && $0.value.openRequests <= 0 }
            .min { $0.value.movedAt < $1.value.movedAt }?.key
    }

    /// A client that was only slow for a moment is left alone.
    private func longestBlocked(_ now: Int64) -> ID? {
        let moment = Int64(Limits.blockedMoment / .nanoseconds(1))
        return connections.lazy.compactMap { id, connection in connection.blockedSince.map { (id: id, since: $0) } }
            .filter { now - $0.since >= moment }
            .min { $0.since < $1.since }?.id
    }

    private mutating func add(_ id: ID, _ place: Place, _ now: Int64, replacing other: ID?) -> Admission {
        if let other { close(other) }
        connections[id] = Connection(place: place, movedAt: now)
        counts[place, default: 0] += 1
        return other.map { .inPlace(of: $0, place) } ?? .admitted(place)
    }

    private mutating func change(_ id: ID, by count: Int, _ now: Int64) {
        guard var connection = connections[id] else { return }
        connection.openRequests += count
        connection.movedAt = now
        connections[id] = connection
    }
}
