import WorkspaceCore

/// A request of a client that the server did not take, as far as an operator needs to know it.
struct RefusedRequest: Sendable, Hashable {
    enum Kind: String, Sendable {
        /// The write key is missing, or no source has it.
        case unknownKey
        /// The body is no batch, or cannot be read.
        case unreadableBody
        /// Nothing is at that path.
        case wrongPath
        /// Plain http came to the port of https.
        case plainHTTP
    }

    let kind: Kind
    /// The reason in the server's answer.
    let reason: String
    /// The key that was sent. Only its first characters are shown.
    let key: String?
    /// The method of a request with a wrong path.
    let method: String
    let path: String
    /// The address of the client; empty when it is not known.
    let address: String
    /// The library or program, as it names itself; empty when it does not.
    let client: String

    /// Long texts are cut, so that the list stays small.
    init(
        _ kind: Kind, reason: String, key: String? = nil, method: String = "", path: String = "", address: String?,
        client: String? = nil
    ) {
        self.kind = kind
        self.reason = Self.cut(reason, 300)
        // One more than a key may have, so that a longer one stays too long.
        self.key = key.map { Self.cut($0, Limits.writeKeyLength + 1) }
        self.method = Self.cut(method, 20)
        self.path = Self.cut(path, 100)
        self.address = Self.cut(address ?? "", 50)
        self.client = Self.cut(client ?? "", 100)
    }

    /// The first characters of the key, at most half of it.
    var beginningOfKey: String? {
        key.map { key in key.isEmpty ? "" : "\(key.prefix(max(1, min(8, key.count / 2))))…" }
    }

    private static func cut(_ text: String, _ length: Int) -> String {
        String(
            text.unicodeScalars.prefix(length).map { scalar in
                scalar.properties.generalCategory == .control ? " " : Character(scalar)
            })
    }
}
