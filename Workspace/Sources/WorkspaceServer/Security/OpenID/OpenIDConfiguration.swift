import Foundation
public import WorkspaceCore

/// How people log in on the page with a provider of OpenID Connect.
public struct OpenIDConfiguration: Sendable {
    /// The address of the provider: `https://login.example.com/realms/shop`.
    let issuer: ServiceAddress
    let client: String
    let secret: String
    let rules: [OpenIDRule]
    /// The member of a token of the provider with the groups or roles of a person.
    let claim: String
    /// The scopes besides `openid`.
    let scopes: [String]
    /// Hosts, besides that of the issuer, that the server may ask.
    let hosts: Set<String>
    /// The name of the provider on the page.
    let name: String

    /// - Parameters:
    ///   - issuer: the address of the provider, as it names itself.
    ///   - client: the id of this workspace there.
    ///   - secret: the secret of this workspace there.
    ///   - roles: who gets which role, in the form of `OpenIDRule`. The first one that fits counts.
    ///   - claim: the member of the token with the groups of a person; nil for `groups`.
    ///   - scopes: those besides `openid`; empty for `profile` and `email`.
    ///   - hosts: other hosts that the provider uses for its token and its keys.
    ///   - name: the name of the provider on the page; nil for its host.
    /// - Throws: `WorkspaceError` for what cannot be meant.
    public init(
        issuer: String, client: String, secret: String, roles: [String], claim: String? = nil, scopes: [String] = [],
        hosts: [String] = [], name: String? = nil
    ) throws(WorkspaceError) {
        do throws(ServiceAddress.Problem) {
            self.issuer = try ServiceAddress(issuer)
        } catch {
            throw Self.problem("the issuer: \(error)")
        }
        guard self.issuer.isSafe, !self.issuer.target.contains("?") else {
            throw Self.problem("the issuer has an address with https; http is for this machine only")
        }
        guard !client.isEmpty, !secret.isEmpty else { throw Self.problem("the client needs an id and a secret") }
        guard !roles.isEmpty else {
            throw Self.problem("no person gets a role; name people or groups: --oidc-role anna@example.com=look")
        }
        var rules: [OpenIDRule] = []
        for role in roles { rules.append(try OpenIDRule(role)) }
        (self.client, self.secret, self.rules, self.claim) = (client, secret, rules, claim ?? "groups")
        self.scopes = scopes.isEmpty ? ["profile", "email"] : scopes
        guard self.scopes.allSatisfy({ scope in scope.utf8.allSatisfy { 0x21...0x7e ~= $0 } }) else {
            throw Self.problem("a scope has no spaces")
        }
        self.hosts = Set((hosts + [self.issuer.host]).map { $0.lowercased() })
        self.name = name ?? self.issuer.host
        guard PlainName.isPlain(self.name), self.name.count <= 100 else {
            throw Self.problem("the name of the provider")
        }
    }

    static func problem(_ text: String) -> WorkspaceError {
        WorkspaceError(.openID, "login with OpenID Connect: \(text)")
    }

    /// The first rule that fits.
    func rule(_ values: [String]) -> OpenIDRule? { rules.first { values.contains($0.value) } }
}

extension ServiceAddress {
    /// Whether no other machine on the way can read or change a request.
    var isSafe: Bool { scheme == "https" || ["127.0.0.1", "::1", "localhost"].contains(host) }
}
