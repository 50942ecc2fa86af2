import Foundation
import Testing

@testable import TributaryJournal

@Suite struct JournalOwnershipTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A process cannot open a folder twice, also not by another path")
    func oneOwner() throws {
        let journal = try Journal.open(folder.path)
        #expect(reason { _ = try Journal.open(folder.path) } == .inUse)
        // Another way to the same folder.
        #expect(
            reason { _ = try Journal.open(folder.path + "/../" + (folder.path as NSString).lastPathComponent) }
                == .inUse)
        try journal.append([1])
        journal.close()
        try withJournal(folder) { #expect($0.count == 1) }
    }

    @Test("A process cannot open a folder twice, also where the file lock has no effect")
    func withoutLock() throws {
        // A lock that was inherited over a fork, or is not supported, lets the same process in once more.
        let files = FaultyFileSystem()
        files.setRule { operation, _ in operation == .lock ? .nothing : nil }
        let journal = try Journal.open(folder.path, options: .small(), files: files)
        #expect(reason { _ = try Journal.open(folder.path, options: .small(), files: files) } == .inUse)
        journal.close()
        try Journal.open(folder.path, options: .small(), files: files).close()
    }

    @Test("A folder is free when the last reference to its journal is gone")
    func lastReference() throws {
        var journal: Journal? = try Journal.open(folder.path)
        try journal?.append([1])
        var cursor = journal?.cursor()
        journal = nil
        #expect(try cursor?.next()?.payload == [1])
        #expect(reason { _ = try Journal.open(folder.path) } == .inUse)
        cursor = nil
        try withJournal(folder) { #expect($0.count == 1) }
    }

    @Test("Of threads that open a folder at the same time, exactly one gets it")
    func race() throws {
        let opened = Locked([Journal]())
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            if let journal = try? Journal.open(folder.path) { opened.withLock { $0.append(journal) } }
        }
        #expect(opened.withLock { $0.count } == 1)
    }

    @Test("An owner with a lease takes no file lock, and the folder has one owner all the same")
    func leaseWithoutLock() throws {
        let files = FaultyFileSystem()
        let locks = Locked(0)
        files.setRule { operation, _ in
            if operation == .lock { locks.withLock { $0 += 1 } }
            return nil
        }
        var options = JournalOptions.small()
        options.ownership = .lease(.init(owner: 1, isOnlyProcess: true))
        try withJournal(folder, options, files: files) { journal throws in
            #expect(reason { _ = try Journal.open(folder.path, options: options) } == .inUse)
            #expect(reason { _ = try Journal.open(folder.path) } == .inUse)
            try journal.append([1])
            try journal.verify()
        }
        #expect(locks.withLock { $0 } == 0)
        try withJournal(folder, files: files) { #expect($0.count == 1) }
        #expect(locks.withLock { $0 } == 1)
    }

    #if os(Linux)
    @Test("A folder cannot be opened while another process has its lock")
    func otherProcess() throws {
        try withJournal(folder) { try $0.append([1]) }
        let holder = Process()
        holder.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        holder.arguments = ["--exclusive", folder.path + "/lock", "sh", "-c", "echo held; cat"]
        let (toHolder, fromHolder) = (Pipe(), Pipe())
        holder.standardInput = toHolder
        holder.standardOutput = fromHolder
        try holder.run()
        #expect(fromHolder.fileHandleForReading.availableData == Data("held\n".utf8))

        #expect(reason { _ = try Journal.open(folder.path) } == .inUse)
        try toHolder.fileHandleForWriting.close()
        holder.waitUntilExit()
        try withJournal(folder) { #expect($0.count == 1) }
    }

    @Test("Programs that the process starts inherit no open file of the journal")
    func inheritance() throws {
        let journal = try Journal.open(folder.path, options: .small())
        try journal.append([1])
        try journal.prepare()
        var files: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            guard let descriptor = Int32(name),
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name),
                target.hasPrefix(folder.path + "/")
            else { continue }
            files.append(String(target.dropFirst(folder.path.count + 1)))
            #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        }
        #expect(files.sorted() == ["0000000000000001.tjl", "lock", "spare-2.tjl"])
        journal.close()
    }
    #endif

    @Test("Folders and files of a journal are accessible to their user only")
    func permissions() throws {
        let path = folder.path + "/a/b/c"
        let journal = try Journal.open(path, options: .small())
        try journal.appendNumbered(20)
        try journal.prepare()
        try journal.removeThrough(3)
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        for folder in ["/a", "/a/b", "/a/b/c"] { #expect(try mode(self.folder.path + folder) == 0o700) }
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(names.count > 4)
        for name in names { #expect(try mode(path + "/" + name) == 0o600) }
        journal.close()
    }

    @Test("A journal changes none of the files that it did not make")
    func foreignFiles() throws {
        let foreign: [String: [UInt8]] = [
            "0000000000000002.tjl": Array("this is not a segment".utf8),
            "00000000000000ff.tjl": [UInt8](repeating: 1, count: 500),
            "0000000000000000.tjl": [1],
            "ffffffffffffffff.tjl": [2],
            "000000000000000G.tjl": [3],
            "spare-1.tjl": [4],
            "spare-x.tjl": [],
            "notes.txt": [5],
            "mark.new.bak": [6],
        ]
        for (name, bytes) in foreign { try folder.write(name, bytes) }
        try FileManager.default.createDirectory(
            atPath: folder.path + "/0000000000000003.tjl", withIntermediateDirectories: false)
        for round in 0..<3 as Range<UInt64> {
            try withJournal(folder, .small(300, maximumBytes: 1500)) { journal throws in
                let isForeign = journal.takeReports().filter { if case .foreignFile = $0 { true } else { false } }
                #expect(isForeign.count == 5)
                for _ in 0..<100 {
                    try journal.append(payload(round))
                    try journal.prepare()
                }
                try journal.removeThrough(journal.lastSequence - 5)
                #expect(try journal.records().count == 5)
            }
        }
        for (name, bytes) in foreign { #expect(try folder.read(name) == bytes) }
        #expect(try folder.names().contains("0000000000000003.tjl"))
    }

    @Test("A link in place of a segment is reported and not followed")
    func linkedSegment() throws {
        try withJournal(folder) { try $0.appendNumbered(3) }
        let outside = try TemporaryFolder()
        try outside.write("target", folder.read("0000000000000001.tjl"))
        try folder.remove("0000000000000001.tjl")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/0000000000000001.tjl", withDestinationPath: outside.path + "/target")
        try withJournal(folder) { journal throws in
            #expect(journal.takeReports().contains(.foreignFile(file: "0000000000000001.tjl")))
            #expect(try journal.records() == [])
        }
    }

    @Test("Links in place of the mark and the lock file are not followed")
    func otherLinks() throws {
        let outside = try TemporaryFolder()
        try outside.write("target", [1, 2, 3])
        func link(_ name: String) throws {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/" + name, withDestinationPath: outside.path + "/target")
        }
        try withJournal(folder) { journal throws in
            try journal.appendNumbered(3)
            try link("mark.new")
            #expect(reason { try journal.removeThrough(2) } == .inputOutput)
            #expect(journal.count == 3)
        }
        try folder.remove("lock")
        try link("lock")
        #expect(reason { _ = try Journal.open(folder.path) } == .inputOutput)
        #expect(try outside.read("target") == [1, 2, 3])
    }

    @Test("An opening deletes the spare files of an ended owner")
    func spareFiles() throws {
        try withJournal(folder) { journal throws in
            try journal.append([1])
            try journal.prepare()
            #expect(try folder.names().contains { $0.hasPrefix("spare-") })
        }
        #expect(try !folder.names().contains { $0.hasPrefix("spare-") })
        for number in [1, 2, 77] { try folder.write("spare-\(number).tjl", []) }
        try withJournal(folder) { journal throws in
            #expect(try !folder.names().contains { $0.hasPrefix("spare-") })
            try journal.prepare()
            #expect(try folder.names().contains("spare-78.tjl"))
            try journal.appendNumbered(30)
        }
    }
}
