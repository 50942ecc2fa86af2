import Dispatch
import Synchronization
import WorkspaceCore

/// Does the same with each of some values, as many at a time as there are processors.
enum Concurrently {
    /// - Parameters:
    ///   - done: called with how many values are done, after each of them.
    ///   - work: is called from several threads.
    /// - Returns: the outcome of each value, in the order of the values.
    static func map<Value: Sendable, Outcome: Sendable>(
        _ values: [Value], done: @Sendable (Int) -> Void = { _ in }, _ work: @Sendable (Value) -> Outcome
    ) -> [Outcome] {
        let outcomes = Mutex<[Int: Outcome]>([:])
        DispatchQueue.concurrentPerform(iterations: values.count) { index in
            let outcome = work(values[index])
            outcomes.withLock {
                $0[index] = outcome
                // Within the lock, so that the numbers come in order.
                done($0.count)
            }
        }
        return outcomes.withLock { outcomes in values.indices.compactMap { outcomes[$0] } }
    }
}
