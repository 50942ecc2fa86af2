import ProgramSupport

/// Shows a person at a terminal how far a search through events is.
struct SearchProgress {
    /// How many events were left when the progress was shown for the first time.
    private var total: Int?

    /// - Parameter left: how many events are still to be looked at, at most.
    mutating func show(left: Int) {
        let total = total ?? left
        self.total = total
        guard total > 0 else { return }
        let share = (total - min(left, total)) * 100 / total
        Waiting.show("looking for more: \(share) %, at most \(left.grouped) events are left")
    }
}
