import ClusterTestKit
import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The database of countries in use", .timeLimit(.minutes(30))) struct CountryBookTests {
    private let folder: TemporaryFolder
    private let path: String
    private let log = LogLines()

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/countries.mmdb"
        try CountryDatabases.countries(["10.0.0.0/8": "IT"]).write(to: path)
    }

    private func country(_ book: CountryBook) -> String? { book.database.country(of: "10.0.0.1")?.description }

    private func replace(by code: String) throws {
        let other = folder.path + "/new"
        try CountryDatabases.countries(["10.0.0.0/8": code]).write(to: other)
        #expect(rename(other, path) == 0)
    }

    /// A file is taken when it was the same at two looks.
    private func lookTwice(_ book: CountryBook) { for _ in 0..<2 { book.look() } }

    @Test("A file that cannot be used ends the start, with the path and the reason") func start() throws {
        func reason(_ path: String) -> String {
            do throws(WorkspaceError) {
                _ = try CountryBook(path: path, logger: log.logger)
                return ""
            } catch {
                #expect(error.reason == .countryDatabase)
                return error.description
            }
        }
        #expect(reason(folder.path + "/missing").contains("there is no such file"))
        #expect(reason(folder.path).contains("\(folder.path) cannot be used: it is not a file"))
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        #expect(reason(folder.path + "/pipe").contains("it is not a file"))
        try Data("no database".utf8).write(to: URL(filePath: path))
        #expect(reason(path).contains("no database in MaxMind's format"))
        // A sparse file takes no room.
        #expect(truncate(path, Int(Limits.countryDatabaseBytes) + 1) == 0)
        #expect(reason(path).contains("at most 512 MB are kept in memory"))
    }

    @Test("A file that was replaced is taken over, and the log says so") func replaced() throws {
        let book = try CountryBook(path: path, logger: log.logger)
        #expect(country(book) == "IT")
        try replace(by: "ES")
        lookTwice(book)
        #expect(country(book) == "ES")
        #expect(book.json == ["type": "Test-Country", "built": "2026-11-24", "problem": .null])
        #expect(log.all.count == 2)
        #expect(log.all.last?.hasPrefix("countries come from another database now built=2026-11-24") == true)
        for _ in 0..<5 { book.look() }
        #expect(log.all.count == 2)
    }

    @Test("A file that is written over is taken when it rests") func overwritten() throws {
        let book = try CountryBook(path: path, logger: log.logger)
        let bytes = CountryDatabases.countries(["10.0.0.0/8": "ES"]).bytes
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.truncate(atOffset: 0)
        for start in stride(from: 0, to: bytes.count, by: 300) {
            try file.write(contentsOf: bytes[start..<min(start + 300, bytes.count)])
            book.look()
            #expect(country(book) == "IT")
        }
        try file.close()
        book.look()
        #expect(country(book) == "ES")
        #expect(book.problem == nil)
        #expect(log.all.count == 2)
    }

    @Test("With a file that cannot be used, the database stays, and the reason is said once")
    func broken() throws {
        let book = try CountryBook(path: path, logger: log.logger)
        try Data(CountryDatabases.countries(["10.0.0.0/8": "ES"]).bytes.dropLast(300)).write(to: URL(filePath: path))
        for _ in 0..<5 { book.look() }
        #expect(country(book) == "IT")
        #expect(book.problem?.contains("its end is missing") == true)
        #expect(log.all.count == 2)
        #expect(log.all.last?.contains("the one before stays in use") == true)

        try FileManager.default.removeItem(atPath: path)
        for _ in 0..<5 { book.look() }
        #expect(country(book) == "IT")
        #expect(book.problem == "there is no such file or folder")
        #expect(log.all.count == 3)

        try replace(by: "PT")
        lookTwice(book)
        #expect(country(book) == "PT")
        #expect(book.problem == nil)
    }

    @Test("A file that was away and comes back is no problem any more") func away() throws {
        let book = try CountryBook(path: path, logger: log.logger)
        #expect(rename(path, path + ".old") == 0)
        lookTwice(book)
        #expect(book.problem != nil)
        #expect(rename(path + ".old", path) == 0)
        lookTwice(book)
        #expect(book.problem == nil)
        #expect(country(book) == "IT")
    }
}
