import Foundation
import Measuring
import Tributary

/// What a call of `track` costs its caller, beside a bare `write` of the same bytes.
///
/// Calls and writes take turns within each round, so that both meet the same machine. The client works on what was
/// tracked meanwhile, on its own thread, as it does in an app. A round's median and its 99th percentile are taken by
/// themselves; the result is the median over the rounds, so that a round in which the machine did something else does
/// not count. Beside the writes another thread does the same work, and another one sends batches where the client does, so
/// that both tails are those of a process at work.
struct TrackBenchmark {
    struct Parameters: Decodable {
        let folder: String
        let scenario: Scenario
        let rounds: Int
        let calls: Int
        /// Events that wait in the inbox, in the scenario `backlog`.
        let backlog: Int
        /// Where batches go, in the scenario `uploading`.
        let server: String
    }

    enum Scenario: String, Decodable {
        case alone, uploading, plugins, integrations, backlog, codable
    }

    /// Rounds that are run to warm up and not counted.
    private static let warmUp = 3

    private let parameters: Parameters
    private let client: Client
    private let overhead = Clock.overhead()
    private let bytes: [UInt8]

    static func run(_ parameters: Parameters) throws {
        try TrackBenchmark(parameters).run()
    }

    private init(_ parameters: Parameters) throws {
        self.parameters = parameters
        bytes = [UInt8](repeating: 0x61, count: try Client.bytesPerEvent(in: parameters.folder))
        let isUploading = parameters.scenario == .uploading
        let integrations = parameters.scenario == .integrations ? 60 : 0
        let settings = parameters.scenario == .backlog ? nil : LocalTransport.settings(integrations: integrations)
        client = try Client(
            in: parameters.folder, transport: LocalTransport(settings: settings, delivers: isUploading),
            server: isUploading ? parameters.server : nil)
        switch parameters.scenario {
        case .plugins: for number in 0..<10 { client.analytics.add(plugin: IdlePlugin(.enrichment, number)) }
        case .backlog: for number in 0..<parameters.backlog { client.track(number) }
        default: break
        }
    }

    private func run() throws {
        var calls = Rounds()
        var writes = Rounds()
        for round in -Self.warmUp..<parameters.rounds {
            let measured = try (measureCalls(), measureWrites())
            if parameters.scenario != .backlog { try client.analytics.awaitProcessed() }
            guard round >= 0 else { continue }
            calls.add(measured.0)
            writes.add(measured.1)
        }
        let uploaded = client.analytics.counters.uploaded
        if parameters.scenario == .uploading { try client.analytics.awaitUpload() }
        let details = ["bytes": Double(bytes.count), "uploaded": Double(uploaded)]
        let name = "track-\(parameters.scenario.rawValue)"
        try Measurement(
            "\(name)-median", calls.median, floor: writes.median, details: details, floors: writes.medians
        ).report()
        let medians = ["median": calls.median, "floorMedian": writes.median]
        try Measurement(
            "\(name)-p99", calls.tail, floor: writes.tail, details: medians, floors: writes.tails
        ).report()
        try client.end()
    }

    private func measureCalls() throws -> Distribution {
        var times = Distribution(capacity: parameters.calls)
        for number in 0..<parameters.calls {
            // Made before the time starts: it belongs to the app.
            let properties = Samples.properties(number)
            let typed = Samples.Properties(number)
            let start: Int64
            let end: Int64
            if parameters.scenario == .codable {
                start = Clock.monotonic()
                client.analytics.track(name: Samples.eventName, properties: typed)
                end = Clock.monotonic()
            } else {
                start = Clock.monotonic()
                client.analytics.track(name: Samples.eventName, properties: properties)
                end = Clock.monotonic()
            }
            times.add(end - start - overhead)
        }
        return times
    }

    /// Where the floor's companion sends batches.
    private var uploadPort: UInt16? {
        guard parameters.scenario == .uploading else { return nil }
        return URLComponents(string: parameters.server)?.port.flatMap(UInt16.init(exactly:))
    }

    private func measureWrites() throws -> Distribution {
        let file = try BareFile(in: parameters.folder)
        let companion = try FloorCompanion(in: parameters.folder, uploadsTo: uploadPort)
        var times = Distribution(capacity: parameters.calls)
        companion.send(parameters.calls, of: bytes.count)
        for _ in 0..<parameters.calls {
            let start = Clock.monotonic()
            try file.append(bytes)
            let end = Clock.monotonic()
            times.add(end - start - overhead)
            companion.take(bytes)
        }
        companion.rest()
        return times
    }
}

/// Median and tail of each round, in microseconds.
private struct Rounds {
    private(set) var medians: [Double] = []
    private(set) var tails: [Double] = []

    mutating func add(_ times: Distribution) {
        medians.append(Double(times.median) / 1000)
        tails.append(Double(times.percentile(0.99)) / 1000)
    }

    var median: Double { Measuring.median(medians) }
    var tail: Double { Measuring.median(tails) }
}
