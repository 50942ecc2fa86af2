import Crypto
import Foundation
package import TributaryJSON
package import WorkspaceCore

/// How the server checks that a request comes from the service that it says, before a script sees it.
package enum SourceVerification: Sendable, Equatable {
    /// The text of a digest in a header.
    package enum Encoding: String, Sendable {
        case hex, base64

        func bytes(_ text: String) -> [UInt8]? {
            switch self {
            case .hex: Self.bytes(ofHex: text)
            case .base64: Data(base64Encoded: text).map(Array.init)
            }
        }

        func text(_ bytes: some Sequence<UInt8>) -> String {
            switch self {
            case .hex: Data(bytes).hexadecimal
            case .base64: Data(bytes).base64EncodedString()
            }
        }

        private static func bytes(ofHex text: String) -> [UInt8]? {
            let digits = Array(text.utf8)
            guard digits.count.isMultiple(of: 2) else { return nil }
            var bytes: [UInt8] = []
            for index in stride(from: 0, to: digits.count, by: 2) {
                let pair = String(decoding: digits[index...index + 1], as: UTF8.self)
                guard pair.utf8.allSatisfy(\.isAlphanumeric), let byte = UInt8(pair, radix: 16) else { return nil }
                bytes.append(byte)
            }
            return bytes
        }
    }

    /// Nothing is checked; only the address is secret.
    case none
    /// A header has the prefix and the secret.
    case header(String, prefix: String, secret: String)
    /// A header has the prefix and the HMAC-SHA256 of the body.
    case signature(header: String, prefix: String, encoding: Encoding, secret: String)
    /// A header has a time and the HMAC-SHA256 of time, point and body: `t=1700000000,v1=…`.
    case timedSignature(header: String, tolerance: Int64, secret: String)
    /// The body is a notification that the App Store signed.
    /// - Parameter root: the setting with the fingerprint of another root than Apple's; nil for none.
    case appStore(root: String?)

    private static let schemes: [String: [String]] = [
        "none": [], "header": ["secret", "header", "prefix"],
        "hmac-sha256": ["secret", "header", "prefix", "encoding"], "stripe": ["secret", "header", "tolerance"],
        "app-store": ["root"],
    ]

    /// - Throws: `Refusal` with the first problem.
    init(_ json: JSON, secrets: [(name: String, isRequired: Bool)], settings: [String] = []) throws(Refusal) {
        let problem = { (text: String) in Refusal(.unusable, "static verification: \(text)") }
        let object = json.objectValue ?? [:]
        guard let scheme = object["scheme"]?.stringValue, let members = Self.schemes[scheme] else {
            throw problem("the scheme is \(Self.schemes.keys.sorted().joined(separator: ", "))")
        }
        if let stranger = object.first(where: { $0.key != "scheme" && !members.contains($0.key) }) {
            let known = members.isEmpty ? "nothing else" : members.joined(separator: ", ")
            throw problem("the scheme \(scheme) has no \(stranger.key); it has \(known)")
        }
        guard scheme != "none" else {
            self = .none
            return
        }
        guard scheme != "app-store" else {
            let root = object["root"]?.stringValue
            guard object["root"] == nil || root.map(settings.contains) == true else {
                throw problem("root names one of static settings")
            }
            self = .appStore(root: root)
            return
        }
        guard let secret = object["secret"]?.stringValue,
            secrets.contains(where: { $0.name == secret && $0.isRequired })
        else { throw problem("secret names one of static secrets, which is required") }
        let name = object["header"]?.stringValue
        if object["header"] != nil, name?.isEmpty != false { throw problem("header is the name of a header") }
        let header = name?.lowercased()
        let prefix = object["prefix"]?.stringValue ?? ""
        switch scheme {
        case "header": self = .header(header ?? "authorization", prefix: prefix, secret: secret)
        case "hmac-sha256":
            guard let header else { throw problem("header names the header with the signature") }
            guard let encoding = Encoding(rawValue: object["encoding"]?.stringValue ?? "hex") else {
                throw problem("encoding is \"hex\" or \"base64\"")
            }
            self = .signature(header: header, prefix: prefix, encoding: encoding, secret: secret)
        default:
            let tolerance = try object.member("tolerance", "tolerance is a number of seconds, 1 to 86400") {
                $0.numberValue?.int64.flatMap { (1...Limits.signatureMostTolerance).contains($0) ? $0 : nil }
            }
            self = .timedSignature(
                header: header ?? "stripe-signature", tolerance: tolerance ?? Limits.signatureTolerance, secret: secret)
        }
    }

    /// The header that holds the secret or the signature, in small letters.
    var header: String? {
        switch self {
        case .none, .appStore: nil
        case .header(let header, _, _), .signature(let header, _, _, _), .timedSignature(let header, _, _): header
        }
    }

    /// Checks a request.
    /// - Parameters:
    ///   - settings: the values of the settings.
    ///   - now: milliseconds since 1970.
    /// - Returns: the request as the function gets it. The body of a notification of the App Store is the signed content.
    /// - Throws: `Refusal` with 401. The text has no secret and no signature.
    package func checked(
        _ request: HookRequest, _ secrets: FunctionSecrets, settings: JSONObject = [:], now: Int64
    ) async throws(Refusal) -> HookRequest {
        guard case .appStore(let setting) = self else {
            try check(request, secrets, now: now)
            return request
        }
        let fingerprint = setting.flatMap { settings[$0]?.stringValue } ?? ""
        let signature = try AppStoreSignature(fingerprint: fingerprint)
        let notification = try await signature.notification(request.body, now: now)
        return HookRequest(headers: request.headers, query: request.query, body: notification.encoded())
    }

    private func check(_ request: HookRequest, _ secrets: FunctionSecrets, now: Int64) throws(Refusal) {
        guard let header else { return }
        guard let given = request.headers[header] else { throw Self.refusal("the header \(header) is missing") }
        switch self {
        case .none, .appStore: return
        case .header(_, let prefix, let secret):
            let wanted = Array((prefix + (try Self.value(secret, secrets))).utf8)
            guard Self.isSame(wanted, Array(given.utf8)) else {
                throw Self.refusal("the header \(header) has another value than the secret \(secret)")
            }
        case .signature(_, let prefix, let encoding, let secret):
            guard given.hasPrefix(prefix), let digest = encoding.bytes(String(given.dropFirst(prefix.count))),
                Self.isDigest(digest, of: request.body, try Self.value(secret, secrets))
            else { throw Self.refusal("the signature in \(header) does not fit the body and the secret \(secret)") }
        case .timedSignature(_, let tolerance, let secret):
            let (time, digests) = Self.timed(given)
            guard let time, let seconds = Int64(time) else {
                throw Self.refusal("the header \(header) has no time, t=…")
            }
            let key = try Self.value(secret, secrets)
            let signed = Array("\(time).".utf8) + request.body
            guard digests.contains(where: { Self.isDigest($0, of: signed, key) }) else {
                throw Self.refusal("the signature in \(header) does not fit the body and the secret \(secret)")
            }
            let age = (now / 1_000).subtractingReportingOverflow(seconds)
            guard !age.overflow, age.partialValue.magnitude <= tolerance.magnitude else {
                throw Self.refusal("the signature is of another time: at most \(tolerance) seconds from now are taken")
            }
        }
    }

    /// The header that the service would send, for tests.
    package func header(_ body: [UInt8], _ secrets: FunctionSecrets, now: Int64) -> (name: String, value: String)? {
        func digest(_ text: [UInt8], _ secret: String) -> some Sequence<UInt8> {
            HMAC<SHA256>.authenticationCode(for: text, using: Self.key(secrets.values[secret] ?? ""))
        }
        switch self {
        case .none, .appStore: return nil
        case .header(let header, let prefix, let secret): return (header, prefix + (secrets.values[secret] ?? ""))
        case .signature(let header, let prefix, let encoding, let secret):
            return (header, prefix + encoding.text(digest(body, secret)))
        case .timedSignature(let header, _, let secret):
            let time = "\(now / 1_000)"
            return (header, "t=\(time),v1=\(Encoding.hex.text(digest(Array("\(time).".utf8) + body, secret)))")
        }
    }

    private static func refusal(_ message: String) -> Refusal { Refusal(.unauthorized, message) }

    /// - Throws: when the secret is missing, which an operator can change.
    private static func value(_ name: String, _ secrets: FunctionSecrets) throws(Refusal) -> String {
        guard let value = secrets.values[name] else {
            throw Refusal(.unavailable, "the secret \(name) has no value", retryAfter: Limits.hookPauseAfterFault)
        }
        return value
    }

    private static func key(_ secret: String) -> SymmetricKey { SymmetricKey(data: Data(secret.utf8)) }

    /// Takes the same time for every wrong digest.
    private static func isDigest(_ digest: [UInt8], of text: [UInt8], _ secret: String) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(digest, authenticating: text, using: key(secret))
    }

    /// Compares digests with a random key, so that the time says nothing of the texts.
    private static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        let key = SymmetricKey(size: .bits256)
        let digest = HMAC<SHA256>.authenticationCode(for: one, using: key)
        return HMAC<SHA256>.isValidAuthenticationCode(digest, authenticating: other, using: key)
    }

    /// Reads `t=TIME,v1=DIGEST,v1=DIGEST`. Other parts, such as `v0`, are passed over.
    private static func timed(_ text: String) -> (time: String?, digests: [[UInt8]]) {
        var (time, digests): (String?, [[UInt8]]) = (nil, [])
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2 else { continue }
            if pair[0] == "t" { time = time ?? pair[1] }
            if pair[0] == "v1", digests.count < Limits.signaturesInHeader, let digest = Encoding.hex.bytes(pair[1]) {
                digests.append(digest)
            }
        }
        return (time, digests)
    }
}
