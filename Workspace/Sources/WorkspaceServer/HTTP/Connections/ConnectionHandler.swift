import NIOCore
import NIOHTTP1
import WorkspaceCore

/// Notes the events of one connection, and closes it when its client sends a body too slowly.
///
/// A connection that got one of the places for administrators is answered once, and only when its request has a token or a
/// login.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let connections: OpenConnections
    /// The body that comes now; nil between requests.
    private var pace: BodyPace?
    private var nextLook: Scheduled<Void>?
    private var isForAdministrators = false
    /// The request was refused here, so nothing of it is read or goes further.
    private(set) var isRefused = false
    /// Requests whose answer is still to come.
    private var unanswered = 0
    /// What has come besides bodies; `FramingHandler` says what has come at all.
    var framing = FramingCount()
    /// The body that one read has brought, in however many chunks.
    private var part: ByteBuffer?
    private var context: ChannelHandlerContext?

    init(_ connections: OpenConnections) { self.connections = connections }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        isForAdministrators = connections.open(context.channel) == .forAdministrators
    }

    func channelInactive(context: ChannelHandlerContext) {
        handOver(context)
        connections.close(context.channel)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        nextLook?.cancel()
        connections.close(context.channel)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            connections.moved(context.channel)
            framing.foundPart()
            unanswered += 1
            guard !isForAdministrators || AdministratorRequest.isOne(head) else { return refuse(context) }
            pace = BodyPace()
        case .body(let part):
            connections.moved(context.channel)
            framing.foundBody(part.readableBytes)
            pace?.arrived(part.readableBytes, now: OpenConnections.now)
            return collect(part, context)
        case .end:
            handOver(context)
            framing.foundPart()
            pace = nil
            connections.requested(context.channel)
        }
        context.fireChannelRead(data)
    }

    /// A client may send each byte as its own chunk. Small chunks of one read go on as one part, so that such a body costs
    /// little more than others. Longer parts are not copied.
    private func collect(_ part: ByteBuffer, _ context: ChannelHandlerContext) {
        if let collected = self.part, collected.readableBytes >= Limits.collectedChunks { handOver(context) }
        if self.part?.writeImmutableBuffer(part) == nil { self.part = part }
    }

    private func handOver(_ context: ChannelHandlerContext) {
        guard let part else { return }
        self.part = nil
        context.fireChannelRead(wrapInboundOut(.body(part)))
    }

    /// The client has sent too much besides its bodies.
    func refuseFraming() {
        guard let context, !isRefused else { return }
        errorCaught(context: context, error: HTTPParserError.headerOverflow)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        handOver(context)
        // Nothing can be read behind a request that cannot be read. The library answers it, and would then wait for the
        // client to go. A busy server may need longer for the answer than the client has for going.
        if error is HTTPParserError {
            isRefused = true
            if unanswered == 0 { close(context, in: Limits.restOfConnection) }
        }
        context.fireErrorCaught(error)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        handOver(context)
        if pace != nil { scheduleLook(context, in: Limits.connectionLook) }
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The server ends. It has acknowledged nothing of a body that has not come, so the client sends it again.
        if event is ChannelShouldQuiesceEvent, pace != nil { close(context, in: Limits.restOfConnection) }
        context.fireUserInboundEventTriggered(event)
    }

    func read(context: ChannelHandlerContext) {
        guard !isRefused else { return }
        pace?.wait(now: OpenConnections.now)
        context.read()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where isForAdministrators && head.status.code >= 200:
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            connections.answered(context.channel)
            unanswered = max(0, unanswered - 1)
            if isForAdministrators {
                closeAfter(context, data, promise)
            } else {
                context.write(data, promise: promise)
                // The rest of a body that was answered before its end is not waited for.
                if isRefused, unanswered == 0 {
                    close(context, in: Limits.restOfConnection)
                } else if pace != nil {
                    close(context, in: Limits.restOfBody)
                }
            }
        default: context.write(data, promise: promise)
        }
    }

    private func closeAfter(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        isRefused = true
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        let channel = context.channel
        written.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.writeAndFlush(data, promise: written)
    }

    private func refuse(_ context: ChannelHandlerContext) {
        let text = #"{"success":false,"error":"all connections are in use; try again"}"#
        let headers: HTTPHeaders = [
            "Content-Type": "application/json", "Content-Length": "\(text.utf8.count)", "Retry-After": "1",
            "Connection": "close",
        ]
        let head = HTTPResponseHead(version: .http1_1, status: .serviceUnavailable, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
        closeAfter(context, wrapOutboundOut(.end(nil)), nil)
    }

    /// Closes the connection after a time, if its body has not come by then or if it was refused.
    private func close(_ context: ChannelHandlerContext, in time: Duration) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: TimeAmount(time)) {
            let (handler, context) = bound.value
            let isUnderWay = handler.pace != nil || handler.isRefused
            if isUnderWay, context.channel.isActive { context.close(promise: nil) }
        }
    }

    private func scheduleLook(_ context: ChannelHandlerContext, in time: Duration) {
        guard nextLook == nil else { return }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        nextLook = context.eventLoop.scheduleTask(in: TimeAmount(time)) {
            let (handler, context) = bound.value
            handler.nextLook = nil
            guard let pace = handler.pace, context.channel.isActive else { return }
            if pace.isTooSlow(now: OpenConnections.now) {
                context.close(promise: nil)
            } else {
                handler.scheduleLook(context, in: time)
            }
        }
    }
}

/// Whether a request may be one of an administrator. The head alone decides, before anything else is read; whether the token
/// is right is checked later, as always.
enum AdministratorRequest {
    static func isOne(_ head: HTTPRequestHead) -> Bool {
        // These answers last long, so a few of them would take all places.
        guard !["/api/stream", "/api/wait-for-event"].contains(where: { head.uri.hasPrefix($0) }) else { return false }
        if head.method == .POST, head.uri == "/login" { return true }
        return head.headers["Authorization"].contains { $0.lowercased().hasPrefix("bearer ") }
            || head.headers["Cookie"].contains { $0.contains(name) }
    }

    /// The prefix of the name of a login's cookie.
    private static let name = "tributary-session"
}

/// How fast a body comes. A pure value; times are nanoseconds and are passed in.
///
/// Only the time in which the server waits for its client counts. A server that is busy, or that holds a body back, does
/// not take a client for a slow one.
struct BodyPace: Equatable {
    private var bytes: Int64 = 0
    /// Nanoseconds in which the server waited before `waitsSince`.
    private var waited: Int64 = 0
    private var waitsSince: Int64?

    /// The server asks for more of the body.
    mutating func wait(now: Int64) { waitsSince = waitsSince ?? now }

    /// A part of the body has come.
    mutating func arrived(_ count: Int, now: Int64) {
        bytes += Int64(count)
        if let waitsSince { waited += now - waitsSince }
        waitsSince = nil
    }

    /// Whether the client sends more slowly than it has to.
    func isTooSlow(now: Int64) -> Bool {
        let nanoseconds = waited + (waitsSince.map { now - $0 } ?? 0)
        let grace = Int64(Limits.bodyGrace / .nanoseconds(1))
        return nanoseconds > grace && bytes < (nanoseconds - grace) / 1_000_000_000 * Limits.bodyBytesPerSecond + 1
    }
}
