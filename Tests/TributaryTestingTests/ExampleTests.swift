import Testing
import Tributary
import TributaryTesting

/// What an app might have: code that gets its analytics client from outside.
struct Checkout {
    let analytics: Analytics

    func complete(total: Double) {
        analytics.track(name: "Order Completed", properties: ["total": total, "currency": "EUR"])
    }
}

@Suite("The example of the documentation")
struct CheckoutTests {
    // begin: docs/guides/testing.md
    @Test("A completed order is tracked once, also while the server fails")
    func orderCompleted() async throws {
        let client = TestClient()
        client.server.answerNext(503)
        Checkout(analytics: client.analytics).complete(total: 42)
        try await client.expectTracked("Order Completed", with: ["total": 42], times: 1)
        try await client.expectNotTracked("Checkout Abandoned")
        await client.flushed()
        #expect(client.server.events.isEmpty)
        #expect(client.analytics.hasUnsentEvents)
    }
    // end
}
