/// A statistic of the numbers that events have in a member.
package enum Statistic: String, Sendable, CaseIterable {
    case sum, average, min, max, median, p90, p95, p99

    /// The share of the numbers that are at most this one; nil when not all numbers have to be held for it.
    fileprivate var share: Double? {
        switch self {
        case .sum, .average, .min, .max: nil
        case .median: 0.5
        case .p90: 0.9
        case .p95: 0.95
        case .p99: 0.99
        }
    }

    /// Whether all numbers have to be held for it.
    package var needsAll: Bool { share != nil }
}

/// The numbers of some events, as far as a statistic needs them.
struct MeasuredNumbers: Sendable {
    private(set) var count = 0
    private var sum = 0.0
    private var low = Double.infinity
    private var high = -Double.infinity
    /// All of them, in no order, for a statistic that needs them.
    private var all: [Double] = []

    mutating func add(_ number: Double, for statistic: Statistic) {
        count += 1
        sum += number
        (low, high) = (min(low, number), max(high, number))
        if statistic.needsAll { all.append(number) }
    }

    mutating func add(_ more: MeasuredNumbers) {
        count += more.count
        sum += more.sum
        (low, high) = (min(low, more.low), max(high, more.high))
        all += more.all
    }

    /// - Returns: nil without a number, and for a sum that no number can hold.
    func value(_ statistic: Statistic) -> Double? {
        guard count > 0 else { return nil }
        let value =
            switch statistic {
            case .sum: sum
            case .average: sum / Double(count)
            case .min: low
            case .max: high
            case .median, .p90, .p95, .p99: Self.number(of: all.sorted(), below: statistic.share ?? 1)
            }
        return value.isFinite ? value : nil
    }

    /// The number that a share of sorted numbers is below, between two of them in proportion, as `percentile_cont` of SQL.
    private static func number(of sorted: [Double], below share: Double) -> Double {
        let place = share * Double(sorted.count - 1)
        let (low, high) = (sorted[Int(place)], sorted[Int(place.rounded(.up))])
        return low + (high - low) * (place - place.rounded(.down))
    }
}
