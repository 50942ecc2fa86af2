import NIOCore
import NIOHTTP1

/// Counts what comes before the reader of requests, and gives up a client that sends too much besides its bodies. Its request
/// is answered like one that cannot be read.
final class FramingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let connection: ConnectionHandler

    /// - Parameter connection: gets what the reader has found.
    init(_ connection: ConnectionHandler) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !connection.isRefused else { return }
        connection.framing.arrived(unwrapInboundIn(data).readableBytes)
        // The reader finds all that is in these bytes before it returns.
        context.fireChannelRead(data)
        if connection.framing.isTooMuch { connection.refuseFraming() }
    }
}
