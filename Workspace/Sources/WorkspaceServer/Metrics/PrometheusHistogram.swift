import CoreMetrics
import Synchronization

/// How often a value was how large; times are in seconds.
final class PrometheusHistogram: RecorderHandler, TimerHandler {
    private struct State {
        /// Values up to each bound, and beyond the last one.
        var counts = Array(repeating: 0, count: PrometheusHistogram.bounds.count + 1)
        var sum = 0.0
    }

    /// From the shortest commit of a fast disk to longer than any client waits.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private let state = Mutex(State())

    var samples: [PrometheusSample] {
        let state = state.withLock { $0 }
        var total = 0
        var samples = zip(Self.bounds + [.infinity], state.counts).map { bound, count in
            total += count
            let label = PrometheusFactory.Label(name: "le", value: PrometheusFactory.number(bound))
            return PrometheusSample(suffix: "_bucket", labels: [label], value: Double(total))
        }
        samples.append(PrometheusSample(suffix: "_sum", value: state.sum))
        samples.append(PrometheusSample(suffix: "_count", value: Double(total)))
        return samples
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let bucket = Self.bounds.firstIndex { value <= $0 } ?? Self.bounds.count
        state.withLock { state in
            state.counts[bucket] += 1
            state.sum += value
        }
    }
}
