import ArgumentParser
import WorkspaceCore
import WorkspaceServer

/// The options of `serve` for a login with a provider of OpenID Connect.
struct OpenIDOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Address of the provider of OpenID Connect with which people log in: https://login.example.com/realms/shop.",
            discussion:
                "Register the address of the workspace with /login/oidc/callback there, for the flow with a code.",
            valueName: "url"))
    var oidcIssuer: String?

    @Option(help: ArgumentHelp("Id of this workspace at the provider.", valueName: "id"))
    var oidcClient: String?

    @Option(
        help: ArgumentHelp(
            "File with the secret of this workspace at the provider.",
            discussion: "Without it, TRIBUTARY_OIDC_CLIENT_SECRET in the environment.", valueName: "file"),
        completion: .file())
    var oidcClientSecretFile: String?

    @Option(
        help: ArgumentHelp(
            "Who gets which role: a group or a mail address, =, a role. May be repeated; the first one that fits counts.",
            discussion: """
                analysts=look, anna@example.com=administer, "partners=look source:SHOP without-personal-data". Who fits none \
                is refused.
                """, valueName: "rule"))
    var oidcRole: [String] = []

    @Option(
        help: ArgumentHelp(
            "Member of the provider's token with the groups of a person; by default groups. A path is realm_access.roles.",
            valueName: "name"))
    var oidcClaim: String?

    @Option(
        help: ArgumentHelp(
            "Scope to ask for besides openid. May be repeated; by default profile and email.", valueName: "name"))
    var oidcScope: [String] = []

    @Option(
        help: ArgumentHelp(
            "Another host of the provider that the server may ask, as for the keys of some. May be repeated.",
            valueName: "host"))
    var oidcHost: [String] = []

    @Option(help: ArgumentHelp("Name of the provider on the login page; by default its host.", valueName: "text"))
    var oidcName: String?

    /// Nil when no provider is named.
    static func configuration(_ values: ServeValues) throws -> OpenIDConfiguration? {
        guard let issuer = values.text("oidc-issuer") else {
            let others = ServeValues.options.keys.filter { $0.hasPrefix("oidc-") }.sorted()
            if let other = others.first(where: { !values.list($0).isEmpty }) {
                throw Failure("--\(other) needs --oidc-issuer")
            }
            return nil
        }
        guard let client = values.text("oidc-client") else { throw Failure("--oidc-issuer needs --oidc-client") }
        let secret = try TokenSource.token(
            file: values.text("oidc-client-secret-file"), variable: TokenSource.openIDVariable)
        guard let secret else {
            throw Failure(
                "--oidc-issuer needs --oidc-client-secret-file, or \(TokenSource.openIDVariable) in the environment")
        }
        return try OpenIDConfiguration(
            issuer: issuer, client: client, secret: secret, roles: values.list("oidc-role"),
            claim: values.text("oidc-claim"), scopes: values.list("oidc-scope"), hosts: values.list("oidc-host"),
            name: values.text("oidc-name"))
    }
}
