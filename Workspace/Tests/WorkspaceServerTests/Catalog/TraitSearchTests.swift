import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("People by their traits, and groups", .timeLimit(.minutes(30))) struct TraitSearchTests {
    private static func identify(_ user: String?, _ id: String, _ traits: JSON, device: String = "d") -> JSON {
        [
            "type": "identify", "messageId": .string(id), "userId": .string(user), "anonymousId": .string(device),
            "traits": traits,
        ]
    }

    private static func group(_ user: String, _ group: String, _ id: String, _ traits: JSON = [:]) -> JSON {
        [
            "type": "group", "messageId": .string(id), "userId": .string(user), "groupId": .string(group),
            "traits": traits,
        ]
    }

    private func found(_ path: String, _ workspace: TestWorkspace) async throws -> JSON {
        let answer = try await workspace.client.get(path)
        #expect(answer.status == 200, "\(answer.text)")
        let last = try #require(answer.text.split(separator: "\n").last)
        return try #require(try JSON.parse(String(last))["result"], "\(last)")
    }

    @Test("A person is found by a part of any trait or of the id, without its case, with the newest traits")
    func people() async throws {
        try await TestWorkspace.run { workspace async throws in
            try await workspace.client.batch([
                Self.identify("u-1", "a", ["email": "anna@old.example"]),
                Self.identify("u-1", "b", ["email": "Anna@new.example", "company": ["name": "Müller & Söhne"]]),
                Self.identify("u-2", "c", ["name": "Ben", "age": 42]),
                Self.identify(nil, "d", ["name": "Nobody"], device: "dev-1"),
                ["type": "track", "event": "anna", "userId": "anna-3", "messageId": "e"],
            ])
            for (text, users) in [
                ("ANNA", ["u-1"]), ("new.ex", ["u-1"]), ("m%C3%BCller", ["u-1"]), ("M%C3%9CLLER", ["u-1"]),
                ("42", ["u-2"]),
                ("u-", ["u-2", "u-1"]), ("none", []),
            ] as [(String, [String])] {
                let result = try await found("/api/people?writeKey=WK&search=\(text)", workspace)
                #expect(result["people"]?.elements?.map { $0["userId"]?.stringValue } == users, "\(text)")
            }
            let anna = try await found("/api/people?writeKey=WK&search=anna", workspace)["people"]?.elements?.first
            #expect(anna?["traits"]?["email"] == "Anna@new.example")
            let nobody = try await found("/api/people?writeKey=WK&search=nobody", workspace)["people"]?.elements?.first
            #expect(nobody?["userId"] == .null && nobody?["anonymousId"] == "dev-1")
            let cut = try await found("/api/people?writeKey=WK&search=u-&limit=1", workspace)
            #expect(cut["isCut"] == true && cut["people"]?.elements?.count == 1)
            // An erased person is not found.
            #expect(try await workspace.client.send("DELETE", "/api/users/u-1", body: nil).status == 200)
            #expect(try await found("/api/people?writeKey=WK&search=anna", workspace)["people"] == [])
        }
    }

    @Test("Groups have their newest traits and each member once, and a group lists its members")
    func groups() async throws {
        try await TestWorkspace.run { workspace async throws in
            try await workspace.client.batch([
                Self.group("u-1", "g-1", "a", ["name": "Old"]), Self.group("u-2", "g-1", "b", ["name": "New"]),
                Self.group("u-2", "g-1", "c", ["name": "Newest"]), Self.group("u-1", "g-2", "d", ["name": "Other"]),
            ])
            let result = try await found("/api/groups?writeKey=WK", workspace)
            let groups = try #require(result["groups"]?.elements)
            #expect(groups.map { $0["groupId"] } == ["g-1", "g-2"] && groups.map { $0["members"] } == [2, 1])
            #expect(groups.first?["traits"] == ["name": "Newest"] && result["count"] == 2)
            let searched = try await found("/api/groups?writeKey=WK&search=OTHER", workspace)
            #expect(searched["groups"]?.elements?.map { $0["groupId"] } == ["g-2"])
            let members = try await found("/api/groups/members?writeKey=WK&groupId=g-1", workspace)
            #expect(members["count"] == 2 && members["members"]?.elements?.map { $0["userId"] } == ["u-2", "u-1"])
            #expect(try await found("/api/groups/members?writeKey=WK&groupId=g", workspace)["count"] == 0)
        }
    }

    @Test("A search passes events by their bytes, and finds what JSON writes in another way")
    func bytes() throws {
        for (event, text, isFound) in [
            (#"{"userId":"u","traits":{"n":"\u0041nna"}}"#, "anna", true),
            (#"{"userId":"u","traits":{"n":"a\/b"}}"#, "a/b", true),
            (#"{"userId":"u","traits":{"n":"\#u{212A}elvin"}}"#, "kelvin", true),
            (#"{"userId":"u","traits":{"n":"x"}}"#, "anna", false),
            (#"{"userId":"u","anna":1,"traits":{"anna":"x"}}"#, "anna", false), ("no JSON anna", "anna", false),
            (#"{"userId":"u","traits":{"a":{"b":["Anna"]}}}"#, "anna", true),
            (#"{"userId":"u","context":{"traits":{"n":"Anna"}}}"#, "anna", true), (#"{"traits":"anna"}"#, "anna", true),
        ] as [(String, String, Bool)] {
            var people = FoundPeople(text, limit: 5)
            people.take(Array(event.utf8), at: 1)
            #expect((people.json["people"] != []) == isFound, "\(event) \(text)")
        }
    }

    @Test("One of twenty thousand people is found") func many() throws {
        let events = (0..<20_000).map { number in
            Array(
                """
                {"type":"identify","userId":"user-\(number)","traits":{"email":"person\(number)@example.com","name":"Name \(number)"},\
                "context":{"library":{"name":"l","version":"1"},"os":{"name":"iOS","version":"18.1"},"locale":"en-US"}}
                """.utf8)
        }
        var people = FoundPeople("person17777@", limit: 50)
        for event in events { people.take(event, at: 1) }
        #expect(people.json["people"]?.elements?.map { $0["userId"] } == ["user-17777"])
        #expect(people.looked == 20_000)
    }
}
