/// How the destinations fare right now, for those who ask.
actor ForwardingBoard {
    private var states: [Int64: ForwardingMachine.State] = [:]

    func put(_ state: ForwardingMachine.State?, of destination: Int64) { states[destination] = state }

    /// Nil while nothing is delivered for it.
    func state(of destination: Int64) -> ForwardingMachine.State? { states[destination] }
}
