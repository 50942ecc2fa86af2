import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A connection of the library, with what the workspace adds to it around the reader of requests.
struct WorkspaceChannel: HTTPChannelHandler {
    typealias Value = HTTP1Channel.Value

    let base: HTTP1Channel
    let connections: OpenConnections
    /// Called for a client that speaks plain http to the port of https.
    let plainHTTP: @Sendable (_ address: String?) -> Void

    var responder: HTTPChannelHandler.Responder { base.responder }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            try Self.readLittle(channel)
            let pipeline = channel.pipeline.syncOperations
            let reader = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let connection = ConnectionHandler(connections)
            try pipeline.addHandler(FramingHandler(connection), position: .before(reader))
            try pipeline.addHandlers(
                [PlainHTTPWatch(plainHTTP), connection, ProtocolHandler()], position: .after(reader))
            try pipeline.addHandler(AnswerWatch(connections), position: .first)
            return value
        }
    }

    /// By default, a connection reads four times 64 KB before anybody looks at them.
    private static func readLittle(_ channel: any Channel) throws {
        let allocator = AdaptiveRecvByteBufferAllocator(minimum: 1_024, initial: 4_096, maximum: Limits.readAtOnce)
        try channel.syncOptions?.setOption(.recvAllocator, value: allocator)
        try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
            await base.handle(value: value, logger: logger)
        }
    }
}
