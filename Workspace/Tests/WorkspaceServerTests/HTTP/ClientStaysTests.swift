import Testing
import TributaryJSON

@testable import WorkspaceServer

@Suite("Long work of a request") struct ClientStaysTests {
    @Test("An answer that refuses long work says that its connection ends, so no client uses it again")
    func refused() async throws {
        try await TestWorkspace.run { workspace async throws in
            for _ in 0..<10 {
                let refused = try await workspace.client.get("/api/sources/none/plan/differing")
                #expect(refused.status == 404)
                #expect(refused.header("Connection") == "close")
                #expect(try await workspace.client.get("/api/sources").status == 200)
            }
        }
    }
}
