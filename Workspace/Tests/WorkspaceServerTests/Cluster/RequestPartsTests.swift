import Testing
import TributaryJSON

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The parts of a request for the partitions of a log") struct RequestPartsTests {
    private static let partitions = 8

    private func batch(_ body: String, isCompressed: Bool = false) -> AcceptedRequest {
        request(.batch, body, isCompressed: isCompressed)
    }

    private func request(_ form: RequestForm, _ body: String, isCompressed: Bool = false) -> AcceptedRequest {
        AcceptedRequest(
            form: form, isCompressed: isCompressed, source: 7, receivedAt: 5, uploadedAt: 3,
            address: AddressRule(policy: .truncate, address: "192.0.2.7"), body: Array(body.utf8))
    }

    private func parts(
        _ request: AcceptedRequest, plain: String? = nil
    ) throws -> [RequestParts.Part] {
        try RequestParts.of(
            request, plain: plain.map { Array($0.utf8) } ?? request.body, partitions: Self.partitions)
    }

    private func partition(_ device: String) -> Int {
        ClusterRecord.partition(source: 7, device: device, of: Self.partitions)
    }

    /// The events of a part: their ids, as the indexer reads them.
    private func ids(_ part: RequestParts.Part) throws -> [String] {
        let found = try RequestIndexing.batch(part.request, at: JournalOffset(epoch: 1, sequence: 1))
        return found.events.map(\.messageId) + found.traces.map(\.messageId) + found.signals.map(\.messageId)
            + found.rejected.compactMap(\.messageId)
    }

    @Test("A request of one device stays as it is, also when it is compressed") func oneDevice() throws {
        let text = #"{"batch":[{"anonymousId":"a","type":"track"},{"anonymousId":"a","userId":"u"}],"writeKey":"WK"}"#
        let compressed = batch("not looked at", isCompressed: true)
        #expect(
            try parts(compressed, plain: text)
                == [RequestParts.Part(partition: partition("a"), request: compressed, rows: 2)])
    }

    @Test("Each device's events go to the device's partition, in their order, with all that holds for every event")
    func severalDevices() throws {
        let devices = ["a", "b", "c", "d", "e", "a", "b"]
        let items = devices.enumerated().map { index, device in
            #"{"type":"track","event":"E","messageId":"m\#(index)","anonymousId":"\#(device)"}"#
        }
        let body = """
            {"writeKey":"WK","sentAt":"2026-11-24T10:00:00Z","context":{"app":{"name":"é \\"shop\\""}},
             "integrations":{"All":true},"batch":[\(items.joined(separator: " , "))]}
            """
        let parts = try parts(batch(body))
        #expect(parts.count == Set(devices.map(partition)).count)
        #expect(parts.map(\.rows).reduce(0, +) == devices.count)
        for part in parts {
            let expected = devices.indices.filter { partition(devices[$0]) == part.partition }.map { "m\($0)" }
            #expect(try ids(part) == expected)
            #expect(part.request.uploadedAt == 3)
            #expect(part.request.address?.address == "192.0.2.7")
            let json = try JSON.parse(part.request.body)
            #expect(json["context"]?["app"]?["name"]?.stringValue == "é \"shop\"")
            #expect(json["integrations"]?["All"]?.boolValue == true)
            #expect(json["sentAt"]?.stringValue == "2026-11-24T10:00:00Z")
        }
    }

    @Test("Without an anonymous id the user id decides; an item that says nothing goes with the others")
    func otherIds() throws {
        let body = #"{"batch":[7,{"userId":"u","messageId":"1"},{"anonymousId":null,"userId":"u","messageId":"2"}]}"#
        #expect(try parts(batch(body)).map(\.partition) == [partition("u")])
        #expect(try parts(batch(#"{"batch":[7,null]}"#)).map(\.rows) == [2])
    }

    @Test("A single event goes to its device's partition") func single() throws {
        let one = request(.single(.track), #"{"event":"E","anonymousId":"b","messageId":"1"}"#)
        #expect(try parts(one) == [RequestParts.Part(partition: partition("b"), request: one, rows: 1)])
    }

    @Test("A trace goes by its message id and a signal by its device") func tracesAndSignals() throws {
        let traces = (0..<20).map {
            #"{"messageId":"m\#($0)","type":"track","trackedAt":"2026-11-24T10:00:00Z","outcome":"sent","stages":[]}"#
        }
        for part in try parts(request(.traces, #"{"traces":[\#(traces.joined(separator: ","))]}"#)) {
            #expect(try ids(part) == (0..<20).map { "m\($0)" }.filter { partition($0) == part.partition })
        }
        let signals = ["a", "b", "c"].enumerated().map {
            #"{"type":"interaction","anonymousId":"\#($1)","index":\#($0),"timestamp":"2026-11-24T10:00:00Z"}"#
        }
        let found = try parts(request(.signals, "[\(signals.joined(separator: ","))]"))
        #expect(found.map(\.partition) == Set(["a", "b", "c"].map(partition)).sorted())
        #expect(try found.flatMap { try ids($0) }.count == 3)
    }

    @Test("All parts together have exactly the items of the request") func everything() throws {
        var random = SeededNumbers(seed: 5)
        for _ in 0..<200 {
            let items: [String] = (0..<Int.random(in: 1...30, using: &random)).map { index in
                let device = ["a", "b", "ä\\u00e9", "", "x\\\"y"].randomElement(using: &random) ?? ""
                let rest =
                    ["", #","properties":{"batch":[1,{"a":"]}"}]}"#, #","userId":"u""#].randomElement(using: &random)
                    ?? ""
                return #"{"type":"track","event":"E","messageId":"m\#(index)","anonymousId":"\#(device)"\#(rest)}"#
            }
            let parts = try parts(batch(#"{"batch":[\#(items.joined(separator: ","))]}"#))
            let all = try parts.flatMap { try ids($0) }
            #expect(Set(all) == Set(items.indices.map { "m\($0)" }))
            #expect(all.count == items.count)
        }
    }
}
