import Foundation
import TributaryJSON
import WorkspaceCore

/// The person of a token of the provider, after its checks.
struct IdentityClaims: Sendable, Equatable {
    let name: String
    /// The groups of the person, and the mail address, if the provider has checked it.
    let values: [String]
    /// When the token ends, in milliseconds since 1970.
    let endsAt: Int64

    /// - Parameters:
    ///   - claims: those of a token with a valid signature.
    ///   - nonce: the text that the login began with.
    /// - Throws: `OpenIDFault` for a token that is for another workspace, of another provider, of another login, or over.
    init(
        _ claims: JSONObject, _ configuration: OpenIDConfiguration, issuer: String, nonce: String, now: Int64
    ) throws(OpenIDFault) {
        guard let from = claims["iss"]?.stringValue, from.isSameText(as: issuer) else {
            throw .token("another service made it")
        }
        try Self.checkAudience(claims, configuration.client)
        guard let ends = Self.time(claims["exp"]), ends > now else { throw .token("it is over") }
        guard let made = Self.time(claims["iat"]), made <= now + Limits.openIDSkewMilliseconds else {
            throw .token("it was made in the future, or does not say when")
        }
        if let begins = claims["nbf"] {
            guard let begins = Self.time(begins), begins <= now + Limits.openIDSkewMilliseconds else {
                throw .token("it is not valid yet")
            }
        }
        guard let given = claims["nonce"]?.stringValue, Secret.isText(given, ofDigest: AdminToken.digest(of: nonce))
        else {
            throw .token("it belongs to another login")
        }
        guard let subject = claims["sub"]?.stringValue, !subject.isEmpty, subject.utf8.count <= 255 else {
            throw .token("it names no person")
        }
        endsAt = ends
        let isChecked = claims["email_verified"] == true || claims["email_verified"] == "true"
        let address = claims["email"]?.stringValue?.lowercased() ?? ""
        let mail = isChecked && (3...320).contains(address.utf8.count) ? address : nil
        values = Self.groups(Self.member(configuration.claim, of: claims)) + [mail].compactMap { $0 }
        name = Self.name(claims, mail: mail, subject: subject)
    }

    private static func checkAudience(_ claims: JSONObject, _ client: String) throws(OpenIDFault) {
        let audience = claims["aud"]?.elements?.map(\.stringValue) ?? [claims["aud"]?.stringValue]
        guard audience.contains(where: { $0?.isSameText(as: client) == true }) else {
            throw .token("it is for another client")
        }
        let party = claims["azp"]
        guard party?.stringValue?.isSameText(as: client) ?? (party == nil && audience.count == 1) else {
            throw .token("it was made for another client")
        }
    }

    /// Seconds since 1970, in milliseconds.
    private static func time(_ json: JSON?) -> Int64? {
        guard let seconds = json?.doubleValue, (0..<1e11).contains(seconds) else { return nil }
        return Int64(seconds * 1_000)
    }

    /// A member by its name, or by its path: `realm_access.roles`.
    private static func member(_ name: String, of claims: JSONObject) -> JSON? {
        if let member = claims[name] { return member }
        return name.split(separator: ".").reduce(JSON.object(claims) as JSON?) { $0?[String($1)] }
    }

    /// A group is no mail address, so that no group can be named like a person.
    private static func groups(_ json: JSON?) -> [String] {
        let texts =
            json?.elements?.prefix(Limits.openIDValues).compactMap(\.stringValue)
            ?? [json?.stringValue].compactMap { $0 }
        return texts.filter { !$0.contains("@") }
    }

    /// A person chooses the own name, so the mail address or the subject stands beside it.
    private static func name(_ claims: JSONObject, mail: String?, subject: String) -> String {
        let id = mail ?? subject
        let names = ["name", "preferred_username"].compactMap { claims[$0]?.stringValue }
        let name = names.first { !$0.isBlank }.map { PlainName.shown(String($0.prefix(Limits.personName))) }
        let plain = PlainName.shown(id)
        guard let name, !name.isSameText(as: plain) else { return "<\(plain)>" }
        return "\(name) <\(plain)>"
    }
}
