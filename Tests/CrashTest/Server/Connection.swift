import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One accepted connection: reads one request, sends bytes.
struct Connection {
    struct Head {
        var method: String
        var path: String
        /// The name in its `Authorization`: the write key.
        var user: String
        var bodyLength: Int
        /// What was read of the body together with the head.
        var body: [UInt8]
    }

    let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        // A client that is killed, or one that never says anything more, does not hold a thread for ever.
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    /// The head of the request; nil when the client went away before it was whole.
    func readHead() -> Head? {
        var bytes: [UInt8] = []
        while true {
            guard let more = readSome() else { return nil }
            bytes += more
            guard let end = Self.endOfHead(bytes) else {
                if bytes.count > 65_536 { return nil }
                continue
            }
            let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
            let words = lines[0].split(separator: " ")
            guard words.count == 3 else { return nil }
            let user = Self.field("authorization: basic ", lines).flatMap { Data(base64Encoded: $0) }
            return Head(
                method: String(words[0]), path: String(words[1]),
                user: String(decoding: user ?? Data(), as: UTF8.self).replacingOccurrences(of: ":", with: ""),
                bodyLength: Self.field("content-length: ", lines).flatMap { Int($0) } ?? 0, body: Array(bytes[end...]))
        }
    }

    /// The whole body; nil when the client went away before it was whole.
    func readBody(_ head: Head) -> [UInt8]? {
        var body = head.body
        body.reserveCapacity(head.bodyLength)
        while body.count < head.bodyLength {
            guard let more = readSome() else { return nil }
            body += more
        }
        return body
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            #if os(Linux)
            let flags = Int32(MSG_NOSIGNAL)
            #else
            let flags: Int32 = 0
            #endif
            let count = bytes[sent...].withUnsafeBytes { Self.sendBytes(descriptor, $0, flags) }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Waits until the client gives up, or for the connection's patience.
    func waitForEnd() { while readSome() != nil {} }

    /// Ends the connection in an orderly way, or with a reset.
    func end(withReset: Bool = false) {
        if withReset {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
        close(descriptor)
    }

    private static func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
        #if canImport(Glibc)
        Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
        #elseif canImport(Musl)
        Musl.send(descriptor, bytes.baseAddress, bytes.count, flags)
        #else
        Darwin.send(descriptor, bytes.baseAddress, bytes.count, flags)
        #endif
    }

    private func readSome() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private static func field(_ start: String, _ lines: [String]) -> String? {
        lines.first { $0.lowercased().hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (3..<bytes.count).first { index in
            bytes[index] == 10 && bytes[index - 1] == 13 && bytes[index - 2] == 10 && bytes[index - 3] == 13
        }.map { $0 + 1 }
    }
}
