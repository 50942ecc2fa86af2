import Foundation
import GRDB
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// Destinations that cannot be used, as a folder of an earlier version or a backup has them, and the start for repair.
@Suite("Destinations that cannot be used", .timeLimit(.minutes(30))) struct UnusableDestinationTests {
    private static let bad = "/api/sources/WK/destinations/Bad"
    private static let good = "/api/sources/WK/destinations/Good"

    private static func webhook(_ url: String) -> String { #"{"kind":"webhook","settings":{"url":"\#(url)"}}"# }

    @Test("A port that no server has is refused when a destination is made", arguments: ServiceAddressTests.poisoned)
    func refused(url: String) async throws {
        try await TestWorkspace.run { workspace in
            let bucket = """
                {"kind":"s3","secret":"SK","settings":{"endpoint":"\(url)","bucket":"events","accessKey":"AK"}}
                """
            for body in [Self.webhook(url), bucket] {
                let answer = try await workspace.client.put(Self.bad, body)
                #expect(answer.status == 400)
                #expect(answer.text.contains("a port is a number from 1 to 65535"), "\(answer.text)")
            }
            #expect(try await workspace.client.get(Self.bad).status == 404)
        }
    }

    @Test(
        "A stored destination with an impossible port stops neither the start nor the others, says why, and can be repaired",
        arguments: ServiceAddressTests.poisoned)
    func stored(url: String) async throws {
        let (folder, receiver) = (try TemporaryFolder(), Receiver())
        try await receiver.run { place in
            try await TestWorkspace.run(in: folder) { workspace in
                for path in [Self.good, Self.bad] {
                    #expect(
                        try await workspace.client.put(path, Self.webhook(place + "/" + path.suffix(3))).status == 201)
                }
                let settings = JSON.object(["url": .string(url)]).encoded()
                try await workspace.store.pool.write { db in
                    try db.execute(
                        sql: "UPDATE destination SET settings = ? WHERE name = 'Bad'", arguments: [Data(settings)])
                }
            }
            try await TestWorkspace.run(in: folder) { workspace in
                let client = workspace.client
                try await client.batch([Events.track(messageId: "m-1")])
                #expect(await receiver.accepts(1).map(\.path) == ["/ood"])
                let destination = try await client.get(Self.bad).json
                #expect(destination["state"] == "waiting")
                #expect(destination["reason"]?.stringValue?.contains("a port is a number from 1 to 65535") == true)
                #expect(try await client.get(Self.good).json["state"] == "delivering")
                #expect(try await client.post(Self.bad + "/test", [:]).status == 400)
                #expect(try await client.put(Self.bad, Self.webhook(place + "/bad")).status == 200)
                #expect(await receiver.accepts(2).map(\.path) == ["/ood", "/bad"])
            }
        }
    }

    @Test("A destination of a kind that a later version has waits with its events, and stops no other destination")
    func laterKind() async throws {
        let (folder, receiver) = (try TemporaryFolder(), Receiver())
        func setKind(_ kind: String, _ workspace: TestWorkspace) async throws {
            try await workspace.store.pool.write { db in
                try db.execute(sql: "UPDATE destination SET kind = ? WHERE name = 'Bad'", arguments: [kind])
            }
        }
        try await receiver.run { place in
            try await TestWorkspace.run(in: folder) { workspace in
                for path in [Self.good, Self.bad] {
                    #expect(
                        try await workspace.client.put(path, Self.webhook(place + "/" + path.suffix(3))).status == 201)
                }
                try await setKind("pigeon", workspace)
            }
            try await TestWorkspace.run(in: folder) { workspace in
                let client = workspace.client
                try await client.batch([Events.track(messageId: "m-1")])
                #expect(await receiver.accepts(1).map(\.path) == ["/ood"])
                _ = try await workspace.until(Self.good) { $0["delivered"] == 1 }
                let list = try await client.get("/api/sources/WK/destinations").json
                #expect(list["destinations"]?.elements?.map { $0["kind"] } == ["pigeon", "webhook"])
                let destination = try await client.get(Self.bad).json
                #expect(destination["state"] == "waiting")
                #expect(destination["reason"]?.stringValue?.hasPrefix("the kind pigeon is not of this version") == true)
                #expect(try await client.put(Self.bad, #"{"settings":{}}"#).status == 501)
                #expect(try await client.put(Self.bad, #"{"kind":"pigeon"}"#).status == 400)
                try await setKind("webhook", workspace)
            }
            // The version that has the kind goes on where it was.
            try await TestWorkspace.run(in: folder) { _ in
                let paths = await receiver.accepts(2).map(\.path)
                #expect(paths == ["/ood", "/Bad"])
            }
        }
    }

    @Test("A server that was started for repair forwards nothing, says so, and a later start delivers what waited")
    func repair() async throws {
        let (folder, receiver) = (try TemporaryFolder(), Receiver())
        try await receiver.run { place in
            try await TestWorkspace.run(in: folder, isForwarding: false) { workspace in
                let client = workspace.client
                #expect(try await client.put(Self.good, Self.webhook(place + "/good")).status == 201)
                try await client.batch([Events.track(messageId: "m-1")])
                #expect(try await client.events().count == 1)
                let destination = try await client.get(Self.good).json
                #expect(destination["state"] == "waiting")
                #expect(destination["reason"]?.stringValue?.contains("--without-forwarding") == true)
                let test = try await client.post(Self.good + "/test", [:])
                #expect(test.status == 409)
                #expect(test.text.contains("--without-forwarding"))
                #expect(receiver.deliveries.isEmpty)
            }
            try await TestWorkspace.run(in: folder) { _ in
                #expect(await receiver.accepts(1).map(\.id) == ["m-1"])
            }
        }
    }
}
