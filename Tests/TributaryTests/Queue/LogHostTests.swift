import Testing
import TributaryJournal

@testable import Tributary

@Suite("Reports of a queue's journal")
struct LogHostTests {
    @Test(
        "A report is a sentence that names the file",
        arguments: [
            (JournalReport.damagedHeader(file: "1.tjl"), "the header of 1.tjl is damaged; its events are still read"),
            (.newerFormat(file: "2.tjl"), "a newer version of the library wrote 2.tjl, which is left alone"),
            (.unreadable(file: "3.tjl", errno: 5), "3.tjl cannot be read now (errno 5)"),
            (.foreignFile(file: "4.tjl"), "4.tjl is not a file of this log and is left alone"),
            (.tornTail(bytes: 12), "an interrupted write was cut off (12 bytes)"),
        ])
    func text(report: JournalReport, text: String) {
        #expect(LogHost.text(of: report) == text)
    }
}
