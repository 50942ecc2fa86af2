import Foundation
package import WorkspaceCore
import WorkspaceServer

/// The addresses of a cluster's engines, as operators write them.
package enum ClusterAddresses {
    /// The most hosts in one address.
    private static let most = 32

    /// The servers of the log: `nats://one:4222,two:4222,three:4222`. A name and a password before the first host apply
    /// to all hosts.
    /// - Throws: `WorkspaceError` that says what is wrong.
    package static func log(_ text: String) throws(WorkspaceError) -> [String] {
        let parts = try Parts(text, schemes: ["nats", "tls"], option: "--log", port: 4_222)
        guard parts.path.isEmpty else { throw Parts.failure("--log", "has nothing behind its hosts") }
        let login = parts.login.map { "\($0)@" } ?? ""
        return parts.hosts.map { "\(parts.scheme)://\(login)\($0)" }
    }

    /// The monitoring addresses of the servers of the log: `http://one:8222,http://two:8222`. A path and the last slash
    /// may be missing.
    /// - Throws: `WorkspaceError` that says what is wrong.
    package static func monitoring(_ text: String) throws(WorkspaceError) -> [String] {
        let option = "--log-monitoring"
        let addresses = text.split(separator: ",", omittingEmptySubsequences: false)
        guard text.utf8.count <= 8_192, addresses.count <= most else {
            throw Parts.failure(option, "has \(most) addresses at most")
        }
        return try addresses.map { address throws(WorkspaceError) in
            let parts = try Parts(String(address), schemes: ["http", "https"], option: option, port: 8_222)
            guard parts.path.isEmpty, parts.login == nil, let host = parts.hosts.first else {
                throw Parts.failure(option, "has addresses with a host and a port only: \"\(address)\"")
            }
            return "\(parts.scheme)://\(host)"
        }
    }

    /// The replicas of the store: `clickhouse://user:password@one:8123,two:8123/tributary`, with `clickhouses` for https.
    /// The database is `tributary` when none is named.
    /// - Throws: `WorkspaceError` that says what is wrong.
    package static func store(_ text: String) throws(WorkspaceError) -> ClickHouseSettings {
        let parts = try Parts(text, schemes: ["clickhouse", "clickhouses"], option: "--store", port: 8_123)
        let scheme = parts.scheme == "clickhouse" ? "http" : "https"
        do {
            var settings = try ClickHouseSettings(
                hosts: parts.hosts.map { "\(scheme)://\($0)" }, database: parts.path.isEmpty ? "tributary" : parts.path)
            if let login = parts.login {
                let words = login.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map {
                    String($0).removingPercentEncoding ?? String($0)
                }
                (settings.user, settings.password) = (words[0], words.count > 1 ? words[1] : nil)
            }
            return settings
        } catch {
            throw Parts.failure("--store", "\(error)")
        }
    }

    /// An address with several hosts.
    private struct Parts {
        let scheme: String
        var login: String?
        var hosts: [String] = []
        var path = ""

        init(_ text: String, schemes: [String], option: String, port: Int) throws(WorkspaceError) {
            guard text.utf8.count <= 8_192, let mark = text.range(of: "://"),
                let scheme = schemes.first(where: { $0 == text[..<mark.lowerBound] })
            else {
                throw Self.failure(option, "begins with \(schemes.map { $0 + "://" }.joined(separator: " or "))")
            }
            self.scheme = scheme
            var rest = text[mark.upperBound...]
            if let at = rest.lastIndex(of: "@") {
                login = String(rest[..<at])
                rest = rest[rest.index(after: at)...]
            }
            if let slash = rest.firstIndex(of: "/") {
                path = String(rest[rest.index(after: slash)...])
                rest = rest[..<slash]
            }
            for host in rest.split(separator: ",", omittingEmptySubsequences: false) {
                hosts.append(try Self.host(String(host), option: option, port: port))
            }
            guard hosts.count <= ClusterAddresses.most else {
                throw Self.failure(option, "has \(ClusterAddresses.most) hosts at most")
            }
        }

        /// A host with a port. An address of IPv6 has brackets.
        private static func host(_ text: String, option: String, port: Int) throws(WorkspaceError) -> String {
            let end = text.lastIndex(of: "]") ?? text.startIndex
            guard let colon = text[end...].lastIndex(of: ":") else {
                guard isName(text) else { throw failure(option, "has a host that is none: \"\(text)\"") }
                return "\(text):\(port)"
            }
            let digits = text[text.index(after: colon)...]
            // `Int` also reads a sign, which the libraries do not.
            let number = digits.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(digits) : nil
            guard isName(text[..<colon]), let number, ServiceAddress.ports.contains(number) else {
                throw failure(option, "has a host that is none: \"\(text)\"")
            }
            return text
        }

        private static func isName(_ text: some StringProtocol) -> Bool {
            !text.isEmpty && text.utf8.allSatisfy { $0.isAlphanumeric || ".-_[]:".utf8.contains($0) }
        }

        static func failure(_ option: String, _ text: String) -> WorkspaceError {
            WorkspaceError(.cluster, "\(option) \(text)")
        }
    }
}
