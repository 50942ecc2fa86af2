import Crypto
import CryptoExtras
import Foundation
import Synchronization
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// A provider of OpenID Connect that does what a test wants, also what no provider does. It is a real server.
final class TestProvider: Sendable {
    /// Its behaviour.
    struct Behaviour: Sendable {
        /// Changes the claims of a token.
        var claims: @Sendable (JSONObject) -> JSONObject = { $0 }
        /// Changes the header of a token.
        var header: @Sendable (JSONObject) -> JSONObject = { $0 }
        /// Signs a text in place of the key.
        var sign: (@Sendable (Data) -> Data)?
        /// Changes the document with the addresses.
        var document: @Sendable (JSONObject) -> JSONObject = { $0 }
        /// The answer to a path in place of the right one.
        var answer: @Sendable (String) -> Receiver.Answer? = { _ in nil }
        var key = TestProvider.first
        var keyId = "one"
        /// Whether the list of keys has the key.
        var showsKey = true
    }

    static let client = "tributary"
    static let secret = "a secret of the client"
    static let first = key()
    static let second = key()

    private static func key() -> _RSA.Signing.PrivateKey {
        guard let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048) else { fatalError("no key can be made") }
        return key
    }

    private struct State {
        var behaviour = Behaviour()
        var url = ""
        /// The request of each login, by its code.
        var codes: [String: [String: String]] = [:]
        var asked: [String] = []
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Int64

    init(now: @escaping @Sendable () -> Int64) { self.now = now }

    var url: String { state.withLock(\.url) }
    /// The paths that were asked for.
    var asked: [String] { state.withLock(\.asked) }

    func change(_ change: (inout Behaviour) -> Void) { state.withLock { change(&$0.behaviour) } }

    func run(_ body: () async throws -> Void) async throws {
        let receiver = Receiver { [self] delivery, _ in answer(delivery) }
        try await receiver.run { url in
            let url = url.hasSuffix("/") ? String(url.dropLast()) : url
            state.withLock { $0.url = url }
            try await body()
        }
    }

    /// Does what the person does in the browser: logs in at the address of the provider.
    /// - Returns: the query with which the browser comes back.
    func agree(to address: String, code: String = UUID().uuidString) -> String {
        let query = QueryReader(query: address.split(separator: "?").last.map(String.init) ?? "")
        let members = ["nonce", "code_challenge", "redirect_uri", "client_id"].map { ($0, query.text($0) ?? "") }
        state.withLock { $0.codes[code] = Dictionary(uniqueKeysWithValues: members) }
        return "code=\(code)&state=\(query.text("state") ?? "")"
    }

    private func answer(_ delivery: Receiver.Delivery) -> Receiver.Answer {
        let path = String(delivery.path.prefix { $0 != "?" })
        let behaviour = state.withLock { state in
            state.asked.append(path)
            return state.behaviour
        }
        if let answer = behaviour.answer(path) { return answer }
        switch path {
        case "/.well-known/openid-configuration": return Self.json(.object(behaviour.document(document)))
        case "/keys": return Self.json(["keys": .array(behaviour.showsKey ? [Self.key(behaviour)] : [])])
        case "/token": return token(delivery, behaviour)
        default: return Receiver.Answer(status: 404)
        }
    }

    private var document: JSONObject {
        [
            "issuer": .string(url), "authorization_endpoint": .string(url + "/authorize"),
            "token_endpoint": .string(url + "/token"), "jwks_uri": .string(url + "/keys"),
        ]
    }

    private static func json(_ json: JSON) -> Receiver.Answer {
        Receiver.Answer(headers: ["Content-Type": "application/json"], body: json.description)
    }

    private static func key(_ behaviour: Behaviour) -> JSON {
        guard let parts = try? behaviour.key.publicKey.getKeyPrimitives() else { return .null }
        return [
            "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(behaviour.keyId),
            "n": .string(Secret.text([UInt8](parts.modulus))), "e": .string(Secret.text([UInt8](parts.publicExponent))),
        ]
    }

    /// Takes a code once, from the client, with its verifier.
    private func token(_ delivery: Receiver.Delivery, _ behaviour: Behaviour) -> Receiver.Answer {
        let query = QueryReader(query: String(decoding: delivery.body, as: UTF8.self))
        let challenge = Secret.text([UInt8](SHA256.hash(data: Data((query.text("code_verifier") ?? "").utf8))))
        let known = state.withLock { $0.codes.removeValue(forKey: query.text("code") ?? "") }
        let pair = "\(Self.client):\(Self.secret.replacing(" ", with: "%20"))"
        guard let known, known["code_challenge"] == challenge, known["redirect_uri"] == query.text("redirect_uri"),
            delivery.headers["authorization"] == "Basic " + Data(pair.utf8).base64EncodedString()
        else { return Receiver.Answer(status: 400, body: #"{"error":"invalid_grant"}"#) }
        let seconds = now() / 1_000
        let claims = behaviour.claims([
            "iss": .string(url), "aud": .string(Self.client), "sub": "person-1", "exp": .number(seconds + 3_600),
            "iat": .number(seconds), "nonce": .string(known["nonce"]), "name": "Anna Example",
            "email": "Anna@example.com", "email_verified": true, "groups": ["analysts"],
        ])
        let header = behaviour.header(["alg": "RS256", "kid": .string(behaviour.keyId)])
        let parts = [header, claims].map { Secret.text(JSON.object($0).encoded()) }
        let signed = Data(parts.joined(separator: ".").utf8)
        let right = try? behaviour.key.signature(for: SHA256.hash(data: signed), padding: .insecurePKCS1v1_5)
        let signature = behaviour.sign?(signed) ?? right?.rawRepresentation ?? Data()
        let text = (parts + [Secret.text([UInt8](signature))]).joined(separator: ".")
        return Self.json(["id_token": .string(text), "access_token": "a", "token_type": "Bearer"])
    }
}
