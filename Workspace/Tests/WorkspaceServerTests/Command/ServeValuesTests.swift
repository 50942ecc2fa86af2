import Foundation
import Testing
import TributaryJSON

@testable import TributaryCommand
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Configuration of the server", .timeLimit(.minutes(30))) struct ServeValuesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ text: String) throws -> String {
        let path = folder.path + "/server.json"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test("A flag overrides the environment, and the environment the file")
    func precedence() throws {
        let file = try file(
            #"{"port": 1, "host": "file", "data": "file", "allowed-host": ["a", "b"], "verbose": true}"#)
        let values = try ServeValues(
            flags: ["host": ["flag"], "allowed-host": []],
            environment: [
                "TRIBUTARY_HOST": "environment", "TRIBUTARY_PORT": "2", "TRIBUTARY_WRITE_KEY": "A,B",
                "TRIBUTARY_DATA": "",
            ],
            file: file)
        #expect(values.text("host") == "flag")
        #expect(try values.number("port", in: 0...9) == 2)
        #expect(values.text("data") == "file")
        #expect(values.list("allowed-host") == ["a", "b"])
        #expect(values.list("write-key") == ["A", "B"])
        #expect(try values.bool("verbose"))
        #expect(try !values.bool("allow-reset"))
    }

    @Test(
        "A wrong value is reported with its origin",
        arguments: [
            (#"{"prt": 1}"#, "prt in "), (#"{"port": "1"}"#, "port in "),
            (#"{"allowed-host": "a"}"#, "allowed-host in "),
            (#"{"verbose": "yes"}"#, "verbose in "), ("[]", "is not a JSON object"), ("{", "is not JSON"),
        ])
    func wrong(text: String, message: String) throws {
        let file = try file(text)
        #expect {
            _ = try ServeValues(flags: [:], environment: [:], file: file)
        } throws: { ($0 as? Failure)?.description.contains(message) == true }
    }

    @Test("The server starts with a configuration file, and refuses an invalid file")
    func served() async throws {
        let path = try file(
            #"{"port": 0, "write-key": ["FROM-FILE"], "data": "\#(folder.path)/data", "allow-reset": true}"#)
        let server = try CommandRun(["serve", "--config", path, "--write-key", "FROM-FLAG"])
        #expect(await server.line(after: "tributary: write key ") == "FROM-FLAG")
        let url = try #require(await server.line(after: "tributary: listening on "))
        #expect(try await TestClient(url: url).send("DELETE", "/api/sources/FROM-FLAG/events", body: nil).status == 200)
        server.signal(SIGTERM)
        #expect(try await server.finished().status == 0)
        let wrong = try await CommandRun.finish(["serve", "--config", try file(#"{"ports": 0}"#)])
        #expect(wrong.status == 1)
        #expect(wrong.errors.hasPrefix("Error: ports in "))
        let port = try await CommandRun.finish(["serve", "--port", "70000"])
        #expect(port.errors == "Error: --port is a number from 0 to 65535, not 70000\n")
    }

    @Test("Keys of before come from a file with one in each line, else from the environment") func oldKeys() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/keys"
        try "the first key\n\n  the second key \n".write(toFile: file, atomically: true, encoding: .utf8)
        func keys(_ file: String?, _ text: String?) throws -> [String] {
            try TokenSource.keys(file: file, variable: "KEYS", environment: text.map { ["KEYS": $0] } ?? [:])
        }
        #expect(try keys(file, "other") == ["the first key", "the second key"])
        #expect(try keys(nil, " one  two\n") == ["one", "two"])
        #expect(try keys(nil, nil) == [])
        #expect(throws: Failure.self) { try keys(folder.path + "/missing", nil) }
    }
}
