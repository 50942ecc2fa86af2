import AnalyticsLive
import Foundation
import Measuring
import Tributary

/// A client with scripts between two native plugins that look at the clock.
final class LiveClient {
    let analytics: Analytics
    private let probe = Probe()

    /// - Parameters:
    ///   - script: the live plugins; nil has none.
    ///   - shadow: a version that runs beside them without touching an event; nil has none.
    ///   - allow: the actions that scripts may take; nil allows all.
    init(script: String?, shadow: String? = nil, allow: [ScriptPermission]? = nil, in folder: String) throws {
        // Without a destination, nothing but the scripts stands between the two looks at the clock.
        let ready = DispatchSemaphore(value: 0)
        let configuration = Configuration(writeKey: "benchmark").autoAddSegmentDestination(false)
            .settingsInterval(0).storageMode(.memory(100_000)).transport(Deployment(script: script, shadow: shadow))
        analytics = Analytics(configuration: configuration)
        let observation = analytics.observeDiagnostics { if $0.message.contains("runs as a shadow") { ready.signal() } }
        defer { observation.cancel() }
        if shadow != nil {
            analytics.add(plugin: LivePlugins(allow: allow))
        } else if let script {
            let file = URL(fileURLWithPath: folder).appendingPathComponent("\(UUID().uuidString).js")
            try Data(script.utf8).write(to: file)
            analytics.add(plugin: LivePlugins(fallbackFileURL: file, force: true, allow: allow))
        }
        analytics.add(plugin: Before(probe))
        analytics.add(plugin: Behind(probe))
        guard shadow == nil || ready.wait(timeout: .now() + 60) == .success else {
            throw Failure("the shadow does not run")
        }
    }

    /// Microseconds that each of so many events spent between the two plugins, one event at a time or all at once.
    func times(_ count: Int, together: Bool, _ send: (Analytics) -> Void) throws -> [Double] {
        probe.times.removeAll(keepingCapacity: true)
        for _ in 0..<count {
            send(analytics)
            if !together { try awaitProcessed() }
        }
        try awaitProcessed()
        guard probe.times.count == count else { throw Failure("\(probe.times.count) of \(count) events came through") }
        return probe.times
    }

    /// The last event that came through.
    var lastEvent: (any RawEvent)? { probe.event }

    private func awaitProcessed() throws {
        let deadline = Clock.monotonic() + 60_000_000_000
        while analytics.counters.processed < analytics.counters.tracked {
            guard Clock.monotonic() < deadline else { throw Failure("events are not processed") }
            usleep(50)
        }
    }
}

/// What the plugins see. Touched by the client's executor; read when nothing is processed.
private final class Probe: @unchecked Sendable {
    var start: Int64 = 0
    var times: [Double] = []
    var event: (any RawEvent)?
}

private final class Before: Plugin {
    let type = PluginType.enrichment
    weak var analytics: Analytics?
    private let probe: Probe

    init(_ probe: Probe) { self.probe = probe }

    func execute<Event: RawEvent>(event: Event?) -> Event? {
        probe.start = Clock.monotonic()
        return event
    }
}

private final class Behind: Plugin {
    let type = PluginType.after
    weak var analytics: Analytics?
    private let probe: Probe

    init(_ probe: Probe) { self.probe = probe }

    func execute<Event: RawEvent>(event: Event?) -> Event? {
        let end = Clock.monotonic()
        probe.times.append(Double(end - probe.start) / 1000)
        probe.event = event
        return event
    }
}

/// Answers for settings at once, and never for events. With a shadow, the settings name it beside version 1.
private struct Deployment: Transport {
    let script: String?
    let shadow: String?

    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        guard request.method == "GET" else { return }
        let body =
            switch request.url.lastPathComponent {
            case "1.js": script ?? ""
            case "2.js": shadow ?? ""
            default: settings
            }
        completion(.success(TransportResponse(status: 200, body: Array(body.utf8))))
    }

    private var settings: String {
        guard shadow != nil else { return #"{"integrations":{}}"# }
        return #"""
            {"integrations":{},"edgeFunction":{"version":1,"downloadURL":"https://server.test/1.js",
            "shadow":{"version":2,"downloadURL":"https://server.test/2.js","percentage":100}}}
            """#
    }
}
