import Foundation
import WorkspaceCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The names under which the page and the administration answer.
///
/// A hostile page can let its own name point to this machine and then send requests to the workspace as its own origin.
/// It cannot do so with an address, so addresses are always allowed, and names only when the operator named them.
struct AllowedHosts: Sendable {
    private let names: Set<String>

    /// - Parameters:
    ///   - listening: the name or address that the server listens on.
    ///   - others: further names, as a proxy or a name server gives them.
    /// - Throws: `WorkspaceError` for a text that is no name of a host, such as an address with `https://`: it would allow
    ///   nothing, and nothing would say so.
    init(listening: String, others: [String]) throws(WorkspaceError) {
        for name in others where !Self.isName(name) {
            throw WorkspaceError(
                .address,
                "the allowed host \"\(name)\" is no name of a host: give the name alone, such as stats.example.com, "
                    + "without scheme, port or path")
        }
        names = Set((["localhost", listening] + others).map { $0.lowercased() })
    }

    private static func isName(_ text: String) -> Bool {
        if isAddress(text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text) {
            return true
        }
        return !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-._".utf8.contains(byte)
            }
    }

    /// Whether a request for that authority is answered: a host with or without a port.
    func allows(_ authority: String?) -> Bool {
        guard let authority, let host = Self.host(of: authority.lowercased()) else { return false }
        return Self.isAddress(host) || names.contains(host)
    }

    private static func host(of authority: String) -> String? {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            return String(authority[authority.index(after: authority.startIndex)..<end])
        }
        let host = authority.prefix { $0 != ":" }
        return host.isEmpty ? nil : String(host.hasSuffix(".") ? host.dropLast() : host)
    }

    private static func isAddress(_ host: String) -> Bool {
        var four = in_addr()
        var six = in6_addr()
        return inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
    }
}
