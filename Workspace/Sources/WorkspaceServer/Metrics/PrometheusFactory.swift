import CoreMetrics
import Synchronization

/// Keeps what swift-metrics is told, and writes it down in Prometheus' text form.
///
/// Names are taken as they are given, so give such that Prometheus takes: letters, digits and underscores, the unit at
/// the end. There are as many series as there are combinations of labels, so labels have few values.
final class PrometheusFactory: MetricsFactory {
    /// One time series.
    private struct Key: Hashable {
        let name: String
        let labels: [Label]
    }

    struct Label: Hashable {
        let name: String
        let value: String
    }

    /// One kind of value behind a name.
    private enum Series: Sendable {
        case counter(PrometheusCounter)
        case gauge(PrometheusGauge)
        case histogram(PrometheusHistogram)

        var type: String {
            switch self {
            case .counter: "counter"
            case .gauge: "gauge"
            case .histogram: "histogram"
            }
        }

        var samples: [PrometheusSample] {
            switch self {
            case .counter(let counter): [counter.sample]
            case .gauge(let gauge): [gauge.sample]
            case .histogram(let histogram): histogram.samples
            }
        }
    }

    private let help: [String: String]
    private let series = Mutex<[Key: Series]>([:])

    /// - Parameter help: what each name means, in a sentence.
    init(help: [String: String]) { self.help = help }

    /// Everything, sorted by name and labels, so that two looks can be compared.
    var text: String {
        let series = series.withLock { $0 }
        var lines: [String] = []
        for (name, group) in Dictionary(grouping: series, by: \.key.name).sorted(by: { $0.key < $1.key }) {
            if let help = help[name] { lines.append("# HELP \(name) \(help)") }
            if let type = group.first?.value.type { lines.append("# TYPE \(name) \(type)") }
            for (key, value) in group.sorted(by: { Self.text($0.key.labels) < Self.text($1.key.labels) }) {
                lines += value.samples.map { sample in
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

    static func number(_ value: Double) -> String {
        if value == .infinity { return "+Inf" }
        return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    /// The series of that name and those labels, made when it is asked for the first time.
    private func find<Handler: Sendable>(
        _ name: String, _ dimensions: [(String, String)], _ make: () -> Handler, _ wrap: (Handler) -> Series,
        _ unwrap: @Sendable (Series) -> Handler?
    ) -> Handler {
        let key = Key(name: name, labels: dimensions.map { Label(name: $0.0, value: $0.1) })
        return series.withLock { series in
            if let found = series[key].flatMap(unwrap) { return found }
            let handler = make()
            series[key] = wrap(handler)
            return handler
        }
    }

    // MARK: MetricsFactory

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        find(label, dimensions, PrometheusCounter.init, Series.counter) {
            if case .counter(let it) = $0 { it } else { nil }
        }
    }

    func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        find(label, dimensions, PrometheusCounter.init, Series.counter) {
            if case .counter(let it) = $0 { it } else { nil }
        }
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        find(label, dimensions, PrometheusGauge.init, Series.gauge) { if case .gauge(let it) = $0 { it } else { nil } }
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        histogram(label, dimensions)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { histogram(label, dimensions) }

    private func histogram(_ label: String, _ dimensions: [(String, String)]) -> PrometheusHistogram {
        find(label, dimensions, PrometheusHistogram.init, Series.histogram) {
            if case .histogram(let it) = $0 { it } else { nil }
        }
    }

    // Series are never taken away: a counter that vanished would look like a restart.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
