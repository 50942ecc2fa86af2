import NIOCore
import Synchronization

/// The connections of a server. Idle ones make room for new ones.
final class OpenConnections: Sendable {
    private struct State {
        var table: ConnectionTable<ObjectIdentifier>
        var channels: [ObjectIdentifier: any Channel] = [:]
    }

    private let state: Mutex<State>

    init(limit: Int) { state = Mutex(State(table: ConnectionTable(limit: limit))) }

    var count: Int { state.withLock { $0.table.count } }

    /// Adds a connection. Without room, it closes an idle one, or else the new one.
    func open(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let closed: (any Channel)? = state.withLock { state in
            switch state.table.open(id, now: Self.now) {
            case .admitted:
                state.channels[id] = channel
                return nil
            case .inPlace(let other):
                state.channels[id] = channel
                return state.channels.removeValue(forKey: other)
            case .refused:
                state.table.close(id)
                return channel
            }
        }
        closed?.close(promise: nil)
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

    private static var now: Int64 { Int64(bitPattern: NIODeadline.now().uptimeNanoseconds) }
}
