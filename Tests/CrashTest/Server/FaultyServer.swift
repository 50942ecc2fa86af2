import Foundation
import Tributary

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A server on the loopback address that takes batches and gives settings, and fails as often as it is told to.
///
/// Unchecked because the listener is constant; the rest is behind its lock.
final class FaultyServer: @unchecked Sendable {
    /// How it behaves towards the clients of one write key.
    struct Mood: Sendable {
        /// So many batches of a hundred meet a fault.
        var faults = 0
        /// So many requests for settings of a hundred meet a fault.
        var settingsFaults = 0
        /// Requests for settings are never answered.
        var settingsAreSilent = false
        /// No batch is taken.
        var refusesAll = false
    }

    /// An event as it came first; later ones with its id are the same event.
    struct Held: Sendable {
        let messageId: String
        let key: String
    }

    private struct Source {
        var mood = Mood()
        var held: [Held] = []
        var ids: Set<String> = []
        var received = 0
        var faults: [Fault: Int] = [:]
    }

    private struct State {
        var random: SeededGenerator
        var sources: [String: Source] = [:]
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let port: UInt16
    private let listener: Int32
    private let state: LockBox<State>

    init(seed: UInt64) throws {
        state = LockBox(State(random: SeededGenerator(seed: seed)))
        #if os(Linux)
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
        listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && listen(socket, 64) == 0
                    && getsockname(socket, address, &length) == 0
            }
        }
        guard isListening else { throw Failure(description: "no port to listen on: errno \(errno)") }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { self.acceptAll() }
    }

    // MARK: For the driver

    func setMood(_ mood: Mood, for writeKey: String) {
        state.withLock { $0.sources[writeKey, default: Source()].mood = mood }
    }

    /// Events of a write key in the order of their first coming, without repetitions of an id.
    func held(for writeKey: String) -> [Held] { state.withLock { $0.sources[writeKey]?.held ?? [] } }

    /// Events of a write key, repetitions included.
    func received(for writeKey: String) -> Int { state.withLock { $0.sources[writeKey]?.received ?? 0 } }

    /// Takes what was counted of a write key, and forgets the write key.
    func finish(_ writeKey: String) -> [Fault: Int] {
        state.withLock { $0.sources.removeValue(forKey: writeKey)?.faults ?? [:] }
    }

    // MARK: Serving

    private func acceptAll() {
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                return
            }
            // The processes that the driver starts must not hold connections of others open.
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            Thread.detachNewThread { self.serve(Connection(descriptor)) }
        }
    }

    private func serve(_ connection: Connection) {
        guard let head = connection.readHead() else { return connection.end() }
        if head.method == "GET" {
            serveSettings(connection, head)
        } else {
            serveBatch(connection, head)
        }
    }

    private func serveSettings(_ connection: Connection, _ head: Connection.Head) {
        let writeKey = head.path.split(separator: "/").dropLast().last.map(String.init) ?? ""
        let (mood, fault, version) = state.withLock { state in
            let mood = state.sources[writeKey]?.mood ?? Mood()
            let fault = Fault.draw(percent: mood.settingsFaults, &state.random)
            return (mood, fault, Int.random(in: 1...1000, using: &state.random))
        }
        let settings = #"{"integrations":{"Segment.io":{"version":\#(version)}},"plan":{"version":\#(version)}}"#
        answer(connection, mood.settingsAreSilent ? .silence : fault, body: settings)
    }

    private func serveBatch(_ connection: Connection, _ head: Connection.Head) {
        let writeKey = head.user
        let fault = state.withLock { state in
            var source = state.sources[writeKey] ?? Source()
            defer { state.sources[writeKey] = source }
            let fault =
                source.mood.refusesAll ? .unavailable : Fault.draw(percent: source.mood.faults, &state.random)
            source.faults[fault, default: 0] += 1
            return fault
        }
        if fault == .resetEarly { return connection.end(withReset: true) }
        guard let body = connection.readBody(head), let batch = try? JSON.parse(body) else { return connection.end() }
        if fault.stores {
            // Before the answer, as a server must.
            state.withLock { state in
                Self.store(batch["batch"]?.elements ?? [], in: &state.sources[writeKey, default: Source()])
            }
        }
        answer(connection, fault, body: #"{"success":true}"#)
    }

    private static func store(_ events: [JSON], in source: inout Source) {
        for event in events {
            guard let id = event["messageId"]?.stringValue else { continue }
            source.received += 1
            guard source.ids.insert(id).inserted, let key = event["properties"]?["crashKey"]?.stringValue else {
                continue
            }
            source.held.append(Held(messageId: id, key: key))
        }
    }

    private func answer(_ connection: Connection, _ fault: Fault, body: String) {
        switch fault {
        case .none: sendAnswer(connection, "200 OK", body: body)
        case .resetEarly, .resetLate, .answerLost: return connection.end(withReset: true)
        case .silence, .silentConfirmation: connection.waitForEnd()
        case .tooMany:
            let seconds = state.withLock { Int.random(in: 0...5, using: &$0.random) }
            sendAnswer(connection, "429 Too Many Requests", "Retry-After: \(seconds)\r\n", body: "{}")
        case .serverError: sendAnswer(connection, "500 Internal Server Error", body: "oops")
        case .unavailable: sendAnswer(connection, "503 Service Unavailable", body: "")
        case .slow, .tooSlow:
            let pause = fault == .slow ? 0.05 : 0.6
            Thread.sleep(forTimeInterval: pause)
            sendAnswer(connection, "200 OK", body: body)
        case .truncatedBody:
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"suc")
        case .truncatedHead:
            connection.send("HTTP/1.1 20")
        }
        connection.end()
    }

    private func sendAnswer(_ connection: Connection, _ status: String, _ fields: String = "", body: String) {
        connection.send(
            "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
                + "Connection: close\r\n\(fields)\r\n\(body)")
    }
}
