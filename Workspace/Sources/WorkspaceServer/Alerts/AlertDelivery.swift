import AsyncHTTPClient
import Crypto
import NIOCore
import NIOHTTP1
import TributaryJSON
import WorkspaceCore

/// Sends messages of alert rules. Redirects are not followed.
enum AlertDelivery {
    /// The answer of a receiver.
    struct Answer: Sendable, Equatable {
        let isAccepted: Bool
        /// The status, or why there was none. It never has the address, which may be a secret.
        let text: String
    }

    static var configuration: HTTPClient.Configuration {
        HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(10)), decompression: .disabled)
    }

    static func send(
        _ body: JSON, to address: ServiceAddress, by client: HTTPClient,
        within time: TimeAmount = .seconds(Limits.noticeTime)
    ) async -> Answer {
        var request = address.request(.POST)
        request.headers = ["Content-Type": "application/json", "User-Agent": "Tributary"]
        request.body = .bytes(ByteBuffer(bytes: body.encoded()))
        do {
            let response = try await client.execute(request, timeout: time)
            let answer = WebhookAnswer(status: response.status, retryAfter: nil, now: 0)
            // A connection with an unread answer cannot be used again.
            let said = String(await AnswerText.read(response, upTo: Limits.destinationAnswer).prefix(200))
            let isAccepted = (200..<300).contains(response.status.code)
            return Answer(
                isAccepted: isAccepted,
                text: isAccepted || said.isEmpty ? answer.answer.text : "\(answer.answer.text): \(said)")
        } catch {
            return Answer(isAccepted: false, text: "no answer: \(AnswerText.reason(error))")
        }
    }

    /// Sends by mail.
    /// - Parameter settings: nil when the server has none any more.
    static func send(_ message: AlertMessage, of rule: String, by settings: MailSettings?) async -> Answer {
        guard let settings else {
            return Answer(isAccepted: false, text: "this server has no mail server: start it with --smtp-server")
        }
        let words = [
            message.text, "", "Rule: \(rule)", "State: \(message.occasion.rawValue)",
            "At: \(ISO8601.string(milliseconds: message.at))",
        ]
        let digest = SHA256.hash(data: Array((rule + message.text).utf8)).hexadecimal
        // The same mail has the same id when it is sent again, so that a mail server can know it.
        let id = "tributary-\(message.at)-\(message.number)-\(digest.prefix(16))"
        let mail = MailMessage(
            subject: String(message.text.prefix(200)), text: words.joined(separator: "\r\n"), at: message.at, id: id)
        return await MailClient(settings: settings).send(mail)
    }

    /// Sends once, with a connection of its own.
    static func sendOnce(_ body: JSON, to address: ServiceAddress) async throws -> Answer {
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let answer = await send(body, to: address, by: client)
        try await client.shutdown()
        return answer
    }
}
