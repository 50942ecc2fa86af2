import Foundation
import TestSupport
import Testing
import Tributary

/// A plugin of the field that keeps the number of its subscription.
private final class Greeting: Plugin {
    let type = PluginType.utility
    weak var analytics: Analytics?
    private let users: AsyncStream<String?>.Continuation
    private var subscription: Int?

    init(_ users: AsyncStream<String?>.Continuation) { self.users = users }

    func configure(analytics: Analytics) {
        self.analytics = analytics
        subscription = analytics.subscribeToUserInfo(on: .global()) { [users] info in users.yield(info.userId) }
    }

    func leave() {
        if let subscription { analytics?.unsubscribe(subscription) }
        users.finish()
    }
}

@Suite("A subscription to the user")
struct SubscriptionsSnippet {
    @Test("A subscription can be ended by its number, and gets no user afterwards")
    func number() async {
        let client = Client()
        client.analytics.identify(userId: "u-1")
        let (users, continuation) = AsyncStream<String?>.makeStream()
        let greeting = Greeting(continuation)
        client.analytics.add(plugin: greeting)
        var seen = users.makeAsyncIterator()
        #expect(await seen.next() == .some("u-1"))
        greeting.leave()
        client.analytics.identify(userId: "u-2")
        #expect(await seen.next() == nil)
        await client.ended()
    }
}
