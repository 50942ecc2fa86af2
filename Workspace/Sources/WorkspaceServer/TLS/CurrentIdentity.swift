import NIOCore
import NIOSSL
import Synchronization
import WorkspaceCore

/// Certificate and key for the connections that begin from now on. They may be replaced while the server runs.
///
/// All members may be used from any thread.
final class CurrentIdentity: Sendable {
    private let current: Mutex<TLSIdentity>

    init(_ identity: TLSIdentity) { current = Mutex(identity) }

    var identity: TLSIdentity {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// A configuration that looks at each handshake which certificate is current.
    func configuration() -> TLSConfiguration {
        var configuration = identity.configuration()
        configuration.sslContextCallback = { [self] _, promise in promise.succeed(identity.override()) }
        return configuration
    }
}
