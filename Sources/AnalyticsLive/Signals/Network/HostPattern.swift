import Foundation

/// The addresses that an entry of `allowedNetworkHosts` or `blockedNetworkHosts` matches.
///
/// An entry is a host, optionally with a port and a path: `api.example.com`, `localhost:8080`, `example.com/private`. A
/// path means itself and everything below it. `*` means any run of characters: `*.example.com` means all hosts below
/// `example.com`, and `*` alone all hosts. The case of letters and a final dot of the host do not matter. A scheme
/// before the host is ignored.
struct HostPattern: Hashable, Sendable {
    private let host: [UInt8]
    private let port: Int?
    private let path: [UInt8]

    /// - Returns: nil for an entry without a host.
    init?(_ entry: String) {
        var text = Substring(entry.trimmingCharacters(in: .whitespaces))
        if let scheme = text.range(of: "://") { text = text[scheme.upperBound...] }
        let slash = text.firstIndex(of: "/") ?? text.endIndex
        var authority = text[..<slash]
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        port = Self.takePort(&authority)
        host = Self.normalized(authority)
        var path = text[slash...]
        while path.hasSuffix("/") { path.removeLast() }
        self.path = [UInt8](path.utf8)
        if host.isEmpty { return nil }
    }

    func matches(_ address: CapturedAddress) -> Bool {
        guard Self.glob(host[...], address.host[...]) else { return false }
        if let port, port != address.port { return false }
        guard !path.isEmpty else { return true }
        return Self.glob(path[...], address.path[...]) || Self.glob(path + Array("/*".utf8), address.path[...])
    }

    /// The host in the form for comparing: lower case, without the dot of the root.
    static func normalized(_ host: some StringProtocol) -> [UInt8] {
        var host = host.lowercased()
        while host.hasSuffix(".") { host.removeLast() }
        return [UInt8](host.utf8)
    }

    /// Removes `:8080`. An IPv6 address is in brackets and keeps its colons.
    private static func takePort(_ authority: inout Substring) -> Int? {
        guard let colon = authority.lastIndex(of: ":") else { return nil }
        let digits = authority[authority.index(after: colon)...]
        guard !digits.contains("]"), !authority[..<colon].contains(":") || authority[..<colon].hasSuffix("]"),
            let port = Int(digits)
        else { return nil }
        authority = authority[..<colon]
        return port
    }

    /// Whether the pattern matches a text. Takes at most the length of the pattern times that of the text.
    static func glob(_ pattern: some Collection<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
        let pattern = Array(pattern)
        var (at, star, mark) = (0, -1, text.startIndex)
        var position = text.startIndex
        while position < text.endIndex {
            if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
                (star, mark) = (at, position)
                at += 1
            } else if at < pattern.count, pattern[at] == text[position] {
                at += 1
                position += 1
            } else if star >= 0 {
                mark += 1
                (at, position) = (star + 1, mark)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
