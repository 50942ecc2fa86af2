import AnalyticsLive
import Foundation
import Measuring
import Tributary
import TributaryTesting

/// What health reports cost: processor time of a report, and its share of what a client sends in a day.
///
/// The time is that of a look at the settings after which a report is sent, less that of a look without one.
struct HealthBenchmark {
    struct Parameters: Decodable {
        let folder: String
        let rounds: Int
    }

    private static let warmUp = 3
    /// Events of a day, and how many of them are tracked between two looks at the settings.
    private static let eventsOfDay = 1000
    private static let eventsOfLook = 25
    private static let script = """
        class Fix extends LivePlugin { track(event) { event.properties.fixed = true; return event } }
        class Note extends LivePlugin { track(event) { return event } }
        analytics.add(new Fix(LivePluginType.enrichment, null)); analytics.add(new Note(LivePluginType.before, null))
        """

    static func run(_ parameters: Parameters) throws {
        var reports: [Double] = []
        var looks: [Double] = []
        let reporting = try ReportingClient(script: script, asksForReports: true, in: parameters.folder)
        let silent = try ReportingClient(script: script, asksForReports: false, in: parameters.folder)
        for round in -warmUp..<parameters.rounds {
            let report = try reporting.look(after: 60)
            let look = try silent.look(after: 60)
            guard round >= 0 else { continue }
            reports.append(report)
            looks.append(look)
        }
        try Measurement(
            "health-report", max(0, median(reports) - median(looks)),
            details: ["with_report": median(reports), "without": median(looks)]
        ).report()
        let day = try ReportingClient(script: script, asksForReports: true, in: parameters.folder)
        for _ in 0..<(eventsOfDay / eventsOfLook) { _ = try day.look(after: eventsOfLook, seconds: 1200) }
        let (events, health, count) = day.sent
        try Measurement(
            "health-traffic", Double(health) * 100 / Double(events + health),
            details: ["event_bytes": Double(events), "report_bytes": Double(health), "reports": Double(count)]
        ).report()
    }
}

/// A client with live plugins whose server is in the process, and whose clock is moved.
private final class ReportingClient {
    private let analytics: Analytics
    private let server: Server
    private let clock = ManualClock()

    init(script: String, asksForReports: Bool, in folder: String) throws {
        let file = URL(fileURLWithPath: folder).appendingPathComponent("\(UUID().uuidString).js")
        try Data(script.utf8).write(to: file)
        server = Server(asksForReports: asksForReports)
        // As an app has it: events are compressed and sent by twenties.
        analytics = Analytics(
            configuration: Configuration(writeKey: "benchmark").settingsInterval(0).storageMode(.memory(100_000))
                .timeSource(clock).transport(server))
        analytics.add(plugin: LivePlugins(fallbackFileURL: file, force: true))
    }

    var sent: (events: Int, health: Int, reports: Int) { server.sent }

    /// Tracks events, lets time pass and looks for settings. Returns the microseconds of processor time of the look.
    func look(after events: Int, seconds: TimeInterval = 601) throws -> Double {
        for number in 0..<events {
            analytics.track(
                name: "Product Viewed \(number % 7)",
                properties: [
                    "productId": "p-\(number * 7919 % 1000)", "price": Double(number % 90) + 0.5, "list": "home",
                ])
        }
        // A flush sends what is processed by then, so a busy machine needs several.
        try wait {
            if self.analytics.counters.uploaded >= self.analytics.counters.tracked { return true }
            self.analytics.flush()
            return false
        }
        clock.advance(by: seconds)
        let before = server.sent.reports
        let isDue = server.asksForReports && events >= 60
        let start = Clock.processTime()
        let looked = DispatchSemaphore(value: 0)
        analytics.refreshSettings { looked.signal() }
        looked.wait()
        if isDue {
            try wait { self.server.sent.reports > before }
        } else {
            // As long as a report would take; a sleeping process takes no time of the processor.
            usleep(2000)
        }
        return Double(Clock.processTime() - start) / 1000
    }

    private func wait(until isSo: () -> Bool) throws {
        let deadline = Clock.monotonic() + 60_000_000_000
        while !isSo() {
            guard Clock.monotonic() < deadline else { throw Failure("the client does not send") }
            usleep(200)
        }
    }
}

/// Unchecked because what changes stands behind the lock.
private final class Server: Transport, @unchecked Sendable {
    let asksForReports: Bool
    private let lock = NSLock()
    private var state = (events: 0, health: 0, reports: 0)

    init(asksForReports: Bool) { self.asksForReports = asksForReports }

    var sent: (events: Int, health: Int, reports: Int) { lock.withLock { state } }

    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        let bytes = request.body?.count ?? 0
        guard request.method != "GET" else {
            let health = asksForReports ? #","healthReports":{"sampleRate":1}"# : ""
            let settings = #"{"integrations":{"Segment.io":{"apiKey":"KEY"}}\#(health)}"#
            return completion(.success(TransportResponse(status: 200, body: Array(settings.utf8))))
        }
        let isReport = request.url.path.hasSuffix("health-reports")
        lock.withLock {
            if isReport {
                state.health += bytes
                state.reports += 1
            } else {
                state.events += bytes
            }
        }
        completion(.success(TransportResponse(status: 200, body: Array(#"{"success":true}"#.utf8))))
    }
}
