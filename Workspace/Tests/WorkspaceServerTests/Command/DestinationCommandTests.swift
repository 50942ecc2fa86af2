import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// Destinations, with the real executable, a real server and a real receiver.
@Suite("Commands about destinations", .timeLimit(.minutes(30))) struct DestinationCommandTests {
    private func run(_ workspace: TestWorkspace, _ arguments: String...) async throws -> CommandRun.Outcome {
        try await CommandRun.finish(
            ["destination"] + arguments + ["--server", workspace.client.url, "--write-key", "WK"])
    }

    /// Runs a workspace and a receiver; the receiver answers with the status at the end of the address.
    private func serve(_ body: (TestWorkspace, Receiver, String) async throws -> Void) async throws {
        let receiver = Receiver { delivery, _ in
            let status = delivery.path.split(separator: "/").last.flatMap { Int($0) } ?? 200
            return Receiver.Answer(
                status: status, headers: status == 307 ? ["Location": "/200"] : [:], body: "so \u{1B}[31m")
        }
        try await receiver.run { url in
            try await TestWorkspace.run { workspace async throws in try await body(workspace, receiver, url) }
        }
    }

    /// Asks until there are that many dead letters; the server notes a refusal a moment after the answer.
    private func lettersOfHook(_ workspace: TestWorkspace, _ count: Int) async throws -> [JSON] {
        while true {
            let outcome = try await run(workspace, "dead-letters", "Hook", "--json")
            let letters = try outcome.output.split(separator: "\n").map { try JSON.parse(String($0)) }
            if outcome.status != 0 || letters.count >= count { return letters }
        }
    }

    @Test("A destination is added, shown, changed and removed, and its secret is shown once")
    func lifecycle() async throws {
        let name = "Häuser & Höfe? 100%+"
        try await serve { workspace, _, url in
            let none = try await run(workspace, "list")
            #expect(none.output == "no destinations; `tributary destination add` makes one\n")
            let added = try await run(workspace, "add", name, "--url", url + "/200", "--parallel", "2")
            #expect(added.status == 0, "\(added.errors)")
            #expect(added.output.hasPrefix("whsec_"))
            #expect(added.output.count == 51)
            #expect(added.errors.contains("\(name) is made, and gets new events."))
            let shown = try await run(workspace, "show", name)
            for line in ["  url: \(url)/200\n", "  timeoutSeconds: 15\n", "  parallelRequests: 2\n"] {
                #expect(shown.output.contains(line), "\(shown.output)\(shown.errors)")
            }
            let changed = try await run(workspace, "set", name, "--timeout", "3")
            for line in ["  url: \(url)/200\n", "  timeoutSeconds: 3\n", "  parallelRequests: 2\n"] {
                #expect(changed.output.contains(line), "\(changed.output)\(changed.errors)")
            }
            let list = try await run(workspace, "list")
            #expect(list.output.hasPrefix("\(name)  webhook  \(url)/200  delivering"), "\(list.output)")
            let json = try await run(workspace, "list", "--json")
            let entries = try JSON.parse(json.output)["destinations"]?.elements ?? []
            #expect(entries.map { $0["name"]?.stringValue } == [name])
            for outcome in [shown, changed, list, json] { #expect(!outcome.output.contains("whsec_")) }
            #expect(try await run(workspace, "remove", name, "--yes").output == "\(name) is removed\n")
            #expect(try await run(workspace, "show", name).status == 1)
        }
    }

    @Test("A destination with --s3 is added with the secret of a file, tested, shown without it, and changed")
    func objects() async throws {
        try await serve { workspace, receiver, url in
            let folder = try TemporaryFolder()
            let file = folder.path + "/secret"
            try Data("the-secret-key\n".utf8).write(to: URL(fileURLWithPath: file))
            let store = ["--s3", url, "--bucket", "events", "--access-key", "AK"]
            let options = ["--server", workspace.client.url, "--write-key", "WK"]
            let missing = try await CommandRun.finish(["destination", "add", "Lake"] + store + options)
            #expect(missing.status == 1)
            #expect(missing.errors.contains("--secret-file"), "\(missing.errors)")
            let added = try await CommandRun.finish(
                ["destination", "add", "Lake", "--secret-file", file, "--prefix", "200"] + store + options)
            #expect(added.output == "Lake is made, and gets new events\n", "\(added.errors)")
            let changed = try await run(workspace, "set", "Lake", "--region", "eu-west-1", "--prefix", "raw")
            for line in ["endpoint: \(url)", "bucket: events", "prefix: raw", "region: eu-west-1", "pathStyle: true"] {
                #expect(changed.output.contains("  \(line)\n"), "\(changed.output)\(changed.errors)")
            }
            let list = try await run(workspace, "list")
            #expect(list.output.hasPrefix("Lake  s3  \(url) events  delivering"), "\(list.output)")
            let test = try await run(workspace, "test", "Lake")
            #expect(test.output.hasPrefix("accepted: that its bucket events can be written, "), "\(test.output)")
            #expect(receiver.deliveries.first?.headers["authorization"]?.contains("/eu-west-1/s3/") == true)
            for outcome in [added, changed, list, test] { #expect(!outcome.output.contains("the-secret-key")) }
            #expect(try await run(workspace, "secret", "Lake").errors.contains("another service made the secret"))
        }
    }

    @Test("The documented check accepts forwarded requests, also while two secrets are valid")
    func signatures() async throws {
        try await serve { workspace, receiver, url in
            let added = try await run(workspace, "add", "Hook", "--url", url + "/200")
            let first = added.output.trimmingCharacters(in: .newlines)
            try await workspace.client.batch([Events.track(messageId: "m-1")])
            let delivery = try #require(await receiver.accepts(1).first)
            #expect(delivery.id == "m-1")
            #expect(delivery.headers["user-agent"] == "Tributary")
            #expect(try await DocumentedCheck.accepts(delivery, secret: first) == true)
            let forged = Receiver.Delivery(
                path: delivery.path, headers: delivery.headers, body: delivery.body + Array(" ".utf8))
            #expect(try await DocumentedCheck.accepts(forged, secret: first) == false)

            let replaced = try await run(workspace, "secret", "Hook")
            let second = replaced.output.trimmingCharacters(in: .newlines)
            #expect(replaced.errors.contains("The earlier secret signs as well until 20"), "\(replaced.errors)")
            #expect(second != first)
            #expect(try await DocumentedCheck.accepts(delivery, secret: second) == false)
            try await workspace.client.batch([Events.track(messageId: "m-2")])
            let next = try #require(await receiver.accepts(2).last)
            for secret in [first, second] { #expect(try await DocumentedCheck.accepts(next, secret: secret) == true) }
        }
    }

    @Test("A test event shows the destination's answer, is not stored, and follows no redirect")
    func trial() async throws {
        try await serve { workspace, receiver, url in
            _ = try await run(workspace, "add", "Hook", "--url", url + "/200", "--off")
            let taken = try await run(workspace, "test", "Hook")
            #expect(taken.status == 0, "\(taken.errors)")
            #expect(taken.output.hasPrefix("accepted: 200 OK, "))
            _ = try await run(workspace, "set", "Hook", "--url", url + "/400")
            let refused = try await run(workspace, "test", "Hook")
            #expect(refused.status == 1)
            #expect(refused.output.hasPrefix("not accepted: 400 Bad Request: so"), "\(refused.output)")
            #expect(!refused.output.contains("\u{1B}"))
            _ = try await run(workspace, "set", "Hook", "--url", url + "/307")
            let moved = try await run(workspace, "test", "Hook")
            #expect(moved.status == 1)
            #expect(moved.output.contains("307"))
            #expect(receiver.deliveries.map(\.path) == ["/200", "/400", "/307"])
            #expect(Set(receiver.deliveries.map(\.id)).count == 3)
            // The address has no listener.
            _ = try await run(workspace, "set", "Hook", "--url", "http://127.0.0.1:9/")
            let alone = try await run(workspace, "test", "Hook", "--json")
            #expect(alone.status == 1)
            #expect(try JSON.parse(alone.output)["accepted"] == false)
            #expect(try await workspace.client.events().isEmpty)
        }
    }

    @Test("Events that arrive while a destination is paused are sent after the pause")
    func pause() async throws {
        try await serve { workspace, receiver, url in
            _ = try await run(workspace, "add", "Hook", "--url", url + "/200")
            let paused = try await run(workspace, "pause", "Hook")
            #expect(paused.output == "Hook is off; new events wait until it is resumed\n", "\(paused.errors)")
            try await workspace.client.batch([Events.track(messageId: "m-1")])
            #expect(try await workspace.client.events().count == 1)
            #expect(try await run(workspace, "show", "Hook").output.contains("\n  off\n"))
            #expect(receiver.deliveries.isEmpty)
            #expect(try await run(workspace, "resume", "Hook").output == "Hook is on\n")
            #expect(await receiver.accepts(1).map(\.id) == ["m-1"])
        }
    }

    @Test("A new destination gets new events, or with --from-start all stored events")
    func start() async throws {
        try await serve { workspace, receiver, url in
            try await workspace.client.batch([Events.track(messageId: "m-1")])
            #expect(try await workspace.client.events().count == 1)
            _ = try await run(workspace, "add", "New", "--url", url + "/new/200")
            let all = try await run(workspace, "add", "All", "--url", url + "/all/200", "--from-start")
            #expect(all.errors.contains("All is made, and gets the stored events, and then new events."))
            try await workspace.client.batch([Events.track(messageId: "m-2")])
            let deliveries = Set(await receiver.accepts(3).map { "\($0.path) \($0.id)" })
            #expect(deliveries == ["/all/200 m-1", "/all/200 m-2", "/new/200 m-2"])
        }
    }

    @Test("Dead letters are shown, sent again and deleted, and their events stay")
    func deadLetters() async throws {
        try await serve { workspace, receiver, url in
            _ = try await run(workspace, "add", "Hook", "--url", url + "/400")
            #expect(try await run(workspace, "dead-letters", "Hook").output == "no dead letters\n")
            try await workspace.client.batch([
                Events.track(messageId: "m-1"), Events.track(messageId: "m-2", userId: "u-2"),
            ])
            let letters = try await lettersOfHook(workspace, 2)
            #expect(letters.compactMap { $0["messageId"]?.stringValue } == ["m-1", "m-2"])
            let shown = try await run(workspace, "dead-letters", "Hook")
            #expect(shown.output.contains("  m-1  400 Bad Request: so"), "\(shown.output)")
            #expect(shown.output.contains(", 1 attempt since 20"))
            #expect(!shown.output.contains("\u{1B}"))
            let page = try await run(workspace, "dead-letters", "Hook", "--limit", "1")
            let first = try #require(letters.first?["sequence"]?.intValue)
            #expect(page.output.split(separator: "\n").count == 1)
            #expect(page.errors.contains("--after \(first) shows them"))
            let rest = try await run(workspace, "dead-letters", "Hook", "--after", "\(first)", "--json")
            #expect(try JSON.parse(rest.output)["messageId"] == "m-2")

            _ = try await run(workspace, "set", "Hook", "--url", url + "/200")
            let again = try await run(workspace, "dead-letters", "Hook", "--retry", "--sequence", "\(first)")
            #expect(again.output == "1 event is sent again\n", "\(again.errors)")
            #expect(await receiver.accepts(1).map(\.id) == ["m-1"])
            let forgotten = try await run(workspace, "dead-letters", "Hook", "--discard", "--yes")
            #expect(forgotten.output == "1 event is forgotten\n", "\(forgotten.errors)")
            #expect(try await run(workspace, "dead-letters", "Hook").output == "no dead letters\n")
            #expect(try await workspace.client.events().count == 2)
        }
    }

    @Test("Invalid settings of a destination change nothing, and the error says why")
    func refusals() async throws {
        let address = "https://receiver.test/"
        try await TestWorkspace.run { workspace async throws in
            #expect(try await run(workspace, "add", "Hook", "--url", address, "--off").status == 0)
            let refused = [
                (["add", "Hook", "--url", "https://other.test/"], 1, "there is a destination Hook already"),
                (["add", "More", "--url", "ftp://receiver.test"], 1, "begins with https://"),
                (["add", "More", "--url", "https://user:word@receiver.test"], 1, "a user or a password"),
                (["add", "More", "--url", address, "--timeout", "0"], 1, "timeoutSeconds"),
                (["add", "Segment.io", "--url", address], 1, "Segment.io"),
                (["add", "a/b", "--url", address], 64, "has no slash"),
                (["set", "Hook"], 64, "there is nothing to change"),
                (
                    ["add", "More", "--url", address, "--files"], 64,
                    "give --url for a webhook, --files, --s3, --postgres, --clickhouse, --code or --template"
                ),
                (["add", "More", "--s3", address], 64, "--s3 needs --bucket and --access-key"),
                (["add", "More", "--url", address, "--bucket", "events"], 64, "only a destination with --s3"),
                (["set", "Hook", "--bucket", "events"], 1, "a webhook has no setting bucket"),
                (["add", "More", "--postgres", "db.test"], 64, "--postgres needs --database and --user"),
                (["add", "More", "--url", address, "--schema", "shop"], 64, "only a destination with --postgres"),
                (["add", "More", "--clickhouse", address, "--schema", "shop"], 64, "has a database and a user"),
                (["add", "More", "--clickhouse", address, "--postgres", "db.test"], 64, "give --url for a webhook"),
                (["add", "More", "--clickhouse", "https://store.test/path"], 1, "the url is only https://"),
                (["set", "Hook", "--clickhouse", "https://store.test"], 1, "is of another kind"),
                (["add", "More", "--files", "--bucket", "events"], 64, "one with --files has --format"),
                (["add", "More", "--url", address, "--secret-file", "file"], 64, "takes a secret"),
                (["set", "Hook", "--schema", "shop"], 1, "a webhook has no setting schema"),
                (["set", "None", "--parallel", "2"], 1, "no destination None"),
                (["dead-letters", "Hook", "--retry", "--discard"], 64, "do not go together"),
                (["dead-letters", "Hook", "--sequence", "1"], 64, "--sequence goes with --retry"),
            ]
            let options = ["--server", workspace.client.url, "--write-key"]
            for (arguments, status, message) in refused {
                let outcome = try await CommandRun.finish(["destination"] + arguments + options + ["WK"])
                #expect(Int(outcome.status) == status, "\(arguments): \(outcome.errors)")
                #expect(outcome.errors.contains(message), "\(arguments): \(outcome.errors)")
            }
            let stranger = try await CommandRun.finish(
                ["destination", "add", "More", "--url", address] + options + ["NO"])
            #expect(stranger.errors.contains("there is no source NO"))
            let locked = try await CommandRun.finish(["destination", "list"] + options + ["WK"], token: nil)
            #expect(locked.errors.contains("TRIBUTARY_ADMIN_TOKEN"))
            let list = try JSON.parse(try await run(workspace, "list", "--json").output)["destinations"]?.elements ?? []
            #expect(list.map { $0["settings"]?["url"]?.stringValue } == [address])
        }
    }
}
