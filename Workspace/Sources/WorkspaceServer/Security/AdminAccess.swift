import Foundation
import Logging
import TributaryJSON
import WorkspaceCore

/// Checks the right to use the administration: by the admin token, a named token, or a login on the page.
///
/// Only digests are stored. At most `Limits.logins` logins are kept, with a share for each token and role; beyond that,
/// a login that has been idle for a long time is deleted (`LoginShares`). Logins survive a restart, so they stay valid
/// after an update of the workspace. A login ends after twelve hours without use, and after 30 days in any case. A new
/// admin token ends all logins. The revocation of a named token ends the logins that were made with it.
package actor AdminAccess {
    private struct Login {
        var usedAt: Int64
        /// The time of use that is stored.
        var keptAt: Int64
        /// Whether it is stored at all.
        var isKept: Bool
        /// The name of the token with which the login was made; nil for the admin token.
        let token: String?
    }

    private var token: Data
    private let store: Store
    private let now: @Sendable () -> Int64
    private let makeSecret: @Sendable () -> [UInt8]
    private let logger: Logger
    private var logins: [Data: Login]
    /// The named tokens by their digests.
    private var tokens: [Data: NamedToken]
    /// The logins of people that a provider knows, by the digests of their secrets.
    private var persons: [Data: PersonLogin]
    /// Who of them gets which role; nil without a provider.
    private let openID: OpenIDConfiguration?
    /// How often `reload` was called.
    private var reloads = 0

    /// - Parameter token: the digest of the admin token.
    init(
        token: Data, store: Store, environment: WorkspaceEnvironment, logger: Logger,
        openID: OpenIDConfiguration? = nil
    ) throws {
        (self.token, self.store, self.logger, self.openID) = (token, store, logger, openID)
        persons = try store.personLogins()
        now = environment.now
        makeSecret = environment.makeSecret
        logins = try store.logins().mapValues(Self.login)
        tokens = Dictionary(try store.namedTokens().map { ($0.digest, $0) }) { first, _ in first }
    }

    /// The grant of a token; nil when the token is not valid, or has ended. The check counts as use.
    func grant(_ text: String) async -> Grant? {
        if Secret.isText(text, ofDigest: token) { return .all }
        let now = now()
        guard var named = tokens[AdminToken.digest(of: text)], !named.grant.hasEnded(at: now) else { return nil }
        if now - (named.usedAt ?? .min / 2) >= Limits.tokenUseMilliseconds {
            named.usedAt = now
            tokens[named.digest] = named
            await keepUse(of: named)
        }
        return named.grant
    }

    /// Why a token is refused. Only its holder reads that it has ended.
    func refusal(of text: String) -> String {
        guard let named = tokens[AdminToken.digest(of: text)], let endsAt = named.endsAt, now() >= endsAt else {
            return "that is no valid token of this workspace"
        }
        return "the token \(named.name) ended at \(JSON.time(endsAt).stringValue ?? "")"
    }

    /// The grant of the login with that secret; nil when the login is not valid. The check counts as use.
    func login(of secret: String) async -> Grant? {
        let digest = AdminToken.digest(of: secret)
        let now = now()
        if let person = persons[digest] { return await grant(of: person, secret, digest) }
        guard var login = logins[digest], let grant = grant(of: login) else { return nil }
        guard !Self.isOver(secret, login, now) else {
            await end(digest)
            return nil
        }
        login.usedAt = now
        // In a cluster each time that is kept is a change for all nodes.
        let exactness = store.settings.isShared ? Limits.tokenUseMilliseconds : Limits.loginMilliseconds / 100
        let isNews = now - login.keptAt >= exactness
        if isNews { login.keptAt = now }
        logins[digest] = login
        if isNews { await keep(digest, login) }
        return grant
    }

    /// A login stays valid when the clock was set back. A secret without a time is that of an earlier version.
    private static func isOver(_ secret: String, _ login: Login, _ now: Int64) -> Bool {
        guard let madeAt = LoginSecret(secret)?.madeAt else { return true }
        return now - login.usedAt >= Limits.loginMilliseconds || now - madeAt >= Limits.longestLoginMilliseconds
    }

    private func grant(of login: Login) -> Grant? {
        guard let name = login.token else { return .all }
        let now = now()
        return tokens.values.first { $0.name == name && !$0.grant.hasEnded(at: now) }?.grant
    }

    /// Logs in with the grant of a token; returns the secret of the login.
    func login(_ grant: Grant) async -> String {
        let now = now()
        let secret = LoginSecret(random: makeSecret(), madeAt: now).text
        let digest = AdminToken.digest(of: secret)
        let login = Login(usedAt: now, keptAt: now, isKept: false, token: grant.name)
        let ended = LoginShares.ended(by: shared(digest, login), among: logins.map(shared))
        logins[digest] = login
        await keep(digest, login)
        if let ended { await end(ended) }
        return secret
    }

    private func shared(_ digest: Data, _ login: Login) -> LoginShares.Login {
        // A login of a token that was revoked is not valid any more.
        let holder = SharedSlots.Holder(token: login.token, role: self.grant(of: login)?.role ?? .look)
        return LoginShares.Login(digest: digest, holder: holder, usedAt: login.usedAt)
    }

    // MARK: People that a provider knows

    /// Logs in a person; returns the secret of the login.
    /// - Parameter values: what rules of the workspace look at.
    func login(_ claims: IdentityClaims, values: [String]) async -> String {
        let now = now()
        let secret = LoginSecret(random: makeSecret(), madeAt: now).text
        let digest = AdminToken.digest(of: secret)
        let login = PersonLogin(name: claims.name, values: values, endsAt: claims.endsAt, usedAt: now)
        let shared = persons.map { Self.shared($0, $1) }
        let ended = LoginShares.ended(by: Self.shared(digest, login), among: shared)
        if persons.values.contains(where: { $0.endsAt <= now }) {
            persons = persons.filter { $0.value.endsAt > now }
            await keeping { try await store.removePersonLogins(endedBy: now) }
        }
        persons[digest] = login
        await keeping { try await store.setPersonLogin(digest, login) }
        if let ended { await endPerson(ended) }
        return secret
    }

    /// Everyone counts alike, so that no person ends the logins of all others.
    private static func shared(_ digest: Data, _ login: PersonLogin) -> LoginShares.Login {
        LoginShares.Login(
            digest: digest, holder: SharedSlots.Holder(token: login.name, role: .administer), usedAt: login.usedAt)
    }

    /// The grant of a login of a person; nil when it is over, or the person has no role any more.
    private func grant(of login: PersonLogin, _ secret: String, _ digest: Data) async -> Grant? {
        let now = now()
        let use = Login(usedAt: login.usedAt, keptAt: login.usedAt, isKept: true, token: nil)
        guard now < login.endsAt, !Self.isOver(secret, use, now) else {
            await endPerson(digest)
            return nil
        }
        guard let rule = openID?.rule(login.values), let sight = await sight(of: rule) else { return nil }
        if now - login.usedAt >= Limits.tokenUseMilliseconds {
            var used = login
            used.usedAt = now
            persons[digest] = used
            await keeping { try await store.setPersonLogin(digest, used) }
        }
        return Grant(name: login.name, role: rule.role, sight: sight, isOfPerson: true)
    }

    /// Nil when it is not known which sources there are: then nothing is seen.
    private func sight(of rule: OpenIDRule) async -> Sight? {
        guard let names = rule.sources else { return Sight(personalData: rule.personalData) }
        guard let writeKeys = try? await store.allWriteKeys() else { return nil }
        let sources = writeKeys.filter { names.contains($0.value) }
        return Sight(sources: Set(sources.keys), personalData: rule.personalData)
    }

    private func endPerson(_ digest: Data) async {
        persons[digest] = nil
        await keeping { try await store.setPersonLogin(digest, nil) }
    }

    /// When the storage fails, the login only has to be repeated after a restart.
    private func keeping(_ change: () async throws -> Void) async {
        do {
            try await change()
        } catch {
            logger.error("a login cannot be kept", metadata: ["error": "\(error)"])
        }
    }

    // MARK: Tokens

    /// Makes another token the admin token, which ends all logins. The same token again changes nothing.
    func replaceToken(by digest: Data) async throws {
        guard digest != token else { return }
        try await store.replaceAdminToken(by: digest, now: now())
        token = digest
        logins = [:]
        persons = [:]
    }

    func logout(_ secret: String) async {
        let digest = AdminToken.digest(of: secret)
        if persons[digest] != nil { await endPerson(digest) }
        await end(digest)
    }

    /// Whether there is a token of that name, or a login of such a person, which has not ended.
    func isValid(token name: String) -> Bool {
        let now = now()
        if openID != nil, persons.values.contains(where: { $0.name == name && now < $0.endsAt }) { return true }
        return tokens.values.contains { $0.name == name && !$0.grant.hasEnded(at: now) }
    }

    /// The named tokens, by name.
    func namedTokens() -> [NamedToken] { tokens.values.sorted { $0.name < $1.name } }

    /// The named tokens as the administration shows them.
    func shownTokens(_ writeKeys: [Int64: String]) -> [JSON] {
        let now = now()
        return namedTokens().map { $0.summary(writeKeys, now: now) }
    }

    /// Makes a named token; returns its text, which is stored nowhere.
    /// - Throws: `Refusal` with 409 when the name is taken or there are too many.
    func addToken(
        named name: String, role: Role, sight: Sight = .all, endsAt: Int64? = nil
    ) async throws -> String {
        let now = now()
        if let endsAt, endsAt <= now { throw Refusal.invalid("the end of a token lies in the future") }
        let text = AdminToken(random: makeSecret()).text
        let token = NamedToken(
            name: name, role: role, sight: sight, digest: AdminToken.digest(of: text), createdAt: now, endsAt: endsAt)
        try await store.addToken(token)
        tokens[token.digest] = token
        return text
    }

    /// Revokes a named token and ends its logins.
    /// - Throws: `Refusal` with 404 when no valid token has the name.
    func revokeToken(named name: String) async throws {
        try await store.removeToken(named: name, now: now())
        tokens = tokens.filter { $0.value.name != name }
        logins = logins.filter { $0.value.token != name }
    }

    /// Takes over what other nodes of a cluster changed.
    package func reload() async throws {
        reloads += 1
        let reload = reloads
        let known = (
            tokens: Set(tokens.keys), logins: Set(logins.filter(\.value.isKept).keys), persons: Set(persons.keys)
        )
        let stored = try await store.access()
        // A later look knows better what was revoked.
        guard reload == reloads else { return }
        token = stored.token ?? token
        // A token that was made meanwhile is not among the stored ones, and was not known before.
        let digests = Set(stored.tokens.map(\.digest))
        tokens = tokens.filter { !known.tokens.contains($0.key) || digests.contains($0.key) }
        for var token in stored.tokens {
            token.usedAt = [token.usedAt, tokens[token.digest]?.usedAt].compactMap(\.self).max()
            tokens[token.digest] = token
        }
        persons = persons.filter { !known.persons.contains($0.key) || stored.persons[$0.key] != nil }
        for (digest, login) in stored.persons {
            var login = login
            login.usedAt = max(login.usedAt, persons[digest]?.usedAt ?? .min)
            persons[digest] = login
        }
        logins = logins.filter { !known.logins.contains($0.key) || stored.logins[$0.key] != nil }
        for (digest, login) in stored.logins {
            var login = Self.login(login)
            login.usedAt = max(login.usedAt, logins[digest]?.usedAt ?? .min)
            logins[digest] = login
        }
    }

    private static func login(_ stored: (usedAt: Int64, token: String?)) -> Login {
        Login(usedAt: stored.usedAt, keptAt: stored.usedAt, isKept: true, token: stored.token)
    }

    private func end(_ digest: Data) async {
        logins[digest] = nil
        await keep(digest, nil)
    }

    /// When the storage fails, the login only has to be repeated after a restart.
    private func keep(_ digest: Data, _ login: Login?) async {
        do {
            try await store.setLogin(digest, login.map { ($0.keptAt, $0.token) })
            logins[digest]?.isKept = true
        } catch {
            logger.error("a login cannot be kept", metadata: ["error": "\(error)"])
        }
    }

    /// An error is only logged, because the list of tokens then shows an earlier use, and nothing else is wrong.
    private func keepUse(of token: NamedToken) async {
        do {
            try await store.setUse(of: token)
        } catch {
            logger.error(
                "the use of a token cannot be kept", metadata: ["token": "\(token.name)", "error": "\(error)"])
        }
    }
}
