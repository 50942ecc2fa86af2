import Hummingbird
import NIOCore

/// What the server knows of a request besides what it says itself.
struct WorkspaceContext: RequestContext, RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    /// The other end of the connection: a client, or the proxy in front.
    let remoteAddress: SocketAddress?
    /// Whether the client asked for the head of this answer only; the request says GET.
    var isHead = false

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
    }
}
