import CoreMetrics
import Synchronization

/// The counters and timers of answers, by area and status. Looking one up by its labels for each request would cost more
/// than counting.
final class AnswerMeters: Sendable {
    private struct Key: Hashable {
        let area: String
        let status: Int
    }

    private let factory: PrometheusFactory
    private let known = Mutex<[Key: (count: Counter, time: Timer)]>([:])

    init(factory: PrometheusFactory) { self.factory = factory }

    /// - Parameters:
    ///   - area: one of a few fixed labels.
    ///   - status: the status code of the answer.
    func meters(of area: String, _ status: Int) -> (count: Counter, time: Timer) {
        known.withLock { known in
            let key = Key(area: area, status: status)
            if let found = known[key] { return found }
            let made = (
                Counter(
                    label: "tributary_http_requests_total", dimensions: [("area", area), ("status", "\(status)")],
                    factory: factory),
                Timer(label: "tributary_http_request_seconds", dimensions: [("area", area)], factory: factory)
            )
            known[key] = made
            return made
        }
    }
}
