import Crypto
import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite(.timeLimit(.minutes(30))) struct LivePluginTests {
    private let path = "/api/sources/WK/live-plugins"

    @Test func aDeployedBundleReachesClients() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            #expect(try await client.get(path).json == ["current": .null, "forAll": .null, "versions": []])
            let text = "class FixProductViewed {} // é"
            let sha256 = SHA256.hash(data: Array(text.utf8)).hexadecimal
            let deployed = try await client.put(path, text)
            #expect(deployed.status == 200)
            let expected: JSON = [
                "version": 1, "sha256": .string(sha256), "bytes": .number(text.utf8.count), "percentage": 100,
                "where": "device",
            ]
            #expect(try deployed.json == expected)
            let edge = try await client.get("/v1/projects/WK/settings").json["edgeFunction"]
            #expect(edge?["version"] == 1)
            #expect(edge?["sha256"] == .string(sha256))
            let url = try #require(edge?["downloadURL"]?.stringValue)
            #expect(url == client.url + "/v1/projects/WK/live-plugins/1.js")
            let bundle = try await client.get(String(url.dropFirst(client.url.count)))
            #expect(bundle.text == text)
            #expect(bundle.header("Content-Type") == "text/javascript; charset=utf-8")
            #expect(bundle.header("Cache-Control")?.contains("immutable") == true)
        }
    }

    @Test("Version numbers grow, and the content of a version never changes")
    func versions() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            for (number, text) in ["// one", "// two", "// one"].enumerated() {
                #expect(try await client.put(path, text).json["version"] == .number(number + 1))
            }
            let list = try await client.get(path).json
            #expect(list["current"] == 3)
            #expect(list["versions"]?.elements?.map { $0["version"] } == [3, 2, 1])
            #expect(list["versions"]?[0]?["sha256"] == list["versions"]?[2]?["sha256"])
            #expect(try await client.get("/v1/projects/WK/live-plugins/1.js").text == "// one")
            #expect(try await client.get("/v1/projects/WK/live-plugins/2.js").text == "// two")
            let tag = try #require(try await client.get("/v1/projects/WK/live-plugins/2.js").header("ETag"))
            let again = try await client.get("/v1/projects/WK/live-plugins/2.js", headers: ["If-None-Match": tag])
            #expect(again.status == 304)
        }
    }

    @Test("Empty, unreadable and too large bundles are refused")
    func refusals() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            #expect(try await client.put(path, "").status == 400)
            #expect(try await client.send("PUT", path, body: [0x61, 0xFF]).status == 400)
            let largest = String(repeating: "x", count: Limits.bundleBytes)
            #expect(try await client.put(path, largest + "x").status == 413)
            #expect(try await client.get(path).json["current"] == .null)
            #expect(try await client.put(path, largest).status == 200)
            #expect(try await client.put("/api/sources/OTHER/live-plugins", "x").status == 404)
            for file in ["2.js", "1", "x.js", "-1.js", "1.js.map"] {
                #expect(try await client.get("/v1/projects/WK/live-plugins/\(file)").status == 404, "\(file)")
            }
        }
    }

    @Test func rollingBackDeploysOlderContentAgain() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            #expect(try await client.post(path + "/rollback", [:]).status == 404)
            for text in ["// one", "// two", "// two", "// three"] { _ = try await client.put(path, text) }
            let back = try await client.post(path + "/rollback", [:]).json
            #expect(back["version"] == 5)
            #expect(back["contentOf"] == 3)
            let chosen = try await client.post(path + "/rollback", ["version": 1]).json
            #expect(chosen["version"] == 6)
            let url = try await client.get("/v1/projects/WK/settings").json["edgeFunction"]?["downloadURL"]?.stringValue
            let address = try #require(url)
            #expect(try await client.get(String(address.dropFirst(client.url.count))).text == "// one")
            #expect(try await client.post(path + "/rollback", ["version": 7]).status == 404)
            #expect(try await client.post("/api/sources/OTHER/live-plugins/rollback", [:]).status == 404)
            #expect(try await client.get(path).json["versions"]?.elements?.count == 6)
        }
    }

    @Test("Switching live plugins off makes a new version without a bundle")
    func disabling() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            _ = try await client.put(path, "// one")
            #expect(try await client.send("DELETE", path, body: nil).json["version"] == 2)
            #expect(
                try await client.get("/v1/projects/WK/settings").json["edgeFunction"]
                    == ["version": 2, "downloadURL": ""])
            #expect(try await client.post(path + "/rollback", ["version": 2]).status == 404)
            #expect(try await client.post(path + "/rollback", [:]).json["contentOf"] == 1)
            #expect(try await client.get("/v1/projects/WK/settings").json["edgeFunction"]?["version"] == 3)
        }
    }

    @Test func signatureReachesClientsAndSurvivesARollback() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let signature = Data(repeating: 7, count: 64).base64EncodedString()
            for wrong in ["x", Data(count: 63).base64EncodedString()] {
                #expect(try await client.put(path, "// one", headers: ["Tributary-Signature": wrong]).status == 400)
            }
            _ = try await client.put(path, "// one", headers: ["Tributary-Signature": signature])
            func served() async throws -> JSON? {
                try await client.get("/v1/projects/WK/settings").json["edgeFunction"]?["signature"]
            }
            #expect(try await served() == .string(signature))
            _ = try await client.put(path, "// two")
            #expect(try await served() == nil)
            _ = try await client.post(path + "/rollback", [:])
            #expect(try await served() == .string(signature))
            let list = try await client.get(path).json["versions"]?.elements
            #expect(list?.map { $0["signed"] } == [true, false, true])
        }
    }
}
