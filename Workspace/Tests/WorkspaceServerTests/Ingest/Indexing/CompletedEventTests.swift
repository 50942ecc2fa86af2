import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite struct CompletedEventTests {
    private static let keys = ["a", "b", "ip", "traits", "é", "location"]
    private static let values = [
        "1", "1.50", "null", #""x""#, #"{"c":[1]}"#, #""203.0.113.77""#, "{}", #"{"country":"DE"}"#,
    ]

    private func object(_ numbers: inout SeededNumbers) -> String {
        let members = (0..<Int.random(in: 0...5, using: &numbers)).map { _ in
            "\"\(Self.keys.randomElement(using: &numbers) ?? "")\":\(Self.values.randomElement(using: &numbers) ?? "")"
        }
        return "{\(members.joined(separator: ","))}"
    }

    /// The same by values instead of text.
    private func expected(_ event: String, _ shared: [(String, String)], _ rule: AddressRule?, _ country: CountryCode?)
        throws -> JSON
    {
        var object = try #require(try JSON.parse(event).objectValue)
        for (key, text) in shared {
            guard object[key] == nil || object[key]?.objectValue != nil else { continue }
            var merged = object[key]?.objectValue ?? JSONObject()
            let members = try #require(try JSON.parse(text).objectValue)
            for (name, value) in members where merged[name] == nil { merged[name] = value }
            if object[key] != nil || !merged.isEmpty { object[key] = .object(merged) }
        }
        guard object["context"] == nil || object["context"]?.objectValue != nil else { return .object(object) }
        var context = object["context"]?.objectValue ?? JSONObject()
        let location = context["location"] ?? [:]
        if let country, var members = location.objectValue, members["country"] == nil {
            members["country"] = .string("\(country)")
            context["location"] = .object(members)
        }
        switch rule?.change(context["ip"]) ?? .none {
        case .none: break
        case .set(let ip): context["ip"] = .string(ip)
        case .remove: context.removeValue(forKey: "ip")
        }
        let hasOwn = try JSON.parse(event)["context"] != nil
        object["context"] = hasOwn || !context.isEmpty ? .object(context) : nil
        return .object(object)
    }

    @Test("What is added to the text of an event is what would be added to its values")
    func sameAsValues() throws {
        var numbers = SeededNumbers(seed: 1)
        for _ in 0..<2_000 {
            let own = Bool.random(using: &numbers) ? #","context":\#(object(&numbers))"# : ""
            let earlier = Int.random(in: 0..<5, using: &numbers) == 0 ? #","context":\#(object(&numbers))"# : ""
            let event = #"{"type":"page"\#(earlier),"userId":"u"\#(own),"x":1}"#
            let shared = [("context", object(&numbers)), ("integrations", object(&numbers))]
            let policy = AddressPolicy.allCases.randomElement(using: &numbers) ?? .asSent
            let rule = AddressRule(policy, connection: "192.0.2.7")
            let country = Bool.random(using: &numbers) ? CountryCode("IT".utf8) : nil
            let body = #"{"context":\#(shared[0].1),"integrations":\#(shared[1].1),"batch":[\#(event)]}"#
            let request = AcceptedRequest(
                form: .batch, isCompressed: false, source: 1, receivedAt: 5, uploadedAt: nil, address: rule,
                countries: RequestCountries([country]),
                body: Array(body.utf8))
            let batch = try RequestIndexing.batch(request, at: JournalOffset(epoch: 1, sequence: 1))
            let first = try #require(batch.events.first)
            let json = try JSON.parse(first.body)
            var stored = try #require(json.objectValue)
            stored.removeValue(forKey: "messageId")
            #expect(JSON.object(stored) == (try expected(event, shared, rule, country)), "\(body) with \(policy)")
        }
    }
}
