/// How the first attempts to send events ended while a roll-out of a destination function was open.
///
/// Further attempts do not count, so an event that is tried often weighs no more than another one.
struct FunctionTries: Sendable, Equatable {
    /// The attempts of one version.
    struct Count: Sendable, Equatable {
        var accepted: Int64 = 0
        /// Events that the service refused or did not take, or for which the code has a fault.
        var refused: Int64 = 0

        var total: Int64 { accepted + refused }

        /// The share that was refused; 0 without attempts.
        var rate: Double { total == 0 ? 0 : Double(refused) / Double(total) }

        /// The lowest share that explains the count, if not by a chance of one in seven hundred: the lower end of Wilson's
        /// interval for three standard deviations.
        var lowestRate: Double {
            guard total > 0 else { return 0 }
            let (count, deviations) = (Double(total), 3.0)
            let square = deviations * deviations
            let spread = (rate * (1 - rate) / count + square / (4 * count * count)).squareRoot()
            return max(0, (rate + square / (2 * count) - deviations * spread) / (1 + square / count))
        }

        static func += (sum: inout Count, other: Count) {
            sum.accepted += other.accepted
            sum.refused += other.refused
        }
    }

    /// By the new version, in the present stage.
    var new = Count()
    /// By the version before, since the roll-out began.
    var before = Count()

    init(new: Count = Count(), before: Count = Count()) { (self.new, self.before) = (new, before) }

    static func += (sum: inout FunctionTries, other: FunctionTries) {
        sum.new += other.new
        sum.before += other.before
    }
}
