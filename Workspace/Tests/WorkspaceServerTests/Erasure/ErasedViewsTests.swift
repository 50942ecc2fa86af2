import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Saved questions and erasures", .timeLimit(.minutes(30))) struct ErasedViewsTests {
    private func view(_ name: String, _ query: String) throws -> SavedView {
        let encoded = try #require(
            query.addingPercentEncoding(
                withAllowedCharacters: .urlQueryAllowed.subtracting(CharacterSet(charactersIn: "?#\""))))
        return try ViewChange(name, ["place": "events", "query": .string(encoded)]).applied(to: nil, by: nil, now: 1)
    }

    @Test(
        "A question asks for a person with a condition on an id, and mentions one elsewhere",
        arguments: [
            ("where=userId=u-1", SavedView.Naming.asks), (#"where=userId="u-1""#, .asks),
            ("where=traits.id=u-1", .asks),
            ("where=context.traits.id!=u-1", .asks), ("where=anonymousId=d-1", .asks), ("filter=u-1", .asks),
            (#"steps=[{"name":"A"},{"name":"B","where":["userId=u-1"]}]"#, .asks),
            (#"first={"name":"A","where":["properties.user_id~u-1"]}"#, .asks),
            ("where=properties.seller=u-1", .mentions), ("filter=by u-1", .mentions), ("where=userId=u-12", nil),
            ("where=userId", nil), ("days=30", nil), ("where=properties.total>1", nil),
        ] as [(String, SavedView.Naming?)])
    func naming(_ query: String, _ naming: SavedView.Naming?) throws {
        #expect(try view("q", query).naming(of: ["u-1", "d-1"]) == naming)
    }

    @Test("An id that is a short number does not remove questions about other numbers")
    func shortId() throws {
        #expect(try view("q", "where=properties.total>10").naming(of: ["10"]) == .mentions)
        #expect(try view("q", "where=userId=10").naming(of: ["10"]) == .asks)
        #expect(try view("of u-1", "").naming(of: ["u-1"]) == .mentions)
    }

    @Test("An erasure removes the questions that ask for the user and names the others, and the audit log has no name")
    func erasure() async throws {
        try await TestWorkspace.run { workspace in
            let client = workspace.client
            try await client.batch([
                ["type": "track", "event": "A", "messageId": "m", "userId": "u-1", "anonymousId": "d-1"]
            ])
            try await client.batch([["type": "track", "event": "B", "messageId": "n", "anonymousId": "d-1"]])
            for (name, query) in [
                ("about-u-1", "where=userId%3Du-1"), ("device", "where=anonymousId%3Dd-1"),
                ("seller", "where=seller%3Du-1"),
                ("all", "by=name"),
            ] {
                let body = #"{"place":"explore","query":"\#(query)","board":1}"#
                #expect(try await client.put("/api/views/\(name)", body).status == 201)
            }
            var response = try await client.send("DELETE", "/api/users/u-1", body: nil)
            // On a busy machine the erasure takes longer than a request waits.
            while response.status == 202 {
                response = try await client.send("DELETE", "/api/users/u-1", body: nil)
            }
            let answer = try response.json
            #expect(answer["removedQuestions"] == ["about-u-1", "device"], "\(answer)")
            #expect(answer["questionsWithId"] == ["seller"])
            let left = try await client.get("/api/views").json["views"]?.elements ?? []
            #expect(left.compactMap { $0["name"]?.stringValue } == ["all", "seller"])
            #expect(left.compactMap { $0["board"]?.intValue }.sorted() == [1, 2])
            let audit = try await workspace.store.newestAudit(limit: 1)
            #expect(audit[0]["details"]?["removedQuestions"] == 2)
            #expect(!audit.description.contains("about-u-1"))
        }
    }
}
