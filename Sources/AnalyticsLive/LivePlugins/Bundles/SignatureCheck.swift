import Foundation
import TributaryCryptography

/// Checks whether enough of the keys that the app trusts have signed a bundle.
///
/// A signature covers only the bytes of the bundle, so any tool for Ed25519 can make it before there is a version. So
/// a person who controls the workspace can deploy an older signed bundle again, but never a bundle that was not signed.
struct SignatureCheck: Sendable {
    private enum Rule: Sendable {
        case everything
        case signed(by: [Ed25519PublicKey], count: Int)
        case nothing(String)
    }

    /// The most keys of an app, and the most signatures of a bundle that are looked at.
    static let mostKeys = 16

    private let rule: Rule

    init(_ trust: BundleTrust) { rule = Self.rule(trust) }

    private static func rule(_ trust: BundleTrust) -> Rule {
        guard trust.keys.count <= mostKeys else {
            return .nothing("the app has \(trust.keys.count) public keys; the limit is \(mostKeys)")
        }
        guard !trust.keys.isEmpty || trust.count != 0 else { return .everything }
        guard Set(trust.keys).count == trust.keys.count else { return .nothing("the app has a public key twice") }
        guard (1...max(1, trust.keys.count)).contains(trust.count), !trust.keys.isEmpty else {
            return .nothing("the app wants \(trust.count) signatures and has \(trust.keys.count) public keys")
        }
        let keys = trust.keys.compactMap { Data(base64Encoded: $0).flatMap { Ed25519PublicKey(Array($0)) } }
        guard keys.count == trust.keys.count else {
            return .nothing("the app's public key is not the 32 bytes of an Ed25519 key in base 64")
        }
        return .signed(by: keys, count: trust.count)
    }

    /// The reason why the bytes must not run; nil when they may.
    func objection(to bytes: [UInt8], signatures: [String]) -> String? {
        switch rule {
        case .everything: return nil
        case .nothing(let reason): return reason
        case .signed(let keys, let count):
            guard !signatures.isEmpty else { return "it is not signed" }
            let decoded = signatures.prefix(Self.mostKeys).compactMap { Data(base64Encoded: $0).map(Array.init) }
            let valid = keys.count { key in decoded.contains { key.isValid($0, for: bytes) } }
            guard valid < count else { return nil }
            return count == 1
                ? "its signature is not one of the app's public key"
                : "it has signatures of \(valid) of the app's public keys; the app wants \(count)"
        }
    }
}
