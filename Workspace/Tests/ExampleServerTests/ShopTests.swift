import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing
import Tributary
import TributaryJSON
import TributaryTesting

@testable import ExampleServer

@Suite("The example server")
struct ShopTests {
    private let client = TestClient()

    private var application: some ApplicationProtocol {
        Application(router: Shop(analytics: client.analytics).router())
    }

    @Test("An order makes an event of its user")
    func order() async throws {
        try await application.test(.router) { test in
            try await test.execute(
                uri: "/orders?user=u-1", method: .post, headers: [.contentType: "application/json"],
                body: ByteBuffer(string: #"{"total":42.5,"currency":"EUR"}"#)
            ) { response in #expect(response.status == .created) }
        }
        let tracked = await client.events()
        #expect(tracked.map { $0.userId } == ["u-1"])
        try await client.expectTracked("Order Completed", with: ["total": 42.5, "currency": "EUR"])
    }

    @Test("A refused order makes no event")
    func refused() async throws {
        try await application.test(.router) { test in
            try await test.execute(
                uri: "/orders?user=u-1", method: .post, headers: [.contentType: "application/json"],
                body: ByteBuffer(string: #"{"total":-1,"currency":"EUR"}"#)
            ) { response in #expect(response.status == .badRequest) }
        }
        try await client.expectNoEvents()
    }

    @Test("A request without a user makes no event")
    func nobody() async throws {
        try await application.test(.router) { test in
            try await test.execute(uri: "/products/lamp", method: .get) { response in
                #expect(response.status == .ok)
            }
        }
        try await client.expectNoEvents()
    }
}
