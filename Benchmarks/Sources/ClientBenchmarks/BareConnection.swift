import Foundation
import Measuring

/// A connection to the loopback address that posts bodies one after another.
final class BareConnection {
    private let socket: Int32
    private var buffer = [UInt8](repeating: 0, count: 4096)

    init(port: UInt16) throws {
        #if os(Linux)
        socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let socket = socket
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure("cannot connect: \(errno)") }
    }

    deinit { close(socket) }

    /// Posts a compressed batch and waits for the answer.
    func post(_ body: [UInt8]) throws {
        let head = """
            POST /v1/b HTTP/1.1\r
            Host: 127.0.0.1\r
            Content-Type: application/json; charset=utf-8\r
            Content-Encoding: gzip\r
            Content-Length: \(body.count)\r
            \r

            """
        // In one piece: the system would keep the second back until the first is confirmed.
        try send(Array(head.utf8) + body)
        try receiveAnswer()
    }

    private func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { write(socket, $0.baseAddress.map { $0 + sent }, bytes.count - sent) }
            guard count > 0 else { throw Failure("the connection broke off: \(errno)") }
            sent += count
        }
    }

    /// Reads an answer without a body.
    private func receiveAnswer() throws {
        var answer: [UInt8] = []
        while !answer.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let count = read(socket, &buffer, buffer.count)
            guard count > 0 else { throw Failure("the server went away: \(errno)") }
            answer += buffer[..<count]
        }
        guard answer.starts(with: "HTTP/1.1 200".utf8) else { throw Failure(String(decoding: answer, as: UTF8.self)) }
    }
}
