import Foundation
import Logging

/// Checks the right to administer the workspace: by the token, or by a login on the page.
///
/// Only digests of logins are stored, at most `Limits.sessions`: the one that was idle for the longest time is deleted
/// first. They outlive a restart, so an update of the workspace logs nobody out. A new token ends all of them.
actor AdminAccess {
    private struct Login {
        var usedAt: Int64
        /// The token and the logins in the database.
        var keptAt: Int64
    }

    private let token: Data
    private let store: Store
    private let now: @Sendable () -> Int64
    private let makeSecret: @Sendable () -> [UInt8]
    private let logger: Logger
    private var logins: [Data: Login]

    /// - Parameter token: the digest of the admin token.
    init(token: Data, store: Store, environment: WorkspaceEnvironment, logger: Logger) throws {
        self.token = token
        self.store = store
        self.logger = logger
        now = environment.now
        makeSecret = environment.makeSecret
        logins = try store.logins().mapValues { Login(usedAt: $0, keptAt: $0) }
    }

    nonisolated func isToken(_ text: String) -> Bool { Secret.isText(text, ofDigest: token) }

    /// Whether that secret is of a valid login; the check counts as use.
    func isLogin(_ secret: String) async -> Bool {
        let digest = AdminToken.digest(of: secret)
        let now = now()
        guard var login = logins[digest] else { return false }
        // A clock that was set back ends no login.
        guard now - login.usedAt < Limits.loginMilliseconds else {
            await end(digest)
            return false
        }
        login.usedAt = now
        let isNews = now - login.keptAt >= Limits.loginMilliseconds / 100
        if isNews { login.keptAt = now }
        logins[digest] = login
        if isNews { await keep(digest, usedAt: now) }
        return true
    }

    /// Logs in; returns the secret of the login, or nil when the token is wrong.
    func login(_ text: String) async -> String? {
        guard isToken(text) else { return nil }
        let secret = Secret.text(makeSecret())
        let digest = AdminToken.digest(of: secret)
        let now = now()
        logins[digest] = Login(usedAt: now, keptAt: now)
        await keep(digest, usedAt: now)
        if logins.count > Limits.logins, let idle = logins.min(by: { $0.value.usedAt < $1.value.usedAt }) {
            await end(idle.key)
        }
        return secret
    }

    func logout(_ secret: String) async { await end(AdminToken.digest(of: secret)) }

    private func end(_ digest: Data) async {
        logins[digest] = nil
        await keep(digest, usedAt: nil)
    }

    /// When the storage fails, the login only has to be repeated after a restart.
    private func keep(_ digest: Data, usedAt: Int64?) async {
        do {
            try await store.setLogin(digest, usedAt: usedAt)
        } catch {
            logger.error("a login cannot be kept", metadata: ["error": "\(error)"])
        }
    }
}
