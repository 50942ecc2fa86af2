/// Compares the events that the shop tracked with the events that were stored, or dropped by name.
struct EventBalance: Equatable {
    var summary: ShopSummary
    var tally: EventTally
    var statistics: Statistics
    /// The expected counts; nil when they are not known.
    var expected: ExpectedBalance?

    var tracked: Int { summary.tracked }
    /// Distinct events in the workspace.
    var stored: Int { tally.stored }
    var droppedByPlugin: Int { summary.droppedByPlugin.values.reduce(0, +) }
    var droppedByFilter: Int { summary.droppedByFilter.values.reduce(0, +) }
    /// Events whose end is not known; negative when there are more ends than tracked events.
    var difference: Int { tracked - stored - droppedByPlugin - droppedByFilter }
    var isBalanced: Bool { difference == 0 && tracked > 0 }

    func processed(byVersion version: Int) -> Int { tally.byVersion["\(version)"] ?? 0 }

    /// The problems, each as a sentence.
    var problems: [String] {
        var problems: [String] = []
        if tracked == 0 { problems.append("nothing was tracked") }
        if difference != 0 { problems.append("\(difference) events are not accounted for") }
        if let expected { problems += expected.problems(of: self) }
        for version in [1, 2] where processed(byVersion: version) == 0 {
            problems.append("live plugins version \(version) processed nothing")
        }
        if tally.withInternalNote > 0 {
            problems.append("\(tally.withInternalNote) stored events have an internal note")
        }
        if tally.misnamed > 0 { problems.append("\(tally.misnamed) stored events have a misnamed property") }
        if summary.remaining > 0 { problems.append("\(summary.remaining) events still wait on the device") }
        if statistics.rejected > 0 { problems.append("the workspace rejected \(statistics.rejected) events") }
        for (reason, count) in summary.lost.sorted(by: { $0.key < $1.key }) {
            problems.append("\(count) events were lost: \(reason)")
        }
        return problems
    }

    /// The result for programs, on one line.
    var resultLine: String {
        "demo: tracked=\(tracked) stored=\(stored) dropped_by_plugin=\(droppedByPlugin) "
            + "dropped_by_filter=\(droppedByFilter) balanced=\(isBalanced && expected?.problems(of: self).isEmpty != false ? "yes" : "no")"
    }
}
