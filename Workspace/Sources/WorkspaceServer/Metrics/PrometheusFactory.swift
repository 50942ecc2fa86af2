import CoreMetrics
import Synchronization
import WorkspaceCore

/// Stores the metrics of swift-metrics, and writes them in Prometheus' text format.
///
/// Names are used as they are given, so they must be valid for Prometheus: letters, digits and underscores, with the
/// unit at the end. Each combination of labels is a series, so labels should have few values.
final class PrometheusFactory: MetricsFactory {
    fileprivate struct Label: Hashable {
        let name: String
        let value: String
    }

    private struct Key: Hashable {
        let name: String
        let labels: [Label]
    }

    private let help: [String: String]
    private let series = Mutex<[Key: PrometheusSeries]>([:])

    /// - Parameter help: what each name means, in a sentence.
    init(help: [String: String]) { self.help = help }

    /// All metrics, sorted by name and labels, so that two outputs can be compared.
    var text: String {
        let series = series.withLock { $0 }
        var lines: [String] = []
        for (name, group) in Dictionary(grouping: series, by: \.key.name).sorted(by: { $0.key < $1.key }) {
            if let help = help[name] { lines.append("# HELP \(name) \(help)") }
            if let kind = group.first?.value.kind { lines.append("# TYPE \(name) \(kind.rawValue)") }
            for (key, series) in group.sorted(by: { Self.text($0.key.labels) < Self.text($1.key.labels) }) {
                lines += series.samples.map { sample in
                    "\(name)\(sample.suffix)\(Self.text(key.labels + sample.labels)) \(Self.number(sample.value))"
                }
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func text(_ labels: [Label]) -> String {
        guard !labels.isEmpty else { return "" }
        let pairs = labels.map { label in
            let value = label.value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                .replacing("\n", with: "\\n")
            return "\(label.name)=\"\(value)\""
        }
        return "{\(pairs.joined(separator: ","))}"
    }

    fileprivate static func number(_ value: Double) -> String {
        if value == .infinity { return "+Inf" }
        return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    /// The series of that name and those labels, made at the first use.
    private func find(_ kind: PrometheusSeries.Kind, _ name: String, _ labels: [(String, String)]) -> PrometheusSeries {
        let key = Key(name: name, labels: labels.map { Label(name: $0.0, value: $0.1) })
        return series.withLock { series in
            if let found = series[key], found.kind == kind { return found }
            let made = PrometheusSeries(kind)
            series[key] = made
            return made
        }
    }

    // MARK: MetricsFactory

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        find(.counter, label, dimensions)
    }

    func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler { find(.counter, label, dimensions) }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        find(.gauge, label, dimensions)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        find(.histogram, label, dimensions)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        find(.histogram, label, dimensions)
    }

    // A series is never removed: a counter that vanished would look like a restart.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}

/// One time series: a value, and for a histogram also the number of values up to each bound. Times are in seconds.
private final class PrometheusSeries: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler,
    TimerHandler
{
    enum Kind: String { case counter, gauge, histogram }

    /// One line of the text.
    struct Sample {
        var suffix = ""
        var labels: [PrometheusFactory.Label] = []
        let value: Double
    }

    private struct State {
        /// The value of a counter or gauge, or the sum of a histogram.
        var value = 0.0
        /// Recorded values up to each bound, and beyond the last one.
        var counts = Array(repeating: 0, count: PrometheusSeries.bounds.count + 1)
    }

    /// From the shortest commit of a fast disk to longer than any client waits.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    let kind: Kind
    private let state = Mutex(State())

    init(_ kind: Kind) { self.kind = kind }

    var samples: [Sample] {
        let state = state.withLock { $0 }
        guard kind == .histogram else { return [Sample(value: state.value)] }
        var total = 0
        var samples = zip(Self.bounds + [.infinity], state.counts).map { bound, count in
            total += count
            let label = PrometheusFactory.Label(name: "le", value: PrometheusFactory.number(bound))
            return Sample(suffix: "_bucket", labels: [label], value: Double(total))
        }
        samples.append(Sample(suffix: "_sum", value: state.value))
        samples.append(Sample(suffix: "_count", value: Double(total)))
        return samples
    }

    func increment(by amount: Int64) { increment(by: Double(amount)) }
    /// A counter only grows.
    func increment(by amount: Double) { state.withLock { $0.value += kind == .counter ? max(0, amount) : amount } }
    func decrement(by amount: Double) { state.withLock { $0.value -= amount } }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { state.withLock { $0.value = value } }
    func reset() { set(0.0) }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let bucket = Self.bounds.firstIndex { value <= $0 } ?? Self.bounds.count
        state.withLock { state in
            state.counts[bucket] += 1
            state.value += value
        }
    }
}
