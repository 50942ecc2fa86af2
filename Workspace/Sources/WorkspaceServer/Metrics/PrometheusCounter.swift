import CoreMetrics
import Synchronization

/// A value that only grows.
final class PrometheusCounter: CounterHandler, FloatingPointCounterHandler {
    private let value = Mutex(0.0)

    var sample: PrometheusSample { PrometheusSample(value: value.withLock { $0 }) }

    func increment(by amount: Int64) { increment(by: Double(amount)) }
    func increment(by amount: Double) { value.withLock { $0 += max(0, amount) } }
    func reset() { value.withLock { $0 = 0 } }
}
