/// Work on a journal's files that the disk has refused, to be done later.
struct Upkeep: Sendable {
    /// The names of files that are not needed any more.
    var files: [String] = []
    /// Gaps that the headers of segments do not state yet.
    private(set) var gaps: [JournalState.Gap] = []

    var isEmpty: Bool { files.isEmpty && gaps.isEmpty }

    /// Adds gaps. A gap replaces an earlier one before the same segment.
    mutating func add(_ new: [JournalState.Gap]) {
        let segments = Set(new.map(\.segment.first))
        gaps.removeAll { segments.contains($0.segment.first) }
        gaps += new
    }

    /// Forgets the gaps that could be stated.
    mutating func stateGaps(_ state: (JournalState.Gap) -> Bool) { gaps.removeAll(where: state) }
}
