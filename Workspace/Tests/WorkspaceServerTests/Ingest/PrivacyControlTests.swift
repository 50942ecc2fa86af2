import Testing
import TributaryJSON

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The header of Global Privacy Control", .timeLimit(.minutes(30))) struct PrivacyControlTests {
    private func request(_ asks: Bool) -> AcceptedRequest {
        AcceptedRequest(
            form: .batch, isCompressed: false, source: 1, receivedAt: 2, uploadedAt: nil, asksForPrivacy: asks,
            body: [1])
    }

    @Test("It is kept with each event of a request, and refuses what the policy names")
    func kept() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            var own = Events.track(messageId: "own")
            own["context"] = ["globalPrivacyControl": false, "ip": "1.2.3.4"]
            let batch: JSON = [
                "writeKey": "WK", "batch": [Events.track(messageId: "plain"), own], "context": ["app": "a"],
            ]
            _ = try await client.post("/v1/b", batch, headers: ["Sec-GPC": "1"])
            var single = Events.track(messageId: "single")
            single["writeKey"] = "WK"
            _ = try await client.post("/v1/track", single, headers: ["Sec-GPC": "1"])
            single["messageId"] = "without"
            _ = try await client.post("/v1/track", single, headers: ["Sec-GPC": "0"])
            let contexts = try await client.events().map { $0["event"]?["context"] }
            #expect(contexts[0] == ["app": "a", "globalPrivacyControl": true])
            #expect(contexts[1] == ["globalPrivacyControl": false, "ip": "1.2.3.4", "app": "a"])
            #expect(contexts[2] == ["globalPrivacyControl": true])
            #expect(contexts[3] == JSON?.none)
        }
    }

    @Test("A request without it is written as before, and one with it waits for nodes that know it")
    func records() throws {
        for asks in [true, false] {
            #expect(AcceptedRequest(request(asks).encoded) == request(asks))
            let record = ClusterRecord.of(request(asks), rows: 3)
            #expect(record.first == (asks ? 2 : 1))
            #expect(try ClusterRecord(record).request == request(asks))
            #expect(try ClusterRecord(record).rows == 3)
        }
        #expect(throws: LogError.self) { try ClusterRecord([9, 0, 0, 0, 0, 1]) }
    }
}
