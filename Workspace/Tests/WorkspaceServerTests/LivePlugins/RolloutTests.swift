import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Staged live plugins", .timeLimit(.minutes(30))) struct RolloutTests {
    private let path = "/api/sources/WK/live-plugins"

    @Test("A larger percentage keeps the devices of a smaller one, and another version begins with other devices")
    func share() {
        let devices = (0..<10_000).map { "device-\($0)" }
        func chosen(_ percentage: Int, _ version: Int64 = 1) -> Set<String> {
            Set(devices.filter { Rollout.has($0, of: .livePlugins, version: version, percentage: percentage) })
        }
        #expect(chosen(0).isEmpty)
        #expect(chosen(100).count == devices.count)
        #expect((900...1100).contains(chosen(10).count))
        #expect(chosen(10).isSubset(of: chosen(25)))
        #expect(chosen(10, 2) != chosen(10))
        // The device decides by the same rule in another program, so the rule must never change.
        #expect(
            devices.prefix(20).filter { Rollout.has($0, of: .livePlugins, version: 7, percentage: 30) } == Self.golden)
    }

    private static let golden = [
        "device-2", "device-3", "device-4", "device-6", "device-7", "device-8", "device-9", "device-13", "device-16",
        "device-17", "device-18",
    ]

    @Test("Settings have both versions, and a request of a device gets the version of the device")
    func settings() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            func edge(_ query: String = "") async throws -> JSON? {
                try await client.get("/v1/projects/WK/settings\(query)").json["edgeFunction"]
            }
            #expect(try await client.put(path + "?percentage=40", "// first").json["percentage"] == 40)
            #expect(try await edge()?["version"] == nil)
            #expect(try await edge()?["staged"]?["percentage"] == 40)
            #expect(try await client.post(path + "/widen", ["percentage": 100]).status == 200)
            #expect(try await edge()?["version"] == 1)
            #expect(try await edge()?["staged"] == nil)

            _ = try await client.put(path + "?percentage=40", "// second")
            #expect(try await edge()?["version"] == 1)
            #expect(try await edge()?["staged"]?["version"] == 2)
            let list = try await client.get(path).json
            #expect(list["current"] == 2)
            #expect(list["forAll"] == 1)
            var versions: [Bool: Set<Int>] = [:]
            for number in 0..<40 {
                let edge = try await edge("?device=d-\(number)")
                #expect(edge?["staged"] == nil)
                let isChosen = Rollout.has("d-\(number)", of: .livePlugins, version: 2, percentage: 40)
                versions[isChosen, default: []].insert(edge?["version"]?.intValue ?? 0)
            }
            #expect(versions == [true: [2], false: [1]])

            #expect(try await client.put(path + "?percentage=10", "// third").status == 409)
            #expect(try await client.post(path + "/widen", ["percentage": 30]).status == 409)
            #expect(try await client.post(path + "/widen", ["percentage": 0]).status == 400)
            #expect(try await client.put(path + "?percentage=101", "// third").status == 400)
            // A rollback is a new version for all devices, so devices with the staged version go back, too.
            #expect(try await client.post(path + "/rollback", [:]).json["version"] == 3)
            #expect(try await edge()?["version"] == 3)
            #expect(try await edge()?["staged"] == nil)
            #expect(try await client.get("/v1/projects/WK/live-plugins/3.js").text == "// first")
            #expect(try await client.post(path + "/widen", ["percentage": 100]).status == 409)
        }
    }
}
