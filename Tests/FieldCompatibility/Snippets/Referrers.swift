import Foundation
import TestSupport
import Testing
import Tributary

private struct LinkOptions: Codable { var source = "mail" }

@Suite("Where the user came from")
struct ReferrersSnippet {
    @Test("The referrer is a URL in the user's info and in the context of later events")
    func referrer() async throws {
        let client = Client()
        let url = try #require(URL(string: "https://a.test/b?c=d"))
        client.analytics.openURL(url, options: LinkOptions())
        client.analytics.openURL(url, options: LinkOptions?.none)
        let seen: UserInfo = await withCheckedContinuation { done in
            client.analytics.subscribeToUserInfo(on: .global()) { [once = Atomic(wrappedValue: false)] info in
                var isFirst = false
                once.mutate {
                    isFirst = !$0; $0 = true
                }
                if isFirst { done.resume(returning: info) }
            }
        }
        #expect(seen.referrer == url)
        #expect(seen.referrer?.host == "a.test")
        let copy = try JSONDecoder().decode(UserInfo.self, from: JSONEncoder().encode(seen))
        #expect(copy == seen)
        client.analytics.track(name: "A")
        _ = await client.flushed()
        #expect(client.server.events.first?["properties"]?["source"] == "mail")
        #expect(client.server.events.last?["context"]?["referrer"]?["url"] == "https://a.test/b?c=d")
    }
}
