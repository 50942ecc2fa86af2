import Foundation
import Testing

@testable import AnalyticsLive

@Suite("Which requests make signals")
struct NetworkRulesTests {
    private func captures(
        _ address: String, allowed: [String] = ["*"], blocked: [String] = [], own: [String] = []
    ) throws -> Bool {
        let url = try #require(URL(string: address))
        return NetworkRules(allowed: allowed, blocked: blocked, own: own).capture(url)
    }

    @Test("The documented example: two hosts are captured, a blocked and an unlisted host are not")
    func documented() throws {
        let config = SignalsConfiguration(
            writeKey: "KEY", useNetworkAutoSignal: true,
            allowedNetworkHosts: ["api.myapp.com", "api.myanalytics.com"], blockedNetworkHosts: ["internal.myapp.com"])
        let rules = NetworkRules(allowed: config.allowedNetworkHosts, blocked: config.blockedNetworkHosts)
        let seen = try ["api.myapp.com", "api.myanalytics.com", "internal.myapp.com", "example.com"].map { host in
            rules.capture(try #require(URL(string: "https://\(host)/path?x=1")))
        }
        #expect(seen == [true, true, false, false])
    }

    @Test("The hosts of Segment's services are never captured", arguments: SignalsConfiguration.autoBlockedHosts)
    func alwaysBlocked(host: String) throws {
        #expect(SignalsConfiguration.autoBlockedHosts.count == 6)
        for spelling in [host, host.uppercased(), host + ".", host + ":443", "user:pass@" + host] {
            #expect(try !captures("https://\(spelling)/v1/b", allowed: ["*", host]), "\(spelling)")
        }
    }

    @Test("The client's own hosts are never captured, with any path")
    func own() throws {
        let own = ["http://127.0.0.1:8484/v1", "events.example.com/v1", "https://hooks.example.com/in?x=1", "", "%%"]
        for address in [
            "http://127.0.0.1:8484/v1/b", "http://127.0.0.1:8484/other", "https://events.example.com/v1/b",
            "https://hooks.example.com/in", "https://api.segment.io/v1/b", "https://signals.segment.io/v1/b",
        ] {
            #expect(try !captures(address, own: own), "\(address)")
        }
        #expect(try captures("http://127.0.0.1:9000/products", own: own))  // the app's own server on the same machine
    }

    @Test("Patterns match hosts below a host, a port, or a path with everything below it")
    func patterns() throws {
        let cases: [(String, String, Bool)] = [
            ("*.example.com", "https://api.example.com/", true), ("*.example.com", "https://a.b.example.com/", true),
            ("*.example.com", "https://example.com/", false), ("*.example.com", "https://notexample.com/", false),
            ("*.example.com", "https://api.example.com.evil.org/", false),
            ("example.com", "https://api.example.com/", false), ("API.Example.com", "https://api.example.com/", true),
            ("localhost:8080", "http://localhost:8080/x", true), ("localhost:8080", "http://localhost:8081/x", false),
            ("example.com:443", "https://example.com/", true), ("example.com:80", "https://example.com/", false),
            ("example.com/private", "https://example.com/private", true),
            ("example.com/private/", "https://example.com/private/x", true),
            ("example.com/private", "https://example.com/privateer", false),
            ("https://example.com/a/*/c", "http://example.com/a/b/c", true),
            ("[::1]:8080", "http://[::1]:8080/", true), ("[::1]", "http://[::1]:8080/", true),
            ("example.com.", "https://example.com/", true), ("", "https://example.com/", false),
        ]
        for (pattern, address, expected) in cases {
            #expect(try captures(address, allowed: [pattern]) == expected, "\(pattern) \(address)")
        }
    }

    @Test(
        "Only HTTP is captured",
        arguments: ["ws://example.com/", "file:///etc/hosts", "data:,x", "http:/x", "x"])
    func otherSchemes(address: String) throws { #expect(try !captures(address)) }

    @Test("A pattern of many stars is fast on a long host")
    func manyStars() throws {
        let pattern = String(repeating: "*a", count: 200) + "*b"
        #expect(try !captures("http://\(String(repeating: "a", count: 5000)).example/", allowed: [pattern]))
    }
}
