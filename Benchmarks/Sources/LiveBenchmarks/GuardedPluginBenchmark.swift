import AnalyticsLive
import Foundation
import Measuring
import Tributary

/// What permissions and a shadow add to a live plugin that renames a property: events in a row, in the same rounds as a client
/// without them.
enum GuardedPluginBenchmark {
    struct Parameters: Decodable {
        let folder: String
        let rounds: Int
        let events: Int
    }

    private static let warmUp = 2
    /// All that the plugin does, so nothing is refused.
    private static let permissions: [ScriptPermission] = [.read(), .change("properties.*"), .drop("Debug*")]

    static func run(_ parameters: Parameters) throws {
        let script = LiveSamples.renamingPlugins(1)
        let none = try LiveClient(script: nil, in: parameters.folder)
        let plain = try LiveClient(script: script, in: parameters.folder)
        let restricted = try LiveClient(script: script, allow: permissions, in: parameters.folder)
        let shadowed = try LiveClient(script: script, shadow: script, in: parameters.folder)
        var times: [[Double]] = [[], [], [], []]
        for round in -warmUp..<parameters.rounds {
            for (place, client) in [none, plain, restricted, shadowed].enumerated() {
                let time = try median(client.times(parameters.events, together: true, track))
                if round >= 0 { times[place].append(time) }
            }
        }
        for client in [plain, restricted, shadowed] where client.lastEvent?.json["properties"]?["renamed_0"] == nil {
            throw Failure("an event was not renamed")
        }
        let (without, with) = (least(times[0]), least(times[1]))
        let details = ["without": without, "plugin": with]
        try Measurement("live-plugin-permissions", least(times[2]) - with, details: details).report()
        try Measurement("live-plugin-shadow", least(times[3]) - with, floor: with - without, details: details).report()
    }

    private static func track(_ analytics: Analytics) {
        analytics.track(name: Samples.eventName, properties: LiveSamples.order())
    }
}
