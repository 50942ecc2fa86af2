/// Decides whether the scripts of an engine hold too much memory, by two figures.
///
/// The growth of the process is cheap to read, but may be the app's. Only when it exceeds the budget, the size of the
/// engine's heap is read, which is expensive. Only that figure blames a script.
struct MemoryWatch {
    private let budget: Int
    private var baseline: Int

    /// - Parameter resident: the memory of the process before the first script runs.
    init(budget: ScriptBudget, resident: Int) {
        self.budget = budget.megabytes << 20
        baseline = resident
    }

    /// Whether the process has grown by more than the budget. A process that shrinks lowers the base.
    mutating func isSuspicious(resident: Int) -> Bool {
        baseline = min(baseline, resident)
        return resident - baseline > budget
    }

    /// The verdict with the size of the heap. Growth that is not the engine's is not suspected again.
    mutating func isGuilty(resident: Int, heap: Int) -> Bool {
        if heap > budget { return true }
        baseline = max(0, resident - heap)
        return false
    }
}
