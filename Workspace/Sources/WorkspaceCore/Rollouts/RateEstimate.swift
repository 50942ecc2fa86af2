/// A rate over many devices, and the range of the rate of honest devices.
///
/// Anyone who has the write key can send invented reports. So one device counts for at most twice as much as a middle
/// one, and `range` is what remains possible when any quarter of the devices lies: the lowest and the highest rate of
/// the other three quarters, whichever these are.
package struct RateEstimate: Sendable, Equatable {
    /// The contribution of one device: an amount, and the number of its events.
    package struct Part: Sendable, Equatable {
        var amount: Double
        var weight: Double

        package init(amount: Double, weight: Double) { (self.amount, self.weight) = (amount, weight) }
    }

    /// The share of the devices that may lie without deciding anything.
    static let distrustedShare = 0.25

    /// The rate over all devices.
    package let all: Double
    /// The rate over the honest devices is in here when at most `distrustedShare` of the devices lie.
    package let range: ClosedRange<Double>

    /// - Parameter parts: the contribution of each device. Devices without a weight change no rate, but they count
    ///   among the devices of which a quarter may lie. So liars cannot make up something that only they report, such as
    ///   a destination.
    package init(_ parts: [Part]) {
        let liars = Int(Double(parts.count) * Self.distrustedShare)
        let parts = Self.bounded(parts.filter { $0.weight > 0 })
        all = Self.rate(of: parts)
        let lowest = Self.lowest(of: parts, without: liars)
        let highest = -Self.lowest(of: parts.map { Part(amount: -$0.amount, weight: $0.weight) }, without: liars)
        range = min(lowest, all)...max(highest, all)
    }

    /// Bounds the weight of each device, and its amount with it.
    private static func bounded(_ parts: [Part]) -> [Part] {
        guard !parts.isEmpty else { return [] }
        let bound = 2 * parts.map(\.weight).sorted()[parts.count / 2]
        return parts.map { part in
            let weight = min(part.weight, bound)
            return Part(amount: part.amount * (weight / part.weight), weight: weight)
        }
    }

    private static func rate(of parts: some Sequence<Part>) -> Double {
        let (amount, weight) = parts.reduce((0, 0)) { ($0.0 + $1.amount, $0.1 + $1.weight) }
        return weight > 0 ? amount / weight : 0
    }

    /// The lowest rate that remains when this number of devices is left out. When there are no more devices than that,
    /// all may lie. Each step keeps the devices that are lowest compared with the rate so far; the rate falls with each
    /// step until it is the lowest (Dinkelbach's method).
    private static func lowest(of parts: [Part], without liars: Int) -> Double {
        let count = parts.count - liars
        guard count > 0 || liars == 0 else { return -.infinity }
        var lowest = rate(of: parts)
        for _ in 0..<50 {
            let excess = { (part: Part) in part.amount - lowest * part.weight }
            let next = rate(of: parts.sorted { excess($0) < excess($1) }.prefix(count))
            guard next < lowest else { break }
            lowest = next
        }
        return lowest
    }
}
