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

    package let port: UInt16
    private let listener: Int32
    private let received = LockBox<[String]>([])
    private let answer: @Sendable (String) -> String?

    /// Requests as they came, head and body.
    package var requests: [String] { received.withLock { $0 } }
    package var url: URL? { URL(string: "http://127.0.0.1:\(port)/v1/b") }

    /// - Parameter answer: the whole answer to a request; nil leaves the request without one.
    package init(answer: @escaping @Sendable (String) -> String?) throws {
        self.answer = answer
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
                bind(socket, address, length) == 0 && listen(socket, 16) == 0
                    && getsockname(socket, address, &length) == 0
            }
        }
        guard bound else { throw Failure(errno: errno) }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in acceptAll() }
    }

    package func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func acceptAll() {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            Thread.detachNewThread { self.serve(connection) }
        }
        close(listener)
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { return }
            text += String(decoding: buffer[..<count], as: UTF8.self)
            guard Self.isComplete(text) else { continue }
            received.withLock { $0.append(text) }
            guard let answer = answer(text) else { continue }
            let bytes = Array(answer.utf8)
            _ = write(connection, bytes, bytes.count)
            return
        }
    }

    private static func isComplete(_ text: String) -> Bool {
        guard let end = text.range(of: "\r\n\r\n") else { return false }
        let head = text[..<end.lowerBound].lowercased()
        guard let field = head.range(of: "content-length: ") else { return true }
        let length = Int(head[field.upperBound...].prefix { $0.isNumber }) ?? 0
        return text[end.upperBound...].utf8.count >= length
    }
}
