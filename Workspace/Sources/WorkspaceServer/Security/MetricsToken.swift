import Foundation
import Synchronization
import WorkspaceCore

/// The digest of the token that is valid only for reading metrics. It may be replaced while the server runs.
///
/// All members may be used from any thread.
final class MetricsToken: Sendable {
    private let current: Mutex<Data?>

    /// - Throws: `WorkspaceError` when the token is too short or too long.
    init(_ text: String?) throws { current = Mutex(try text.map { try AdminToken(chosen: $0).digest }) }

    /// Nil when there is no such token.
    var digest: Data? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// The grant of this token; nil for another one.
    func grant(_ token: String) -> Grant? {
        digest.map { Secret.isText(token, ofDigest: $0) } ?? false ? Grant(name: nil, role: .look) : nil
    }
}
