import Hummingbird
import NIOCore
import WorkspaceCore

/// Facts about a request that are not in the request itself.
struct WorkspaceContext: RequestContext, RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    /// The other end of the connection: a client, or the proxy in front.
    let remoteAddress: SocketAddress?
    /// Whether the client sent HEAD; the request then says GET.
    var isHead = false

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
    }
}
