import CoreMetrics
import Hummingbird
import Synchronization
import TributaryJournal
package import WorkspaceCore

/// The metrics of a workspace for its operators.
package struct ServerMetrics: Sendable {
    private static let help = [
        "tributary_http_requests_total": "Requests that were answered, by area and status.",
        "tributary_http_request_seconds": "From a request's head to the head of its answer, by area.",
        "tributary_acknowledged_requests_total": "Requests with events that are on the disk.",
        "tributary_acknowledged_bytes_total": "Bytes of the acknowledged requests, as they arrived.",
        "tributary_indexed_events_total": "Events that the indexer processed, by outcome.",
        "tributary_wrong_tokens_total": "Wrong tokens and logins for the administration.",
        "tributary_unreadable_times_total":
            "Events whose timestamp is of no known form, so that the time of arrival replaces it.",
        "tributary_indexing_failures_total": "Turns of the indexer that failed and are tried again.",
        "tributary_waiting_requests": "Acknowledged requests that wait for the indexer.",
        "tributary_waiting_bytes": "Bytes of the files in which acknowledged requests wait.",
        "tributary_forwarded_events_total": "Events that were processed for a destination, by outcome.",
        "tributary_health_reports_total": "Health reports of devices, by whether they were counted before.",
        "tributary_live_plugin_events_total": "Events that devices reported, by source and version of live plugins.",
        "tributary_live_plugin_faulty_events_total": "Reported events in which a live plugin had a fault.",
        "tributary_live_plugin_dropped_events_total": "Reported events that a live plugin dropped.",
        "tributary_live_plugin_seconds_total": "The time that live plugins took on devices.",
        "tributary_live_plugin_broken_reports_total": "Reports of devices on which the version does not run.",
        "tributary_filter_events_total":
            "Events for a destination that devices reported, by source and version of filters.",
        "tributary_filter_faulty_events_total": "Those of them on which a rule could not do all its work.",
        "tributary_filter_dropped_events_total": "Those of them that a rule dropped.",
        "tributary_filter_broken_reports_total": "Reports of devices that cannot read a rule of the version.",
        "tributary_rollbacks_total": "Versions that the workspace rolled back by itself.",
        "tributary_stream_listeners": "Browsers that listen to the stream of events.",
    ]

    private let factory = PrometheusFactory(help: help)
    private let answers: AnswerMeters
    private let acknowledgedRequests: Counter
    private let acknowledgedBytes: Counter
    private let stored: Counter
    private let duplicates: Counter
    private let rejected: Counter
    private let indexingFailures: Counter
    private let unreadableTimes: Counter
    private let wrongGuesses: Counter
    private let waitingRequests: Meter
    private let waitingBytes: Meter
    private let listeners: Meter

    package init() {
        let factory = factory
        answers = AnswerMeters(factory: factory)
        acknowledgedRequests = Counter(label: "tributary_acknowledged_requests_total", factory: factory)
        acknowledgedBytes = Counter(label: "tributary_acknowledged_bytes_total", factory: factory)
        func indexed(_ outcome: String) -> Counter {
            Counter(label: "tributary_indexed_events_total", dimensions: [("outcome", outcome)], factory: factory)
        }
        stored = indexed("stored")
        duplicates = indexed("duplicate")
        rejected = indexed("rejected")
        indexingFailures = Counter(label: "tributary_indexing_failures_total", factory: factory)
        wrongGuesses = Counter(label: "tributary_wrong_tokens_total", factory: factory)
        unreadableTimes = Counter(label: "tributary_unreadable_times_total", factory: factory)
        waitingRequests = Meter(label: "tributary_waiting_requests", factory: factory)
        waitingBytes = Meter(label: "tributary_waiting_bytes", factory: factory)
        listeners = Meter(label: "tributary_stream_listeners", factory: factory)
    }

    func answered(_ area: String, _ status: Int, seconds: Double) {
        let (count, time) = answers.meters(of: area, status)
        count.increment()
        time.recordNanoseconds(Int64(seconds * 1e9))
    }

    package func acknowledged(bytes: Int) {
        acknowledgedRequests.increment()
        acknowledgedBytes.increment(by: bytes)
    }

    func indexingFailed() { indexingFailures.increment() }

    func guessedWrong() { wrongGuesses.increment() }

    func foundUnreadableTimes(_ count: Int) { unreadableTimes.increment(by: count) }

    package func indexed(_ receipts: [Receipt]) {
        stored.increment(by: receipts.reduce(0) { $0 + $1.stored })
        duplicates.increment(by: receipts.reduce(0) { $0 + $1.duplicates })
        rejected.increment(by: receipts.reduce(0) { $0 + $1.rejected })
    }

    /// - Parameter outcomes: the number of events with each outcome.
    func forwarded(_ outcomes: KeyValuePairs<String, Int>, to destination: String) {
        for (outcome, count) in outcomes where count > 0 {
            Counter(
                label: "tributary_forwarded_events_total",
                dimensions: [("destination", destination), ("outcome", outcome)], factory: factory
            ).increment(by: count)
        }
    }

    /// A health report arrived.
    /// - Parameter isNew: false when it was counted before.
    func reported(isNew: Bool) {
        Counter(
            label: "tributary_health_reports_total", dimensions: [("outcome", isNew ? "counted" : "repeated")],
            factory: factory
        ).increment()
    }

    /// Counts what a new report says about a version.
    /// - Parameter version: its number when it has sums of its own, so that labels are bounded.
    func reported(_ health: DeviceHealth, _ kind: RolloutKind, version: String, source: String) {
        let labels = [("source", source), ("version", version)]
        let prefix = kind == .filters ? "tributary_filter" : "tributary_live_plugin"
        func count(_ name: String, _ amount: Int) {
            Counter(label: "\(prefix)_\(name)_total", dimensions: labels, factory: factory).increment(by: amount)
        }
        count("events", health.events)
        count("faulty_events", health.faulty)
        count("dropped_events", health.dropped)
        count("broken_reports", health.isBroken ? 1 : 0)
        guard kind == .livePlugins else { return }
        FloatingPointCounter(label: "tributary_live_plugin_seconds_total", dimensions: labels, factory: factory)
            .increment(by: Double(health.microseconds) / 1e6)
    }

    /// The workspace rolled a version back.
    func rolledBack(source: String) {
        Counter(label: "tributary_rollbacks_total", dimensions: [("source", source)], factory: factory).increment()
    }

    /// All metrics, including figures that are read only for this answer.
    package func text(waitingRequests requests: Int, waitingBytes bytes: Int, listeners count: Int) -> String {
        waitingRequests.set(requests)
        waitingBytes.set(bytes)
        listeners.set(count)
        return factory.text
    }
}

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
