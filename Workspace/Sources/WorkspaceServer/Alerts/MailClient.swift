import NIOCore
import NIOPosix
import NIOSSL
import WorkspaceCore

/// Sends a mail over a connection of its own.
struct MailClient: Sendable {
    let settings: MailSettings
    /// How long a mail may take.
    var patience = TimeAmount.seconds(30)

    /// - Returns: the answer of the mail server, or why there was none. It never has the login.
    func send(_ message: MailMessage) async -> AlertDelivery.Answer {
        do {
            let tls = settings.security == .none ? nil : try context()
            let group = MultiThreadedEventLoopGroup.singleton
            let answers = group.next().makePromise(of: AlertDelivery.Answer.self)
            let dialogue = MailDialogue(settings, content: message.data(settings))
            let (settings, patience) = (settings, patience)
            let channel: any Channel
            do {
                channel = try await ClientBootstrap(group: answers.futureResult.eventLoop)
                    .connectTimeout(.seconds(10))
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            let handler = MailHandler(dialogue, settings.host, tls, answers)
                            if settings.security == .tls, let tls {
                                try channel.pipeline.syncOperations.addHandler(
                                    NIOSSLClientHandler(context: tls, serverHostname: MailHandler.name(settings.host)))
                            }
                            try channel.pipeline.syncOperations.addHandler(handler)
                        }
                    }
                    .connect(host: settings.host, port: settings.port).get()
            } catch {
                answers.fail(error)
                throw error
            }
            let timer = channel.eventLoop.scheduleTask(in: patience) {
                answers.succeed(.init(isAccepted: false, text: "no answer: it took too long"))
                channel.close(promise: nil)
            }
            defer { timer.cancel() }
            let answer = try await answers.futureResult.get()
            channel.close(promise: nil)
            return answer
        } catch {
            return .init(isAccepted: false, text: "no answer: \(ErrorReason.text(error))")
        }
    }

    private func context() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        if let authority = settings.authority { configuration.trustRoots = .file(authority) }
        configuration.minimumTLSVersion = .tlsv12
        return try NIOSSLContext(configuration: configuration)
    }
}

/// Carries out what the dialogue says. Belongs to the event loop of its connection.
final class MailHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var dialogue: MailDialogue
    private var replies = MailReplies()
    private let host: String
    private let tls: NIOSSLContext?
    private var answer: EventLoopPromise<AlertDelivery.Answer>?

    init(
        _ dialogue: MailDialogue, _ host: String, _ tls: NIOSSLContext?,
        _ answer: EventLoopPromise<AlertDelivery.Answer>
    ) {
        (self.dialogue, self.host, self.tls, self.answer) = (dialogue, host, tls, answer)
    }

    /// The name that the certificate has to have; nil for an address, for which none can be asked.
    static func name(_ host: String) -> String? {
        host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") } ? nil : host
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do throws(MailReplies.Problem) {
            let found = try replies.take(unwrapInboundIn(data).readableBytesView)
            for (index, reply) in found.enumerated() {
                // Bytes from before the encryption could be of another sender (CVE-2011-0411).
                let isLast = index == found.count - 1 && replies.isEmpty
                perform(dialogue.take(reply), isLast: isLast, context)
            }
        } catch {
            end(.init(isAccepted: false, text: "the mail server's answer cannot be read"), context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.init(isAccepted: false, text: "no answer: the connection was closed"), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(.init(isAccepted: false, text: "no answer: \(ErrorReason.text(error))"), context)
    }

    private func perform(_ action: MailDialogue.Action, isLast: Bool, _ context: ChannelHandlerContext) {
        switch action {
        case .send(let bytes): write(bytes, context)
        case .accepted(let bytes, let text):
            write(bytes, context)
            end(.init(isAccepted: true, text: text), context)
        case .failed(let reason): end(.init(isAccepted: false, text: reason), context)
        case .encrypt:
            guard isLast, let tls else {
                return end(.init(isAccepted: false, text: "the mail server sent bytes before the encryption"), context)
            }
            do {
                let handler = try NIOSSLClientHandler(context: tls, serverHostname: Self.name(host))
                try context.pipeline.syncOperations.addHandler(handler, position: .first)
                perform(dialogue.secured(), isLast: true, context)
            } catch {
                end(.init(isAccepted: false, text: "no answer: \(ErrorReason.text(error))"), context)
            }
        }
    }

    private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    /// The first end counts.
    private func end(_ result: AlertDelivery.Answer, _ context: ChannelHandlerContext) {
        answer?.succeed(result)
        answer = nil
        context.close(promise: nil)
    }
}
