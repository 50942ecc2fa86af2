import Crypto
import Foundation

/// A key that seals changes of the settings. It is derived from a secret of the operator.
struct ChangeKey: Sendable {
    let key: SymmetricKey
    /// Four bytes that identify the key and reveal nothing about it.
    let mark: [UInt8]

    /// - Parameter secret: at least 20 random characters, because the derivation of the key does not slow down
    ///   guessing.
    init(secret: String) throws(WorkspaceError) {
        guard secret.utf8.count >= Limits.shortestToken else {
            throw WorkspaceError(
                .dataFolder,
                "a key of the cluster (--cluster-key-file, --cluster-old-key-file) needs at least \(Limits.shortestToken) characters"
            )
        }
        let material = SymmetricKey(data: Data(secret.utf8))
        func derived(_ use: String, _ bytes: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: material, salt: Data("tributary".utf8), info: Data(use.utf8), outputByteCount: bytes)
        }
        key = derived("settings: key", 32)
        mark = derived("settings: mark of the key", 4).withUnsafeBytes { Array($0) }
    }
}
