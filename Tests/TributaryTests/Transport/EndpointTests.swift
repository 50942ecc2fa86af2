import Testing

@testable import Tributary

@Suite struct EndpointTests {
    @Test(
        "An address has a usable port, or none",
        arguments: [
            ("api.example.com/v1", true), ("http://localhost:8484/v1", true), ("http://[::1]:65535/v1", true),
            ("https://a:b@example.com/v1", true), ("http://localhost:99999/v1", false), ("localhost:65536", false),
            ("http://[::1]:99999", false), ("http://localhost:99999999999999999999/v1", false),
            ("http://localhost:0/v1", false), ("http://localhost:-1", false), ("http://", false), ("", false),
        ])
    func ports(text: String, isAddress: Bool) {
        #expect((Endpoint(text) != nil) == isAddress)
    }
}
