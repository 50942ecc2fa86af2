/// The answers that clients got from nodes while a machine was cut off from the others. Times are milliseconds of any
/// clock.
public struct CutAccount: Sendable, Equatable {
    /// The answer to a request.
    public enum Answer: Sendable {
        /// 200.
        case acknowledged
        /// 503.
        case refused
        /// Another answer, or none.
        case other
    }

    /// The machine that is cut off.
    public let machine: Int
    /// The time of the cut.
    public let began: Int
    /// Whether its node answered before. A node that has just started answers only after it has reached the log.
    public let wasUp: Bool
    /// Requests that its node acknowledged.
    public private(set) var acknowledgedThere = 0
    /// Requests that its node answered with 503.
    public private(set) var refusedThere = 0
    /// Requests that the other nodes acknowledged.
    public private(set) var acknowledgedElsewhere = 0

    /// Begins when the machine has been cut off.
    public init(machine: Int, wasUp: Bool, at began: Int) {
        (self.machine, self.wasUp, self.began) = (machine, wasUp, began)
    }

    /// Counts the answer of a node. Requests from before the cut do not count.
    /// - Parameter sent: when the request was sent.
    public mutating func hear(_ answer: Answer, from node: Int, sent: Int) {
        guard sent >= began else { return }
        switch (answer, node == machine) {
        case (.acknowledged, true): acknowledgedThere += 1
        case (.acknowledged, false): acknowledgedElsewhere += 1
        case (.refused, true): refusedThere += 1
        case (.refused, false), (.other, _): break
        }
    }

    /// The violations of what a cut-off node may do, for people.
    public var faults: [String] {
        var faults: [String] = []
        if acknowledgedThere > 0 { faults.append("node \(machine) acknowledged \(acknowledgedThere) requests alone") }
        if wasUp, refusedThere == 0 { faults.append("node \(machine) refused no request") }
        if acknowledgedElsewhere == 0 { faults.append("the other nodes acknowledged no request") }
        return faults
    }

    /// The numbers of answers, for people.
    public var summary: String {
        "while machine \(machine) was cut off, its node refused \(refusedThere) requests and acknowledged "
            + "\(acknowledgedThere); the others acknowledged \(acknowledgedElsewhere)"
            + (wasUp ? "" : " (its node had not started yet)")
    }
}
