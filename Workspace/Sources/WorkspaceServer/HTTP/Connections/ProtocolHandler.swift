import NIOCore
import NIOHTTP1
import WorkspaceCore

/// Adds the rules of HTTP that the library does not know.
///
/// A client of HTTP/1.0 gets no chunks, and its connection ends with the answer. The answer to HEAD has no body and no
/// end mark of a body. A client with `Expect: 100-continue` gets that answer.
final class ProtocolHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The parts of a request that are needed to write its answer.
    private struct Asked {
        let isOld: Bool
        let isHead: Bool
    }

    /// In the order of the answers.
    private var unanswered: [Asked] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        let isOld = head.version.major == 1 && head.version.minor == 0
        if isOld {
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            // HTTP/1.0 needs no Host; the address of the server replaces it.
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
        // An answer without a request answers one that could not be read.
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
