import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// Files of other programs, with the real executable.
@Suite("Texts of imported files", .timeLimit(.minutes(30))) struct ImportTextTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ bytes: [UInt8], to name: String) throws -> String {
        let path = folder.path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func run(_ workspace: TestWorkspace, _ arguments: String...) async throws -> CommandRun.Outcome {
        try await CommandRun.finish(["import"] + arguments + ["--write-key", "WK", "--server", workspace.client.url])
    }

    private static let mapping = #"{"type":"track","event":"E","userId":"$user","properties":{"price":"$price"}}"#

    @Test("A CSV file that is not UTF-8 is refused with its line, and read as what the option says")
    func windows1252() async throws {
        // ü, € and ö as Excel writes them.
        var rows = Array("user,price\nAda,1\nJ?rgen,?5\nJ?rgen,6\n".utf8)
        for byte: UInt8 in [0xFC, 0x80, 0xF6] {
            rows[try #require(rows.firstIndex(of: UInt8(ascii: "?")))] = byte
        }
        let file = try write(rows, to: "excel.csv")
        let mapping = try write(Array(Self.mapping.utf8), to: "mapping.json")
        try await TestWorkspace.run { workspace async throws in
            let refused = try await run(workspace, file, "--mapping", mapping)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("the record of line 3 is not UTF-8"), "\(refused.errors)")
            #expect(refused.errors.contains("--encoding windows-1252"), "\(refused.errors)")
            #expect(try await workspace.client.events().isEmpty)
            let read = try await run(workspace, file, "--mapping", mapping, "--encoding", "windows-1252")
            #expect(read.status == 0, "\(read.errors)")
            let events = try await workspace.client.events()
            #expect(events.map { $0["userId"]?.stringValue } == ["Ada", "Jürgen", "Jörgen"])
            #expect(events.map { $0["event"]?["properties"]?["price"]?.stringValue } == ["1", "€5", "6"])
            let misused = try await run(workspace, file, "--encoding", "windows-1252")
            #expect(misused.status == 64)
        }
    }

    @Test("A byte order mark costs no event, neither in NDJSON nor in CSV nor in a mapping")
    func byteOrderMark() async throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let line = #"{"type":"track","event":"E","userId":"u","messageId":"m-1"}"#
        let lines = try write(
            mark + Array((line + "\n" + line.replacing("m-1", with: "m-2")).utf8), to: "marked.ndjson")
        let table = try write(mark + Array("user,price\nv,1\n".utf8), to: "marked.csv")
        let mapping = try write(mark + Array(Self.mapping.utf8), to: "marked.json")
        try await TestWorkspace.run { workspace async throws in
            #expect(try await run(workspace, lines).output == "2 events stored, 0 repeated, 0 rejected\n")
            let read = try await run(workspace, table, "--mapping", mapping)
            #expect(read.output == "1 event stored, 0 repeated, 0 rejected\n", "\(read.errors)")
        }
    }

    @Test("A file in UTF-16 is refused with the way out", arguments: [[0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]])
    func utf16(mark: [UInt8]) async throws {
        let file = try write(mark + Array("a\0b\0\n\0".utf8), to: "wide.ndjson")
        try await TestWorkspace.run { workspace async throws in
            let refused = try await run(workspace, file)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("is UTF-16; save it as UTF-8"), "\(refused.errors)")
        }
    }
}
