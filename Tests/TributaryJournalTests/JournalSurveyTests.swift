import Foundation
import Testing

@testable import TributaryJournal

@Suite struct JournalSurveyTests {
    let folder: TemporaryFolder
    let clock = ManualClock()

    init() throws { folder = try TemporaryFolder() }

    @Test("A survey has the same figures as the journal's owner")
    func sameFigures() throws {
        try withJournal(folder, .small(clock: clock)) { journal throws in
            #expect(try Journal.survey(folder.path) == JournalSurvey())
            for removed in [0, 5, 40, 60] as [UInt64] {
                try journal.appendNumbered(20)
                try journal.removeThrough(removed)
                let survey = try Journal.survey(folder.path)
                #expect(survey.records == journal.count)
                #expect(survey.bytes == journal.byteCount)
                #expect(survey.oldest == clock.seconds * 1000)
            }
        }
        let (bytes, records) = try withJournal(folder) { ($0.byteCount, $0.count) }
        let before = try folder.contents()
        let survey = try Journal.survey(folder.path)
        #expect(survey.bytes == bytes)
        #expect(survey.records == records)
        #expect(try folder.contents() == before)
    }

    @Test("The oldest time of a survey is that of the first record that is left")
    func oldest() throws {
        try withJournal(folder, .small(clock: clock)) { journal throws in
            let start = clock.seconds
            try journal.appendNumbered(1)
            clock.advance(days: 2)
            try journal.appendNumbered(1)
            #expect(try Journal.survey(folder.path).oldest == start * 1000)
            try journal.removeThrough(1)
            #expect(try Journal.survey(folder.path).oldest == (start + 2 * 86_400) * 1000)
            try journal.removeThrough(2)
            #expect(try Journal.survey(folder.path).oldest == nil)
        }
    }

    @Test("A survey does not make a missing folder")
    func missingFolder() throws {
        let path = folder.path + "/none"
        #expect(try Journal.survey(path) == JournalSurvey())
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("A survey changes no damaged file")
    func damage() throws {
        try withJournal(folder) { try $0.appendNumbered(30) }
        try folder.write(try #require(folder.segmentNames().last), [UInt8](repeating: 0, count: 100))
        try folder.write("00000000000000ff.tjl", [])
        try folder.write("spare-1.tjl", [])
        let before = try folder.contents()
        _ = try Journal.survey(folder.path)
        #expect(try folder.contents() == before)
        try folder.remove("mark")
        #expect(try Journal.survey(folder.path).records > 0)
    }
}
