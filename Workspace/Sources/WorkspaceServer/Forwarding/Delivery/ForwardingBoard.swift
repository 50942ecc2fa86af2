/// The present state of the destinations, for the administration and the metrics.
actor ForwardingBoard {
    private var states: [Int64: ForwardingMachine.State] = [:]

    func put(_ state: ForwardingMachine.State?, of destination: Int64) { states[destination] = state }

    /// Nil while the destination is off.
    func state(of destination: Int64) -> ForwardingMachine.State? { states[destination] }
}
