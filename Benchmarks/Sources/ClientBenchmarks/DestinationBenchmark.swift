import Foundation
import Measuring
import Tributary

/// How much longer a burst of events takes to the outbox and to a healthy destination when two other destinations are
/// in trouble: one never comes back, one takes a second for each event. The floor has two idle ones in their place.
enum DestinationBenchmark {
    struct Parameters: Decodable {
        let folder: String
        let rounds: Int
        let events: Int
    }

    static func run(_ parameters: Parameters) throws {
        var troubled: [Double] = []
        var healthy: [Double] = []
        for _ in 0..<parameters.rounds {
            healthy.append(try seconds(parameters, [IdleDestination(1), IdleDestination(2)]))
            let others = [BusyDestination(1, seconds: nil), BusyDestination(2, seconds: 1)]
            troubled.append(try seconds(parameters, others))
            for destination in others { destination.end() }
        }
        try Measurement("destination-trouble", troubled.min() ?? 0, floor: healthy.min() ?? 0, floors: healthy).report()
    }

    private static func seconds(_ parameters: Parameters, _ others: [any DestinationPlugin]) throws -> Double {
        let client = try Client(
            in: parameters.folder, transport: LocalTransport(settings: LocalTransport.settings(integrations: 3)))
        let watched = IdleDestination(0)
        for destination in [watched] + others { client.analytics.add(plugin: destination) }
        client.track(0)
        try client.analytics.awaitCounters("the first event") { $0.processed == 1 }
        let start = Clock.monotonic()
        for number in 1..<parameters.events { client.track(number) }
        try client.analytics.awaitCounters("all events at the destinations that work") { counters in
            counters.delivered["Segment.io"] == parameters.events
                && counters.delivered[watched.key] == parameters.events
        }
        let seconds = Double(Clock.monotonic() - start) / 1e9
        for case let other as BusyDestination in others { other.end() }
        try client.end()
        return seconds
    }
}

/// A destination that takes long over each event, or never comes back from one.
///
/// Unchecked because everything is constant but `analytics`, which is set before everything else.
private final class BusyDestination: DestinationPlugin, @unchecked Sendable {
    let type = PluginType.destination
    let timeline = Timeline()
    let name: String
    weak var analytics: Analytics?
    private let seconds: Double?
    private let isOver = DispatchSemaphore(value: 0)

    init(_ number: Int, seconds: Double?) {
        name = "Destination \(number)"
        self.seconds = seconds
    }

    func track(event: TrackEvent) -> TrackEvent? {
        let ended = isOver.wait(timeout: seconds.map { .now() + $0 } ?? .distantFuture)
        if ended == .success { isOver.signal() }
        return event
    }

    /// From now on it is as fast as any other.
    func end() { isOver.signal() }
}
