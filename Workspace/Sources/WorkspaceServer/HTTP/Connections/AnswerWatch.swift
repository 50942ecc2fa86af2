import NIOCore
import WorkspaceCore

/// Closes a connection that takes nothing of its answers, and says in the table of connections that it is blocked. It is
/// the handler next to the network, so it sees the bytes as they are sent.
final class AnswerWatch: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData

    private let connections: OpenConnections
    private var progress = AnswerProgress()
    private var patience = Limits.untakenAnswer
    private var nextLook: Scheduled<Void>?

    init(_ connections: OpenConnections) { self.connections = connections }

    func handlerRemoved(context: ChannelHandlerContext) { nextLook?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            patience = Limits.restOfConnection
            nextLook?.cancel()
            nextLook = nil
            look(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        progress.wrote(unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        look(context)
    }

    private func look(_ context: ChannelHandlerContext) {
        // A channel that cannot say it is one of a test, which has no network.
        guard let options = context.channel.syncOptions,
            let waiting = try? options.getOption(.bufferedWritableBytes)
        else { return }
        let now = OpenConnections.now
        let before = progress.blockedSince
        progress.look(waiting: waiting, now: now)
        if progress.blockedSince != before { connections.blocked(context.channel, since: progress.blockedSince) }
        guard !progress.isGivenUp(now: now, after: patience) else { return context.close(promise: nil) }
        guard progress.blockedSince != nil, nextLook == nil else { return }
        // The task runs on the event loop of the handler, which is where it may be used.
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        nextLook = context.eventLoop.scheduleTask(in: TimeAmount(min(patience, Limits.connectionLook))) {
            let (watch, context) = bound.value
            watch.nextLook = nil
            if context.channel.isActive { watch.look(context) }
        }
    }
}

/// How a client takes its answers. A pure value; times are nanoseconds and are passed in.
struct AnswerProgress: Equatable {
    private var written: Int64 = 0
    private var taken: Int64 = 0
    /// The time since when the client has taken nothing although there was something; nil when it has taken all.
    private(set) var blockedSince: Int64?

    mutating func wrote(_ count: Int) { written += Int64(count) }

    /// - Parameter waiting: the bytes that the system did not take from the server yet.
    mutating func look(waiting: Int, now: Int64) {
        let taken = written - Int64(waiting)
        if waiting == 0 {
            blockedSince = nil
        } else if taken > self.taken || blockedSince == nil {
            blockedSince = now
        }
        self.taken = taken
    }

    /// Whether the client has taken nothing for too long.
    func isGivenUp(now: Int64, after patience: Duration = Limits.untakenAnswer) -> Bool {
        blockedSince.map { now - $0 >= Int64(patience / .nanoseconds(1)) } ?? false
    }
}
