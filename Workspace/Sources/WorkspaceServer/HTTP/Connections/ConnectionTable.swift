/// Which connections are open, and which of them nobody would miss. A value; times are passed in.
///
/// Each connection costs an open file, and there are only so many. When they are used up, a new connection takes the place
/// of the one that has asked nothing for the longest time, so connections that do nothing keep nobody out.
struct ConnectionTable<ID: Hashable & Sendable>: Sendable {
    enum Admission: Equatable {
        case admitted
        /// Admitted, and the other one is to be closed.
        case inPlace(of: ID)
        /// All others are being answered.
        case refused
    }

    private struct Connection {
        /// Negative while an answer came before the end of its request.
        var openRequests = 0
        /// When something came or went.
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

    /// A whole request came: until its answer ended, the connection is needed.
    mutating func requested(_ id: ID, now: Int64) { change(id, by: 1, now) }

    mutating func answered(_ id: ID, now: Int64) { change(id, by: -1, now) }

    /// Part of a request came.
    mutating func moved(_ id: ID, now: Int64) { change(id, by: 0, now) }

    mutating func close(_ id: ID) { connections[id] = nil }

    private mutating func change(_ id: ID, by count: Int, _ now: Int64) {
        guard var connection = connections[id] else { return }
        connection.openRequests += count
        connection.movedAt = now
        connections[id] = connection
    }
}
