/// Times in nanoseconds, and where most of them and nearly all of them lie.
public struct Distribution {
    private var values: [Int64] = []

    /// Room for that many values, so that adding one costs nothing but its place.
    public init(capacity: Int) { values.reserveCapacity(capacity) }

    public mutating func add(_ value: Int64) { values.append(value) }

    public mutating func removeAll() { values.removeAll(keepingCapacity: true) }

    public var median: Int64 { percentile(0.5) }

    /// The smallest value that this part of the values does not exceed; 0 without values.
    public func percentile(_ part: Double) -> Int64 {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let place = Int((Double(sorted.count) * part).rounded(.up)) - 1
        return sorted[min(max(place, 0), sorted.count - 1)]
    }
}

/// The middle value; of an even number of values the mean of both; 0 without values.
public func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// The round that other work of the machine disturbed least; 0 without rounds. For times that one thread spends
/// computing: everything that is not the program's own only adds to them.
public func least(_ rounds: [Double]) -> Double { rounds.min() ?? 0 }
