import NIOCore
import NIOSSL

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
