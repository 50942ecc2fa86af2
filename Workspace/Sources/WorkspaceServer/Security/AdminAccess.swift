import Foundation
import Logging

/// Checks the right to use the administration: by the admin token, a named token, or a login on the page.
///
/// Only digests are stored. Logins are at most `Limits.logins`: the one that was idle for the longest time is deleted
/// first. They outlive a restart, so an update of the workspace logs nobody out. A new admin token ends all of them, and
/// a named token that is revoked ends those that were made with it.
actor AdminAccess {
    private struct Login {
        var usedAt: Int64
        /// The time of use that is stored.
        var keptAt: Int64
        /// The name of the token that it was made with; nil for the admin token.
        let token: String?
    }

    private let token: Data
    private let store: Store
    private let now: @Sendable () -> Int64
    private let makeSecret: @Sendable () -> [UInt8]
    private let logger: Logger
    private var logins: [Data: Login]
    /// The named tokens by their digests.
    private var tokens: [Data: NamedToken]

    /// - Parameter token: the digest of the admin token.
    init(token: Data, store: Store, environment: WorkspaceEnvironment, logger: Logger) throws {
        self.token = token
        self.store = store
        self.logger = logger
        now = environment.now
        makeSecret = environment.makeSecret
        logins = try store.logins().mapValues { Login(usedAt: $0.usedAt, keptAt: $0.usedAt, token: $0.token) }
        tokens = Dictionary(try store.namedTokens().map { ($0.digest, $0) }) { first, _ in first }
    }

    /// What a token allows; nil when it is no valid one. The check counts as use.
    func grant(_ text: String) async -> Grant? {
        if Secret.isText(text, ofDigest: token) { return .all }
        guard var named = tokens[AdminToken.digest(of: text)] else { return nil }
        let now = now()
        if now - (named.usedAt ?? .min / 2) >= Limits.tokenUseMilliseconds {
            named.usedAt = now
            tokens[named.digest] = named
            await keepUse(of: named)
        }
        return named.grant
    }

    /// What the login of that secret allows; nil when it is no valid one. The check counts as use.
    func login(of secret: String) async -> Grant? {
        let digest = AdminToken.digest(of: secret)
        let now = now()
        guard var login = logins[digest], let grant = grant(of: login) else { return nil }
        // A clock that was set back ends no login.
        guard now - login.usedAt < Limits.loginMilliseconds else {
            await end(digest)
            return nil
        }
        login.usedAt = now
        let isNews = now - login.keptAt >= Limits.loginMilliseconds / 100
        if isNews { login.keptAt = now }
        logins[digest] = login
        if isNews { await keep(digest, login) }
        return grant
    }

    private func grant(of login: Login) -> Grant? {
        guard let name = login.token else { return .all }
        return tokens.values.first { $0.name == name }?.grant
    }

    /// Logs in with what a token allows; returns the secret of the login.
    func login(_ grant: Grant) async -> String {
        let secret = Secret.text(makeSecret())
        let digest = AdminToken.digest(of: secret)
        let now = now()
        let login = Login(usedAt: now, keptAt: now, token: grant.name)
        logins[digest] = login
        await keep(digest, login)
        if logins.count > Limits.logins, let idle = logins.min(by: { $0.value.usedAt < $1.value.usedAt }) {
            await end(idle.key)
        }
        return secret
    }

    func logout(_ secret: String) async { await end(AdminToken.digest(of: secret)) }

    /// The named tokens, by name.
    func namedTokens() -> [NamedToken] { tokens.values.sorted { $0.name < $1.name } }

    /// Makes a named token; returns its text, which is stored nowhere.
    /// - Throws: `APIError` with 409 when the name is taken or there are too many.
    func addToken(named name: String, role: Role) async throws -> String {
        let text = AdminToken(random: makeSecret()).text
        let token = NamedToken(name: name, role: role, digest: AdminToken.digest(of: text), createdAt: now())
        try await store.addToken(token)
        tokens[token.digest] = token
        return text
    }

    /// Revokes a named token and ends its logins.
    /// - Throws: `APIError` with 404 when no valid token has the name.
    func revokeToken(named name: String) async throws {
        try await store.removeToken(named: name, now: now())
        tokens = tokens.filter { $0.value.name != name }
        logins = logins.filter { $0.value.token != name }
    }

    private func end(_ digest: Data) async {
        logins[digest] = nil
        await keep(digest, nil)
    }

    /// When the storage fails, the login only has to be repeated after a restart.
    private func keep(_ digest: Data, _ login: Login?) async {
        do {
            try await store.setLogin(digest, login.map { ($0.keptAt, $0.token) })
        } catch {
            logger.error("a login cannot be kept", metadata: ["error": "\(error)"])
        }
    }

    /// When the storage fails, only the list shows an earlier use.
    private func keepUse(of token: NamedToken) async {
        do {
            try await store.setUse(of: token)
        } catch {
            logger.error(
                "the use of a token cannot be kept", metadata: ["token": "\(token.name)", "error": "\(error)"])
        }
    }
}
