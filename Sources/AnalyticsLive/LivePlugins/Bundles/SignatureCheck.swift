import Crypto
import Foundation

/// Checks whether a bundle is signed with a key that the app trusts.
///
/// The signature covers the bytes of the bundle and nothing else, so any tool that knows Ed25519 can make it before
/// there is a version. A person in control of the workspace can therefore deploy an older signed bundle again, but
/// never a bundle that was not signed.
struct SignatureCheck: Sendable {
    private enum Rule: Sendable {
        case everything
        case signed(by: Data)
        case nothing
    }

    private let rule: Rule

    /// - Parameter publicKey: the 32 bytes of an Ed25519 key in base 64; nil accepts bundles without a signature. A
    ///   text that is not a key accepts no bundle: an app that wants signatures must not run without them by mistake.
    init(publicKey: String?) {
        guard let publicKey else {
            rule = .everything
            return
        }
        let bytes = Data(base64Encoded: publicKey)
        let isKey = bytes.flatMap { try? Curve25519.Signing.PublicKey(rawRepresentation: $0) } != nil
        rule = isKey ? bytes.map(Rule.signed(by:)) ?? .nothing : .nothing
    }

    /// Why the bytes must not run; nil when they may.
    func objection(to bytes: [UInt8], signature: String?) -> String? {
        switch rule {
        case .everything: return nil
        case .nothing: return "the app's public key is not the 32 bytes of an Ed25519 key in base 64"
        case .signed(let key):
            guard let signature else { return "it is not signed" }
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key),
                let signature = Data(base64Encoded: signature), key.isValidSignature(signature, for: Data(bytes))
            else { return "its signature is not one of the app's public key" }
            return nil
        }
    }
}
