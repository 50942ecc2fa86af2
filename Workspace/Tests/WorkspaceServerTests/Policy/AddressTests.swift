import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Addresses", .timeLimit(.minutes(30))) struct AddressTests {
    /// The stored addresses of events with an address, without an address, and with an address in the batch.
    private func stored(_ policy: String) async throws -> [JSON?] {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            _ = try await client.put("/api/sources/WK/policy", #"{"ip":"\#(policy)"}"#)
            try await client.batch([
                ["type": "screen", "userId": "u", "messageId": "m-1", "context": ["ip": "203.0.113.77", "a": 1]],
                ["type": "screen", "userId": "u", "messageId": "m-2"],
            ])
            _ = try await client.post(
                "/v1/b",
                [
                    "writeKey": "WK", "context": ["ip": "2001:db8:1:2:3::4"],
                    "batch": [["type": "screen", "userId": "u", "messageId": "m-3"]],
                ])
            // An event without a user is rejected, but its address counts.
            try await client.batch([["type": "screen", "messageId": "m-4", "context": ["ip": "203.0.113.77"]]])
            var events = try await client.events()
            #expect(events.first?["event"]?["context"]?["a"] == 1)
            events += try await client.get("/api/rejected").json["rejected"]?.elements ?? []
            return events.map { $0["event"]?["context"]?["ip"] }
        }
    }

    @Test("By default the address in an event is stored, and no address is added")
    func asSent() async throws {
        #expect(try await stored("asSent") == ["203.0.113.77", nil, "2001:db8:1:2:3::4", "203.0.113.77"])
    }

    @Test("With keep, an event without an address gets the address of the connection")
    func keep() async throws {
        #expect(try await stored("keep") == ["203.0.113.77", "127.0.0.1", "2001:db8:1:2:3::4", "203.0.113.77"])
    }

    @Test("With truncate, addresses only name their network")
    func truncate() async throws {
        #expect(try await stored("truncate") == ["203.0.113.0", "127.0.0.0", "2001:db8:1::", "203.0.113.0"])
    }

    @Test("With drop, no address is stored")
    func drop() async throws { #expect(try await stored("drop") == [nil, nil, nil, nil]) }

    @Test("With drop, an unreadable request is kept without its possible addresses")
    func unreadable() throws {
        let rule = try #require(AddressRule(.drop, connection: "127.0.0.1"))
        #expect(rule.applied(to: Array(#"{"context":{"ip":"203.0.113.77"}"#.utf8)) == Array("{}".utf8))
        #expect(rule.applied(to: Array(#"{"context":{}"#.utf8)) == Array(#"{"context":{}"#.utf8))
    }

    @Test(
        "Addresses are shortened to their networks",
        arguments: [
            ("1.2.3.4", "1.2.3.0"), ("::ffff:1.2.3.4", "1.2.3.0"), ("2001:db8:aa:bb::1", "2001:db8:aa::"),
            ("::1", "::"), ("no address", nil), ("1.2.3", nil), ("", nil),
        ])
    func networks(text: String, network: String?) { #expect(AddressPolicy.network(of: text) == network) }

    @Test("Only the headers of a trusted proxy count")
    func proxies() throws {
        let proxies = try TrustedProxies(["10.0.0.1", "10.0.0.2"])
        #expect(proxies.client(peer: "10.0.0.1", forwarded: ["6.6.6.6, 1.2.3.4"]) == "1.2.3.4")
        #expect(proxies.client(peer: "10.0.0.1", forwarded: ["6.6.6.6", "1.2.3.4, 10.0.0.2"]) == "1.2.3.4")
        #expect(proxies.client(peer: "9.9.9.9", forwarded: ["1.2.3.4"]) == "9.9.9.9")
        #expect(proxies.client(peer: "10.0.0.1", forwarded: []) == "10.0.0.1")
        #expect(proxies.client(peer: "10.0.0.1", forwarded: ["<script>"]) == "10.0.0.1")
        #expect(try TrustedProxies(["0:0:0:0:0:0:0:1"]).client(peer: "::1", forwarded: ["1.2.3.4"]) == "1.2.3.4")
        // A server that listens on IPv6 sees a proxy with an IPv4 address so.
        #expect(proxies.client(peer: "::ffff:10.0.0.2", forwarded: ["1.2.3.4"]) == "1.2.3.4")
        #expect(proxies.client(peer: "::ffff:10.0.0.9", forwarded: ["1.2.3.4"]) == "::ffff:10.0.0.9")
    }

    @Test(
        "A proxy that is no address is refused",
        arguments: ["nginx", "10.0.0.0/8", "10.0.0.1:80", "http://10.0.0.1", ""])
    func noProxy(text: String) {
        #expect {
            _ = try TrustedProxies([text])
        } throws: { "\($0)".contains("is no address: give the one from which it connects") }
    }

    @Test("The address rule of a request survives the journal", arguments: [AddressPolicy.keep, .truncate, .drop])
    func record(policy: AddressPolicy) throws {
        let request = AcceptedRequest(
            form: .batch, isCompressed: true, source: 7, receivedAt: 5, uploadedAt: 6,
            address: AddressRule(policy, connection: "2001:db8:1:2::9"), body: [1, 2, 3])
        #expect(AcceptedRequest(request.encoded) == request)
        for count in 0..<request.encoded.count - 3 {
            let cut = AcceptedRequest(Array(request.encoded.prefix(count)))
            #expect(cut == nil || cut?.body.count ?? 0 < 3)
        }
    }
}
