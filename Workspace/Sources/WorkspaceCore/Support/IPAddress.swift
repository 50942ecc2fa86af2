import Foundation

/// Addresses of the Internet as bytes: four of them, or sixteen.
package enum IPAddress {
    /// Nil when the text is not an address.
    package static func bytes(of text: String) -> [UInt8]? {
        var four = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, text, &four) == 1 { return four }
        var six = [UInt8](repeating: 0, count: 16)
        return inet_pton(AF_INET6, text, &six) == 1 ? six : nil
    }

    /// The same, with the four bytes of an IPv4 address as a server that listens on IPv6 sees it (`::ffff:192.0.2.1`).
    package static func plainBytes(of text: String) -> [UInt8]? {
        guard let bytes = bytes(of: text) else { return nil }
        guard bytes.count == 16, bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF else {
            return bytes
        }
        return Array(bytes[12...])
    }

    package static func text(of bytes: [UInt8]) -> String? {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
