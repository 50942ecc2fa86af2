/// Lets one piece of long work run at a time. A few more wait for their turn, those of a higher role first; others are
/// refused, and can try again.
package actor SingleRun {
    private let name: String
    private var places: SharedSlots
    private var isTaken = false
    private var waiting: [(holder: SharedSlots.Holder, continuation: CheckedContinuation<Void, Never>)] = []

    /// - Parameters:
    ///   - name: the name of the work in the error, such as "dry run".
    ///   - places: how many may wait.
    package init(_ name: String, places: Int = 0) {
        self.name = name
        self.places = SharedSlots(places)
    }

    /// How many wait for their turn.
    package var waitingCount: Int { waiting.count }

    package func take<Result: Sendable>(
        for holder: SharedSlots.Holder = .current, _ work: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await begin(holder)
        defer { end() }
        return try await work()
    }

    private func begin(_ holder: SharedSlots.Holder) async throws(Refusal) {
        guard isTaken else {
            isTaken = true
            return
        }
        do throws(SharedSlots.Full) {
            try places.take(holder)
        } catch {
            guard places.count > 0 else { throw .overloaded("another \(name) is at work") }
            throw error.error("requests that wait for a \(name)")
        }
        await withCheckedContinuation { waiting.append((holder, $0)) }
    }

    private func end() {
        guard let role = waiting.map(\.holder.role).max(),
            let index = waiting.firstIndex(where: { $0.holder.role == role })
        else {
            isTaken = false
            return
        }
        let next = waiting.remove(at: index)
        places.leave(next.holder)
        next.continuation.resume()
    }
}
