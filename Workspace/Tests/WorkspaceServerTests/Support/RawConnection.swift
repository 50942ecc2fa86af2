import Foundation

/// Sends bytes that no HTTP client would send.
enum RawConnection {
    /// Writes a request and reads until the server closes.
    static func exchange(_ url: String, _ request: String) async throws -> String {
        guard let port = URL(string: url)?.port.flatMap(UInt16.init(exactly:)) else { throw TestClient.NoAnswer() }
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try blockingExchange(port, request) })
            }
        }
    }

    private static func blockingExchange(_ port: UInt16, _ request: String) throws -> String {
        let descriptor = try connected(port)
        defer { close(descriptor) }
        guard send(descriptor, request, request.utf8.count, 0) == request.utf8.count else {
            throw TestClient.NoAnswer()
        }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &chunk, chunk.count, 0), count > 0 {
            answer.append(contentsOf: chunk[..<count])
        }
        return String(decoding: answer, as: UTF8.self)
    }

    fileprivate static func connected(_ port: UInt16) throws -> Int32 {
        #if canImport(Darwin)
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { throw TestClient.NoAnswer() }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw TestClient.NoAnswer()
        }
        return descriptor
    }
}

/// A client that sends a request and leaves before the answer.
final class LeavingClient {
    private let descriptor: Int32

    init(_ url: String, sending request: String) throws {
        guard let port = URL(string: url)?.port.flatMap(UInt16.init(exactly:)) else { throw TestClient.NoAnswer() }
        descriptor = try RawConnection.connected(port)
        guard send(descriptor, request, request.utf8.count, 0) == request.utf8.count else {
            throw TestClient.NoAnswer()
        }
    }

    /// Waits until the answer begins, and returns its first line.
    func firstLine() async throws -> String {
        let descriptor = descriptor
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                var line: [UInt8] = []
                var byte: UInt8 = 0
                while recv(descriptor, &byte, 1, 0) == 1, byte != UInt8(ascii: "\r") { line.append(byte) }
                guard !line.isEmpty else { return continuation.resume(throwing: TestClient.NoAnswer()) }
                continuation.resume(returning: String(decoding: line, as: UTF8.self))
            }
        }
    }

    /// Call it once.
    func leave() { close(descriptor) }
}
