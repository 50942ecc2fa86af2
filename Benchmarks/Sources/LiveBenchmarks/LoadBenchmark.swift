import Foundation
import Measuring
import TributaryPluginTestKit

/// How long it takes until a bundle runs: an engine of its own, the sandbox, the runtime, and the bundle itself.
enum LoadBenchmark {
    struct Parameters: Decodable {
        let rounds: Int
    }

    static func run(_ parameters: Parameters) throws {
        let source = LiveSamples.renamingPlugins(1)
        var times: [Double] = []
        // The first one also loads the library.
        let first = try PluginTestRun(source: source, name: "bundle.js").loadSeconds
        for _ in 0..<parameters.rounds {
            times.append(try PluginTestRun(source: source, name: "bundle.js").loadSeconds * 1000)
        }
        try Measurement(
            "live-plugin-load", median(times), details: ["first": first * 1000, "bytes": Double(source.utf8.count)]
        ).report()
    }
}
