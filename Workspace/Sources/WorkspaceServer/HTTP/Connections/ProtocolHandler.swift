import NIOCore
import NIOHTTP1

/// Keeps to what HTTP says where the library knows only the newest form of it.
///
/// A client of HTTP/1.0 gets no chunks, and its connection ends with the answer. The answer to HEAD has no body, not even
/// the mark of the end of one. A client that waits for the word to go on gets it.
final class ProtocolHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// What has to be known of a request when its answer is written.
    private struct Asked {
        let isOld: Bool
        let isHead: Bool
    }

    /// In the order in which answers come.
    private var unanswered: [Asked] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        let isOld = head.version.major == 1 && head.version.minor == 0
        if isOld {
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            // HTTP/1.0 needs no Host; the address that was reached stands for it.
            if !head.headers.contains(name: "Host") { head.headers.add(name: "Host", value: Self.host(context)) }
        } else if unanswered.isEmpty, head.headers["Expect"].contains(where: { $0.lowercased() == "100-continue" }) {
            let goOn = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(goOn)), promise: nil)
        }
        unanswered.append(Asked(isOld: isOld, isHead: head.method == .HEAD))
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        // Without a request there is none to be answered but one that nobody could read.
        guard let asked = unanswered.first else { return context.write(data, promise: promise) }
        switch part {
        case .head(var head):
            if asked.isOld {
                head.version = .http1_0
                head.headers.replaceOrAdd(name: "Connection", value: "close")
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body:
            if asked.isHead { promise?.succeed() } else { context.write(data, promise: promise) }
        case .end:
            unanswered.removeFirst()
            if asked.isHead { promise?.succeed() } else { context.write(data, promise: promise) }
        }
    }

    private static func host(_ context: ChannelHandlerContext) -> String {
        guard let address = context.localAddress, let ip = address.ipAddress, let port = address.port else {
            return "localhost"
        }
        return ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)"
    }
}
