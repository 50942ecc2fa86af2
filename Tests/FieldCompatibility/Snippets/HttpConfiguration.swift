import Foundation
import TestSupport
import Testing
import Tributary

@Suite("httpConfig as the field writes it")
struct HttpConfigurationSnippet {
    @Test("HttpConfig has the field's defaults, limits and JSON")
    func values() throws {
        let config = HttpConfig(
            rateLimitConfig: RateLimitConfig(enabled: true, maxRetryInterval: 9999),
            backoffConfig: BackoffConfig(enabled: true, baseBackoffInterval: 0.5, statusCodeOverrides: [503: .retry]))
        #expect(config.rateLimitConfig.validated().maxRetryInterval == 3600)
        #expect(config.backoffConfig.jitterPercent == 10)
        #expect(BackoffConfig().statusCodeOverrides[408] == .retry)
        #expect(!HttpConfig().backoffConfig.enabled)
        let text =
            #"{"rateLimitConfig":{"enabled":true,"maxRetryCount":3},"backoffConfig":{"default5xxBehavior":"drop"}}"#
        let read = try JSONDecoder().decode(HttpConfig.self, from: Data(text.utf8))
        #expect(read.rateLimitConfig == RateLimitConfig(enabled: true, maxRetryCount: 3))
        #expect(read.backoffConfig.default5xxBehavior == .drop)
        let copy = try JSONDecoder().decode(HttpConfig.self, from: JSONEncoder().encode(config))
        #expect(copy == config)
    }

    @Test("A client accepts an HttpConfig and nil")
    func client() async {
        let client = Client { $0.httpConfig(HttpConfig()).httpConfig(nil) }
        client.analytics.track(name: "A")
        #expect(await client.flushed() == .sent)
    }
}
