import Foundation
import Measuring
import Tributary

/// What each plugin costs an event that it does not touch.
///
/// Two clients take turns, one with many plugins and one without; the difference is divided by the number of plugins.
enum PluginBenchmark {
    struct Parameters: Decodable {
        let folder: String
        let rounds: Int
        let events: Int
        let plugins: Int
    }

    private static let warmUp = 2

    static func run(_ parameters: Parameters) throws {
        try measure("plugin-idle", parameters) { analytics in
            for number in 0..<parameters.plugins {
                let type: PluginType = number % 4 < 2 ? .before : .enrichment
                if number % 2 == 0 {
                    analytics.add(plugin: IdlePlugin(type, number))
                } else {
                    analytics.add(plugin: IdleEventPlugin(type, number))
                }
            }
        }
        try measure("destination-idle", parameters) { analytics in
            for number in 0..<parameters.plugins { analytics.add(plugin: IdleDestination(number)) }
        }
    }

    private static func measure(
        _ name: String, _ parameters: Parameters, _ prepare: (Analytics) -> Void
    ) throws {
        let settings = LocalTransport.settings(integrations: parameters.plugins)
        let bare = try Client(in: parameters.folder, transport: LocalTransport(settings: settings))
        let full = try Client(in: parameters.folder, transport: LocalTransport(settings: settings))
        prepare(full.analytics)
        var differences: [Double] = []
        var floors: [Double] = []
        for round in -warmUp..<parameters.rounds {
            let without = try microseconds(bare, parameters.events)
            let with = try microseconds(full, parameters.events)
            guard round >= 0 else { continue }
            differences.append((with - without) / Double(parameters.plugins))
            floors.append(without)
        }
        try Measurement(name, median(differences), details: ["event": median(floors)]).report()
        try bare.end()
        try full.end()
    }

    /// Time that the cores spent on one event, from the call to the outbox.
    private static func microseconds(_ client: Client, _ events: Int) throws -> Double {
        let start = Clock.processTime()
        for number in 0..<events { client.track(number) }
        try client.analytics.awaitProcessed()
        return Double(Clock.processTime() - start) / Double(events) / 1000
    }
}
