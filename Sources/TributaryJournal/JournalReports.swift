/// The reports that wait for the owner. Counts of one kind are added up, so the list stays short.
struct JournalReports: Sendable {
    private var waiting: [JournalReport] = []
    private var unlisted = 0

    /// Adds a report.
    mutating func add(_ report: JournalReport) {
        for index in waiting.indices {
            if let sum = waiting[index].adding(report) {
                waiting[index] = sum
                return
            }
        }
        if waiting.count < JournalLimits.reports {
            waiting.append(report)
        } else {
            unlisted += 1
        }
    }

    /// Returns and removes all reports.
    mutating func take() -> [JournalReport] {
        defer { self = JournalReports() }
        return unlisted == 0 ? waiting : waiting + [.unlisted(reports: unlisted)]
    }
}

extension JournalReport {
    /// Both reports as one; nil when they are of different kinds.
    fileprivate func adding(_ other: JournalReport) -> JournalReport? {
        switch (self, other) {
        case (.tornTail(let bytes), .tornTail(let more)):
            .tornTail(bytes: bytes &+| more)
        case (.damagedRecords(let records, let bytes), .damagedRecords(let moreRecords, let moreBytes)):
            .damagedRecords(records: records &+| moreRecords, bytes: bytes &+| moreBytes)
        case (.missingSegments(let records), .missingSegments(let more)):
            .missingSegments(records: records &+| more)
        case (.droppedOldest(let records, let bytes, let kind), .droppedOldest(let more, let moreBytes, let other))
        where kind == other:
            .droppedOldest(records: records &+| more, bytes: bytes &+| moreBytes, because: kind)
        default:
            self == other ? self : nil
        }
    }
}

infix operator &+| : AdditionPrecedence

/// The sum, or the largest possible number instead of an overflow: a damaged file can claim any number of records.
private func &+| (left: Int, right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
}
