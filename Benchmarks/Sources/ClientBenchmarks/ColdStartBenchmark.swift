import Foundation
import Measuring
import Tributary

/// How soon after its start a process has its first event on disk. It ends itself at once, as hard as it can.
enum ColdStartBenchmark {
    struct Parameters: Decodable {
        let folder: String
        /// Host of settings and batches.
        let server: String
        /// What the event is called, so that it can be found on disk.
        let event: String
        /// When the process was asked for, by the monotonic clock.
        let spawned: Int64
    }

    private struct Times: Encodable {
        let durable: Double
        /// The time that the cores spent on it.
        let cpu: Double
        let sinceSpawn: Double
    }

    static func run(_ parameters: Parameters) throws {
        let start = (Clock.monotonic(), Clock.processTime())
        let analytics = Analytics(
            configuration: Configuration(writeKey: "benchmark").apiHost(parameters.server).cdnHost(parameters.server)
                .storageMode(.diskAtURL(URL(fileURLWithPath: parameters.folder))))
        analytics.track(name: parameters.event, properties: Samples.properties(1))
        let end = (Clock.monotonic(), Clock.processTime())
        try Measurement.write(times(start, end, parameters))
        kill(getpid(), SIGKILL)
    }

    /// The floor: a process that writes the same to a new file in a new folder.
    static func runBare(_ parameters: Parameters) throws {
        let start = (Clock.monotonic(), Clock.processTime())
        let folder = parameters.folder + "/bare"
        mkdir(folder, 0o700)
        let bytes = [UInt8](parameters.event.utf8) + [UInt8](repeating: 0x61, count: 300)
        let file = open(folder + "/file", O_WRONLY | O_CREAT, 0o600)
        guard write(file, bytes, bytes.count) == bytes.count else { throw Failure("cannot write: \(errno)") }
        let end = (Clock.monotonic(), Clock.processTime())
        try Measurement.write(times(start, end, parameters))
        kill(getpid(), SIGKILL)
    }

    private static func times(
        _ start: (wall: Int64, cpu: Int64), _ end: (wall: Int64, cpu: Int64), _ parameters: Parameters
    ) -> Times {
        Times(
            durable: Double(end.wall - start.wall) / 1e6, cpu: Double(end.cpu - start.cpu) / 1e6,
            sinceSpawn: Double(end.wall - parameters.spawned) / 1e6)
    }
}
