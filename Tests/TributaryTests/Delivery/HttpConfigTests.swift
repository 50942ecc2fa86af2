import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("httpConfig")
struct HttpConfigTests {
    @Test("Members of the settings' httpConfig apply, and the others stay as the app set them")
    func members() {
        let own = HttpConfig(
            backoffConfig: BackoffConfig(enabled: true, baseBackoffInterval: 7, maxBackoffInterval: 70))
        let (config, problems) = HttpConfig.read(
            [
                "rateLimitConfig": ["enabled": false, "maxRetryCount": 5, "maxRetryInterval": 60],
                "backoffConfig": [
                    "maxBackoffInterval": 90, "jitterPercent": 0, "default4xxBehavior": "drop",
                    "statusCodeOverrides": ["410": "drop", "404": "Retry"], "aMemberOfTheFuture": [1],
                ],
            ], over: own)
        #expect(problems.isEmpty)
        #expect(config.rateLimitConfig == RateLimitConfig(enabled: false, maxRetryCount: 5, maxRetryInterval: 60))
        #expect(config.backoffConfig.baseBackoffInterval == 7)
        #expect(config.backoffConfig.maxBackoffInterval == 90)
        #expect(config.backoffConfig.jitterPercent == 0)
        #expect(config.backoffConfig.statusCodeOverrides == [410: .drop, 404: .retry])
    }

    @Test(
        "Values out of range are clamped and reported",
        arguments: [
            (#"{"backoffConfig":{"baseBackoffInterval":0}}"#, "baseBackoffInterval is 0.1"),
            (#"{"backoffConfig":{"baseBackoffInterval":1e999}}"#, "baseBackoffInterval is 60"),
            (#"{"backoffConfig":{"maxBackoffInterval":1e18}}"#, "maxBackoffInterval is 3600"),
            (#"{"backoffConfig":{"maxBackoffInterval":-5}}"#, "maxBackoffInterval is 1"),
            (#"{"backoffConfig":{"maxTotalBackoffDuration":99999999}}"#, "maxTotalBackoffDuration is 604800"),
            (#"{"backoffConfig":{"jitterPercent":101}}"#, "jitterPercent is 100"),
            (#"{"backoffConfig":{"maxRetryCount":-1}}"#, "backoffConfig.maxRetryCount is 0"),
            (#"{"rateLimitConfig":{"maxRetryCount":100000}}"#, "rateLimitConfig.maxRetryCount is 1000"),
            (#"{"rateLimitConfig":{"maxRetryInterval":100000}}"#, "maxRetryInterval is 3600"),
            (#"{"backoffConfig":{"statusCodeOverrides":{"200":"drop"}}}"#, "statusCodeOverrides cannot have 200"),
            (#"{"backoffConfig":{"statusCodeOverrides":{"410":"maybe"}}}"#, "statusCodeOverrides is not valid"),
            (#"{"backoffConfig":{"statusCodeOverrides":{"x":"drop"}}}"#, "statusCodeOverrides is not valid"),
            (#"{"backoffConfig":{"jitterPercent":"much"}}"#, "jitterPercent is not valid"),
            (#"{"backoffConfig":[]}"#, "backoffConfig is not an object"),
        ])
    func ranges(text: String, problem: String) throws {
        let (config, problems) = HttpConfig.read(try JSON.parse([UInt8](text.utf8)), over: .standard)
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix(problem) == true, "\(problems)")
        #expect(config == config.validated())
    }

    @Test("Changed delays apply at once, and clamped values are reported once")
    func atRunTime() async {
        let server = TestServer()
        let client = Client(server: server)
        await client.processed()
        server.answerSettings([
            "integrations": [
                "Segment.io": ["httpConfig": ["backoffConfig": ["baseBackoffInterval": 600, "jitterPercent": 0]]]
            ]
        ])
        for _ in 0..<2 {
            await withCheckedContinuation { done in client.analytics.refreshSettings { done.resume() } }
        }
        server.answerNext(500)
        client.analytics.track(name: "A")
        client.analytics.flush()
        await client.reported(.delivery, count: 1)
        let paused = client.diagnostics.all(.delivery).first
        #expect(paused?.message.contains("next try in 60 s") == true, "\(String(describing: paused))")
        let clamped = client.diagnostics.all(.settings).filter { $0.reason == .httpConfig }
        #expect(clamped.count == 1)
    }

    @Test("Values of the app that are out of range are reported as the app's")
    func ownValues() async {
        let client = Client { $0.httpConfig(HttpConfig(backoffConfig: BackoffConfig(jitterPercent: 500))) }
        await client.processed()
        await client.reported(.configuration, count: 1)
        #expect(client.diagnostics.all(.configuration).first?.message.contains("jitterPercent is 100") == true)
    }

    @Test("An app's HttpConfig has the field's defaults, and a client without one has the library's own")
    func defaults() {
        let config = HttpConfig()
        #expect(!config.rateLimitConfig.enabled && !config.backoffConfig.enabled)
        #expect(config.rateLimitConfig.maxRetryInterval == 300)
        #expect(config.backoffConfig.baseBackoffInterval == 0.5)
        #expect(config.backoffConfig.jitterPercent == 10)
        #expect(config.backoffConfig.statusCodeOverrides[501] == .drop)
        // A disabled configuration changes nothing.
        let (plain, disabled) = (DeliveryPolicy(), DeliveryPolicy(config))
        for status in 100..<600 {
            let answer = DeliveryPolicy.Answer(status: status, retryAfter: 1000)
            let (one, other) = (
                plain.decide(answer, events: 3, history: .init(failures: 2), random: 0.3),
                disabled.decide(answer, events: 3, history: .init(failures: 2), random: 0.3)
            )
            #expect(one.action == other.action)
        }
    }

    @Test("HttpConfig is written as JSON and read again, with defaults for missing members")
    func coded() throws {
        let config = HttpConfig(
            rateLimitConfig: RateLimitConfig(enabled: true, maxRetryInterval: 7),
            backoffConfig: BackoffConfig(enabled: true, statusCodeOverrides: [410: .drop]))
        #expect(try JSON(with: config).decode(HttpConfig.self) == config)
        let some = try JSON.parse(#"{"backoffConfig":{"enabled":true,"statusCodeOverrides":{"404":"drop"}}}"#)
        let read = try some.decode(HttpConfig.self)
        #expect(read.rateLimitConfig == RateLimitConfig())
        #expect(read.backoffConfig == BackoffConfig(enabled: true, statusCodeOverrides: [404: .drop]))
    }
}
