import Testing

@testable import Storefront

@Suite struct ServerAddressTests {
    @Test("A workspace takes events and serves settings under one address")
    func workspaceAddress() throws {
        let address = try ServerAddress(server: "http://127.0.0.1:8484/", apiHost: nil, cdnHost: nil)
        #expect(address.apiHost == "http://127.0.0.1:8484/v1")
        #expect(address.cdnHost == "http://127.0.0.1:8484/v1")
    }

    @Test("Events and settings can have separate addresses")
    func separateHosts() throws {
        let address = try ServerAddress(
            server: "http://127.0.0.1:8484", apiHost: "events.example.com/v1", cdnHost: "https://cdn.example.com/v1")
        #expect(address.apiHost == "events.example.com/v1")
        #expect(address.cdnHost == "https://cdn.example.com/v1")
    }

    @Test(
        "An invalid address of a server is refused",
        arguments: ["", "ftp://example.com", "http://", "http://a b"])
    func invalidAddress(_ text: String) {
        #expect(throws: InputProblem.self) { try ServerAddress(server: "http://x", apiHost: text, cdnHost: nil) }
    }
}
