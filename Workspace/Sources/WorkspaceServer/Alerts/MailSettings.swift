package import WorkspaceCore

/// The mail server of the operator, and who gets mail.
package struct MailSettings: Sendable, Equatable {
    package enum Security: String, Sendable, CaseIterable {
        /// The connection is plain at first, and nothing is sent before it is encrypted.
        case startTLS = "starttls"
        /// Encrypted from the first byte.
        case tls
        /// Never encrypted; only for a server that is trusted with that, such as one on the same machine. Without a login.
        case none
    }

    package struct Login: Sendable, Equatable {
        let user: String
        let password: String
    }

    package let host: String
    package let port: Int
    package let security: Security
    package let login: Login?
    /// A file with the certificates that may sign that of the server; nil takes those of the system.
    package let authority: String?
    package let from: String
    package let to: [String]

    /// - Parameters:
    ///   - server: a host, and a port after a colon; 587, or 465 for `tls`, without one.
    ///   - login: the content of the file with the login: the user on the first line, and the password on the second.
    /// - Throws: `Refusal` with the first problem. It does not repeat the login.
    package init(
        server: String, security: String?, login: String?, authority: String? = nil, from: String?, to: [String]
    ) throws(Refusal) {
        guard let security = Security(rawValue: security ?? "starttls") else {
            throw .invalid("smtp-security is one of \(Security.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self.security = security
        (host, port) = try Self.address(server, usual: security == .tls ? 465 : 587)
        self.login = try login.map(Self.login)
        guard self.login == nil || security != .none else {
            throw .invalid("a login is only sent over an encrypted connection: smtp-security is starttls or tls")
        }
        self.authority = authority
        guard let from else { throw .invalid("mail-from is the address that mail comes from") }
        guard (1...Self.mostReceivers).contains(to.count) else {
            throw .invalid("mail-to has 1 to \(Self.mostReceivers) addresses")
        }
        for address in [from] + to { try Self.check(address) }
        (self.from, self.to) = (from, to)
    }

    private static let mostReceivers = 20

    private static func address(_ server: String, usual: Int) throws(Refusal) -> (String, Int) {
        let parts = server.split(separator: ":", omittingEmptySubsequences: false)
        let host = String(parts[0])
        let isHost =
            !host.isEmpty && host.utf8.count <= 253
            && host.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
        let port = parts.count == 2 ? Int(parts[1]) : usual
        guard isHost, parts.count <= 2, let port, (1...65_535).contains(port) else {
            throw .invalid("smtp-server is a host, and a port after a colon: mail.example.com:587")
        }
        return (host, port)
    }

    private static func login(_ text: String) throws(Refusal) -> Login {
        // CR and LF are one character.
        let lines = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
        let isEnd = lines.count == 2 || lines.count == 3 && lines[2].isEmpty
        guard isEnd, !lines[0].isEmpty, !lines[1].isEmpty, text.utf8.count <= 1_000, !text.utf8.contains(0) else {
            throw .invalid("the file with the login has two lines: the user and the password")
        }
        return Login(user: String(lines[0]), password: String(lines[1]))
    }

    /// An address goes into commands and headers as it is, so it must not end one of them.
    private static func check(_ address: String) throws(Refusal) {
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        let isPlain = address.utf8.allSatisfy {
            (0x21...0x7e).contains($0) && !Array("<>()[],;:\\\"".utf8).contains($0)
        }
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), isPlain, address.utf8.count <= 254 else {
            throw .invalid("\(PlainName.shown(address)) is no address such as ops@example.com")
        }
    }
}
