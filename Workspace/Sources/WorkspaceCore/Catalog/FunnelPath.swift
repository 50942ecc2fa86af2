/// How far one person came in a funnel, event by event in the order of time.
///
/// For each step, the path keeps the chain of events that began last. A chain that began later has more of the window left,
/// so no other chain can come further.
struct FunnelPath {
    /// Events of one person, one for each step that was reached.
    struct Chain: Equatable {
        /// In milliseconds, in order.
        var times: [Int64] = []
        /// The numbers of the events.
        var sequences: [Int64] = []
        /// Of the first event.
        var value: UInt32 = 0
    }

    private let window: Int64
    private var chains: [Chain]
    /// The first chain that came as far as any.
    private(set) var furthest = Chain()

    /// - Parameters:
    ///   - steps: how many there are.
    ///   - window: milliseconds from the first step to the last at most.
    init(steps: Int, window: Int64) {
        self.window = window
        chains = Array(repeating: Chain(), count: steps)
    }

    /// - Parameters:
    ///   - steps: a bit for each step that the event may be; it counts as one of them in a chain.
    ///   - sequence: the number of the event.
    ///   - value: of the event, when it may be the first step.
    mutating func take(_ steps: UInt8, at time: Int64, sequence: Int64 = 0, value: UInt32) {
        // The last step first, so that the event is not its own successor.
        for step in chains.indices.reversed() where steps & 1 << step != 0 {
            var chain = Chain(value: value)
            if step > 0 {
                chain = chains[step - 1]
                guard let start = chain.times.first, time - start <= window else { continue }
            }
            chain.times.append(time)
            chain.sequences.append(sequence)
            chains[step] = chain
            if chain.times.count > furthest.times.count { furthest = chain }
        }
    }
}
