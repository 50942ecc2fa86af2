import Foundation

/// Makes an integration that posts each event in a request of its own to an address of the app.
///
/// Events are not stored for it, and failed requests are not repeated. It is for tests and small tools.
public final class WebhookIntegrationFactory: SEGIntegrationFactory {
    static let prefix = "webhook_"

    /// The name of this webhook.
    public let name: String
    /// The address for events.
    public let webhookUrl: String

    /// A webhook with that name. Its key is `webhook_` and the name, and it needs no settings.
    public init(name: String, webhookUrl: String) {
        self.name = name
        self.webhookUrl = webhookUrl
    }

    public func create(withSettings settings: [AnyHashable: Any], for analytics: Analytics) -> (any Integration)? {
        guard let url = URL(string: webhookUrl), url.host != nil else { return nil }
        return WebhookIntegration(url: url, analytics: analytics, key: key())
    }

    public func key() -> String { Self.prefix + name }
}

/// Posts events.
final class WebhookIntegration: Integration {
    private let url: URL
    private weak var analytics: Analytics?
    private let key: String

    init(url: URL, analytics: Analytics, key: String) {
        self.url = url
        self.analytics = analytics
        self.key = key
    }

    func identify(_ payload: IdentifyPayload) { post(payload) }
    func track(_ payload: TrackPayload) { post(payload) }
    func screen(_ payload: ScreenPayload) { post(payload) }
    func group(_ payload: GroupPayload) { post(payload) }
    func alias(_ payload: AliasPayload) { post(payload) }

    private func post(_ payload: Payload) {
        guard let analytics, let event = payload.origin else { return }
        let request = TransportRequest(
            method: "POST", url: url, headers: ["Content-Type": "application/json"],
            body: JSON.object(event).encoded(), answerLimit: .beginning(1024))
        analytics.transport.send(request) { [weak analytics, key] result in
            let reason: String
            switch result {
            case .success(let response) where (200..<300).contains(response.status): return
            case .success(let response): reason = "the webhook answered \(response.status)"
            case .failure(let error): reason = "the webhook gave no answer: \(error)"
            }
            analytics?.report(Diagnostic(.eventDropped, reason, destination: key))
        }
    }
}
