import Foundation
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// The answers for a new workspace.
struct Setup: Equatable {
    enum Encryption: Equatable {
        case none
        case development
        case certificate(String, key: String)
    }

    let data: String
    let host: String
    let port: Int
    let encryption: Encryption
    let retainDays: Int

    /// Whether the data folder is that of an earlier workspace, which has its sources and its admin token.
    var hasData: Bool { FileManager.default.fileExists(atPath: data + "/workspace.sqlite") }

    /// The address under which this machine reaches the workspace.
    var url: String { Workspace.Address(host: host, port: port, isSecure: encryption != .none).localURL }

    /// Whether clients send tokens and events over a network without encryption.
    var isOpen: Bool { encryption == .none && !["127.0.0.1", "::1", "localhost"].contains(host) }

    /// The configuration file.
    /// - Parameters:
    ///   - writeKey: the key of a first source; nil for none.
    ///   - tokenFile: the file of the admin token; nil for none.
    func document(writeKey: String?, tokenFile: String?) -> JSONObject {
        var document: JSONObject = [
            "host": .string(host), "port": .number(port), "data": .string(data), "retain-days": .number(retainDays),
        ]
        if let writeKey { document["write-key"] = [.string(writeKey)] }
        if let tokenFile { document["admin-token-file"] = .string(tokenFile) }
        switch encryption {
        case .none: break
        case .development: document["tls-development"] = true
        case .certificate(let certificate, let key):
            document["tls-certificate"] = .string(certificate)
            document["tls-key"] = .string(key)
        }
        return document
    }
}
