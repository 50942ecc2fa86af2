import Crypto
import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The log of deployments", .timeLimit(.minutes(30))) struct DeploymentLogTests {
    private static let path = "/api/sources/WK/live-plugins"
    private static let log = "/v1/projects/WK/live-plugins/log"

    @Test("The settings prove that each served version stands in the log, and the log names all versions")
    func settings() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let empty = try await client.get(Self.log).json
            #expect(empty["size"] == 0 && empty["entries"] == [])
            for number in 1...5 {
                _ = try await client.put(Self.path + (number == 5 ? "?percentage=5" : ""), "// \(number)")
            }
            let edge = try await client.get("/v1/projects/WK/settings").json["edgeFunction"]
            let published = try await client.get(Self.log).json
            #expect(published["entries"]?.elements?.compactMap { $0["version"]?.intValue } == [1, 2, 3, 4, 5])
            let entries = (1...5).map { number in
                let sha256 = SHA256.hash(data: Data("// \(number)".utf8)).hexadecimal
                return BundleLog.Entry(version: Int64(number), sha256: sha256)
            }
            let tree = try #require(BundleLog(entries))
            #expect(published["root"] == .string(tree.root()) && published["size"] == 5)
            let address = JSON.string(client.url + Self.log)
            #expect(edge?["version"] == 4 && edge?["staged"]?["version"] == 5)
            for (served, version) in [(edge, Int64(4)), (edge?["staged"], 5)] {
                #expect(served?["log"] == tree.proof(of: version)?.json(url: client.url + Self.log))
                #expect(served?["log"]?["url"] == address)
            }
            let growth = try await client.get(Self.log + "?from=3&to=5").json
            let proof = try tree.consistency(from: 3, to: 5)
            #expect(growth == ["from": 3, "to": 5, "proof": .strings(proof)])
        }
    }

    @Test("Sizes that the log does not have are refused, and unknown keys have no log")
    func refused() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            _ = try await client.put(Self.path, "// one")
            for query in [
                "?from=0", "?from=2", "?from=1&to=2", "?from=-1", "?from=x", "?from=9223372036854775807",
                "?from=1&to=0", "?from=1&to=-9223372036854775808",
            ] {
                #expect(try await client.get(Self.log + query).status == 400, "\(query)")
            }
            #expect(try await client.get(Self.log + "?from=1").json["proof"] == [])
            #expect(try await client.get("/v1/projects/unknown/live-plugins/log").status == 404)
        }
    }

    @Test("Without a version in between there is no proof")
    func holes() {
        let entry = { BundleLog.Entry(version: $0, sha256: "") }
        #expect(BundleLog([entry(1), entry(3)]) == nil)
        #expect(BundleLog([entry(2)]) == nil)
        #expect(BundleLog([entry(1), entry(1)]) == nil)
        #expect(BundleLog([]) != nil)
        #expect(BundleLog([entry(1)])?.proof(of: 2) == nil)
        #expect(BundleLog([entry(1)])?.proof(of: 0) == nil)
    }

    @Test("Several signatures reach devices, and apps that know one take the first")
    func signatures() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let both = [7, 8].map { Data(repeating: $0, count: 64).base64EncodedString() }
            let header = both.joined(separator: ", ")
            for wrong in ["", ",", header + ",x", Array(repeating: both[0], count: 17).joined(separator: ",")] {
                let answer = try await client.put(Self.path, "// one", headers: ["Tributary-Signature": wrong])
                #expect(answer.status == 400, "\(wrong)")
            }
            _ = try await client.put(Self.path, "// one", headers: ["Tributary-Signature": header])
            let edge = try await client.get("/v1/projects/WK/settings").json["edgeFunction"]
            #expect(edge?["signature"] == .string(both[0]))
            #expect(edge?["signatures"] == .strings(both))
            // An export carries what an import takes.
            let version = try await client.get(Self.path).json["versions"]?[0]
            #expect(version?["signature"] == .string(both.joined(separator: ",")))
        }
    }
}
