package import Foundation
import Tributary

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A real socket on the loopback address that answers each request with bytes that a test chose.
///
/// Unchecked because the listener is constant; what was received is behind its lock.
package final class LoopbackServer: @unchecked Sendable {
    struct Failure: Error { let errno: Int32 }

    /// How much of a request is read before it is answered.
    package enum Reading: Sendable {
        case whole
        /// The head and what came with it.
        case head
    }

    /// The fate of the connection after an answer.
    package enum Ending: Sendable { case close, reset, keepOpen }

    package let port: UInt16
    private let listener: Int32
    private let received = LockBox<[String]>([])
    private let closed = LockBox<(count: Int, waiting: [CheckedContinuation<Void, Never>])>((0, []))
    private let listens: Bool
    private let reading: Reading
    private let ending: Ending
    private let answer: @Sendable (String) -> [UInt8]?
    private let accepted = LockBox(0)

    /// Requests as they came, head and body.
    package var requests: [String] { received.withLock { $0 } }
    /// How many connections there have been.
    package var connections: Int { accepted.withLock { $0 } }
    package var url: URL? { URL(string: "http://127.0.0.1:\(port)/v1/b") }

    /// - Parameter answer: the whole answer to a request; nil leaves the request without one.
    package convenience init(
        reading: Reading = .whole, ending: Ending = .close, answer: @escaping @Sendable (String) -> String?
    ) throws {
        try self.init(reading, ending) { text in answer(text).map { Array($0.utf8) } }
    }

    /// - Parameter answer: the same, for an answer that is no text.
    package convenience init(
        reading: Reading = .whole, ending: Ending = .close, bytes answer: @escaping @Sendable (String) -> [UInt8]
    ) throws {
        try self.init(reading, ending) { text in answer(text) }
    }

    /// A port whose connections the system refuses. It stays taken until `stop`: the port of a server that was stopped
    /// may be that of another test's server a moment later.
    package static func refusing() throws -> LoopbackServer {
        try LoopbackServer(.whole, .close, listens: false) { _ in nil }
    }

    private init(
        _ reading: Reading, _ ending: Ending, listens: Bool = true, _ answer: @escaping @Sendable (String) -> [UInt8]?
    ) throws {
        self.answer = answer
        self.listens = listens
        self.reading = reading
        self.ending = ending
        #if os(Linux)
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = listener
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && (!listens || listen(socket, 16) == 0)
                    && getsockname(socket, address, &length) == 0
            }
        }
        guard bound else { throw Failure(errno: errno) }
        port = UInt16(bigEndian: address.sin_port)
        if listens { Thread.detachNewThread { [self] in acceptAll() } }
    }

    package func stop() {
        if listens {
            shutdown(listener, Int32(SHUT_RDWR))
        } else {
            close(listener)
        }
    }

    private func acceptAll() {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            accepted.withLock { $0 += 1 }
            Thread.detachNewThread { self.serve(connection) }
        }
        close(listener)
    }

    private func serve(_ connection: Int32) {
        defer { end(connection) }
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { return }
            text += String(decoding: buffer[..<count], as: UTF8.self)
            guard reading == .head ? text.contains("\r\n\r\n") : Self.isComplete(text) else { continue }
            received.withLock { $0.append(text) }
            guard let bytes = answer(text) else { continue }
            guard write(bytes, to: connection), ending == .keepOpen else { return }
            text = ""
        }
    }

    /// - Returns: false when the other side has closed the connection.
    private func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
        #if os(Linux)
        let flags = Int32(MSG_NOSIGNAL)
        #else
        let flags: Int32 = 0
        #endif
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(connection, $0.baseAddress.map { $0 + sent }, bytes.count - sent, flags)
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private func end(_ connection: Int32) {
        if ending == .reset {
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        }
        close(connection)
        closed.withLock { closed in
            closed.count += 1
            for waiter in closed.waiting { waiter.resume() }
            closed.waiting = []
        }
    }

    /// Waits until a connection has ended.
    package func connectionEnded() async {
        await withCheckedContinuation { continuation in
            closed.withLock { closed in
                if closed.count > 0 { continuation.resume() } else { closed.waiting.append(continuation) }
            }
        }
    }

    private static func isComplete(_ text: String) -> Bool {
        guard let end = text.range(of: "\r\n\r\n") else { return false }
        let head = text[..<end.lowerBound].lowercased()
        if head.contains("transfer-encoding: chunked") { return text.hasSuffix("\r\n0\r\n\r\n") }
        guard let field = head.range(of: "content-length: ") else { return true }
        let length = Int(head[field.upperBound...].prefix { $0.isNumber }) ?? 0
        return text[end.upperBound...].utf8.count >= length
    }
}
