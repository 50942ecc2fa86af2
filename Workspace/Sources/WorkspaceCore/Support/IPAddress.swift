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

    package static func text(of bytes: [UInt8]) -> String? {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
