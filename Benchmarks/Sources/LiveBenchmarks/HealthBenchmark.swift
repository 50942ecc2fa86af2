import AnalyticsLive
import Foundation
import Measuring
import Tributary

/// What health reports cost: processor time of a report, and its share of what a client sends in a day.
///
/// The time is that of a look at the settings after which a report is sent, less that of a look without one.
struct HealthBenchmark {
    struct Parameters: Decodable {
        let folder: String
        let rounds: Int
    }

    private static let warmUp = 3
    /// Reports as often as a server can ask for them, and as the workspace asks for them while nothing was deployed for a day.
    private static let often = #"{"sampleRate":1}"#
    private static let daily = #"{"sampleRate":1,"minimumSeconds":86400}"#
    /// 1,000 events a day, in as many looks at the settings.
    private static let (days, looksOfDay, eventsOfLook) = (3, 40, 25)
    private static let script = """
        class Fix extends LivePlugin { track(event) { event.properties.fixed = true; return event } }
        class Note extends LivePlugin { track(event) { return event } }
        analytics.add(new Fix(LivePluginType.enrichment, null)); analytics.add(new Note(LivePluginType.before, null))
        """

    static func run(_ parameters: Parameters) throws {
        var reports: [Double] = []
        var looks: [Double] = []
        let reporting = try ReportingClient(script: script, asked: often, in: parameters.folder)
        let silent = try ReportingClient(script: script, asked: nil, in: parameters.folder)
        for round in -warmUp..<parameters.rounds {
            let report = try reporting.look(after: 60, sendsReport: true)
            let look = try silent.look(after: 60)
            guard round >= 0 else { continue }
            reports.append(report)
            looks.append(look)
        }
        try Measurement(
            "health-report", max(0, median(reports) - median(looks)), floor: median(looks),
            details: ["with_report": median(reports)], floors: looks
        ).report()
        let user = try ReportingClient(script: script, asked: daily, in: parameters.folder)
        for number in 1...days * looksOfDay {
            _ = try user.look(
                after: eventsOfLook, seconds: 86_400 / Double(looksOfDay), sendsReport: number % looksOfDay == 0)
        }
        let (events, health, count) = user.sent
        try Measurement(
            "health-traffic", Double(health) * 100 / Double(events + health),
            details: ["event_bytes": Double(events), "report_bytes": Double(health), "reports": Double(count)]
        ).report()
    }
}

/// A client with live plugins and filters whose server is in the process, and whose clock is moved.
private final class ReportingClient {
    private let analytics: Analytics
    private let server: Server
    private let clock = JumpingClock()

    /// - Parameter asked: what the settings say about health reports; nil asks for none.
    init(script: String, asked: String?, in folder: String) throws {
        let file = URL(fileURLWithPath: folder).appendingPathComponent("\(UUID().uuidString).js")
        try Data(script.utf8).write(to: file)
        server = Server(asked: asked)
        // As an app has it: events are compressed and sent by twenties.
        analytics = Analytics(
            configuration: Configuration(writeKey: "benchmark").settingsInterval(0).storageMode(.memory(100_000))
                .timeSource(clock).transport(server))
        analytics.add(plugin: LivePlugins(fallbackFileURL: file, force: true))
        analytics.add(plugin: DestinationFilters())
        // The time of the first report begins with the first look, so that look has to be over.
        _ = try look(after: 1)
        usleep(100_000)
    }

    var sent: (events: Int, health: Int, reports: Int) { server.sent }

    /// Tracks events, lets time pass and looks for settings. Returns the microseconds of processor time of the look.
    /// - Parameter sendsReport: whether a report is due then.
    func look(after events: Int, seconds: TimeInterval = 601, sendsReport: Bool = false) throws -> Double {
        for number in 0..<events {
            analytics.track(
                name: "Product Viewed \(number % 7)",
                properties: [
                    "productId": "p-\(number * 7919 % 1000)", "price": Double(number % 90) + 0.5, "list": "home",
                ])
        }
        try send()
        clock.advance(by: seconds)
        let start = Clock.processTime()
        let looked = DispatchSemaphore(value: 0)
        analytics.refreshSettings { looked.signal() }
        looked.wait()
        // As long as a report takes; a sleeping process takes no time of the processor.
        usleep(5000)
        if sendsReport, server.reported.wait(timeout: .now() + 60) == .timedOut {
            throw Failure("the client sends no report")
        }
        return Double(Clock.processTime() - start) / 1000
    }

    /// Sends everything. A flush that is over leaves no work behind, which would be measured with what comes next.
    private func send() throws {
        let deadline = Clock.monotonic() + 60_000_000_000
        while analytics.counters.uploaded < analytics.counters.tracked {
            guard Clock.monotonic() < deadline else { throw Failure("the client does not send") }
            let flushed = DispatchSemaphore(value: 0)
            analytics.flush { flushed.signal() }
            guard flushed.wait(timeout: .now() + 60) == .success else { throw Failure("a flush does not end") }
        }
    }
}

/// The clock of the system, and ahead of it by what it was told. Only its wall clock jumps, so no timeout is over early.
///
/// Unchecked because what changes stands behind the lock.
private final class JumpingClock: TimeSource, @unchecked Sendable {
    private let system = SystemTimeSource()
    private let lock = NSLock()
    private var ahead: Int64 = 0

    var milliseconds: Int64 { system.milliseconds + lock.withLock { ahead } }
    var uptime: TimeInterval { system.uptime }

    func advance(by seconds: TimeInterval) { lock.withLock { ahead += Int64(seconds * 1000) } }

    func schedule(
        after seconds: TimeInterval, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
    ) -> any ScheduledWork { system.schedule(after: seconds, on: queue, work) }
}

/// Unchecked because what changes stands behind the lock.
private final class Server: Transport, @unchecked Sendable {
    /// One signal for each report.
    let reported = DispatchSemaphore(value: 0)
    /// Rules that drop some events for the cloud, and are numbered, so that reports say what they did.
    private static let filters = """
        {"version":3,"routingRules":[{"name":"no tests","destinationName":"Segment.io","transformers":[[{"type":"drop"}]],\
        "matchers":[{"type":"fql","ir":"[\\"=\\",\\"event\\",{\\"value\\":\\"Test\\"}]"}]}]}
        """

    private let asked: String?
    private let lock = NSLock()
    private var state = (events: 0, health: 0, reports: 0)

    init(asked: String?) { self.asked = asked }

    var sent: (events: Int, health: Int, reports: Int) { lock.withLock { state } }

    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        let bytes = request.body?.count ?? 0
        guard request.method != "GET" else {
            let health = asked.map { #","healthReports":\#($0)"# } ?? ""
            let settings =
                #"{"integrations":{"Segment.io":{"apiKey":"KEY"}},"middlewareSettings":\#(Self.filters)\#(health)}"#
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
        if isReport { reported.signal() }
    }
}
