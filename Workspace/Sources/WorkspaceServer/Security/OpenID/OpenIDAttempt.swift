import Crypto
import Foundation
import TributaryJSON
import WorkspaceCore

/// A login that a browser began and the provider has to finish. The browser keeps it in a sealed cookie, so any node of a
/// cluster can finish it, and the server keeps nothing for strangers.
struct OpenIDAttempt: Sendable, Equatable {
    /// Comes back in the address.
    let state: String
    /// Comes back in the token.
    let nonce: String
    /// Proves to the provider that the login with the code began here (PKCE).
    let verifier: String
    /// The address that the provider sends the browser back to.
    let back: String
    /// The place of the page to show afterwards.
    let place: String
    /// Milliseconds since 1970.
    let begunAt: Int64

    /// The digest of the verifier, for the provider.
    var challenge: String { Secret.text(Array(SHA256.hash(data: Data(verifier.utf8)))) }

    /// - Parameter key: made from what all nodes know and no browser does.
    func sealed(by key: SymmetricKey) throws -> String {
        let json: JSON = [
            "state": .string(state), "nonce": .string(nonce), "verifier": .string(verifier), "back": .string(back),
            "place": .string(place), "begunAt": .number(begunAt),
        ]
        let box = try AES.GCM.seal(Data(json.encoded()), using: key)
        guard let bytes = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return Secret.text([UInt8](bytes))
    }

    /// - Throws: `OpenIDFault` for a text that this workspace did not seal, or long ago.
    init(sealed text: String, by key: SymmetricKey, now: Int64) throws(OpenIDFault) {
        guard let bytes = SignedToken.bytes(text), let box = try? AES.GCM.SealedBox(combined: bytes),
            let plain = try? AES.GCM.open(box, using: key), let json = try? JSON.parse([UInt8](plain)),
            let state = json["state"]?.stringValue, let nonce = json["nonce"]?.stringValue,
            let verifier = json["verifier"]?.stringValue, let back = json["back"]?.stringValue,
            let place = json["place"]?.stringValue, let begunAt = json["begunAt"]?.intValue.map(Int64.init)
        else { throw .attempt("this browser did not begin it here") }
        guard now - begunAt < Limits.openIDAttemptMilliseconds else { throw .attempt("it took too long") }
        self.init(state: state, nonce: nonce, verifier: verifier, back: back, place: place, begunAt: begunAt)
    }

    init(state: String, nonce: String, verifier: String, back: String, place: String, begunAt: Int64) {
        (self.state, self.nonce, self.verifier) = (state, nonce, verifier)
        (self.back, self.place, self.begunAt) = (back, place, begunAt)
    }

    /// The key of the cookies. Only a server that has the secret of the client can make it.
    static func key(_ configuration: OpenIDConfiguration) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(configuration.secret.utf8)),
            salt: Data((configuration.issuer.description + "\n" + configuration.client).utf8),
            info: Data("tributary login with OpenID Connect".utf8), outputByteCount: 32)
    }
}
