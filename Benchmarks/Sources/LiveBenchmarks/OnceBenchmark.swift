import Measuring
import Tributary

/// Events through live plugins and nothing measured, for a tool that counts the instructions of the whole process.
enum OnceBenchmark {
    struct Parameters: Decodable {
        let folder: String
        let events: Int
        /// How many live plugins there are; none has no scripts at all.
        let plugins: Int
    }

    static func run(_ parameters: Parameters) throws {
        let script = parameters.plugins > 0 ? LiveSamples.renamingPlugins(parameters.plugins) : nil
        let client = try LiveClient(script: script, in: parameters.folder)
        blackHole(
            try client.times(parameters.events, together: true) {
                $0.track(name: Samples.eventName, properties: LiveSamples.order())
            })
    }
}
