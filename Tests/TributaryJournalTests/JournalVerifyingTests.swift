import Foundation
import Testing

@testable import TributaryJournal

@Suite struct JournalVerifyingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A journal does not change files that took the place of its own")
    func replacedFiles() throws {
        try withJournal(folder) { journal throws in
            try journal.appendNumbered(4)
            try folder.replaceContents([:])
            try withJournal(folder) { try $0.appendNumbered(40) }
            let others = try folder.contents()
            try journal.removeThrough(3, markData: [1])
            #expect(journal.watermark == 3 && journal.markData == [1])
            #expect(reason { try journal.prepare() } == .detached)
            #expect(reason { try journal.reserve(through: 7) } == .detached)
            // Records that are appended to the open but deleted file are lost. The journal begins no new file.
            #expect(reason { try journal.appendNumbered(40) } == .detached)
            #expect(try folder.contents() == others)
        }
        #expect(try withJournal(folder) { try $0.records() } == numbered(1...40))
    }

    @Test("A journal whose files are in place verifies")
    func inPlace() throws {
        let journal = try Journal.open(folder.path, options: .small())
        try journal.verify()
        for _ in 0..<30 {
            try journal.appendNumbered(1)
            try journal.verify()
            try journal.prepare()
            try journal.verify()
        }
        try journal.removeThrough(20)
        try journal.purge()
        try journal.verify()
        journal.close()
        #expect(reason { try journal.verify() } == .closed)
    }

    @Test("Verifying fails when the folder was deleted")
    func deletedFolder() throws {
        try withJournal(folder) { journal throws in
            try journal.appendNumbered(3)
            try FileManager.default.removeItem(atPath: folder.path)
            // Writing to a deleted file succeeds, so only `verify` notices the deletion.
            #expect(try journal.append(payload(4)) == 4)
            #expect(reason { try journal.verify() } == .detached)
        }
        try withJournal(folder) { journal throws in
            #expect(try journal.append(payload(1)) == 1)
            try journal.verify()
        }
    }

    @Test("Verifying fails when a segment was deleted")
    func deletedSegment() throws {
        try withJournal(folder) { journal throws in
            try journal.appendNumbered(3)
            try folder.remove("0000000000000001.tjl")
            #expect(reason { try journal.verify() } == .detached)
        }
    }

    @Test("Verifying fails when the folder was replaced by another one")
    func replacedFolder() throws {
        let other = try TemporaryFolder()
        try withJournal(other) { try $0.appendNumbered(3) }
        for hasRecords in [false, true] {
            try withJournal(folder) { journal throws in
                if hasRecords { try journal.appendNumbered(3) }
                try FileManager.default.removeItem(atPath: folder.path)
                try FileManager.default.copyItem(atPath: other.path, toPath: folder.path)
                #expect(reason { try journal.verify() } == .detached)
            }
        }
    }

    @Test("Verifying reports unreadable files as unreadable, and not as detached")
    func failedLook() throws {
        let files = FaultyFileSystem()
        try withJournal(folder, files: files) { journal throws in
            files.setRule { operation, path in operation == .status && path.hasSuffix("lock") ? .error(13) : nil }
            #expect(reason { try journal.verify() } == .unreadable)
        }
    }
}
