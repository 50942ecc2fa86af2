import AnalyticsLive
import Dispatch
import Foundation
import Measuring
import Tributary
import TributaryJSON

/// Ten versions are deployed while events are tracked as fast as one thread can. Each event must be processed by exactly
/// one version, versions must never go back, and none may be lost: the value is how often that was not so.
enum ReplacementBenchmark {
    struct Parameters: Decodable {
        let events: Int
    }

    private static let versions = 10
    private static let patience: Int64 = 120_000_000_000

    static func run(_ parameters: Parameters) throws {
        let workspace = DeployingTransport()
        let witness = Witness()
        let analytics = Analytics(
            configuration: Configuration(writeKey: "benchmark").autoAddSegmentDestination(false).settingsInterval(0)
                .storageMode(.memory(parameters.events + 1)).transport(workspace))
        analytics.add(plugin: LivePlugins(fallbackFileURL: nil))
        analytics.add(plugin: witness)
        let start = Clock.monotonic()
        for version in 1...versions {
            workspace.version = version
            if version > 1 { analytics.refreshSettings {} }
            let share = parameters.events * version / versions - parameters.events * (version - 1) / versions
            for _ in 0..<share { analytics.track(name: Samples.eventName) }
            // The next version is deployed while this one's share is still waiting, but after this one was installed.
            try wait(for: analytics) { witness.sight.newest >= version || $0.counters.processed == $0.counters.tracked }
        }
        try wait(for: analytics) { $0.counters.processed == $0.counters.tracked }
        let seconds = Double(Clock.monotonic() - start) / 1e9
        let sight = witness.sight
        let problems = sight.problems + abs(parameters.events - sight.events)
        try Measurement(
            "live-plugin-replacement", Double(problems),
            details: [
                "events": Double(sight.events), "versions": Double(sight.versions.count),
                "events_per_second": Double(sight.events) / seconds,
            ]
        ).report()
    }

    private static func wait(for analytics: Analytics, until isDone: (Analytics) -> Bool) throws {
        let deadline = Clock.monotonic() + patience
        while !isDone(analytics) {
            guard Clock.monotonic() < deadline else { throw Failure("events are not processed") }
            usleep(200)
        }
    }

    fileprivate static func script(_ version: Int) -> String {
        """
        class Mark extends LivePlugin {
            constructor(type, name) { super(type); this.name = name }
            track(event) { (event.properties ??= {})[this.name] = \(version); return event }
        }
        analytics.add(new Mark(LivePluginType.before, "first"))
        analytics.add(new Mark(LivePluginType.enrichment, "second"))
        """
    }
}

/// Sees which versions processed an event.
///
/// Unchecked because what it has seen is behind its lock.
private final class Witness: Plugin, @unchecked Sendable {
    struct Sight {
        var events = 0
        var problems = 0
        var newest = 0
        var versions: Set<Int> = []
    }

    let type = PluginType.after
    weak var analytics: Analytics?
    private let lock = NSLock()
    private var seen = Sight()

    var sight: Sight {
        lock.lock()
        defer { lock.unlock() }
        return seen
    }

    func execute<Event: RawEvent>(event: Event?) -> Event? {
        let properties = event?.json["properties"]
        let first = properties?["first"]?.intValue ?? 0
        let second = properties?["second"]?.intValue ?? 0
        lock.lock()
        defer { lock.unlock() }
        seen.events += 1
        if first == 0 || first != second || first < seen.newest { seen.problems += 1 }
        seen.newest = max(seen.newest, first)
        seen.versions.insert(first)
        return event
    }
}

/// Serves settings and the bundle of the version that is deployed.
///
/// Unchecked because the version is behind its lock.
private final class DeployingTransport: Transport, @unchecked Sendable {
    private let lock = NSLock()
    private var deployed = 1

    var version: Int {
        get {
            lock.lock()
            defer { lock.unlock() }
            return deployed
        }
        set {
            lock.lock()
            defer { lock.unlock() }
            deployed = newValue
        }
    }

    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        let name = request.url.deletingPathExtension().lastPathComponent
        let text: String
        if request.url.pathExtension == "js", let version = Int(name) {
            text = ReplacementBenchmark.script(version)
        } else {
            let version = version
            text = """
                {"integrations":{},"edgeFunction":{"version":\(version),"downloadURL":"http://localhost/\(version).js"}}
                """
        }
        DispatchQueue.global().async { completion(.success(TransportResponse(status: 200, body: Array(text.utf8)))) }
    }
}
