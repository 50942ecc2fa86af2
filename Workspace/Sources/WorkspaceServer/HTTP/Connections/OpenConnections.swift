import NIOCore
import Synchronization
import WorkspaceCore

/// The connections of a server. Idle and blocked ones make room for new ones.
final class OpenConnections: Sendable {
    private struct State {
        var table: ConnectionTable<ObjectIdentifier>
        var channels: [ObjectIdentifier: any Channel] = [:]
    }

    private let state: Mutex<State>

    /// - Parameter limit: the connections that may be open at once. A part of them is kept for administrators.
    init(limit: Int) {
        state = Mutex(
            State(
                table: ConnectionTable(
                    limit: limit, forAdministrators: max(1, limit / Limits.partForAdministrators))))
    }

    var count: Int { state.withLock { $0.table.count } }

    /// Adds a connection. Without room, it closes one that is idle or blocked, or else the new one.
    /// - Returns: the place of the connection; nil when it is closed.
    @discardableResult
    func open(_ channel: any Channel) -> ConnectionTable<ObjectIdentifier>.Place? {
        let id = ObjectIdentifier(channel)
        let (place, closed): (ConnectionTable<ObjectIdentifier>.Place?, (any Channel)?) = state.withLock { state in
            let admission = state.table.open(id, now: Self.now)
            guard let place = admission.place else { return (nil, channel) }
            state.channels[id] = channel
            guard case .inPlace(let other, _) = admission else { return (place, nil) }
            return (place, state.channels.removeValue(forKey: other))
        }
        closed?.close(promise: nil)
        return place
    }

    /// - Parameter time: since when the client of a connection has taken nothing of its answer.
    func blocked(_ channel: any Channel, since time: Int64?) {
        state.withLock { $0.table.blocked(ObjectIdentifier(channel), since: time) }
    }

    func requested(_ channel: any Channel) {
        state.withLock { $0.table.requested(ObjectIdentifier(channel), now: Self.now) }
    }

    func answered(_ channel: any Channel) {
        state.withLock { $0.table.answered(ObjectIdentifier(channel), now: Self.now) }
    }

    func moved(_ channel: any Channel) { state.withLock { $0.table.moved(ObjectIdentifier(channel), now: Self.now) } }

    func close(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        state.withLock { state in
            state.table.close(id)
            state.channels[id] = nil
        }
    }

    /// Nanoseconds of a clock that is never set.
    static var now: Int64 { Int64(bitPattern: NIODeadline.now().uptimeNanoseconds) }
}
