import Testing

@testable import Storefront

@Suite struct ServerAddressTests {
    @Test func aWorkspaceHasBothUnderOnePath() throws {
        let address = try ServerAddress(server: "http://127.0.0.1:8484/", apiHost: nil, cdnHost: nil)
        #expect(address.apiHost == "http://127.0.0.1:8484/v1")
        #expect(address.cdnHost == "http://127.0.0.1:8484/v1")
    }

    @Test func otherServersHaveOneForEach() throws {
        let address = try ServerAddress(
            server: "http://127.0.0.1:8484", apiHost: "events.example.com/v1", cdnHost: "https://cdn.example.com/v1")
        #expect(address.apiHost == "events.example.com/v1")
        #expect(address.cdnHost == "https://cdn.example.com/v1")
    }

    @Test(arguments: ["", "ftp://example.com", "http://", "http://a b"])
    func whatIsNoAddressIsRefused(_ text: String) {
        #expect(throws: InputProblem.self) { try ServerAddress(server: "http://x", apiHost: text, cdnHost: nil) }
    }
}
