import Foundation
import Testing

@testable import TributaryJournal

/// A power cut takes a folder whose name was not brought to the medium, with everything in it.
@Suite struct JournalNamesTests {
    let folder: TemporaryFolder
    let files = FaultyFileSystem()
    private let synced = Locked<[String]>([])

    init() throws {
        folder = try TemporaryFolder()
        files.setRule { [synced] operation, path in
            if operation == .syncFolder { synced.withLock { $0.append(path) } }
            return nil
        }
    }

    private func open(_ durability: JournalOptions.Durability) throws -> Journal {
        var options = JournalOptions.small(100_000)
        options.durability = durability
        return try Journal.open(folder.path + "/a/b/c", options: options, files: files)
    }

    private var above: [String] { ["/a/b", "/a", ""].map { folder.path + $0 } }

    @Test(
        "An opening syncs the folders above a new journal",
        arguments: [JournalOptions.Durability.everyAppend, .groupCommit])
    func newFolders(_ durability: JournalOptions.Durability) throws {
        let journal = try open(durability)
        defer { journal.close() }
        #expect(synced.withLock { Array($0.prefix(3)) } == above)
    }

    @Test("An opening syncs the folders above a journal also when another program made them")
    func foreignFolders() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/a/b/c", withIntermediateDirectories: true)
        let journal = try open(.groupCommit)
        defer { journal.close() }
        #expect(synced.withLock { Array($0.prefix(3)) } == above)
    }

    @Test("The first sync call syncs the folders above the journal once")
    func syncedOnce() throws {
        let journal = try open(.process)
        defer { journal.close() }
        try journal.append([1])
        #expect(synced.withLock { $0 } == [])
        try journal.sync()
        try journal.sync()
        let names = synced.withLock { $0 }
        for path in above { #expect(names.filter { $0 == path }.count == 1) }
    }

    @Test("An opening fails when a folder above the journal cannot be synced")
    func failedSync() throws {
        let top = folder.path
        files.setRule { operation, path in operation == .syncFolder && path == top ? .error(5) : nil }
        #expect(throws: JournalError.self) { try open(.groupCommit) }
    }
}
