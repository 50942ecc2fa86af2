import Foundation

/// The address of another server that this program sends requests to: `https://stats.example.com:8443/hook?x=1`.
///
/// Only `ServiceAddress.request` makes requests, so no text reaches the HTTP client unchecked. That client ends the process for a port above
/// 65535, and Foundation reads a port that is no number as none.
package struct ServiceAddress: Sendable, Equatable, CustomStringConvertible {
    /// Why a text is not an address, as a sentence.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// The ports that an address can name.
    package static let ports = 1...65_535
    /// The longest name of a host, in bytes.
    private static let longestHost = 253

    /// `http` or `https`.
    package let scheme: String
    /// A name or a number in small letters, without the brackets of IPv6.
    package let host: String
    /// The port that the text names; nil for the usual one of the scheme.
    package let port: Int?
    /// The part after the host and the port: path and query, without a fragment.
    package let target: String

    /// - Throws: `Problem` that names what is wrong.
    package init(_ text: String) throws(Problem) {
        guard let mark = text.range(of: "://"), ["http", "https"].contains(text[..<mark.lowerBound].lowercased()) else {
            throw Self.none(text)
        }
        guard text.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "\\") }) else {
            throw Problem(
                description:
                    "an address has no spaces, line breaks, backslashes and letters beyond ASCII; encode them with "
                    + "%, and those of a host with xn--")
        }
        let rest = text[mark.upperBound...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let authority = rest[..<end]
        guard !authority.contains("@") else {
            throw Problem(description: "the address has a user or a password in it, which are not sent")
        }
        guard !rest[end...].contains("#") else {
            throw Problem(description: "the address has a fragment, which is never sent")
        }
        let colon = authority[(authority.lastIndex(of: "]") ?? authority.startIndex)...].lastIndex(of: ":")
        scheme = text[..<mark.lowerBound].lowercased()
        port = try colon.map { colon throws(Problem) in try Self.port(authority[authority.index(after: colon)...]) }
        host = try Self.host(authority[..<(colon ?? authority.endIndex)], in: text)
        target = String(rest[end...])
        // The client reads the text with Foundation, so both have to agree.
        guard let read = URL(string: description), read.host != nil, read.port == port else { throw Self.none(text) }
    }

    private init(_ address: ServiceAddress, target: String) {
        (scheme, host, port, self.target) = (address.scheme, address.host, address.port, target)
    }

    /// Host and port as they stand in a request. An address of IPv6 has brackets.
    package var authority: String {
        (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
    }

    /// Scheme, host and port.
    package var origin: String { "\(scheme)://\(authority)" }

    package var description: String { origin + target }

    /// Another path and query of the same server.
    package func with(target: String) -> ServiceAddress { ServiceAddress(self, target: target) }

    private static func none(_ text: String) -> Problem {
        Problem(description: "\"\(text)\" is no address that begins with https:// or http:// and names a host")
    }

    private static func port(_ text: Substring) throws(Problem) -> Int {
        let isNumber = (1...5).contains(text.utf8.count) && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        guard isNumber, let port = Int(text), ports.contains(port) else {
            throw Problem(
                description:
                    "\"\(text)\" is no port; a port is a number from \(ports.lowerBound) to \(ports.upperBound)")
        }
        return port
    }

    private static func host(_ text: Substring, in whole: String) throws(Problem) -> String {
        let name = text.lowercased()
        if name.hasPrefix("["), name.hasSuffix("]") {
            let number = String(name.dropFirst().dropLast())
            guard number.contains(":"), IPAddress.bytes(of: number) != nil else {
                throw Problem(description: "\"\(text)\" is no address of IPv6")
            }
            return number
        }
        guard (1...longestHost).contains(name.utf8.count),
            name.utf8.allSatisfy({ $0.isAlphanumeric || ".-_".utf8.contains($0) })
        else { throw none(whole) }
        return name
    }
}
