import CoreMetrics
import Synchronization

/// A value that rises and falls.
final class PrometheusGauge: MeterHandler {
    private let value = Mutex(0.0)

    var sample: PrometheusSample { PrometheusSample(value: value.withLock { $0 }) }

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.withLock { $0 = value } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
}
