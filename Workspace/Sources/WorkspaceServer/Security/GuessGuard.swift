import Hummingbird
import Logging
import Synchronization
import WorkspaceCore

/// Counts, slows down and logs wrong secrets of the administration.
final class GuessGuard: Sendable {
    private let ledger = Mutex(GuessLedger())
    private let proxies: TrustedProxies
    private let metrics: ServerMetrics
    private let now: @Sendable () -> Int64
    private let logger: Logger

    init(proxies: TrustedProxies, metrics: ServerMetrics, now: @escaping @Sendable () -> Int64, logger: Logger) {
        (self.proxies, self.metrics, self.now, self.logger) = (proxies, metrics, now, logger)
    }

    /// Checks a secret, unless its sender sent too many wrong ones.
    /// - Throws: 429 with the time to wait.
    func check(_ request: Request, _ context: WorkspaceContext, isRight: () -> Bool) throws(Refusal) -> Bool {
        let client = proxies.client(of: request, context) ?? "unknown"
        // For IPv6 the network counts, because a sender can choose any address in it.
        let sender = client.contains(":") ? AddressPolicy.network(of: client) ?? client : client
        let now = now()
        if let pause = ledger.withLock({ $0.pause(of: sender, now: now) }) { throw Self.tooMany(pause) }
        guard !isRight() else { return true }
        let pause = ledger.withLock { ledger in
            ledger.missed(sender, now: now)
            return ledger.pause(of: sender, now: now)
        }
        metrics.guessedWrong()
        logger.warning(
            "a wrong token for the administration",
            metadata: [
                "address": "\(client)", "path": "\(LoggedPath.text(request.uri.path))",
                "pause": "\((pause ?? 0) / 1_000) s",
            ])
        return false
    }

    private static func tooMany(_ pause: Int64) -> Refusal {
        let seconds = max(1, (pause + 999) / 1_000)
        return Refusal(
            .tooMany, "too many wrong tokens came from this address; it may try again in \(seconds) seconds",
            retryAfter: seconds)
    }
}
