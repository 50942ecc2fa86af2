/// Decides whether the scripts of an engine hold too much memory, from two figures: a cheap one and a dear one.
///
/// The growth of the process is cheap to read but may be the app's. Only when it is more than the budget is the engine
/// asked for the size of its heap, and only that blames a script.
struct MemoryWatch {
    private let budget: Int
    private var baseline: Int

    /// - Parameter resident: what the process holds before the first script runs.
    init(budget: ScriptBudget, resident: Int) {
        self.budget = budget.megabytes << 20
        baseline = resident
    }

    /// True when the process has grown by more than the budget. A process that shrinks lowers the mark.
    mutating func isSuspicious(resident: Int) -> Bool {
        baseline = min(baseline, resident)
        return resident - baseline > budget
    }

    /// The verdict after the engine was asked. Growth that is not the engine's is not suspected again.
    mutating func isGuilty(resident: Int, heap: Int) -> Bool {
        if heap > budget { return true }
        baseline = max(0, resident - heap)
        return false
    }
}
