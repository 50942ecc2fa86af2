import Foundation
import Logging
import TributaryJSON
import WorkspaceCore

/// The links that show the board to everyone who has one.
///
/// A link is looked up in the settings for each request, so a revocation counts at once, and on each node of a cluster as soon
/// as the node has the change.
struct BoardLinks: Sendable {
    let store: Store
    let makeSecret: @Sendable () -> [UInt8]
    let now: @Sendable () -> Int64
    let logger: Logger

    /// The grant of the token of a link; nil for another token, and for a link that is over.
    func grant(_ token: String) async throws -> Grant? {
        let now = now()
        guard token.hasPrefix(Self.beginning), var link = try await store.boardLink(AdminToken.digest(of: token)),
            link.isValid(at: now)
        else { return nil }
        if now - (link.usedAt ?? .min / 2) >= Limits.tokenUseMilliseconds {
            link.usedAt = now
            await keepUse(of: link)
        }
        return Grant(name: link.name, role: .look)
    }

    /// Makes a link; returns it with its token, which is stored nowhere.
    func add(_ name: String, endsAt: Int64?) async throws -> (link: BoardLink, token: String) {
        let now = now()
        guard endsAt.map({ $0 > now }) ?? true else { throw Refusal.invalid("until is a time that is still to come") }
        let token = Self.beginning + Secret.text(makeSecret())
        let link = BoardLink(name: name, digest: AdminToken.digest(of: token), createdAt: now, endsAt: endsAt)
        try await store.addBoardLink(link)
        return (link, token)
    }

    private static let beginning = "tributary-board-"

    /// An error is only logged, because the list then shows an earlier use, and nothing else is wrong.
    private func keepUse(of link: BoardLink) async {
        do {
            try await store.setUse(of: link)
        } catch {
            logger.error("the use of a link cannot be kept", metadata: ["link": "\(link.name)", "error": "\(error)"])
        }
    }
}
