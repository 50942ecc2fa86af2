import AsyncHTTPClient
import Logging
import ServiceLifecycle
import WorkspaceCore

/// Looks at the alert rules again and again, and sends what they say. A receiver that hangs delays no look.
struct AlertService: Service {
    let looks: AlertLooks
    /// The mail server; nil for none.
    let mail: MailSettings?
    let pause: Duration

    func run() async throws {
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: AlertDelivery.configuration)
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    var looks = looks
                    repeat { await looks.look() } while await pause.wait()
                }
                let sender = AlertSender(
                    store: looks.store, client: client, mail: mail, now: looks.now, logger: looks.logger)
                group.addTask {
                    repeat { await sender.send() } while await min(pause, Limits.alertSendPause).wait()
                }
            }
        }
        do {
            try await client.shutdown()
        } catch {
            looks.logger.warning("the connection for alerts did not close", metadata: ["error": "\(error)"])
        }
    }

}

/// Sends the messages of alert rules that are due.
struct AlertSender: Sendable {
    let store: Store
    let client: HTTPClient
    var mail: MailSettings?
    let now: @Sendable () -> Int64
    let logger: Logger

    /// Sends one message of each rule that has one, side by side, so that a receiver that hangs holds up only its own rules.
    func send() async {
        do {
            let alerts = try await store.alerts()
            await withTaskGroup(of: Void.self) { group in
                for alert in alerts {
                    guard let message = alert.state.due(at: now()) else { continue }
                    group.addTask { await send(message, of: alert.rule) }
                }
            }
        } catch is CancellationError {
            // The server stops.
        } catch {
            logger.error("the messages of alert rules cannot be read", metadata: ["error": "\(error)"])
        }
    }

    private func send(_ message: AlertMessage, of rule: AlertRule) async {
        let answer: AlertDelivery.Answer
        switch rule.target {
        // A rule that goes to the operators' address now has left its messages of before.
        case .notices: return
        case .mail: answer = await AlertDelivery.send(message, of: rule.name, by: mail)
        case .webhook(let address, let form):
            answer = await AlertDelivery.send(message.body(form, of: rule.name), to: address, by: client)
        }
        guard !Task.isCancelled else { return }
        if !answer.isAccepted {
            logger.warning(
                "a message of an alert rule was not accepted",
                metadata: ["rule": "\(rule.name)", "answer": "\(answer.text)"])
        }
        do {
            try await store.sentAlert(
                message.number, of: rule, problem: answer.isAccepted ? nil : answer.text, now: now())
        } catch is CancellationError {
            // The server stops. It sends the message once more when it is back.
        } catch {
            logger.error("the result of a message cannot be stored", metadata: ["error": "\(error)"])
        }
    }
}
