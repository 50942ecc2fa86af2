import Foundation
import Measuring
import Tributary

/// How many events a second one core takes from `track` to the outbox.
///
/// The process is held on one core by whoever starts it. What counts is the time that the core spent on this process,
/// not the time on the wall, in which other processes of the machine would be measured too.
enum ThroughputBenchmark {
    struct Parameters: Decodable {
        let folder: String
        let rounds: Int
        let events: Int
    }

    static func run(_ parameters: Parameters) throws {
        var rates: [Double] = []
        for round in -1..<parameters.rounds {
            let client = try Client(
                in: parameters.folder, transport: LocalTransport(settings: LocalTransport.settings()))
            client.track(0)
            try client.analytics.awaitProcessed()
            let start = Clock.processTime()
            for number in 0..<parameters.events { client.track(number) }
            try client.analytics.awaitProcessed()
            let seconds = Double(Clock.processTime() - start) / 1e9
            let delivered = client.analytics.counters.delivered["Segment.io"] ?? 0
            guard delivered == parameters.events + 1 else { throw Failure("\(delivered) events are in the outbox") }
            if round >= 0 { rates.append(Double(parameters.events) / seconds) }
            try client.end()
        }
        try Measurement("events-per-core", rates.max() ?? 0, details: ["median_round": median(rates)]).report()
    }

    struct InstructionParameters: Decodable {
        let folder: String
        let events: Int
    }

    /// The same once, for a tool that counts the instructions of the whole process.
    static func runOnce(_ parameters: InstructionParameters) throws {
        let client = try Client(in: parameters.folder, transport: LocalTransport(settings: LocalTransport.settings()))
        for number in 0..<parameters.events { client.track(number) }
        // Seldom, because each look is counted as well, and a busy machine makes more of them.
        try client.analytics.awaitProcessed(pause: 100_000)
        try client.end()
    }
}
