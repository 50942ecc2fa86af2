import Crypto
import Foundation
import TributaryJSON
import WorkspaceCore

/// The live plugins that a client has stored.
struct ClientBundle {
    let version: Int
    let sha256: String
    let source: String
    let signatures: [String]
    /// Whether the device has checked that it stands in the log of deployments.
    let isLogged: Bool

    /// - Throws: why the client will not run it.
    init(_ file: JSONObject) throws(ClientFile.Damage) {
        guard let version = file["version"]?.intValue, let source = file["source"]?.stringValue,
            let sha256 = file["sha256"]?.stringValue
        else { throw ClientFile.Damage(reason: "it is no stored bundle") }
        let digest = SHA256.hash(data: Data(source.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        guard digest == sha256 else { throw ClientFile.Damage(reason: "its script was changed after it was stored") }
        self.version = version
        self.sha256 = sha256
        self.source = source
        let all = file["signatures"]?.elements ?? [file["signature"]].compactMap(\.self)
        signatures = all.compactMap(\.stringValue)
        isLogged = file["logged"]?.boolValue == true
    }

    /// The key with which an app checks its live plugins.
    static func key(_ text: String) throws(Failure) -> Curve25519.Signing.PublicKey {
        guard let bytes = Data(base64Encoded: text),
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
        else { throw Failure("--public-key is not the 32 bytes of an Ed25519 key in base 64") }
        return key
    }

    /// Whether the owner of the key has signed the bundle.
    func isSigned(by key: Curve25519.Signing.PublicKey) -> Bool {
        signatures.compactMap { Data(base64Encoded: $0) }
            .contains { key.isValidSignature($0, for: Data(source.utf8)) }
    }

    var json: JSON {
        [
            "version": .number(version), "sha256": .string(sha256), "signed": .bool(!signatures.isEmpty),
            "signatures": .number(signatures.count), "logged": .bool(isLogged),
        ]
    }
}
