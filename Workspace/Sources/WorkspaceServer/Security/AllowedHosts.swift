import Foundation

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
    init(listening: String, others: [String]) {
        names = Set((["localhost", listening] + others).map { $0.lowercased() })
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
