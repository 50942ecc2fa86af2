import Crypto
import Foundation

/// The secret with which bundles are signed: 32 bytes in base 64, in a file that only its owner can read.
struct SigningKey {
    private let key: Curve25519.Signing.PrivateKey

    /// Reads a key.
    init(file: String) throws(Failure) {
        let text = String(decoding: try InputFile.read(file), as: UTF8.self)
        let bytes = Data(base64Encoded: text.trimmingCharacters(in: .whitespacesAndNewlines))
        guard let key = bytes.flatMap({ try? Curve25519.Signing.PrivateKey(rawRepresentation: $0) }) else {
            throw Failure("\(file) is not a key of `tributary plugin key`")
        }
        self.key = key
    }

    /// Reads a key, or makes one where there is no file.
    init(fileOrNew file: String) throws(Failure) {
        guard !FileManager.default.fileExists(atPath: file) else {
            self = try SigningKey(file: file)
            return
        }
        key = Curve25519.Signing.PrivateKey()
        let text = key.rawRepresentation.base64EncodedString() + "\n"
        try OutputFile.writeSecret(Data(text.utf8), to: file)
    }

    var publicKey: String { key.publicKey.rawRepresentation.base64EncodedString() }

    func signature(of data: Data) throws(Failure) -> String {
        do {
            return try key.signature(for: data).base64EncodedString()
        } catch {
            throw Failure("the file cannot be signed: \(error)")
        }
    }
}
