import Crypto
import CryptoExtras
import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// A browser in front of a workspace with a login with OpenID Connect.
struct OpenIDBrowser {
    let workspace: TestWorkspace
    let provider: TestProvider
    let clock: TestClock

    static func run(
        roles: [String] = ["analysts=look"], hosts: [String] = [], claim: String? = nil,
        _ body: (OpenIDBrowser) async throws -> Void
    ) async throws {
        let clock = TestClock()
        let provider = TestProvider { clock.now }
        try await provider.run {
            var environment = WorkspaceEnvironment.testing
            environment.now = { clock.now }
            let openID = try OpenIDConfiguration(
                issuer: provider.url, client: TestProvider.client, secret: TestProvider.secret, roles: roles,
                claim: claim, hosts: hosts, name: "Example & Co")
            try await TestWorkspace.run(writeKeys: ["OWN", "OTHER"], environment: environment, openID: openID) {
                workspace async throws in
                try await body(OpenIDBrowser(workspace: workspace, provider: provider, clock: clock))
            }
        }
    }

    var client: TestClient { workspace.client.stranger }

    /// Begins a login: the address at the provider, and the cookie of the attempt.
    func begin(_ query: String = "") async throws -> (address: String, cookie: String) {
        let answer = try await client.plain("GET", "/login/oidc" + query)
        #expect(answer.status == 302, "\(answer.text)")
        return (try #require(answer.header("Location")), try Self.cookie(answer))
    }

    private static func cookie(_ answer: PlainAnswer) throws -> String {
        String(try #require(answer.header("Set-Cookie")?.split(separator: ";").first))
    }

    func finish(_ query: String, cookie: String?) async throws -> PlainAnswer {
        try await client.plain(
            "GET", "/login/oidc/callback?" + query, headers: cookie.map { ["Cookie": $0] } ?? [:])
    }

    /// Logs in as a person does.
    func login(_ query: String = "") async throws -> PlainAnswer {
        let (address, cookie) = try await begin(query)
        return try await finish(provider.agree(to: address), cookie: cookie)
    }

    /// The cookie of a login that succeeded.
    func session(_ answer: PlainAnswer) throws -> [String: String] {
        #expect(answer.status == 200, "\(answer.text)")
        return ["Cookie": try Self.cookie(answer)]
    }

    func get(_ path: String, _ session: [String: String]) async throws -> TestClient.Answer {
        try await client.get(path, headers: session)
    }
}

@Suite("Login with OpenID Connect", .timeLimit(.minutes(30))) struct OpenIDTests {
    @Test("A person logs in with the provider, has the role of a group, and is named in the page and the audit log")
    func login() async throws {
        try await OpenIDBrowser.run(roles: ["anna@example.com=administer", "analysts=look"]) { browser async throws in
            let page = try await browser.client.get("/login").text
            #expect(page.contains("Log in with Example &amp; Co") && page.contains(#"href="/login/oidc""#))
            let (address, cookie) = try await browser.begin("?to=/explore?source%3DOWN")
            let query = QueryReader(query: String(address.split(separator: "?")[1]))
            #expect(address.hasPrefix(browser.provider.url + "/authorize?"))
            #expect(query.text("response_type") == "code" && query.text("code_challenge_method") == "S256")
            #expect(query.text("scope") == "openid profile email" && query.text("client_id") == TestProvider.client)
            #expect(query.text("redirect_uri") == browser.client.url + "/login/oidc/callback")
            let answer = try await browser.finish(browser.provider.agree(to: address), cookie: cookie)
            #expect(answer.text.contains(#"content="0; url=/explore?source=OWN""#))
            let session = try browser.session(answer)
            let who = try await browser.get("/api/login", session).json
            #expect(who["token"] == "Anna Example <anna@example.com>" && who["role"] == "administer")
            let made = try await browser.client.send(
                "POST", "/api/sources", body: Array(#"{"writeKey":"NEW"}"#.utf8), headers: session)
            #expect(made.status == 201)
            let entry = try await browser.get("/api/audit?limit=1", session).json["entries"]?.elements?.first
            #expect(entry?["by"] == "person" && entry?["token"] == "Anna Example <anna@example.com>")
            // Other pages cannot act with the login.
            let forged = try await browser.client.send(
                "POST", "/api/sources", body: [], headers: session.merging(["Origin": "https://evil.example"]) { $1 })
            #expect(forged.status == 403)
            let out = try await browser.client.plain("POST", "/logout", headers: session)
            #expect(out.status == 303)
            #expect(try await browser.get("/api/login", session).status == 401)
        }
    }

    @Test("A rule limits a person to sources, hides personal data, and a person without a rule gets no login")
    func rules() async throws {
        try await OpenIDBrowser.run(roles: ["analysts=look source:OWN without-personal-data", "ops=administer"]) {
            browser async throws in
            let session = try browser.session(try await browser.login())
            let who = try await browser.get("/api/login", session).json
            #expect(who["sources"] == ["OWN"] && who["personalData"] == "hidden" && who["role"] == "look")
            #expect(try await browser.get("/api/sources/OTHER/plan", session).status == 404)
            #expect(try await browser.get("/api/export", session).status == 403)
            for groups: JSON in [["others"], [], "ops@example.com", .null, ["analysts@example.com"]] {
                browser.provider.change { $0.claims = { claims in claims.with("groups", groups) } }
                let refused = try await browser.login()
                #expect(refused.status == 403 && refused.text.contains("has no role"), "\(groups)")
                #expect(refused.header("Set-Cookie")?.contains("tributary-session") != true)
            }
        }
    }

    @Test("A mail address counts only when the provider has checked it, and a group is never taken for one")
    func mail() async throws {
        try await OpenIDBrowser.run(roles: ["anna@example.com=look"]) { browser async throws in
            #expect(try await browser.login().status == 200)
            let changes: [@Sendable (JSONObject) -> JSONObject] = [
                { $0.with("email_verified", false) }, { $0.with("email_verified", nil) },
                { $0.with("email", "eva@example.com").with("groups", ["anna@example.com"]) },
            ]
            for change in changes {
                browser.provider.change { $0.claims = change }
                #expect(try await browser.login().status == 403)
            }
        }
    }

    @Test("Groups are found by the path of their member") func path() async throws {
        try await OpenIDBrowser.run(claim: "realm_access.roles") { browser async throws in
            #expect(try await browser.login().status == 403)
            browser.provider.change { $0.claims = { $0.with("realm_access", ["roles": ["analysts"]]) } }
            #expect(try await browser.login().status == 200)
        }
    }

    @Test("A login ends with the token of the provider, and after twelve hours without use") func end() async throws {
        try await OpenIDBrowser.run { browser async throws in
            let session = try browser.session(try await browser.login())
            browser.clock.advance(by: 3_599_999)
            #expect(try await browser.get("/api/login", session).status == 200)
            browser.clock.advance(by: 1)
            #expect(try await browser.get("/api/login", session).status == 401)
            let now = browser.clock.now
            browser.provider.change { $0.claims = { $0.with("exp", .number(now / 1_000 + 30 * 86_400)) } }
            let long = try browser.session(try await browser.login())
            browser.clock.advance(by: 12 * 3_600_000)
            #expect(try await browser.get("/api/login", long).status == 401)
        }
    }

    @Test(
        "A token that is not for this login is refused",
        arguments: [
            ("wrong nonce", "nonce", "other"), ("no nonce", "nonce", nil),
            ("other audience", "aud", "other"), ("no audience", "aud", nil),
            ("audiences without a party", "aud", ["tributary", "other"]),
            ("other party", "azp", "other"), ("other issuer", "iss", "https://evil.example"),
            ("over", "exp", .number(1_700_000_000)), ("no end", "exp", nil),
            ("end as text", "exp", "9999999999"),
            ("made tomorrow", "iat", .number(1_700_086_400)), ("not made", "iat", nil),
            ("valid tomorrow", "nbf", .number(1_700_086_400)), ("nobody", "sub", ""),
        ] as [(String, String, JSON?)])
    func claims(_ name: String, _ key: String, _ value: JSON?) async throws {
        try await OpenIDBrowser.run { browser async throws in
            browser.provider.change { $0.claims = { $0.with(key, value) } }
            let answer = try await browser.login()
            #expect(answer.status == 401, "\(name): \(answer.text)")
            #expect(answer.header("Set-Cookie")?.contains("tributary-session") != true, "\(name)")
        }
    }

    @Test("A signature of another kind or key is refused: none, a shared secret, the public key as one, a foreign key")
    func signatures() async throws {
        try await OpenIDBrowser.run { browser async throws in
            let document = TestProvider.first.publicKey.pemRepresentation
            let changes: [@Sendable (inout TestProvider.Behaviour) -> Void] = [
                {
                    $0.header = { $0.with("alg", "none") }; $0.sign = { _ in Data() }
                },
                {
                    $0.header = { $0.with("alg", "None") }; $0.sign = { _ in Data() }
                },
                {
                    $0.header = { $0.with("alg", "HS256") }
                    $0.sign = {
                        Data(HMAC<SHA256>.authenticationCode(for: $0, using: SymmetricKey(data: Data(document.utf8))))
                    }
                },
                {
                    $0.header = { $0.with("alg", "HS256") }
                    $0.sign = {
                        let key = SymmetricKey(data: Data(TestProvider.secret.utf8))
                        return Data(HMAC<SHA256>.authenticationCode(for: $0, using: key))
                    }
                },
                { $0.sign = { _ in Data() } }, { $0.sign = { _ in Data(repeating: 0, count: 256) } },
                {
                    $0.sign = {
                        // A key that the provider does not list.
                        (try? TestProvider.second.signature(for: SHA256.hash(data: $0), padding: .insecurePKCS1v1_5))?
                            .rawRepresentation ?? Data()
                    }
                },
                { $0.header = { $0.with("crit", ["exp"]) } }, { $0.header = { $0.with("alg", "ES256") } },
            ]
            for (index, change) in changes.enumerated() {
                browser.provider.change { behaviour in
                    behaviour = TestProvider.Behaviour()
                    change(&behaviour)
                }
                let answer = try await browser.login()
                #expect(answer.status == 401, "\(index): \(answer.text)")
                // Ten refusals in a minute would be answered alike.
                browser.clock.advance(by: 60_000)
            }
        }
    }

    @Test("The end of a login that this browser did not begin is refused: no cookie, a foreign state, a code twice")
    func attempts() async throws {
        try await OpenIDBrowser.run { browser async throws in
            let (address, cookie) = try await browser.begin()
            let (foreign, foreignCookie) = try await browser.begin()
            let query = browser.provider.agree(to: address, code: "c-1")
            let state = query.split(separator: "=").last.map(String.init) ?? ""
            // The attacker's login in the victim's browser, and every part of it alone.
            let foreignQuery = browser.provider.agree(to: foreign)
            for (query, cookie) in [
                (query, nil), (foreignQuery, cookie), (query, foreignCookie), ("code=c-1", cookie),
                ("state=\(state)", cookie), (query, String(cookie.dropLast(3)) + "abc"),
                ("error=access_denied&state=\(state)", cookie),
                (query + "&iss=https%3A%2F%2Fevil.example", cookie),
            ] as [(String, String?)] {
                let answer = try await browser.finish(query, cookie: cookie)
                #expect([401, 502].contains(answer.status), "\(query): \(answer.text)")
                #expect(answer.header("Set-Cookie")?.contains("tributary-session") != true, "\(query)")
            }
            #expect(!browser.provider.asked.contains("/token"))
            let first = try await browser.finish(query, cookie: cookie)
            #expect(first.status == 200)
            // The cookie of the attempt is gone with the answer; an attacker who kept it has a code that was used.
            #expect(try await browser.finish(query, cookie: cookie).status == 401)
            let (late, lateCookie) = try await browser.begin()
            browser.clock.advance(by: Limits.openIDAttemptMilliseconds)
            let answer = try await browser.finish(browser.provider.agree(to: late), cookie: lateCookie)
            #expect(answer.status == 401 && answer.text.contains("took too long"))
        }
    }

    @Test(
        "A login never leads to another site",
        arguments: [
            "https://evil.example/", "//evil.example", "/\\evil.example", "/login", "javascript:alert(1)",
            "/explore\"><script>",
        ]) func redirects(_ target: String) async throws
    {
        try await OpenIDBrowser.run { browser async throws in
            let encoded = target.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let answer = try await browser.login("?to=" + encoded)
            #expect(answer.status == 200)
            #expect(answer.text.contains(#"content="0; url=/""#) && !answer.text.contains("evil"), "\(answer.text)")
        }
    }

    @Test("A new key of the provider is found at once, and a key that it withdrew is not valid for long")
    func keys() async throws {
        try await OpenIDBrowser.run { browser async throws in
            #expect(try await browser.login().status == 200)
            #expect(try await browser.login().status == 200)
            #expect(browser.provider.asked.filter { $0 == "/keys" }.count == 1)
            browser.clock.advance(by: Limits.openIDRereadMilliseconds)
            browser.provider.change { ($0.key, $0.keyId) = (TestProvider.second, "two") }
            #expect(try await browser.login().status == 200)
            #expect(browser.provider.asked.filter { $0 == "/keys" }.count == 2)
            // A stranger's key id makes the server ask once in a while only.
            browser.provider.change { $0.header = { $0.with("kid", "none") } }
            for _ in 0..<3 { #expect(try await browser.login().status == 401) }
            #expect(browser.provider.asked.filter { $0 == "/keys" }.count == 2)
            browser.provider.change { ($0.header, $0.showsKey) = ({ $0 }, false) }
            browser.clock.advance(by: Limits.openIDKnowledgeMilliseconds)
            #expect(try await browser.login().status == 401)
        }
    }

    @Test("A provider that is away, slow to the end, too long, elsewhere or another one is answered with the reason")
    func away() async throws {
        let discovery = "/.well-known/openid-configuration"
        let answers: [(String, Receiver.Answer)] = [
            (discovery, Receiver.Answer(status: 500)), (discovery, Receiver.Answer(body: "no JSON")),
            (discovery, Receiver.Answer(body: String(repeating: " ", count: Limits.openIDAnswer + 1))),
            (discovery, Receiver.Answer(status: 302, headers: ["Location": "/keys"])),
            ("/token", Receiver.Answer(status: 503)), ("/token", Receiver.Answer(body: "{}")),
            ("/keys", Receiver.Answer(status: 302, headers: ["Location": "http://127.0.0.1:1/"])),
            ("/keys", Receiver.Answer(body: "[]")),
        ]
        for (path, wrong) in answers {
            try await OpenIDBrowser.run { browser async throws in
                browser.provider.change { $0.answer = { $0 == path ? wrong : nil } }
                let begun = try await browser.client.plain("GET", "/login/oidc")
                if path == discovery {
                    #expect(begun.status == 502 && begun.text.contains("cannot be used now"))
                } else {
                    #expect(try await browser.login().status == 502, "\(path)")
                }
                // Tokens go on.
                #expect(try await browser.client.form("/login", "token=\(TestClient.token)").status == 303)
                browser.provider.change { $0.answer = { _ in nil } }
                browser.clock.advance(by: Limits.openIDPauseMilliseconds)
                #expect(try await browser.login().status == 200)
            }
        }
    }

    @Test("The server asks only the hosts of the configuration, and only with https beyond this machine")
    func hosts() async throws {
        for (member, address) in [
            ("token_endpoint", "https://evil.example/token"), ("jwks_uri", "https://evil.example/keys"),
            ("authorization_endpoint", "http://evil.example/"), ("authorization_endpoint", "javascript:alert(1)"),
            ("issuer", "https://evil.example"),
        ] {
            try await OpenIDBrowser.run { browser async throws in
                browser.provider.change { $0.document = { $0.with(member, .string(address)) } }
                #expect(try await browser.client.plain("GET", "/login/oidc").status == 502, "\(member)")
            }
        }
    }

    @Test("Who fails too often waits") func guesses() async throws {
        try await OpenIDBrowser.run { browser async throws in
            var statuses: [Int] = []
            for _ in 0...Limits.guesses {
                statuses.append(try await browser.finish("code=c&state=s", cookie: nil).status)
            }
            #expect(statuses.last == 429 && statuses.first == 401)
        }
    }

    @Test(
        "A configuration that cannot be meant is refused at the start",
        arguments: [
            ("http://login.example.com", ["a=look"]), ("login", ["a=look"]), ("https://login.example.com", []),
            ("https://login.example.com", ["a"]), ("https://login.example.com", ["a=all"]),
            ("https://login.example.com", ["=look"]),
            ("https://login.example.com", ["a=deploy without-personal-data"]),
            ("https://login.example.com", ["a=look WK"]),
        ]) func configuration(_ issuer: String, _ roles: [String])
    {
        #expect(throws: WorkspaceError.self) {
            try OpenIDConfiguration(issuer: issuer, client: "c", secret: "s", roles: roles)
        }
    }

    @Test("A node of a cluster knows the login that another one made, and finishes the login that another one began")
    func nodes() async throws {
        let configuration = try OpenIDConfiguration(
            issuer: "https://login.example.com", client: "c", secret: "s", roles: ["analysts=look"])
        let attempt = OpenIDAttempt(
            state: "s", nonce: "n", verifier: "v", back: "b", place: "/", begunAt: 1)
        let sealed = try attempt.sealed(by: OpenIDAttempt.key(configuration))
        let again = try OpenIDConfiguration(
            issuer: "https://login.example.com", client: "c", secret: "s", roles: ["analysts=look"])
        #expect(try OpenIDAttempt(sealed: sealed, by: OpenIDAttempt.key(again), now: 2) == attempt)
        let other = try OpenIDConfiguration(
            issuer: "https://login.example.com", client: "c", secret: "t", roles: ["analysts=look"])
        #expect(throws: OpenIDFault.self) {
            try OpenIDAttempt(sealed: sealed, by: OpenIDAttempt.key(other), now: 2)
        }
    }
}

extension JSONObject {
    /// The same with another member; nil takes it out.
    func with(_ key: String, _ value: JSON?) -> JSONObject {
        var object = self
        if let value { object[key] = value } else { object.removeValue(forKey: key) }
        return object
    }
}
