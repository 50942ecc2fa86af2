import Dispatch
public import Foundation

/// Makes integrations from the first settings, one after the other, on a thread other than the client's executor. A
/// factory that starts an SDK may take long. One that does not return delays the others only for a limited time.
///
/// Unchecked because everything is only touched on the client's executor.
final class IntegrationLoader: @unchecked Sendable {
    /// Seconds that the others wait for one factory.
    static let patience: TimeInterval = 5

    private let factories: [any SEGIntegrationFactory]
    private let settings: Settings
    private let analytics: Analytics
    private let made: (IntegrationDestination) -> Void
    private let done: () -> Void
    private var next = 0
    /// The index of the factory that the others wait for.
    private var awaited: Int?

    /// - Parameters:
    ///   - made: called on the executor with each integration.
    /// - done: called on the executor when the client no longer waits for a factory.
    static func load(
        _ factories: [any SEGIntegrationFactory], _ settings: Settings, _ analytics: Analytics,
        made: @escaping (IntegrationDestination) -> Void, done: @escaping () -> Void
    ) {
        IntegrationLoader(factories, settings, analytics, made, done).loadNext()
    }

    private init(
        _ factories: [any SEGIntegrationFactory], _ settings: Settings, _ analytics: Analytics,
        _ made: @escaping (IntegrationDestination) -> Void, _ done: @escaping () -> Void
    ) {
        self.factories = factories
        self.settings = settings
        self.analytics = analytics
        self.made = made
        self.done = done
    }

    private func loadNext() {
        guard next < factories.count else {
            awaited = nil
            return done()
        }
        let number = next
        next += 1
        let factory = factories[number]
        let key = factory.key()
        awaited = nil
        guard settings.hasIntegration(key) || key.hasPrefix(WebhookIntegrationFactory.prefix) else { return loadNext() }
        awaited = number
        analytics.time.schedule(after: Self.patience, on: .global()) { [self] in
            analytics.performBetweenEvents { [self] in giveUpWaiting(for: number, key) }
        }
        let options = settings.integrationSettings(forKey: key) ?? [:]
        let handed = Handed(options)
        DispatchQueue.global(qos: .utility).async { [self] in
            let integration = Handed(factory.create(withSettings: handed.value, for: analytics))
            analytics.performBetweenEvents { [self] in take(integration.value, of: number, key) }
        }
    }

    private func take(_ integration: (any Integration)?, of number: Int, _ key: String) {
        if let integration {
            made(IntegrationDestination(integration, key: key))
            NotificationCenter.default.post(name: .integrationDidStart, object: key)
        } else {
            analytics.report(
                Diagnostic(.configuration, "the factory made no integration from the settings", destination: key))
        }
        if awaited == number { loadNext() }
    }

    private func giveUpWaiting(for number: Int, _ key: String) {
        guard awaited == number else { return }
        analytics.report(
            Diagnostic(
                .pluginFault, "the factory has not returned for \(Self.patience) s; the client no longer waits for it",
                reason: .destinationStuck, destination: key))
        loadNext()
    }
}

extension Notification.Name {
    /// Posted when an integration was made. The object is its key.
    public static let integrationDidStart = Notification.Name("io.segment.analytics.integration.did.start")
}
