import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The command for people", .timeLimit(.minutes(30))) struct PeopleCommandTests {
    @Test("The command lists users, and shows one user over all devices, without control characters")
    func people() async throws {
        try await TestWorkspace.run { workspace async throws in
            func run(_ arguments: String...) async throws -> CommandRun.Outcome {
                try await CommandRun.finish(
                    ["people", "--write-key", "WK", "--server", workspace.client.url] + arguments)
            }
            #expect(try await run().output == "no user or device was seen yet\n")
            func event(_ number: Int, _ more: JSON) -> JSON {
                var event: JSON = [
                    "messageId": .string("m-\(number)"), "timestamp": .string("2026-11-20T10:00:0\(number)Z"),
                    "anonymousId": "phone",
                ]
                for (key, value) in more.objectValue ?? [:] { event[key] = value }
                return event
            }
            try await workspace.client.batch([
                event(1, ["type": "track", "event": "As A Guest"]),
                event(2, ["type": "identify", "userId": "ada", "traits": ["plan": "free", "odd": "a\u{1B}[31m"]]),
                event(3, ["type": "identify", "userId": "ada", "traits": ["plan": "pro"]]),
                event(4, ["type": "group", "userId": "ada", "groupId": "acme"]),
                event(5, ["type": "track", "event": "On The Tablet", "userId": "ada", "anonymousId": "tablet"]),
                event(6, ["type": "track", "event": "Of Somebody", "userId": "bert", "anonymousId": "tablet"]),
            ])
            let list = try await run().output
            #expect(list.contains("ada") && list.contains("bert") && list.contains("phone"), "\(list)")
            let shown = try await run("--user", "ada")
            #expect(shown.status == 0, "\(shown.errors)")
            for words in ["plan: pro", "  phone", "  tablet", "  acme", "newest 5 events", "As A Guest"] {
                #expect(shown.output.contains(words), "\(words): \(shown.output)")
            }
            #expect(!shown.output.contains("Of Somebody"))
            #expect(!shown.output.contains("\u{1B}"))
            let lines = try await run("--user", "ada", "--json").output.split(separator: "\n")
            #expect(try lines.map { try JSON.parse(String($0))["messageId"] } == ["m-5", "m-4", "m-3", "m-2", "m-1"])
            #expect(try await run("--anonymous", "tablet", "--json").output.split(separator: "\n").count == 2)
            func find(_ arguments: String...) async throws -> String {
                try await CommandRun.finish(
                    ["people"] + arguments + ["--write-key", "WK", "--server", workspace.client.url]
                ).output
            }
            let found = try await find("find", "PRO")
            #expect(found.contains("ada") && found.contains(#""plan":"pro""#) && !found.contains("bert"), "\(found)")
            #expect(try await find("find", "nothing").contains("no identify event has this text"))
            #expect(try await find("groups").contains("acme"))
            #expect(try await find("members", "acme").contains("ada"))
            let nobody = try await run("--user", "nobody")
            #expect(nobody.status == 1)
            #expect(nobody.errors.contains("no event of nobody is stored"))
            #expect(try await run("--user", "a", "--anonymous", "b").status == 64)
        }
    }
}
