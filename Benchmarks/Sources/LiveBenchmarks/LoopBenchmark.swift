import Foundation
import Measuring
import Tributary

/// How long an event is held up by a plugin that never ends: what lies beyond the budget is the time to recover.
enum LoopBenchmark {
    struct Parameters: Decodable {
        let folder: String
        let loops: Int
    }

    /// Milliseconds of the budget of an event.
    private static let budget = 100.0

    static func run(_ parameters: Parameters) throws {
        let client = try LiveClient(script: LiveSamples.loopingPlugins(parameters.loops), in: parameters.folder)
        let times = try client.times(parameters.loops, together: false) {
            $0.track(name: Samples.eventName, properties: LiveSamples.order())
        }
        let beyond = times.map { $0 / 1000 - budget }
        guard beyond.allSatisfy({ $0 > -budget / 2 }) else { throw Failure("a loop ended by itself: \(times)") }
        try Measurement(
            "live-plugin-loop", beyond.max() ?? 0, details: ["median": median(beyond), "loops": Double(times.count)]
        ).report()
    }
}
