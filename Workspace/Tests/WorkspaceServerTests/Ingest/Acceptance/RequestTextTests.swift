import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Bodies that are checked on an event loop") struct RequestTextTests {
    private static let most = Limits.checkedOnEventLoop

    @Test("A text up to the limit is short, as it is and compressed", arguments: [0, 1, most])
    func short(count: Int) throws {
        let text = [UInt8](repeating: 0x61, count: count)
        #expect(RequestText.short(text, isCompressed: false) == text)
        #expect(RequestText.short(try Gzip.compress(text), isCompressed: true) == text)
    }

    @Test("A longer text is not short, however small it is compressed") func long() throws {
        let text = [UInt8](repeating: 0x61, count: Self.most + 1)
        #expect(RequestText.short(text, isCompressed: false) == nil)
        let compressed = try Gzip.compress(text)
        #expect(compressed.count < 1_000)
        #expect(RequestText.short(compressed, isCompressed: true) == nil)
        let lying = compressed.dropLast(4) + [1, 0, 0, 0]
        #expect(RequestText.short(Array(lying), isCompressed: true) == nil)
    }

    @Test(
        "What is not gzip is not short, so that its error is made in one place",
        arguments: [[], [1, 2, 3], [1, 2, 3, 0, 0]])
    func damaged(bytes: [UInt8]) {
        #expect(RequestText.short(bytes, isCompressed: true) == nil)
    }

    @Test("A server takes texts beyond the limit, as they are and compressed", .timeLimit(.minutes(30)))
    func server() async throws {
        try await TestWorkspace.run(in: TemporaryFolder()) { workspace in
            let client = workspace.client
            func body(_ name: String) -> [UInt8] {
                let batch = (0..<1_000).map { Events.track(messageId: "\(name)-\($0)") }
                return (["batch": .array(batch), "writeKey": "WK"] as JSON).encoded()
            }
            #expect(body("a").count > 2 * Self.most)
            #expect(try await client.send("POST", "/v1/b", body: body("a")).status == 200)
            let compressed = try Gzip.compress(body("b"))
            #expect(compressed.count < Self.most)
            let gzip = ["Content-Encoding": "gzip"]
            #expect(try await client.send("POST", "/v1/b", body: compressed, headers: gzip).status == 200)
            #expect(try await client.get("/api/stats").json["stored"]?.intValue == 2_000)
        }
    }
}
