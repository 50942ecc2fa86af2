import AnalyticsLive
import Foundation
import Measuring
import Tributary

/// What a signal costs: the caller of `emit`, and the thread on which scripts look at it.
///
/// The generator looks for the screen before each tap, as that of the documentation does. It ends a row with an event, by
/// which the client knows that all signals before were processed. Emitting is quicker than processing, so the time from
/// the first signal of a row to that event, divided by their number, is what one takes to be processed; what the
/// buffer, broadcasters and the way into the engine cost is in it.
struct SignalBenchmark {
    struct Parameters: Decodable {
        let folder: String
        let rounds: Int
        let signals: Int
    }

    private static let warmUp = 2
    private static let generator = """
        function processSignal(signal) {
            if (signal.type !== SignalType.Interaction) return
            const screen = signals.find(signal, SignalType.Navigation)
            if (signal.data.title === "last") analytics.track("Row ended", { screen: screen?.data.screen ?? null })
        }
        """

    static func run(_ parameters: Parameters) throws {
        let client = try LiveClient(script: generator, in: parameters.folder)
        Signals.shared.useConfiguration(SignalsConfiguration(writeKey: "benchmark", broadcasters: []))
        client.analytics.add(plugin: Signals.shared)
        var emitted: [Double] = []
        var tails: [Double] = []
        var processed: [Double] = []
        for round in -warmUp..<parameters.rounds {
            let row = try row(of: parameters.signals, client.analytics)
            guard round >= 0 else { continue }
            emitted.append(Double(row.emitted.median) / 1000)
            tails.append(Double(row.emitted.percentile(0.99)) / 1000)
            processed.append(row.processed)
        }
        try Measurement("signal-emit", median(emitted), details: ["p99": median(tails)]).report()
        try Measurement("signal-process", least(processed), details: ["median_round": median(processed)]).report()
    }

    /// The times of `emit` in nanoseconds, and the microseconds that each signal took until all were processed.
    private static func row(
        of count: Int, _ analytics: Analytics
    ) throws -> (emitted: Distribution, processed: Double) {
        let ended = analytics.counters.tracked + 1
        var times = Distribution(capacity: count)
        let begin = Clock.monotonic()
        for number in 1...count {
            let start = Clock.monotonic()
            if number % 10 == 1 {
                Signals.emit(NavigationSignal(action: .entering, screen: "Screen \(number)"))
            } else {
                let title = number == count ? "last" : "Button \(number)"
                Signals.emit(InteractionSignal(component: "button", title: title, data: ["productId": "123"]))
            }
            times.add(Clock.monotonic() - start)
        }
        let deadline = begin + 60_000_000_000
        while analytics.counters.tracked < ended {
            guard Clock.monotonic() < deadline else { throw Failure("signals are not processed") }
            usleep(50)
        }
        return (times, Double(Clock.monotonic() - begin) / 1000 / Double(count))
    }
}
