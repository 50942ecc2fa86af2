import Foundation
import Measuring
import Tributary

/// What a process pays at its start for events that an earlier one left.
enum WaitingBenchmark {
    /// Where events wait.
    enum Place: String, Decodable {
        /// Before settings are known.
        case inbox
        /// While the server is away.
        case outbox
    }

    struct Parameters: Decodable {
        let folder: String
        let place: Place
        let events: Int
    }

    private struct Start: Encodable {
        let milliseconds: Double
        /// The time that the cores spent on it.
        let cpu: Double
        let megabytes: Double
    }

    /// Lets events wait.
    static func fill(_ parameters: Parameters) throws {
        let analytics = client(parameters)
        for number in 1...parameters.events {
            analytics.track(name: Samples.eventName, properties: Samples.properties(number))
            // So that none is dropped on its way, because the inbox is full.
            guard parameters.place == .outbox, number % 10_000 == 0 || number == parameters.events else { continue }
            try analytics.awaitProcessed()
        }
        let ended = DispatchSemaphore(value: 0)
        analytics.shutdown { ended.signal() }
        guard ended.wait(timeout: .now() + 60) == .success else { throw Failure("the client does not end") }
    }

    /// Starts on what waits, tracks an event, and looks at itself a moment later.
    static func run(_ parameters: Parameters) throws {
        let start = (wall: Clock.monotonic(), cpu: Clock.processTime())
        let analytics = client(parameters)
        analytics.track(name: Samples.eventName, properties: Samples.properties(0))
        let milliseconds = Double(Clock.monotonic() - start.wall) / 1e6
        let cpu = Double(Clock.processTime() - start.cpu) / 1e6
        // Enough for what begins by itself: the turn, the settings, a first batch that gets no answer.
        usleep(400_000)
        let waits = analytics.hasUnsentEvents
        guard waits else { throw Failure("nothing waits") }
        try Measurement.write(Start(milliseconds: milliseconds, cpu: cpu, megabytes: ProcessMemory.peakMegabytes()))
        _exit(EXIT_SUCCESS)
    }

    private static func client(_ parameters: Parameters) -> Analytics {
        let settings = parameters.place == .inbox ? nil : LocalTransport.settings()
        return Analytics(
            configuration: Configuration(writeKey: "benchmark")
                .flushAt(20).flushInterval(0).settingsTimeout(86_400)
                // A million of these take more than the 50 MB that a client keeps unless told otherwise.
                .storageLimits(bytes: 2_000_000_000, events: 2_000_000)
                .storageMode(.diskAtURL(URL(fileURLWithPath: parameters.folder)))
                .transport(LocalTransport(settings: settings)))
    }
}
