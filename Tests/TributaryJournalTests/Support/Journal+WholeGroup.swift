@testable import TributaryJournal

extension Journal {
    /// Adds the records of a group as their owner does. When it throws, the group has the records that are not in the journal.
    func append(_ group: inout JournalGroup) throws(JournalError) {
        while !group.isEmpty {
            var rest = group
            try finish(putFirst(of: &rest))
            group = rest
        }
    }
}
