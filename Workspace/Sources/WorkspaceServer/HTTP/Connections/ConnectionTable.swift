/// The open connections, and which one can be closed for a new one. A pure value; times are passed in.
///
/// Each connection costs an open file, and the number of these is limited. When they are used up, a new connection
/// replaces the one that has been idle for the longest time, so idle connections cannot keep clients out.
struct ConnectionTable<ID: Hashable & Sendable>: Sendable {
    enum Admission: Equatable {
        case admitted
        /// The new connection is admitted, and the named one has to be closed.
        case inPlace(of: ID)
        /// All other connections are being answered.
        case refused
    }

    private struct Connection {
        /// Negative while an answer was sent before the end of its request.
        var openRequests = 0
        /// The time of the last traffic.
        var movedAt: Int64
    }

    let limit: Int
    private var connections: [ID: Connection] = [:]

    init(limit: Int) { self.limit = limit }

    var count: Int { connections.count }

    mutating func open(_ id: ID, now: Int64) -> Admission {
        defer { connections[id] = Connection(movedAt: now) }
        guard connections.count >= limit else { return .admitted }
        let idle = connections.lazy.filter { $0.value.openRequests <= 0 }
        guard let longest = idle.min(by: { $0.value.movedAt < $1.value.movedAt }) else { return .refused }
        connections[longest.key] = nil
        return .inPlace(of: longest.key)
    }

    /// A whole request has arrived: the connection is needed until its answer ended.
    mutating func requested(_ id: ID, now: Int64) { change(id, by: 1, now) }

    mutating func answered(_ id: ID, now: Int64) { change(id, by: -1, now) }

    /// A part of a request has arrived.
    mutating func moved(_ id: ID, now: Int64) { change(id, by: 0, now) }

    mutating func close(_ id: ID) { connections[id] = nil }

    private mutating func change(_ id: ID, by count: Int, _ now: Int64) {
        guard var connection = connections[id] else { return }
        connection.openRequests += count
        connection.movedAt = now
        connections[id] = connection
    }
}
