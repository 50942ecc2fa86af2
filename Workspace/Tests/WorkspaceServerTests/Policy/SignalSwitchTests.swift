import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Switches of signals", .timeLimit(.minutes(30))) struct SignalSwitchTests {
    @Test("Settings have the signal switches of the operator under both of their names")
    func served() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let usual: JSON = ["disableTraffic": false, "sampleRate": 1]
            #expect(try await client.get("/v1/projects/WK/settings").json["autoInstrumentation"] == usual)
            let before = try await client.get("/v1/projects/WK/settings").header("ETag")
            let switches = #"{"sampleRate":0.5,"sources":{"network":{"sampleRate":0.1},"swiftUI":{"enabled":false}}}"#
            #expect(try await client.put("/api/sources/WK/policy", #"{"signals":\#(switches)}"#).status == 200)
            let answer = try await client.get("/v1/projects/WK/settings")
            let expected: JSON = [
                "disableTraffic": false, "sampleRate": 0.5,
                "sources": ["network": ["enabled": true, "sampleRate": 0.1], "swiftUI": ["enabled": false]],
            ]
            #expect(try answer.json["autoInstrumentation"] == expected)
            #expect(try answer.json["autoInstrumentationSettings"] == expected)
            #expect(answer.header("ETag") != before)
        }
    }
}
