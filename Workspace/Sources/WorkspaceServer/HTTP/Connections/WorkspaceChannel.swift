import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import WorkspaceCore

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

/// Runs tasks on an event loop.
///
/// A connection's task that runs on the event loop of its connection gets the parts of a request, and writes its answer,
/// without waking another thread. So it must not compute for long: other connections of the event loop wait meanwhile.
final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

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

/// Notices clients that speak plain http to the port of https. They get no answer, so the operator has to see them.
final class PlainHTTPWatch: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let note: @Sendable (_ address: String?) -> Void

    init(_ note: @escaping @Sendable (String?) -> Void) { self.note = note }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Only the text of the error says that plain http came.
        if error is NIOSSLError, "\(error)".contains("HTTP_REQUEST") { note(context.remoteAddress?.ipAddress) }
        context.fireErrorCaught(error)
    }
}
