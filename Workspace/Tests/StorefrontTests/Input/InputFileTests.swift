import Foundation
import Testing
import TributaryJSON

@testable import Storefront

@Suite struct InputFileTests {
    private func file(_ text: String) throws -> InputFile { try InputFile(name: "F", contents: Array(text.utf8)) }

    @Test("Blank lines are skipped, but line numbers count the blank lines")
    func blankLines() throws {
        let file = try file("\n{\"a\":1}\r\n  \n[2]")
        #expect(file.count == 2)
        #expect(try file.read(0) { json, _ in json } == ["a": 1])
        #expect(try file.read(1) { json, _ in json } == [2])
        #expect(throws: InputError(file: "F", line: 4, reason: "no")) {
            try file.read(1) { _, _ throws(InputProblem) in throw InputProblem("no") }
        }
    }

    @Test("The error of a bad line names the file, the line and the reason")
    func badLine() throws {
        let file = try file("{}\n{\"a\":}\n")
        let error = try #require(throws: InputError.self) { try file.read(1) { json, _ in json } }
        #expect(error.description == "F:2: not JSON: a value cannot begin here (line 2, column 6)")
    }

    @Test("A line beyond the limit is refused")
    func longLine() throws {
        let file = try file(String(repeating: " ", count: InputFile.longestLine) + "{}")
        #expect(throws: InputError.self) { try file.read(0) { json, _ in json } }
    }

    @Test("A missing file and a folder are refused with the reason")
    func missingFile() {
        #expect(throws: InputError(file: "/no/such/file", line: nil, reason: "No such file or directory")) {
            try InputFile(path: "/no/such/file")
        }
        let folder = FileManager.default.temporaryDirectory.path
        #expect(throws: InputError(file: folder, line: nil, reason: "Is a directory")) {
            try InputFile(path: folder)
        }
    }

    @Test("An empty file is refused")
    func emptyFile() throws {
        #expect(throws: InputError(file: "F", line: nil, reason: "there are no sessions in it")) {
            try Programme.sessions(file("\n"))
        }
        #expect(throws: InputError(file: "F", line: nil, reason: "there are no events in it")) {
            try Programme.events(file(""))
        }
    }

    @Test("A mistake in the last line is found before the first session is played")
    func lastLine() throws {
        let good = Sessions.json([["do": "heartbeat"]]).description
        let bad = Sessions.json([["do": "cart"]]).description
        let error = try #require(throws: InputError.self) { try Programme.sessions(file("\(good)\n\(good)\n\(bad)\n")) }
        #expect(error.description == #"F:3: "steps" element 1: the cart is empty"#)
    }
}
