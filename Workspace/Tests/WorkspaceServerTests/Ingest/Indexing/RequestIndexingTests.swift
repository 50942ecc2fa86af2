import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite struct RequestIndexingTests {
    private let place = JournalOffset(epoch: 1, sequence: 1)

    private func request(_ body: String, _ address: AddressRule? = nil) -> AcceptedRequest {
        AcceptedRequest(
            form: .batch, isCompressed: false, source: 1, receivedAt: 5, uploadedAt: nil, address: address,
            body: Array(body.utf8))
    }

    private func events(_ count: Int) -> String {
        (0..<count).map { #"{"type":"page","userId":"u","messageId":"m-\#($0)"}"# }.joined(separator: ",")
    }

    @Test("Events that would be too large with the context of their batch are rejected without being built")
    func largeContext() throws {
        let members = (0..<100_000).map { #""member-\#($0)":\#($0)"# }.joined(separator: ",")
        let body = #"{"context":{\#(members)},"batch":[\#(events(2_500))]}"#
        let batch = try RequestIndexing.batch(request(body), at: place)
        #expect(batch.events.isEmpty)
        #expect(batch.rejected.count == 2_500)
        #expect(batch.rejected.allSatisfy { $0.rejection.code == .tooLarge })
        #expect(batch.rejected.last?.messageId == "m-2499")
    }

    @Test("A member that an event has itself does not make the search through a large context long")
    func largeContextWithOwnMembers() throws {
        let members = (0..<100_000).map { #""\#($0)":\#($0)"# }.joined(separator: ",")
        let event = #"{"type":"page","userId":"u","context":{"7":1}}"#
        let body =
            #"{"context":{\#(members)},"batch":[\#(Array(repeating: event, count: 2_500).joined(separator: ","))]}"#
        #expect(try RequestIndexing.batch(request(body), at: place).rejected.count == 2_500)
    }

    @Test("A batch that costs too much for its size is stored in part, and names what was rejected")
    func budget() throws {
        let context = String(repeating: "x", count: 31 << 10)
        let body = #"{"integrations":{"a":"\#(context)"},"batch":[\#(events(2_500))]}"#
        let batch = try RequestIndexing.batch(request(body), at: place)
        #expect(batch.byteCount < body.utf8.count * (Limits.costOfByte + 2))
        #expect(batch.events.count + batch.rejected.count == 2_500)
        #expect(batch.events.count > 250)
        #expect(batch.rejected.allSatisfy { $0.rejection.code == .tooCostly })
        #expect(batch.rejected.first?.messageId == "m-\(batch.events.count)")
        #expect(try RequestIndexing.batch(request(body), at: place).events.count == batch.events.count)
    }

    @Test(
        "A batch of the smallest events with a context of 3 KB is stored whole, and so is one of any size without a context",
        arguments: [1, 100, 2_500])
    func smallest(_ count: Int) throws {
        let small = Array(repeating: #"{"type":"page","userId":"u"}"#, count: count).joined(separator: ",")
        #expect(try RequestIndexing.batch(request(#"{"batch":[\#(small)]}"#), at: place).events.count == count)
        let context = String(repeating: "x", count: 3 << 10)
        let body = #"{"context":{"a":"\#(context)"},"batch":[\#(small)]}"#
        #expect(try RequestIndexing.batch(request(body), at: place).events.count == count)
    }

    @Test("A batch of events with ids and a time is stored whole, whatever it shares with them")
    func ordinary() throws {
        let events = (100_000..<100_600).map { number in
            #"{"type":"track","event":"Order Completed","anonymousId":"507f191e-810c-4729-9de8-60ea1b\#(number)","#
                + #""messageId":"6a1b7c2e-91d4-4c1e-8f1a-0a12bc\#(number)","timestamp":"2026-01-01T10:00:00.000Z"}"#
        }
        let context = String(repeating: "x", count: Limits.eventBytes - 400)
        let body = #"{"context":{"a":"\#(context)"},"batch":[\#(events.joined(separator: ","))]}"#
        #expect(try RequestIndexing.batch(request(body), at: place).events.count == 600)
    }

    @Test("The work ends between items when the server ends")
    func ending() throws {
        var looks = 0
        let batch = try RequestIndexing.batch(request(#"{"batch":[\#(events(2_500))]}"#), at: place) {
            looks += 1
            return looks == 3
        }
        #expect(batch == nil)
        #expect(looks == 3)
    }

    @Test(
        "The address policy changes nothing but the address",
        arguments: [
            (AddressPolicy.keep, #"{"a":1.50,"x":1,"ip":"192.0.2.7"}"#, #"{"ip":"203.0.113.77","x":1}"#),
            (.truncate, #"{"a":1.50,"x":1,"ip":"192.0.2.0"}"#, #"{"x":1,"ip":"203.0.113.0"}"#),
            (.drop, #"{"a":1.50,"x":1}"#, #"{"x":1}"#),
        ])
    func address(_ policy: AddressPolicy, _ without: String, _ with: String) throws {
        let body = """
            {"context":{"x":1},"batch":[{"type":"page","userId":"u","messageId":"m","context":{"a":1.50}},
            {"type":"page","userId":"u","messageId":"m","context":{"ip":"1.2.3.4"},"context":{"ip":"203.0.113.77"}}]}
            """
        let rule = AddressRule(policy, connection: "192.0.2.7")
        let bodies = try RequestIndexing.batch(request(body, rule), at: place).events.map(\.body)
        #expect(
            bodies.map { String(decoding: $0, as: UTF8.self) }
                == [without, with].map { #"{"type":"page","userId":"u","messageId":"m","context":\#($0)}"# })
    }
}
