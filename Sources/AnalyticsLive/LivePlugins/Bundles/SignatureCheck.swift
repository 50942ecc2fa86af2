import Foundation
import TributaryCryptography

/// Checks whether a bundle is signed with a key that the app trusts.
///
/// The signature covers only the bytes of the bundle, so any tool for Ed25519 can make it before there is a version. So
/// a person who controls the workspace can deploy an older signed bundle again, but never a bundle that was not signed.
struct SignatureCheck: Sendable {
    private enum Rule: Sendable {
        case everything
        case signed(by: Ed25519PublicKey)
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
        let key = Data(base64Encoded: publicKey).flatMap { Ed25519PublicKey(Array($0)) }
        rule = key.map(Rule.signed(by:)) ?? .nothing
    }

    /// The reason why the bytes must not run; nil when they may.
    func objection(to bytes: [UInt8], signature: String?) -> String? {
        switch rule {
        case .everything: return nil
        case .nothing: return "the app's public key is not the 32 bytes of an Ed25519 key in base 64"
        case .signed(let key):
            guard let signature else { return "it is not signed" }
            guard let signature = Data(base64Encoded: signature), key.isValid(Array(signature), for: bytes) else {
                return "its signature is not one of the app's public key"
            }
            return nil
        }
    }
}
