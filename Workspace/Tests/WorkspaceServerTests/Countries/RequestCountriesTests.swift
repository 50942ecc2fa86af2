import ClusterTestKit
import Testing
import TributaryJSON

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The countries of a request") struct RequestCountriesTests {
    private let database: CountryDatabase

    init() throws {
        database = try CountryDatabase(
            CountryDatabases.countries(["10.0.0.0/8": "IT", "20.0.0.0/8": "ES", "2001:db8::/32": "FR"]).bytes)
    }

    private func countries(
        _ body: String, _ form: RequestForm = .batch, by policy: CountryPolicy = .connection,
        from connection: String? = nil
    ) -> RequestCountries? {
        RequestCountries(database, of: Array(body.utf8), form, by: policy, connection: connection)
    }

    private func codes(_ countries: RequestCountries?, _ count: Int) -> [String?] {
        (0..<count).map { countries?[$0]?.description }
    }

    @Test("An event has the country of its own address, then of that of its batch, then of the connection")
    func addresses() {
        let events = #"[{},{"context":{"ip":"20.0.0.1"}},{"context":{"ip":"2001:db8::9"}},{"context":{}}]"#
        #expect(
            codes(countries(#"{"batch":\#(events)}"#, from: "10.0.0.1"), 4) == ["IT", "ES", "FR", "IT"])
        #expect(
            codes(countries(#"{"context":{"ip":"20.1.1.1"},"batch":\#(events)}"#, from: "10.0.0.1"), 4)
                == ["ES", "ES", "FR", "ES"])
        #expect(codes(countries(#"{"batch":[{},{}]}"#, from: "10.0.0.1"), 2) == ["IT", "IT"])
        let single = #"{"event":"E","context":{"ip":"20.0.0.1"}}"#
        #expect(codes(countries(single, .single(.track), from: "10.0.0.1"), 1) == ["ES"])
        #expect(codes(countries("{}", .single(.track), from: "::ffff:10.0.0.1"), 1) == ["IT"])
    }

    @Test(
        "An event with an address that says nothing has no country",
        arguments: ["null", #""""#, #""0.0.0.0""#, #""192.168.1.1""#, "7", "{}", #""10.0.0.1.""#])
    func unknownAddresses(ip: String) {
        let body = #"{"batch":[{"context":{"ip":\#(ip)}},{}]}"#
        #expect(codes(countries(body, from: "10.0.0.1"), 2) == [nil, "IT"])
    }

    @Test("Nothing is looked up that the policy or the request does not ask for") func nothing() {
        let body = #"{"batch":[{"context":{"ip":"20.0.0.1"}},{}]}"#
        #expect(codes(countries(body, by: .sent, from: "10.0.0.1"), 2) == ["ES", nil])
        #expect(countries(body, by: .none, from: "10.0.0.1") == nil)
        #expect(countries(#"{"batch":[{}]}"#, by: .sent, from: "10.0.0.1") == nil)
        #expect(countries(#"{"batch":[{}]}"#, from: "127.0.0.1") == nil)
        #expect(countries(#"{"batch":[{}]}"#, from: nil) == nil)
        #expect(countries(#"{"traces":[{}]}"#, .traces, from: "10.0.0.1") == nil)
        #expect(countries("[{}]", .signals, from: "10.0.0.1") == nil)
    }

    @Test("A context that is no object, and an item that is none, are no address") func noObjects() {
        #expect(
            codes(countries(#"{"batch":[{"context":"ip"},7,{"context":["ip"]},{"context":{"ip":"20.0.0.1"}}]}"#), 4)
                == [nil, nil, nil, "ES"])
        // The last one of a repeated name counts, as everywhere.
        let repeated = #"{"batch":[{"context":{"ip":"10.0.0.1","\u0069p":"20.0.0.1"}}]}"#
        #expect(codes(countries(repeated), 1) == ["ES"])
    }

    @Test("Without an explicit policy, a source that stores no address gets no country") func policies() throws {
        #expect(CountryPolicy.auto.resolved(.drop) == .none)
        for address in [AddressPolicy.asSent, .keep, .truncate] {
            #expect(CountryPolicy.auto.resolved(address) == .connection)
        }
        for policy in [CountryPolicy.connection, .sent, .none] { #expect(policy.resolved(.drop) == policy) }
        var policy = try SourcePolicy(["ip": "drop"])
        #expect(policy.json["country"] == "auto")
        // Nodes of a version before know no countries.
        #expect(policy.stored["country"] == nil)
        policy = try policy.changed(by: ["country": "sent"])
        #expect(try SourcePolicy(policy.stored) == policy)
        #expect(try policy.changed(by: ["country": .null]).country == .auto)
        #expect(throws: Refusal.self) { try policy.changed(by: ["country": "DE"]) }
    }

    // MARK: Records

    private func request(_ countries: RequestCountries?, asksForPrivacy: Bool = false) -> AcceptedRequest {
        AcceptedRequest(
            form: .batch, isCompressed: false, source: 7, receivedAt: 5, uploadedAt: 3,
            address: AddressRule(policy: .keep, address: "192.0.2.7"), asksForPrivacy: asksForPrivacy,
            countries: countries, body: [1, 2, 3])
    }

    private func made(_ codes: [String?]) -> RequestCountries? {
        RequestCountries(codes.map { $0.flatMap { CountryCode($0.utf8) } })
    }

    @Test("The countries of a request survive the journal", arguments: [["IT"], ["IT", nil, "ES"], [nil, nil, "ES"]])
    func record(codes: [String?]) throws {
        let request = request(made(codes))
        #expect(AcceptedRequest(request.encoded) == request)
        #expect(request.encoded.first == 2)
        #expect(AcceptedRequest.source(of: request.encoded) == 7)
        for count in 0..<request.encoded.count - 3 {
            let cut = AcceptedRequest(Array(request.encoded.prefix(count)))
            #expect(cut == nil || cut?.body.count ?? 0 < 3)
        }
        let longest = try #require(made((0..<Limits.eventsInBatch).map { $0 % 2 == 0 ? "IT" : nil }))
        #expect(longest.encoded.count == RequestCountries.mostBytes)
        #expect(AcceptedRequest(self.request(longest).encoded)?.countries == longest)
    }

    @Test("A request without countries is written as before, so that an older program can read it") func older() {
        #expect(request(nil).encoded.first == 1)
        #expect(ClusterRecord.of(request(nil), rows: 1).first == 1)
        #expect(ClusterRecord.of(request(nil, asksForPrivacy: true), rows: 1).first == 2)
        #expect(ClusterRecord.of(request(made(["IT"])), rows: 1).first == 3)
    }

    @Test("Each part of a request for a cluster has the countries of its events") func parts() throws {
        let devices = ["a", "b", "c", "d", "a"]
        let addresses = ["10.0.0.1", "20.0.0.1", "1.1.1.1", "2001:db8::1", "20.0.0.1"]
        let items = zip(devices, addresses).map { device, address in
            #"{"type":"page","messageId":"\#(address)","anonymousId":"\#(device)","context":{"ip":"\#(address)"}}"#
        }
        let body = Array(#"{"batch":[\#(items.joined(separator: ","))]}"#.utf8)
        let request = AcceptedRequest(
            form: .batch, isCompressed: false, source: 7, receivedAt: 5, uploadedAt: nil,
            countries: RequestCountries(database, of: body, .batch, by: .connection, connection: nil), body: body)
        var found: [String: String] = [:]
        for part in try RequestParts.of(request, plain: body, partitions: 8) {
            let record = try ClusterRecord(ClusterRecord.of(part.request, rows: part.rows))
            let stored = try #require(record.request)
            for event in try RequestIndexing.batch(stored, at: JournalOffset(epoch: 1, sequence: 1)).events {
                let country = try JSON.parse(event.body)["context"]?["location"]?["country"]
                found[event.messageId] = country?.stringValue ?? "none"
            }
        }
        #expect(found == ["10.0.0.1": "IT", "20.0.0.1": "ES", "1.1.1.1": "none", "2001:db8::1": "FR"])
    }

    // MARK: Events

    private func stored(_ event: String, shared: String = "{}", country: String? = "IT") throws -> IncomingBatch {
        let request = AcceptedRequest(
            form: .batch, isCompressed: false, source: 7, receivedAt: 5, uploadedAt: nil,
            countries: country.flatMap { made([$0]) }, body: Array(#"{"context":\#(shared),"batch":[\#(event)]}"#.utf8))
        return try RequestIndexing.batch(request, at: JournalOffset(epoch: 1, sequence: 1))
    }

    @Test(
        "The country is added to what the sender wrote, and changes none of it",
        arguments: [
            ("{}", "{}", #"{"location":{"country":"IT"}}"#),
            (#"{"a":1.50}"#, "{}", #"{"a":1.50,"location":{"country":"IT"}}"#),
            (#"{"location":{ "city": "Roma" }}"#, "{}", #"{"location":{"city":"Roma","country":"IT"}}"#),
            (#"{"location":{"country":"DE"}}"#, "{}", #"{"location":{"country":"DE"}}"#),
            (#"{"location":{"country":null}}"#, "{}", #"{"location":{"country":null}}"#),
            (#"{"location":{"\u0063ountry":1}}"#, "{}", #"{"location":{"\u0063ountry":1}}"#),
            (#"{"location":null}"#, "{}", #"{"location":null}"#),
            (#"{"location":"Roma"}"#, "{}", #"{"location":"Roma"}"#),
            (#"{"location":1,"location":{}}"#, "{}", #"{"location":{"country":"IT"}}"#),
            ("{}", #"{"location":{"city":"Roma"},"b":2}"#, #"{"b":2,"location":{"city":"Roma","country":"IT"}}"#),
            ("{}", #"{"location":{"country":"DE"}}"#, #"{"location":{"country":"DE"}}"#),
            (#"{"location":{}}"#, #"{"location":{"country":"DE"}}"#, #"{"location":{"country":"IT"}}"#),
            ("7", "{}", "7"),
        ])
    func event(own: String, shared: String, context: String) throws {
        let event = #"{"type":"page","userId":"u","messageId":"m","context":\#(own)}"#
        let batch = try stored(event, shared: shared)
        let body = String(decoding: try #require(batch.events.first).body, as: UTF8.self)
        #expect(body == #"{"type":"page","userId":"u","messageId":"m","context":\#(context)}"#)
    }

    @Test("An event without a context gets one") func noContext() throws {
        let batch = try stored(#"{"type":"page","userId":"u","messageId":"m"}"#)
        let body = try JSON.parse(try #require(batch.events.first).body)
        #expect(body["context"] == ["location": ["country": "IT"]])
    }

    @Test("An event that has no room for its country is stored without it") func large() throws {
        let event = #"{"type":"page","userId":"u","messageId":"m","properties":{"a":""}}"#
        let text = String(repeating: "x", count: Limits.eventBytes - event.utf8.count)
        let largest = event.replacing(#""a":"""#, with: #""a":"\#(text)""#)
        #expect(largest.utf8.count == Limits.eventBytes)
        let batch = try stored(largest)
        #expect(batch.rejected.isEmpty)
        #expect(try #require(batch.events.first).body.count == Limits.eventBytes)
    }
}
