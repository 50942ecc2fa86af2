import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Ids that look the same", .timeLimit(.minutes(30))) struct ExactIdTests {
    /// One character and two, which look the same.
    private static let ids = ["J\u{FC}rgen", "Ju\u{308}rgen"]

    @Test("Two users whose ids only look the same are two users in People, traits and conditions")
    func people() async throws {
        try await TestWorkspace.run { workspace async throws in
            func run(_ arguments: String...) async throws -> CommandRun.Outcome {
                try await CommandRun.finish(
                    arguments + ["--write-key", "WK", "--server", workspace.client.url])
            }
            for (number, id) in Self.ids.enumerated() {
                try await workspace.client.batch([
                    [
                        "type": "identify", "userId": .string(id), "anonymousId": "phone",
                        "messageId": .string("m-\(number)"),
                        "traits": .object(["\u{FC}": 1, "u\u{308}": 2]),
                        "properties": ["name": .string(id)],
                    ]
                ])
            }
            let list = try await run("people", "--json").output.split(separator: "\n")
            let found = try list.compactMap { try JSON.parse(String($0))["id"]?.stringValue.map { Array($0.utf8) } }
            #expect(Set(found) == Set(Self.ids.map { Array($0.utf8) }))
            for (number, id) in Self.ids.enumerated() {
                let events = try await run("people", "--user", id, "--json").output.split(separator: "\n")
                #expect(try events.map { try JSON.parse(String($0))["messageId"] } == [.string("m-\(number)")])
                let shown = try await run("people", "--user", id).output
                #expect(shown.utf8.count(where: { $0 == UInt8(ascii: ":") }) >= 2)
                #expect(shown.contains("\u{FC}: 1") && shown.contains("u\u{308}: 2"), "\(shown)")
                let event: JSON = ["userId": .string(id)]
                let other = Self.ids[1 - number]
                for (condition, isHeld) in [
                    ("userId=\(id)", true), ("userId=\(other)", false), ("userId!=\(other)", true),
                ] {
                    let condition = try JSONCondition(condition)
                    let holds = try event.encoded().withUnsafeBufferPointer { try condition.holds($0) }
                    #expect(holds == isHeld)
                }
            }
        }
    }

    @Test("Trace orders and erasures keep ids apart that only look the same")
    func keys() {
        #expect(Set(Self.ids.map(TraceSubject.user)).count == 2)
        #expect(TraceSubject.user("a") != TraceSubject.anonymous("a"))
        #expect(Set(Self.ids.map(ExactText.init)).count == 2)
    }

    @Test(
        "A user whose id cannot be part of an address is erased", arguments: ["..", ".", "a/b", "%2E%2E", "a+b", "?"])
    func erase(id: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            try await workspace.client.batch([
                Events.track(messageId: "m-1", userId: id), Events.track(messageId: "m-2", userId: "other"),
            ])
            let outcome = try await CommandRun.finish([
                "erase", "--user", id, "--yes", "--server", workspace.client.url,
            ])
            #expect(outcome.output.hasPrefix("erased: 1 events"), "\(outcome.errors)")
            #expect(try await workspace.client.events().map { $0["messageId"] } == ["m-2"])
            #expect(try await workspace.client.send("DELETE", "/api/users", body: nil).status == 400)
        }
    }
}
