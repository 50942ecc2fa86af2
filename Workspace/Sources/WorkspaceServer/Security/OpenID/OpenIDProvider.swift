import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TributaryJSON
import WorkspaceCore

/// Asks the provider: for its addresses and keys, which it keeps for some minutes, and for the token of a login.
///
/// It only asks the hosts of the configuration, follows no redirect, and takes answers of bounded size and time.
actor OpenIDProvider {
    /// The addresses of the provider.
    struct Addresses: Sendable, Equatable {
        /// As the provider names itself.
        let issuer: String
        let authorization: ServiceAddress
        let token: ServiceAddress
        let keys: ServiceAddress
        /// Whether the secret of the client goes into the body, because the provider takes no header.
        let takesSecretInBody: Bool
    }

    private let configuration: OpenIDConfiguration
    private let now: @Sendable () -> Int64
    private var known: (addresses: Addresses, at: Int64)?
    private var keys: (keys: [SigningKey], at: Int64)?
    private var requests = 0
    /// The last fault of the provider. It is not asked again at once.
    private var failed: (fault: OpenIDFault, at: Int64)?

    init(_ configuration: OpenIDConfiguration, now: @escaping @Sendable () -> Int64) {
        (self.configuration, self.now) = (configuration, now)
    }

    // MARK: Knowledge

    func addresses() async throws(OpenIDFault) -> Addresses {
        if let known, now() - known.at < Limits.openIDKnowledgeMilliseconds { return known.addresses }
        if let failed, now() - failed.at < Limits.openIDPauseMilliseconds { throw failed.fault }
        do throws(OpenIDFault) {
            let addresses = try await readAddresses()
            (known, failed) = ((addresses, now()), nil)
            return addresses
        } catch {
            failed = (error, now())
            throw error
        }
    }

    private func readAddresses() async throws(OpenIDFault) -> Addresses {
        let issuer = configuration.issuer
        let path = issuer.target.hasSuffix("/") ? String(issuer.target.dropLast()) : issuer.target
        let document = try await read(issuer.with(target: path + "/.well-known/openid-configuration").request(.GET))
        guard let name = document["issuer"]?.stringValue,
            [issuer.description, issuer.origin + path].contains(where: { name.isSameText(as: $0) })
        else { throw .provider("it has another name than the configuration says") }
        let ways = document["token_endpoint_auth_methods_supported"]?.elements?.map(\.stringValue)
        return Addresses(
            issuer: name, authorization: try address("authorization_endpoint", document, isForServer: false),
            token: try address("token_endpoint", document), keys: try address("jwks_uri", document),
            takesSecretInBody: ways.map { !$0.contains("client_secret_basic") && $0.contains("client_secret_post") }
                ?? false)
    }

    /// - Parameter isForServer: whether the server asks the address, not only the browser.
    private func address(
        _ member: String, _ document: JSON, isForServer: Bool = true
    ) throws(OpenIDFault) -> ServiceAddress {
        guard let text = document[member]?.stringValue, let address = try? ServiceAddress(text), address.isSafe else {
            throw .provider("it has no \(member) with https")
        }
        guard !isForServer || configuration.hosts.contains(address.host) else {
            throw .provider("its \(member) is on \(address.host), which is not allowed: --oidc-host \(address.host)")
        }
        return address
    }

    /// The keys of the provider. They are read again when a token names another one, because providers change their keys.
    private func keys(for token: SignedToken) async throws(OpenIDFault) -> [SigningKey] {
        if let keys {
            let age = now() - keys.at
            let isKnown = token.keyId == nil || keys.keys.contains { $0.id == token.keyId }
            let limit = isKnown ? Limits.openIDKnowledgeMilliseconds : Limits.openIDRereadMilliseconds
            if age < limit { return keys.keys }
        }
        let document = try await read(try await addresses().keys.request(.GET))
        guard let all = document["keys"]?.elements else { throw .provider("it has no list of keys") }
        let read = all.prefix(Limits.openIDKeys).compactMap(SigningKey.init)
        keys = (read, now())
        return read
    }

    // MARK: A login

    /// The address that the browser goes to.
    func begin(_ attempt: OpenIDAttempt) async throws(OpenIDFault) -> String {
        let address = try await addresses().authorization
        let query = Self.form([
            ("response_type", "code"), ("client_id", configuration.client), ("redirect_uri", attempt.back),
            ("scope", (["openid"] + configuration.scopes).joined(separator: " ")), ("state", attempt.state),
            ("nonce", attempt.nonce), ("code_challenge", attempt.challenge), ("code_challenge_method", "S256"),
        ])
        return address.description + (address.target.contains("?") ? "&" : "?") + query
    }

    /// Exchanges the code for a token, and checks the token.
    func finish(_ attempt: OpenIDAttempt, code: String) async throws(OpenIDFault) -> IdentityClaims {
        let addresses = try await addresses()
        var members = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", attempt.back),
            ("code_verifier", attempt.verifier),
        ]
        var request = addresses.token.request(.POST)
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        if addresses.takesSecretInBody {
            members += [("client_id", configuration.client), ("client_secret", configuration.secret)]
        } else {
            let pair = Self.encoded(configuration.client) + ":" + Self.encoded(configuration.secret)
            request.headers.add(name: "Authorization", value: "Basic " + Data(pair.utf8).base64EncodedString())
        }
        request.body = .bytes(ByteBuffer(string: Self.form(members)))
        let answer = try await read(request)
        guard let text = answer["id_token"]?.stringValue else { throw .provider("it gave no token of a person") }
        let token = try SignedToken(text)
        guard token.isSigned(by: try await keys(for: token)) else { throw .token("the service did not sign it") }
        return try IdentityClaims(
            token.claims, configuration, issuer: addresses.issuer, nonce: attempt.nonce, now: now())
    }

    // MARK: Requests

    private func read(_ request: HTTPClientRequest) async throws(OpenIDFault) -> JSON {
        guard requests < Limits.openIDRequests else { throw .provider("too many people log in at once") }
        requests += 1
        defer { requests -= 1 }
        var request = request
        request.headers.add(name: "Accept", value: "application/json")
        request.headers.add(name: "User-Agent", value: "Tributary")
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: Self.configuration)
        let result: Result<JSON, OpenIDFault>
        do {
            let response = try await client.execute(request, timeout: .seconds(Limits.openIDSeconds))
            result = try await Self.answer(response, isLogin: request.method == .POST)
        } catch {
            result = .failure(.provider("it gives no answer (\(ErrorReason.text(error)))"))
        }
        try? await client.shutdown()
        return try result.get()
    }

    /// - Parameter isLogin: whether the request is that of one login, with its code.
    private static func answer(_ response: HTTPClientResponse, isLogin: Bool) async throws -> Result<JSON, OpenIDFault>
    {
        let body = try await response.body.collect(upTo: Limits.openIDAnswer)
        let json = try? JSON.parse([UInt8](body.readableBytesView))
        guard (200..<300).contains(response.status.code) else {
            let code = json?["error"]?.stringValue.map { ": " + PlainName.shown(String($0.prefix(60))) } ?? ""
            let text = "it answered \(response.status.code)\(code)"
            return .failure(isLogin && response.status.code < 500 ? .attempt(text) : .provider(text))
        }
        guard let json else { return .failure(.provider("its answer is not JSON")) }
        return .success(json)
    }

    private static var configuration: HTTPClient.Configuration {
        HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(Limits.openIDSeconds), read: .seconds(Limits.openIDSeconds)),
            decompression: .disabled)
    }

    static func form(_ members: [(String, String)]) -> String {
        members.map { "\(encoded($0))=\(encoded($1))" }.joined(separator: "&")
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            if byte.isAlphanumeric || "-._~".utf8.contains(byte) { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "%0\(digits)" : "%\(digits)"
        }.joined()
    }
}
